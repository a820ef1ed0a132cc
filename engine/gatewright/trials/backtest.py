"""Back-tests: recorded checks judged again by another policy, and every difference from what came of them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct, structs

from gatewright.ledger.protocol import Entry
from gatewright.model import PolicyRef
from gatewright.model.backtests import Backtest, Change, Example, Flips, Tally, Unreplayable
from gatewright.trials.recorded import Reader, Recorded
from gatewright.trials.replaying import Judged, Side, as_recorded

EXAMPLES = 3
_ROWS = 5  #: numbers of rows that cannot be replayed, at most

Span = tuple[float | None, float | None]


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
    reader, found = Reader(), _Found()
    sides = [new] if old is None else [new, old]
    for check in reader.checks(entries):
        then = as_recorded(check)
        if not _within(check, span):
            for side in sides:
                side.count(check, then)
            continue
        after = new.judge(check) if check.decided else then
        before = old.judge(check) if old is not None and check.decided else then
        lacking = tuple(dict.fromkeys((*after.lacking, *before.lacking)))
        if lacking or not check.decided:
            found.leave_out(check, lacking)
            after = before = then
        else:
            found.compare(check, before, after)
        new.count(check, after)
        if old is not None:
            old.count(check, before)
    result = found.result(source, span, new, old)
    return structs.replace(result, skipped=reader.skipped, others=reader.others)


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


class _Found:
    """What has been found so far."""

    def __init__(self) -> None:
        self.checks = self.replayed = 0
        self.before, self.after = [0, 0, 0], [0, 0, 0]
        self.groups: dict[tuple[Change, str, str, bool], _Group] = {}
        self.lacking: dict[tuple[str, ...], list[int]] = {}
        self.lacked: dict[tuple[str, ...], int] = {}
        self.untold: set[str] = set()
        self.policies: dict[object, int] = {}
        self.tables: dict[object, int] = {}

    def leave_out(self, check: Recorded, lacking: tuple[str, ...]) -> None:
        """Note a check that cannot be judged."""
        self._noted(check)
        self.lacked[lacking] = self.lacked.get(lacking, 0) + 1
        rows = self.lacking.setdefault(lacking, [])
        if len(rows) < _ROWS:
            rows.append(check.row)

    def compare(self, check: Recorded, before: Judged, after: Judged) -> None:
        """Compare two verdicts on a check."""
        self._noted(check)
        self.replayed += 1
        untold = before.untold | after.untold
        self.untold |= untold
        for sums, verdict in ((self.before, before), (self.after, after)):
            sums[0 if verdict.allow else 1] += 1
            sums[2] += (check.agents or 0) if verdict.allow else 0
        for change, rule, code, gone in changes(before, after, untold):
            group = self.groups.setdefault((change, rule, code, gone), _Group())
            group.count += 1
            group.agents += check.agents or 0
            if len(group.examples) < EXAMPLES:
                group.examples.append(_example(check, before, after))

    def _noted(self, check: Recorded) -> None:
        self.checks += 1
        for found, key in ((self.policies, check.policy), (self.tables, check.table)):
            found[key] = found.get(key, 0) + 1

    def result(self, source: str, span: Span, new: Side, old: Side | None) -> Backtest:
        """What was found, the order of it made the same for the same findings."""
        order = list(Change)
        keys = sorted(self.groups, key=lambda key: (order.index(key[0]), -self.groups[key].count, key[1:]))
        return Backtest(
            source=source,
            new=new.gate.ref,
            old=old.gate.ref if old is not None else None,
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
        )


def _others(counts: dict[object, int], own: object) -> int:
    return sum(number for key, number in counts.items() if key != own)


def _key(ref: PolicyRef) -> tuple[str, str]:
    return ref.id, ref.digest


def _tally(sums: list[int]) -> Tally:
    return Tally(allowed=sums[0], denied=sums[1], agents=sums[2])


def _flips(key: tuple[Change, str, str, bool], group: _Group) -> Flips:
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


def changes(before: Judged, after: Judged, untold: frozenset[str]) -> Iterator[tuple[Change, str, str, bool]]:
    """In what two verdicts differ: the change, the rule and the code behind it, and whether the code fell away."""
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


def _other_reasons(before: Judged, after: Judged) -> Iterator[tuple[Change, str, str, bool]]:
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


def _example(check: Recorded, before: Judged, after: Judged) -> Example:
    facts = check.facts
    runtime, model = facts.get("runtime"), facts.get("model")
    return Example(
        row=check.row,
        ts=check.wall,
        runtime=runtime if isinstance(runtime, str) else "",
        model=model if isinstance(model, str) else "",
        agents=check.agents,
        before=_said(before),
        after=_said(after),
        message=after.message,
    )


def _said(verdict: Judged) -> str:
    return "ALLOW" if verdict.allow else f"DENY {verdict.reasons[0] if verdict.reasons else ''}".strip()
