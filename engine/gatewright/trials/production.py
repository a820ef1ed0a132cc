"""Coverage by recorded checks: which reason codes what was really asked has given, and which it narrowly missed."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from gatewright.ledger.protocol import Entry
from gatewright.model.coverage import NEGATIVE, POSITIVE, CodeUse, Coverage, ExceptionShown
from gatewright.trials import coverage
from gatewright.trials.recorded import Reader, Recorded
from gatewright.trials.replaying import Side, as_recorded
from gatewright.trials.runs import Judged

_AT_ONCE = 10_000  #: decisions that are held at a time


class Production(Struct, frozen=True, kw_only=True):
    """What recorded checks show, and how many of them could not be judged."""

    coverage: Coverage
    lacking: int  #: checks whose rows do not hold what a rule needs


def of_rows(source: str, entries: Iterable[Entry], side: Side, since: float | None = None) -> Production:
    """What the checks among these rows show of a policy, each judged by it on the facts that were recorded.

    What they had used up is counted by the verdicts that were recorded. since: earlier ones are counted only.
    """
    judging = _Judging(side, since)
    found = replace(coverage.of_cases([], [side.gate]), source=source)
    held: list[Judged] = []
    for each in judging.judged(Reader().checks(entries)):
        held.append(each)
        if len(held) == _AT_ONCE:
            found, held = merged(found, coverage.of_cases(held)), []
    found = merged(found, coverage.of_cases(held, [side.gate]))
    codes = tuple(
        replace(use, lacking=tuple(each.replace("no case", "no check") for each in use.lacking)) for use in found.codes
    )
    return Production(coverage=replace(found, codes=codes), lacking=judging.lacking)


class _Judging:
    """Goes through recorded checks with one policy."""

    def __init__(self, side: Side, since: float | None) -> None:
        self.side, self.since = side, since
        self.lacking = 0

    def judged(self, checks: Iterable[Recorded]) -> Iterator[Judged]:
        """The decisions on the checks whose rows tell enough."""
        for check in checks:
            if self.since is None or check.wall is None or check.wall >= self.since:
                yield from self._one(check)
            self.side.count(check, as_recorded(check))

    def _one(self, check: Recorded) -> Iterator[Judged]:
        if self.side.reads.lack(check.blanks).facts:
            self.lacking += 1
            return
        gate = self.side.gate
        facts = gate.admit({**check.facts, "tier_policy": self.side.tiers}, self.side.collectors(check))
        yield Judged(id=f"row {check.row}", gate=gate, facts=facts, decision=gate.decide(facts))


def merged(one: Coverage, other: Coverage) -> Coverage:
    """What two lots of decisions on the same policies show together."""
    return replace(
        one,
        decisions=one.decisions + other.decisions,
        codes=tuple(map(_of_code, one.codes, other.codes)),
        exceptions=tuple(map(_of_exception, one.exceptions, other.exceptions)),
    )


def _of_exception(one: ExceptionShown, other: ExceptionShown) -> ExceptionShown:
    return replace(one, used=one.used + other.used)


def _of_code(one: CodeUse, other: CodeUse) -> CodeUse:
    missed = (one.missed or 0) + (other.missed or 0)
    fired = one.fired + other.fired
    shown = {POSITIVE: fired > 0, NEGATIVE: missed > 0}
    words = {each.partition(":")[0]: each for each in sorted((*one.lacking, *other.lacking), key=len)}
    return replace(
        one,
        fired=fired,
        missed=missed,
        not_applicable=(one.not_applicable or 0) + (other.not_applicable or 0),
        excepted=one.excepted + other.excepted,
        overridden=one.overridden + other.overridden,
        errored=one.errored + other.errored,
        fired_by=one.fired_by or other.fired_by,
        missed_by=one.missed_by or other.missed_by,
        lacking=tuple(words[sign] for sign, is_shown in shown.items() if sign in words and not is_shown),
    )
