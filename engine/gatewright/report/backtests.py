"""A back-test for people and programs: what changes, by rule and reason, with examples, and what cannot be judged."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from gatewright.model import PolicyRef
from gatewright.model.backtests import Backtest, Change, Example, Flips, TableRef, Tally, Unreplayable
from gatewright.model.decisions import Plain
from gatewright.report.audits import WIDTH, time_of
from gatewright.report.formats import as_csv, escaped, markdown_table, table
from gatewright.text import counted, printable

HEADERS = ("CHANGE", "RULE", "CODE", "CHECKS", "EXAMPLE")
UNREPLAYABLE_HEADERS = ("LACKING", "CHECKS", "ROWS")
CSV_COLUMNS = ("change", "rule", "code", "gone", "checks", "agents", "rows", "example")
_LABEL = 9
_DIGITS = 12
UNDECIDED = "(no policy decided it)"


def text(found: Backtest, *, style: str = "", width: int = 0) -> str:
    """The span, what was allowed before and after, and the tables."""
    columns = width or WIDTH
    parts = ["".join(f"{line}\n" for line in _headlines(found, columns))]
    if found.flips:
        parts.append(table([cells(each) for each in found.flips], HEADERS, style=style, width=columns))
    if found.unreplayable:
        rows = [_lacking_cells(each) for each in found.unreplayable]
        parts.append("Not replayable\n" + table(rows, UNREPLAYABLE_HEADERS, style=style, width=columns))
    return "\n".join([*parts, f"{summary(found)}\n"])


def summary(found: Backtest) -> str:
    """`2 now denied, 1 now allowed of 120 checks`, `no difference in 120 checks`."""
    if not found.replayed:
        return "no check could be replayed" if found.checks else "there is no check to replay"
    of = f"{counted(found.replayed, 'check')}"
    told = [f"{number:,} {change.value}" for change in Change if (number := found.changed(change))]
    return f"{', '.join(told)} of {of}" if told else f"no difference in {of}"


def remarks(found: Backtest) -> list[str]:
    """Sentences on what a reader of the figures has to know."""
    notes = []
    if found.policies > 1:
        notes.append(f"the checks were made under {found.policies} policies, {found.other_policy:,} under another one")
    elif found.other_policy and found.old is None:
        notes.append("all checks were made under another policy than this one")
    if found.tables > 1:
        notes.append(f"the checks were made under {found.tables} tier tables, {found.other_table:,} under another one")
    elif found.other_table and found.old is None:
        notes.append("all checks were made under another tier table than this one")
    if found.untold:
        notes.append(
            f"some rows cannot tell of these warnings, which were not compared there: {', '.join(found.untold)}"
        )
    if found.unreplayable:
        notes.append("checks that cannot be replayed count in windows as they were recorded")
    if found.skipped:
        notes.append(f"{counted(found.skipped, 'line')} left out: no rows")
    return notes


def _headlines(found: Backtest, columns: int) -> Iterator[str]:
    for label, said in (
        ("Policy", _policy(found.new, found.new_table)),
        ("Against", _against(found)),
        ("History", printable(found.source)),
        ("Span", _span(found)),
        ("Checks", f"{found.checks:,}: {found.replayed:,} replayed, {found.checks - found.replayed:,} not replayable"),
        ("Before", _tally(found.before)),
        ("After", _tally(found.after)),
        *(("Note", each) for each in remarks(found)),
    ):
        room = columns - _LABEL
        lines = wrap(said, room, break_long_words=False, break_on_hyphens=False) if len(said) > room else [said]
        yield from (f"{label if at == 0 else '':{_LABEL}}{line}" for at, line in enumerate(lines))


def _against(found: Backtest) -> str:
    if found.old is None or found.old_table is None:
        return "what was recorded"
    return _policy(found.old, found.old_table)


def _policy(ref: PolicyRef, table: TableRef) -> str:
    under = f"tier table {printable(table.path)}, {table.sha256[:_DIGITS]}"
    return f"{printable(ref.id)} ({printable(ref.path)}, {ref.digest[:_DIGITS]}; {under})"


def _span(found: Backtest) -> str:
    ends = (time_of(found.since), time_of(found.until))
    told = [f"{word} {end}" for word, end in zip(("from", "until before"), ends, strict=True) if end]
    return " ".join(told) or "all rows"


def _tally(tally: Tally) -> str:
    return f"{tally.allowed:,} allowed, {tally.denied:,} denied; {counted(tally.agents, 'agent')} started"


def cells(flips: Flips) -> list[str]:
    """The cells of a change."""
    example = _example(flips.examples[0]) if flips.examples else ""
    code = f"{flips.code} (gone)" if flips.gone and flips.change is not Change.ALLOWED else flips.code
    return [flips.change.value, flips.rule, code, f"{flips.count:,}", example]


def _example(example: Example) -> str:
    when = time_of(example.ts) or "at an unknown time"
    agents = "? agents" if example.agents is None else counted(example.agents, "agent")
    who = " ".join(part for part in (example.runtime, example.model) if part)
    told = f"row {example.row:,}, {when}: {who}, {agents}; {example.before}, now {example.after}"
    return f"{told}: {example.message}" if example.message else told


def _lacking_cells(each: Unreplayable) -> list[str]:
    more = ", …" if each.count > len(each.rows) else ""
    return [", ".join(each.facts) or UNDECIDED, f"{each.count:,}", ", ".join(f"{row:,}" for row in each.rows) + more]


# -- for programs ------------------------------------------------------------------------------------------------------


def plain(found: Backtest) -> dict[str, Plain]:
    """A back-test as plain data."""
    return {
        "source": found.source,
        "policy": found.new.to_dict(),
        "tier_policy": found.new_table.to_dict(),
        "against": found.old.to_dict() if found.old is not None else None,
        "against_tier_policy": found.old_table.to_dict() if found.old_table is not None else None,
        "since": time_of(found.since),
        "until": time_of(found.until),
        "checks": found.checks,
        "replayed": found.replayed,
        "before": _plain_tally(found.before),
        "after": _plain_tally(found.after),
        "changed": {change.value.replace(" ", "_"): found.changed(change) for change in Change},
        "flips": [_plain_flips(each) for each in found.flips],
        "unreplayable": [
            {"facts": list(each.facts), "checks": each.count, "rows": list(each.rows)} for each in found.unreplayable
        ],
        "untold": list(found.untold),
        "remarks": list(remarks(found)),
        "skipped": found.skipped,
        "other_rows": found.others,
    }


def _plain_tally(tally: Tally) -> dict[str, Plain]:
    return {"allowed": tally.allowed, "denied": tally.denied, "agents": tally.agents}


def _plain_flips(flips: Flips) -> dict[str, Plain]:
    return {
        "change": flips.change.value,
        "rule": flips.rule,
        "code": flips.code,
        "gone": flips.gone,
        "checks": flips.count,
        "agents": flips.agents,
        "examples": [
            {
                "row": each.row,
                "time": time_of(each.ts),
                "runtime": each.runtime,
                "model": each.model,
                "agents": each.agents,
                "before": each.before,
                "after": each.after,
                "message": each.message,
            }
            for each in flips.examples
        ],
    }


def csv(found: Backtest) -> str:
    """A line a change and, of change `not replayable`, a line for each set of facts that is lacking."""
    lines = [
        [
            *(each.change.value, each.rule, each.code, str(each.gone).lower(), str(each.count), str(each.agents)),
            " ".join(str(example.row) for example in each.examples),
            _example(each.examples[0]) if each.examples else "",
        ]
        for each in found.flips
    ]
    lines += [
        ["not replayable", "", " ".join(each.facts), "", str(each.count), "", " ".join(map(str, each.rows)), ""]
        for each in found.unreplayable
    ]
    return as_csv(CSV_COLUMNS, lines)


def markdown(found: Backtest) -> str:
    """A back-test as a page of Markdown."""
    lines = ["# Back-test", "", f"**{escaped(summary(found))}**", ""]
    figures: Sequence[Sequence[str]] = [
        ["Policy", _policy(found.new, found.new_table)],
        ["Against", _against(found)],
        ["History", found.source],
        ["Span", _span(found)],
        ["Checks", f"{found.checks:,}"],
        ["Replayed", f"{found.replayed:,}"],
        ["Before", _tally(found.before)],
        ["After", _tally(found.after)],
    ]
    lines += markdown_table(["Figure", "Value"], figures)
    notes = [f"- {escaped(each)}" for each in remarks(found)]
    lines += ["", *notes] if notes else []
    headers = [header.capitalize() for header in HEADERS]
    lines += ["", "## Changes", ""]
    lines += markdown_table(headers, [cells(each) for each in found.flips]) if found.flips else ["None."]
    if found.unreplayable:
        rows = [_lacking_cells(each) for each in found.unreplayable]
        lines += ["", "## Not replayable", "", *markdown_table(["Lacking", "Checks", "Rows"], rows)]
    return "\n".join(lines) + "\n"
