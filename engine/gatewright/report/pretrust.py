"""What became of the trust files of an agent: a line a file, what would be written, and the line that sums up."""

import difflib
from collections.abc import Iterator

from gatewright.model.decisions import Plain
from gatewright.report.formats import table
from gatewright.runtimes.pretrust.outcomes import Edit, Entry, Outcome
from gatewright.text import printable

HEADERS = ("STATUS", "FILE", "KEYS", "WHY")
_LINE_LENGTH = 200  #: of longer lines only the part that differs is shown: they hold a whole file, secrets and all


def text(outcome: Outcome, *, style: str = "") -> str:
    """A line a file, notes, the difference of a dry run, and the summary as the last line."""
    parts = [table([_row(entry) for entry in outcome.entries], HEADERS, style=style)] if outcome.entries else []
    parts += [f"{printable(note)}\n" for note in outcome.notes]
    if not outcome.entries:
        parts.append(f"no {outcome.runtime} account was found: nothing to pre-trust\n")
    if outcome.dry_run:
        parts += [difference(entry) for entry in outcome.entries]
    return "".join([*parts, f"{printable(outcome.summary)}\n"])


def _row(entry: Entry) -> list[str]:
    why = f"{entry.problem} ({entry.hint})" if entry.hint else entry.problem
    return [entry.status.value.replace("-", " "), entry.file, ", ".join(entry.keys), why]


def plain(outcome: Outcome) -> Plain:
    """The same as plain data."""
    return {
        "runtime": outcome.runtime,
        "worktree": outcome.worktree,
        "ok": outcome.succeeded,
        "dry_run": outcome.dry_run,
        "entries": [_entry(entry, differs=outcome.dry_run) for entry in outcome.entries],
        "notes": list(outcome.notes),
        "summary": outcome.summary,
    }


def _entry(entry: Entry, *, differs: bool) -> Plain:
    return {
        "file": entry.file,
        "status": entry.status.value,
        "keys": list(entry.keys),
        "problem": entry.problem,
        "hint": entry.hint,
        "diff": difference(entry) if differs else "",
    }


def difference(entry: Entry) -> str:
    """What would be written into a file, without the lines around it; empty when nothing would."""
    if entry.edit is None or not entry.edit.changes:
        return ""
    before, after = _texts(entry.edit)
    if any(len(line) > _LINE_LENGTH for line in (*before, *after)):
        before, after = _parts("".join(before), "".join(after))
    name = printable(entry.file)
    lines = difflib.unified_diff(before, after, name, f"{name} (pretrust)", n=0)
    return "".join(_shown(line) for line in lines)


def _texts(edit: Edit) -> tuple[list[str], list[str]]:
    before, after = ((data or b"").decode("utf-8").splitlines(keepends=True) for data in (edit.before, edit.after))
    return before, after


def _parts(before: str, after: str) -> tuple[list[str], list[str]]:
    """The part that differs, as one line each."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(map(len, (before, after)))
    )
    rest = min(len(before), len(after)) - start
    end = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    return [part] if (part := before[start : len(before) - end]) else [], [after[start : len(after) - end]]


def _shown(line: str) -> str:
    body = line.rstrip("\r\n")
    return f"{body[:1]}{printable(body[1:])}\n"


def lines(outcome: Outcome) -> Iterator[str]:
    """What people are told of each file that was left as it is."""
    for entry in outcome.entries:
        if entry.problem:
            yield f"{entry.file}: {_row(entry)[-1]}"
