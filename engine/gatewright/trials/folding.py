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
from gatewright.trials.keys import WHENEVER, Keys, Unfit, counting_still, plain_form
from gatewright.trials.recorded import Recorded
from gatewright.trials.replaying import Judged, Side
from gatewright.trials.windows import Running

Row = tuple[Any, ...]  #: as the database hands it over


class Outcome(Struct):
    """What came of checks that have everything alike, the answers of the window too."""

    allow: tuple[bool, ...]  #: for each side
    books: tuple[str, ...]  #: the tier that each side books them to
    count: int = 0
    agents: int = 0
    seen: list[tuple[int, tuple[Window, ...]]] = []  #: the first ones: their numbers, and the windows that they met


class Room:
    """A window as it stands, for rules that read it; one for all checks, since each looks at it once."""

    __slots__ = ("cap", "seconds", "used")

    def __init__(self) -> None:
        self.used: int | None = None
        self.cap: int | None = None
        self.seconds: int | None = None

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
        self.room = Room()
        self.names, self.answers = _answers(side, counting_still(keys))
        self._running: dict[str, Running] = {}

    def running(self, tier: str) -> Running:
        """The count of a tier."""
        found = self._running.get(tier)
        if found is None:
            found = self._running[tier] = self._running.setdefault(tier.casefold(), Running())
        return found

    def look(self, tier: str | None, at: float) -> Room:
        """The window of a tier at a moment."""
        room = self.room
        if tier is None:
            room.used = room.cap = room.seconds = None
        else:
            room.used, room.cap, room.seconds = (
                self.running(tier).since(at - self.seconds),
                self.caps.get(tier),
                self.seconds,
            )
        return room


class Fold:
    """Goes through checks in their order."""

    def __init__(self, sides: Sequence[Side], keys: Sequence[Keys]) -> None:
        self.kinds: Mapping[int, Recorded] = {}  #: for each kind of checks one of them
        self.desks = [_Desk(side, each) for side, each in zip(sides, keys, strict=True)]
        self._outcomes: dict[tuple[int, ...], Outcome] = {}

    def outcomes(self) -> list[Outcome]:
        """What came of all of them."""
        return list(self._outcomes.values())

    def through(self, rows: Iterable[Row]) -> None:
        """Go through some more: number, time, agents, kind, the tier for each side, and facts for each side's rules."""
        if len(self.desks) == 1:
            self._through_one(self.desks[0], rows)
            return
        desks, sides = self.desks, len(self.desks)
        for number, at, agents, kind, *rest in rows:
            key, behind = [kind], sides
            for desk, tier in zip(desks, rest, strict=False):
                ahead = behind + len(desk.names)
                said = desk.answers(desk.look(tier, at), *rest[behind:ahead])
                key.append(said if said >= 0 else -number)
                behind = ahead
            self._count(tuple(key), number, at, agents, rest)

    def _through_one(self, desk: _Desk, rows: Iterable[Row]) -> None:
        """The same for one side, with no more to do for each check than there has to be."""
        answers, outcomes, room, seconds = desk.answers, self._outcomes, desk.room, desk.seconds
        tiers: dict[str, tuple[Running, int | None]] = {}
        for number, at, agents, kind, tier, *beside in rows:
            known = tiers.get(tier)
            if known is None:
                desk.look(tier, at)
                if tier is not None:
                    tiers[tier] = desk.running(tier), desk.caps.get(tier)
            else:
                room.used, room.cap, room.seconds = known[0].since(at - seconds), known[1], seconds
            said = answers(room, *beside)
            key = (kind, said if said >= 0 else -number)
            outcome = outcomes.get(key)
            if outcome is None or len(outcome.seen) < FIRST:
                self._count(key, number, at, agents, [tier, *beside])
                continue
            outcome.count += 1
            if agents is not None:
                outcome.agents += agents
                if outcome.allow[0]:
                    desk.running(outcome.books[0]).add(at, agents)

    def _count(self, key: tuple[int, ...], number: int, at: float, agents: int | None, rest: Sequence[object]) -> None:
        outcome = self._outcomes.get(key)
        if outcome is None:
            outcome = self._outcomes[key] = self._outcome(number, key[0], agents, rest)
        outcome.count += 1
        outcome.agents += agents or 0
        if len(outcome.seen) < FIRST:
            outcome.seen.append((number, tuple(desk.room.window() for desk in self.desks)))
        if agents is not None:
            for desk, allow, book in zip(self.desks, outcome.allow, outcome.books, strict=True):
                if allow:
                    desk.running(book).add(at, agents)

    def _outcome(self, number: int, kind: int, agents: int | None, rest: Sequence[object]) -> Outcome:
        """What comes of a check: of the one that stands for its kind, with the facts that rules of the window read."""
        check = self.kinds[kind]
        facts, behind = dict(check.facts), len(self.desks)
        for desk in self.desks:
            facts |= {name: value for name, value in zip(desk.names, rest[behind:], strict=False) if name in facts}
            behind += len(desk.names)
        check = structs.replace(check, facts=facts, row=number, agents=agents)
        judges = [_judging(desk.side, desk.room.window()) for desk in self.desks]
        both = verdicts(check, judges[0], judges[1] if len(judges) > 1 else None)
        counted = (both.counted_after, both.counted_before)[: len(self.desks)]
        books = [_book(check, verdict, both.lacking is not None) for verdict in counted]
        return Outcome(allow=tuple(each.allow for each in counted), books=tuple(books))


def _judging(side: Side, window: Window) -> Callable[[Recorded], Judged]:
    return lambda check: side.judge(check, NO_WINDOW if window.used is None else window)


def _book(check: Recorded, verdict: Judged, as_recorded: bool) -> str:  # noqa: FBT001  one of two ways to count
    """The tier that an allowed check counts for."""
    tier = check.tier if as_recorded else verdict.tier
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
