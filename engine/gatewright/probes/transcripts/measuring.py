"""Measuring a worker's model from its transcript: `measure`; and whether its task has reached it: `confirms`."""

from collections.abc import Iterator

import msgspec

from gatewright.errors import FileError
from gatewright.model.measurements import Measurement, Seen
from gatewright.model.tiers import TierTable
from gatewright.probes.transcripts import judging, places
from gatewright.probes.transcripts.claude import Claude
from gatewright.probes.transcripts.codex import Codex
from gatewright.probes.transcripts.generic import Generic
from gatewright.probes.transcripts.lines import MAX_LINE, Lines
from gatewright.probes.transcripts.places import Candidate, Sought
from gatewright.probes.transcripts.rows import row_in, whole

LIMIT = 10  #: answers that the distribution looks back on


def measure(
    sought: Sought, *, declared: str | None = None, table: TierTable | None = None, limit: int = LIMIT
) -> Measurement:
    """Measure the model of the worker whose transcript is sought. Never raises for what a transcript is or holds.

    declared: the model that it should be; None judges nothing.
    table: the tier table in force, by which the most expensive model is known.
    limit: how many of the last answers the distribution tells, at least 1.
    """
    declared = (declared or "").strip() or None
    candidate, seen, problem = _first(sought, limit)
    agreement, reason = judging.agreement(seen, declared, table)
    return Measurement(
        seen=seen,
        grade=judging.grade_of(seen),
        judged=judging.judged(seen, declared, table),
        declared=declared,
        agreement=agreement,
        reason=reason,
        transcript=candidate.path if candidate else sought.transcript,
        found_by=sought.found_by,
        looked_in=() if sought.transcript is not None else places.patterns(sought),
        problem=problem,
    )


def _first(sought: Sought, limit: int) -> tuple[Candidate | None, Seen, str | None]:
    """The first transcript that is not a sub-agent's, what it tells, and why it tells no model."""
    if sought.transcript is None and not places.patterns(sought):
        return None, Seen(), "no transcript is named, and no folder or pattern by which one could be found"
    try:
        fitting = places.candidates(sought)
        for candidate in fitting:
            unfit = places.misfit(sought, candidate.header)
            if unfit is not None:
                return candidate, Seen(format=candidate.header.format), unfit
            seen, is_aside = _read(candidate, sought, limit)
            if not is_aside or sought.transcript is not None:
                return candidate, _with_others(seen, fitting, sought), _why_nothing(seen, is_aside=is_aside)
    except FileError as error:
        return None, Seen(), str(error)
    return None, Seen(), "no transcript of this worker was found"


def _with_others(seen: Seen, others: Iterator[Candidate], sought: Sought) -> Seen:
    """The same with a note on further sessions that fit one worker alone, and were not measured."""
    if sought.transcript is not None or sought.worktree is None or sought.since is None:
        return seen
    number = sum(1 for _ in others)
    if not number:
        return seen
    note = f"sessions of this folder that began after that time too, and were not measured: {number}"
    return msgspec.structs.replace(seen, notes=(*seen.notes, note))


def _read(candidate: Candidate, sought: Sought, limit: int) -> tuple[Seen, bool]:
    """What a transcript tells with those of its sub-agents, and whether it is a sub-agent's itself."""
    lines = Lines(candidate.path)
    kind = candidate.header.format or sought.format
    if kind == "claude":
        seen, is_aside = _read_claude(candidate, lines, limit)
    elif kind == "codex":
        seen, is_aside = _read_codex(candidate, lines, limit)
    else:
        generic = Generic(limit)
        for row in lines:
            generic.take(row)
        seen, is_aside = generic.seen(), False
    notes = (*seen.notes, *_notes(lines))
    return msgspec.structs.replace(seen, rows=lines.rows, skipped=lines.skipped, notes=notes), is_aside


def _read_claude(candidate: Candidate, lines: Lines, limit: int) -> tuple[Seen, bool]:
    reader = Claude(limit)
    for row in lines:
        reader.take(row)
    is_aside = reader.main.newest is None and not reader.main.placeholders and bool(reader.aside.models)
    for path in () if is_aside else places.helpers(candidate):
        for row in _readable(path):
            reader.take(row, aside=True)
    return reader.seen(), is_aside


def _read_codex(candidate: Candidate, lines: Lines, limit: int) -> tuple[Seen, bool]:
    reader = Codex(limit)
    for row in lines:
        reader.take(row)
    seen = reader.seen()
    if reader.is_aside:
        return msgspec.structs.replace(seen, measured=None, models={}, recent={}, subagents=seen.models), True
    subagents: dict[str, int] = {}
    for path in places.helpers(candidate):
        helper = Codex(limit)
        for row in _readable(path):
            helper.take(row)
        for model, number in helper.seen().models.items():
            subagents[model] = subagents.get(model, 0) + number
    return msgspec.structs.replace(seen, subagents=subagents), False


def _readable(path: str) -> Lines | tuple[()]:
    """The rows of a sub-agent's transcript; none where it has gone meanwhile."""
    try:
        next(Lines(path).raw(), None)
    except FileError:
        return ()
    return Lines(path)


def _notes(lines: Lines) -> list[str]:
    notes = []
    if lines.too_long:
        notes.append(f"lines longer than {MAX_LINE >> 20} MiB were passed over: {lines.too_long}")
    if lines.torn:
        notes.append("the last line is not complete yet")
    return notes


def _why_nothing(seen: Seen, *, is_aside: bool) -> str | None:
    if seen.measured is not None:
        return None
    if is_aside:
        return "it is the transcript of a sub-agent, not of the worker itself"
    if not seen.rows and seen.skipped:
        return "no line of it is a row in JSON: this is no transcript that an agent wrote"
    if seen.placeholders:
        told = ", ".join(f"{name}={number}" for name, number in seen.placeholders.items())
        return f"no answer in it names a model: {told}"
    return "there is no answer in it yet"


def confirms(sought: Sought, marker: str) -> bool:
    """Whether the worker's own transcript holds a text that was given to it, such as a mark of its task.

    Only what was said to the worker counts, not what it said or read. Blanks and line breaks make no difference.
    Never raises for what a transcript is or holds.
    """
    wanted = " ".join(marker.split())
    if not wanted:
        return False
    try:
        fitting = (each for each in places.candidates(sought) if places.misfit(sought, each.header) is None)
        return any(wanted in told for candidate in fitting for told in _told(candidate.path))
    except FileError:
        return False


def _told(path: str) -> Iterator[str]:
    """What was said to a worker, message by message, with single blanks."""
    for line in Lines(path).raw():
        if b"user" not in line or (row := row_in(line)) is None or row.is_sidechain is True:
            continue
        found = whole(line) or {}
        body = found.get("payload") if row.type in ("response_item", "event_msg") else found.get("message")
        body = found if not isinstance(body, dict) else body
        if "user" in (row.type, row.role, body.get("role")) or body.get("type") == "user_message":
            yield " ".join(_texts(body).split())


def _texts(body: "dict[str, object]") -> str:
    content = body.get("content", body.get("message"))
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (each.get("text") for each in parts if isinstance(each, dict) and each.get("type") != "tool_result")
    return " ".join(each for each in texts if isinstance(each, str))
