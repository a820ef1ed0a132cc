"""Checks for which a window counts, one after the other: what each leaves of it for those behind it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from gatewright.expressions.emit import Emitter, function
from gatewright.expressions.nodes import Field, Name, Node, roots, walk
from gatewright.flows.check import NO_WINDOW
from gatewright.model import Window
from gatewright.model.tiers import UNKNOWN
from gatewright.policy.policies import PolicyRule
from gatewright.trials.backtest import FIRST, verdicts
from gatewright.trials.keys import Keys, Unfit, counting_still
from gatewright.trials.recorded import Recorded
from gatewright.trials.replaying import Judged, Side, as_recorded
from gatewright.trials.rule_columns import WHENEVER, plain_form
from gatewright.trials.windows import Running

Row = tuple[Any, ...]  #: as the database hands it over


class Outcome(Struct):
    """What came of checks that have everything alike, the answers of the window too."""

    booked: tuple[Running | None, ...]  #: for each side what allowed checks count for; None for denied ones
    count: int = 0
    agents: int = 0
    seen: list[tuple[int, tuple[Window, ...]]] = []  #: the first ones: their numbers, and the windows that they met


class Room(Struct, eq=False):  # a record, as `has` and `default` look for one
    """A window as it stands, for rules that read it; one for all checks of a tier, since each looks at it once."""

    running: Running | None = None
    cap: int | None = None
    seconds: int | None = None
    used: int | None = None

    def window(self) -> Window:
        """The same as a fact."""
        return Window(used=self.used, cap=self.cap, seconds=self.seconds)


class _Desk:
    """One side: its counts, and what its rules say of a window."""

    def __init__(self, side: Side, keys: Keys) -> None:
        self.side = side
        table = side.tiers.table
        self.caps: Mapping[str, int] = table.caps if table is not None else {}
        self.seconds = side.window_seconds
        self.names, self.answers = _answers(side, counting_still(keys))
        self._running: dict[str, Running] = {}
        self._rooms: dict[str | None, Room] = {None: Room()}

    def running(self, tier: str) -> Running:
        """The count of a tier."""
        found = self._running.get(tier)
        if found is None:
            found = self._running[tier] = self._running.setdefault(tier.casefold(), Running())
        return found

    def room(self, tier: str | None) -> Room:
        """The window of a tier."""
        found = self._rooms.get(tier)
        if found is None:
            assert tier is not None
            found = self._rooms[tier] = Room(self.running(tier), self.caps.get(tier), self.seconds)
        return found


class _Kind(Struct):
    """Checks that have everything alike but what the window holds."""

    check: Recorded  #: one of them
    rooms: tuple[Room, ...]  #: for each side
    fixed: Outcome | None = None  #: what comes of them whatever the window holds
    outcomes: dict[tuple[int, ...] | int, Outcome] = {}


class Fold:
    """Goes through checks in their order."""

    def __init__(self, sides: Sequence[Side], keys: Sequence[Keys]) -> None:
        self.desks = [_Desk(side, each) for side, each in zip(sides, keys, strict=True)]
        self._kinds: dict[int, _Kind] = {}

    def kind(self, name: int, check: Recorded, tiers: Sequence[str | None], *, inside: bool) -> None:
        """Tell of a kind of checks: one of them, and the tier that it has for each side.

        inside: whether they are judged; others count as they were recorded.
        """
        rooms = tuple(desk.room(tier) for desk, tier in zip(self.desks, tiers, strict=True))
        self._kinds[name] = _Kind(check, rooms, None if inside else self._as_recorded(check))

    def _as_recorded(self, check: Recorded) -> Outcome:
        then = as_recorded(check)
        book = _book(check, then, recorded=True)
        return Outcome(booked=tuple(desk.running(book) if then.allow else None for desk in self.desks))

    def outcomes(self) -> list[Outcome]:
        """What came of all of them."""
        return [outcome for kind in self._kinds.values() for outcome in kind.outcomes.values()]

    def through(self, rows: Iterable[Row]) -> None:
        """Go through some more: number, time, agents, kind, and facts for each side's rules."""
        if len(self.desks) == 1:
            self._through_one(self.desks[0], rows)
            return
        for number, at, agents, name, *beside in rows:
            kind, said, behind = self._kinds[name], [], 0
            if kind.fixed is not None:
                _add(kind.fixed, at, agents)
                continue
            for desk, room in zip(self.desks, kind.rooms, strict=True):
                if room.running is not None:
                    room.used = room.running.since(at - desk.seconds)
                ahead = behind + len(desk.names)
                answer = desk.answers(room, *beside[behind:ahead])
                said.append(answer if answer >= 0 else -number)
                behind = ahead
            self._count(kind, tuple(said), number, at, agents, beside)

    def _through_one(self, desk: _Desk, rows: Iterable[Row]) -> None:
        """The same for one side, with no more to do for each check than there has to be."""
        answers, seconds, kinds = desk.answers, desk.seconds, self._kinds
        for number, at, agents, name, *beside in rows:
            kind = kinds[name]
            if kind.fixed is not None:
                _add(kind.fixed, at, agents)
                continue
            (room,) = kind.rooms
            if room.running is not None:
                room.used = room.running.since(at - seconds)
            said = answers(room, *beside)
            outcome = kind.outcomes.get(said)
            if said < 0 or outcome is None or outcome.count < FIRST:
                self._count(kind, said if said >= 0 else -number, number, at, agents, beside)
                continue
            outcome.count += 1
            if agents is not None:
                outcome.agents += agents
                (booked,) = outcome.booked
                if booked is not None:
                    booked.add(at, agents)

    def _count(
        self,
        kind: _Kind,
        said: tuple[int, ...] | int,
        number: int,
        at: float,
        agents: int | None,
        beside: Sequence[object],
    ) -> None:
        outcome = kind.outcomes.get(said)
        if outcome is None:
            outcome = kind.outcomes[said] = self._outcome(kind, number, agents, beside)
        outcome.count += 1
        outcome.agents += agents or 0
        if len(outcome.seen) < FIRST:
            outcome.seen.append((number, tuple(room.window() for room in kind.rooms)))
        _add(outcome, at, agents)

    def _outcome(self, kind: _Kind, number: int, agents: int | None, beside: Sequence[object]) -> Outcome:
        """What comes of a check: of the one that stands for its kind, with the facts that rules of the window read."""
        check = kind.check
        if number != check.row:  # of an odd row, which is of a kind with no other, it is told best what it holds
            check = structs.replace(check, facts=self._facts(check, beside), row=number, agents=agents)
        judges = [_judging(desk.side, room.window()) for desk, room in zip(self.desks, kind.rooms, strict=True)]
        both = verdicts(check, judges[0], judges[1] if len(judges) > 1 else None)
        booked = []
        for desk, verdict in zip(self.desks, (both.counted_after, both.counted_before), strict=False):
            book = _book(check, verdict, recorded=both.lacking is not None)
            booked.append(desk.running(book) if verdict.allow else None)
        return Outcome(booked=tuple(booked))

    def _facts(self, check: Recorded, beside: Sequence[object]) -> dict[str, object]:
        """The facts of a check, with those of another one of its kind in their place."""
        facts, behind = dict(check.facts), 0
        for desk in self.desks:
            facts |= {name: value for name, value in zip(desk.names, beside[behind:], strict=False) if name in facts}
            behind += len(desk.names)
        return facts


def _add(outcome: Outcome, at: float, agents: int | None) -> None:
    """Count a check for all that it counts for."""
    if agents is not None:
        for booked in outcome.booked:
            if booked is not None:
                booked.add(at, agents)


def _judging(side: Side, window: Window) -> Callable[[Recorded], Judged]:
    return lambda check: side.judge(check, NO_WINDOW if window.used is None else window)


def _book(check: Recorded, verdict: Judged, *, recorded: bool) -> str:
    """The tier that an allowed check counts for."""
    tier = check.tier if recorded else verdict.tier
    if tier or not verdict.allow:
        return tier or ""
    if check.facts.get("model") is not None:
        raise Unfit  # it counts for the tier of its model, and others of its kind may have another model
    return UNKNOWN


# -- what the rules say of a window ------------------------------------------------------------------------------------


def _answers(side: Side, rules: Sequence[PolicyRule]) -> tuple[list[str], Callable[..., int]]:
    """The facts that rules ask for beside the window, and what they say of both: two bits a rule, -1 for an error."""
    params = dict(side.gate.policy.params)
    emitter = Emitter()
    names: dict[str, None] = {}
    body = []
    for at, rule in enumerate(rules):
        condition, options = _condition(rule)
        knowing = emitter.knowing({"params": params, **options})
        for tree in (condition, *([rule.when.tree] if rule.when is not None else [])):
            _refuse_rare_fields(tree)
            names.update(dict.fromkeys(name for name in roots(tree) if name not in ("window", "params", *options)))
        speaks = knowing.condition(condition)
        speaks = f"not {speaks}" if rule.effect == "require" else speaks
        when = knowing.condition(rule.when.tree) if rule.when is not None else "True"
        body += [
            f"    if {when}:",
            f"        if {speaks}: said |= {1 << 2 * at}",
            "    else:",
            f"        said |= {2 << 2 * at}",
        ]
    head = f"def answers(v_window, {''.join(f'v_{name}, ' for name in names)}):"
    lines = [
        head,
        "  said = 0",
        "  try:",
        *body,
        "    pass",
        "  except Exception:",
        "    return -1",
        "  return said",
        "",
    ]
    made = function("\n".join(lines), "answers", emitter.constants)
    return list(names), made  # type: ignore[return-value]  # the source above returns an int


def _condition(rule: PolicyRule) -> tuple[Node, Mapping[str, object]]:
    if rule.rule is None:
        assert rule.condition is not None
        return rule.condition.tree, {}
    if rule.rule.function.__module__ not in WHENEVER:
        raise Unfit
    return plain_form(rule.rule), rule.options


def _refuse_rare_fields(tree: Node) -> None:
    """When a window frees, and which times in it are odd, is not kept here."""
    fields = {node.name for node in walk(tree) if isinstance(node, Field) and _is_window(node.base)}
    whole = sum(_is_window(node) for node in walk(tree))
    read = sum(isinstance(node, Field) and _is_window(node.base) for node in walk(tree))
    if not fields <= {"used", "cap", "seconds"} or whole != read:
        raise Unfit


def _is_window(node: Node) -> bool:
    return isinstance(node, Name) and node.name == "window"
