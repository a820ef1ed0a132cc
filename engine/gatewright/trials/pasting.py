"""Cases to paste into a fixture: written as people write them, and run before they are shown."""

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from gatewright.catalog import Catalog
from gatewright.errors import GatewrightError, Place
from gatewright.model import FindingStatus, GateDecision, Level, Moment
from gatewright.runner import Gate
from gatewright.runner.plan import Collectors
from gatewright.trials import fixtures
from gatewright.trials.fixtures import DEFAULT_CONTRACT, DEFAULT_NOW, Case, Expectation
from gatewright.trials.points import OTHER, Point, missing
from gatewright.trials.runs import Runner

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*")
#: Words that some reader of YAML takes for something else than text.
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n", "inf", "nan"])


class Bench:
    """Runs requests as the cases of a fixture are run.

    tiers: the path of the tier table.
    named: whether a case has to name it, since it is not the one that applies anyway.
    params: values for the params of every policy.
    """

    def __init__(self, catalog: Catalog, tiers: str, *, named: bool, params: Mapping[str, object] = {}) -> None:
        self.catalog, self.tiers, self.named, self.params = catalog, tiers, named, params
        self.runner = Runner(catalog, tiers)
        self.given: Mapping[str, object] = {}
        self.collectors: Collectors = {}
        self.known: Mapping[str, object] = {}  #: every fact of the usual request

    def usual(self, gates: Sequence[Gate], request: Mapping[str, object]) -> Point:
        """A request in which nothing is changed, completed by what it has to have; others are changes of it."""
        point = Point(request=request, now=Moment.parsed(DEFAULT_NOW))
        given = self.runner.facts(gates[0], _case(point)).given
        point = structs.replace(point, request={**request, **dict.fromkeys(missing(gates[0].facts, given), OTHER)})
        facts = [self.runner.facts(gate, _case(point)) for gate in gates]
        self.given, self.collectors = facts[0].given, facts[0].collectors
        self.known = {name: value for each in facts for name, value in (*each.known.items(), *each.given.items())}
        return point

    def decide(self, gate: Gate, point: Point) -> GateDecision:
        """What a gate says of a request."""
        changed = {**point.request, **point.facts, "now": point.now}
        return gate.decide({**self.given, **changed}, self.collectors)

    def passes(self, case: Case, gate: Gate) -> bool:
        """Whether a case passes under the policy of a gate, read anew."""
        path = gate.policy.path
        return Runner(self.catalog, self.tiers, policy=path, params=self.params).run(case).passed


def _case(point: Point) -> Case:
    return Case(
        id="",
        name="",
        place=Place("case.yaml", 1, 1),
        policy="",
        tiers=None,
        params={},
        request=point.request,
        facts={},
        contract=DEFAULT_CONTRACT,
        known_roots=(),
        now=point.now,
        ledger=(),
        expect=Expectation(),
    )


def pasted(bench: Bench, name: str, point: Point, old: Gate, new: Gate, decision: GateDecision) -> str:
    """A fixture with one case that expects what the old gate says; empty where it does not tell the two apart."""
    text = fixture_text(bench, name, point, old.policy.path, decision)
    codes = frozenset(bench.catalog.reasons) | frozenset(old.policy.reasons) | frozenset(new.policy.reasons)
    codes |= {code for gate in (old, new) for rule in gate.policy.rules for code in rule.codes}
    try:
        (case,) = fixtures.load(text.encode(), "case.yaml", codes, frozenset(bench.catalog.facts)).cases
    except GatewrightError:
        return ""  # a text that no fixture can hold
    passes = [bench.passes(case, gate) for gate in (old, new)]
    return text if passes == [True, False] else ""


def fixture_text(bench: Bench, name: str, point: Point, policy: str, decision: GateDecision) -> str:
    """A fixture with one case, as people write it."""
    lines = [f"policy: {_flow(policy)}"]
    lines += [f"tiers: {_flow(bench.tiers)}"] if bench.named else []
    lines += ["cases:", f"  - name: {_flow(name)}"]
    lines += [f"    now: {point.now.text}"] if "now" in point.changed else []
    lines += [f"    request: {_flow(dict(point.request))}"]
    lines += [f"    facts: {_flow(point.facts)}"] if point.facts else []
    lines += [f"    expect: {_expected(decision)}"]
    return "".join(f"{line}\n" for line in lines)


def _told(noun: Struct) -> dict[str, object]:
    """The fields of a noun that are not as they are by default, and those that have to be there."""
    defaults = {field.name: field.default for field in structs.fields(type(noun))}
    return {name: held for name, held in structs.asdict(noun).items() if held != defaults[name]}


def _expected(decision: GateDecision) -> str:
    found = {
        "deny": _codes(decision, Level.DENY, FindingStatus.ACTIVE),
        "warn": _codes(decision, Level.WARN, FindingStatus.ACTIVE),
        "overridden": _codes(decision, Level.DENY, FindingStatus.OVERRIDDEN),
        "excepted": _codes(decision, Level.DENY, FindingStatus.EXCEPTED),
    }
    told: dict[str, object] = {key: codes for key, codes in found.items() if codes}
    if decision.allow and not told:
        return "allow"
    return _flow({**({"allow": True} if decision.allow else {}), **told})


def _codes(decision: GateDecision, level: Level, status: FindingStatus) -> list[str]:
    found = (each.code for each in decision.findings if each.level is level and each.status is status)
    return list(dict.fromkeys(found))


def _flow(value: object) -> str:
    """A value on one line: maps and lists in flow style, texts as plain as can be."""
    if isinstance(value, Struct):
        value = _told(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(name)}: {_flow(held)}" for name, held in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value)
