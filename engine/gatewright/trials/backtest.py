"""Back-tests: recorded checks judged again by another policy, and every difference from what came of them."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from gatewright.ledger.protocol import Entry
from gatewright.model import PolicyRef
from gatewright.model.backtests import Backtest, Change, Example, Flips, TableRef, Tally, Unreplayable
from gatewright.text import shortened
from gatewright.trials.recorded import Reader, Recorded
from gatewright.trials.replaying import Judged, Side, as_recorded

EXAMPLES = 3
_CODE = 200  #: characters of a code that an example tells; an old row may hold any text as one
FIRST = 5  #: numbers of rows that cannot be replayed, at most

Span = tuple[float | None, float | None]
_Difference = tuple[
    Change, str, str, bool
]  #: the change, the rule and the code behind it, and whether the code fell away


def backtest(
    source: str,
    entries: Iterable[Entry],
    new: Side,
    old: Side | None = None,
    *,
    span: Span = (None, None),
) -> Backtest:
    """Judge the checks of a span again.

    source: what the rows come from.
    entries: in the order of the ledger, those before the span included that its windows reach back to: they count as
        they were recorded.
    old: the policy to compare with, in the place of the verdicts that were recorded.
    """
    reader, found = Reader(), Findings()
    sides = [new] if old is None else [new, old]
    for check in reader.checks(entries):
        if not _within(check, span):
            then = as_recorded(check)
            for side in sides:
                side.count(check, then)
            continue
        both = verdicts(check, new.judge, old.judge if old is not None else None)
        found.add(check, both)
        new.count(check, both.counted_after)
        if old is not None:
            old.count(check, both.counted_before)
    return found.result(source, span, new, old, skipped=reader.skipped, others=reader.others)


class Verdicts(Struct, frozen=True, kw_only=True):
    """What came of a check before, and comes of it now."""

    before: Judged
    after: Judged
    recorded: Judged
    lacking: tuple[str, ...] | None = None  #: why they cannot be compared; empty where no policy decided the check

    @property
    def differ(self) -> bool:
        """Whether there is something to tell of the check."""
        if self.lacking is not None:
            return True
        return any(changes(self.before, self.after, self.before.untold | self.after.untold))

    @property
    def counted_before(self) -> Judged:
        """What counts in the windows of before."""
        return self.before if self.lacking is None else self.recorded

    @property
    def counted_after(self) -> Judged:
        """What counts in the windows of now."""
        return self.after if self.lacking is None else self.recorded


def verdicts(check: Recorded, new: Callable[[Recorded], Judged], old: Callable[[Recorded], Judged] | None) -> Verdicts:
    """Both verdicts on a check."""
    then = as_recorded(check)
    if not check.decided:
        return Verdicts(before=then, after=then, recorded=then, lacking=())
    after = new(check)
    before = old(check) if old is not None else then
    lacking = tuple(dict.fromkeys((*after.lacking, *before.lacking)))
    return Verdicts(before=before, after=after, recorded=then, lacking=lacking or None)


def _within(check: Recorded, span: Span) -> bool:
    since, until = span
    if since is None and until is None:
        return True
    ts = check.wall  # a row without a time is in no span
    return ts is not None and (since is None or ts >= since) and (until is None or ts < until)


class _Group(Struct):
    """Checks that change alike, while they are gathered."""

    count: int = 0
    agents: int = 0
    examples: list[Example] = []


class Findings:
    """What has been found so far."""

    def __init__(self) -> None:
        self.checks = self.replayed = 0
        self.before, self.after = [0, 0, 0], [0, 0, 0]
        self.groups: dict[_Difference, _Group] = {}
        self.lacking: dict[tuple[str, ...], list[int]] = {}
        self.lacked: dict[tuple[str, ...], int] = {}
        self.untold: set[str] = set()
        self.policies: dict[object, int] = {}
        self.tables: dict[object, int] = {}

    def add(self, check: Recorded, both: Verdicts, count: int = 1, agents: int | None = None) -> None:
        """Add a check, or as many that came out alike, of which this one is told.

        agents: of all of them, where they are several.
        """
        self.checks += count
        for found, key in ((self.policies, check.policy), (self.tables, check.table)):
            found[key] = found.get(key, 0) + count
        if both.lacking is not None:
            self.lacked[both.lacking] = self.lacked.get(both.lacking, 0) + count
            rows = self.lacking.setdefault(both.lacking, [])
            rows[:] = sorted([*rows, check.row])[:FIRST]
            return
        self._compare(check, both, count, (check.agents or 0) if agents is None else agents)

    def _compare(self, check: Recorded, both: Verdicts, count: int, agents: int) -> None:
        before, after = both.before, both.after
        self.replayed += count
        untold = before.untold | after.untold
        self.untold |= untold
        for sums, verdict in ((self.before, before), (self.after, after)):
            sums[0 if verdict.allow else 1] += count
            sums[2] += agents if verdict.allow else 0
        for change in changes(before, after, untold):
            group = self.groups.setdefault(change, _Group())
            group.count += count
            group.agents += agents
            if len(group.examples) < EXAMPLES or check.row < group.examples[-1].row:
                told = [*group.examples, _example(check, before, after, change)]
                group.examples = sorted(told, key=lambda each: each.row)[:EXAMPLES]

    def result(
        self, source: str, span: Span, new: Side, old: Side | None, *, skipped: int = 0, others: int = 0
    ) -> Backtest:
        """What was found, the order of it made the same for the same findings."""
        order = list(Change)
        keys = sorted(self.groups, key=lambda key: (order.index(key[0]), -self.groups[key].count, key[1:]))
        return Backtest(
            source=source,
            new=new.gate.ref,
            new_table=_table(new),
            old=old.gate.ref if old is not None else None,
            old_table=_table(old) if old is not None else None,
            since=span[0],
            until=span[1],
            checks=self.checks,
            replayed=self.replayed,
            before=_tally(self.before),
            after=_tally(self.after),
            flips=tuple(_flips(key, self.groups[key]) for key in keys),
            unreplayable=tuple(
                Unreplayable(facts=facts, count=self.lacked[facts], rows=tuple(rows))
                for facts, rows in sorted(self.lacking.items())
            ),
            untold=tuple(sorted(self.untold)),
            policies=len(self.policies),
            tables=len(self.tables),
            other_policy=_others(self.policies, _key(new.gate.ref)),
            other_table=_others(self.tables, new.tiers.sha256),
            skipped=skipped,
            others=others,
        )


def _table(side: Side) -> TableRef:
    return TableRef(path=side.tiers.path, sha256=side.tiers.sha256 or "")


def _others(counts: dict[object, int], own: object) -> int:
    return sum(number for key, number in counts.items() if key != own)


def _key(ref: PolicyRef) -> tuple[str, str]:
    return ref.id, ref.digest


def _tally(sums: list[int]) -> Tally:
    return Tally(allowed=sums[0], denied=sums[1], agents=sums[2])


def _flips(key: _Difference, group: _Group) -> Flips:
    change, rule, code, gone = key
    return Flips(
        change=change,
        rule=rule,
        code=code,
        gone=gone,
        count=group.count,
        agents=group.agents,
        examples=tuple(group.examples),
    )


def changes(before: Judged, after: Judged, untold: frozenset[str]) -> Iterator[_Difference]:
    """In what two verdicts differ."""
    if before.allow and not after.allow:
        yield Change.DENIED, _rule(after, after.reasons[0]), after.reasons[0], False
    elif after.allow and not before.allow:
        yield Change.ALLOWED, _rule(before, before.reasons[0]), before.reasons[0], True
    else:
        yield from _other_reasons(before, after)
    for code in sorted(after.warnings - before.warnings - untold):
        yield Change.WARNINGS, _rule(after, code), code, False
    for code in sorted(before.warnings - after.warnings - untold):
        yield Change.WARNINGS, _rule(before, code), code, True


def _other_reasons(before: Judged, after: Judged) -> Iterator[_Difference]:
    if not (before.all_reasons and after.all_reasons):  # the first ones are known
        before, after = _first_only(before), _first_only(after)
    for code in after.reasons:
        if code not in before.reasons:
            yield Change.REASONS, _rule(after, code), code, False
    for code in before.reasons:
        if code not in after.reasons:
            yield Change.REASONS, _rule(before, code), code, True


def _first_only(verdict: Judged) -> Judged:
    return Judged(allow=verdict.allow, reasons=verdict.reasons[:1], rules=verdict.rules)


def _rule(verdict: Judged, code: str) -> str:
    return verdict.rules.get(code, "")


def _example(check: Recorded, before: Judged, after: Judged, difference: _Difference) -> Example:
    facts = check.facts
    was, now, message = _told(before, after, difference)
    runtime, model = facts.get("runtime"), facts.get("model")
    return Example(
        row=check.row,
        ts=check.wall,
        runtime=runtime if isinstance(runtime, str) else "",
        model=model if isinstance(model, str) else "",
        agents=check.agents,
        before=was,
        after=now,
        message=message,
    )


def _told(before: Judged, after: Judged, difference: _Difference) -> tuple[str, str, str]:
    """Both verdicts with the code that only one of them gives, and what is said with it now."""
    change, _, code, gone = difference
    warns = change is Change.WARNINGS
    told = f"{'warning' if warns else 'reason'} {shortened(code, _CODE) if code else '(empty)'}"
    was, now = _said(before), _said(after)
    if warns or code not in (before if gone else after).reasons[:1]:  # the first reason is told anyway
        was, now = (f"{was} with {told}", f"{now} without {told}") if gone else (was, f"{now} with {told}")
    if not gone:
        return was, now, after.message(code, denies=not warns)
    return was, now, "" if warns or after.allow else after.message(after.reasons[0], denies=True)


def _said(verdict: Judged) -> str:
    return "ALLOW" if verdict.allow else f"DENY {verdict.reasons[0] if verdict.reasons else ''}".strip()
