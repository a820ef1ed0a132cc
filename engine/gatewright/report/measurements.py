"""A measured model, for people: one line that says how it stands, and below it what that rests on."""

from collections.abc import Mapping

from gatewright.model.measurements import Agreement, Measurement
from gatewright.text import printable


def text(found: Measurement) -> str:
    """The measurement as lines of text."""
    told = {
        "measured": found.measured or "",
        "judged": found.judged if found.judged != found.measured else "",
        "grade": found.grade.value,
        "models": counts(found.seen.models),
        "placeholders": counts(found.seen.placeholders),
        "sub-agents": counts(found.seen.subagents),
        "requested": counts(found.seen.requested),
        "transcript": f"{found.transcript or 'none'} ({found.found_by})" if found.found_by else found.transcript or "",
        "looked in": ", ".join(found.looked_in) if found.transcript is None else "",
        "lines": f"{found.seen.rows} rows, {found.seen.skipped} skipped"
        if found.seen.rows or found.seen.skipped
        else "",
    }
    lines = [headline(found), *(f"{name:<13}{value}" for name, value in told.items() if value)]
    lines += [f"note         {note}" for note in found.seen.notes]
    return "".join(f"{printable(line)}\n" for line in lines)


def headline(found: Measurement) -> str:
    """How it stands, in one line."""
    start = f"MODEL-PROBE {found.agreement.value}"
    recent = counts(found.seen.recent)
    earlier = {name: number for name, number in found.seen.models.items() if name not in found.seen.recent}
    if found.agreement is Agreement.OK:
        answers = found.seen.recent
        met = sum(number for name, number in answers.items() if name in found.seen.models)
        return f"{start} {found.measured} {met}/{sum(answers.values())}"
    if found.agreement is Agreement.INFO:
        return f"{start} {recent}: no model is expected, so nothing is judged"
    if found.agreement is Agreement.UNVERIFIED:
        return f"{start}: {found.problem}"
    reason = found.reason.value if found.reason else ""
    judged = f", judged {found.judged}" if found.judged != found.measured else ""
    before = f"; earlier {counts(earlier)}" if earlier else ""
    return f"{start}: {recent}{before}; expected {found.declared}{judged}: {reason}"


def counts(found: Mapping[str, int]) -> str:
    """Numbers by name, the largest first."""
    return ", ".join(f"{name}={number}" for name, number in sorted(found.items(), key=lambda each: (-each[1], each[0])))
