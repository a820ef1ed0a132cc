"""Fixture files: cases for a policy, as data. Read strictly, with every mistake of a file at once."""

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct, structs

from gatewright.errors import Place, PolicyError, Problem, Severity
from gatewright.model import Moment, Stage
from gatewright.policy import reader
from gatewright.policy.form import Key, Keys
from gatewright.policy.keys import POLICY
from gatewright.policy.markers import FILE as MARKERS
from gatewright.policy.runtimes import FILE as RUNTIMES
from gatewright.policy.tier_tables import V1, V2
from gatewright.policy.tree import Document, Sequence, Tree, plain
from gatewright.policy.tree import Mapping as MapTree
from gatewright.text import shown
from gatewright.trials.parts import EXPECT as EXPECT
from gatewright.trials.parts import ROW as ROW
from gatewright.trials.parts import Expectation as Expectation
from gatewright.trials.parts import LedgerRow as LedgerRow
from gatewright.trials.steps import FIGURES as FIGURES
from gatewright.trials.steps import STEP as STEP
from gatewright.trials.steps import Step as Step
from gatewright.trials.steps import StepsForm

DEFAULT_CONTRACT = "# Contract\n\nDo the work that is described here.\n"
DEFAULT_NOW = "2026-01-01T00:00:00Z"

FILE: Keys = {
    "policy": Key("the policy's path, from this file", required=True),
    "description": Key("what the cases show, in a sentence"),
    "tiers": Key("the tier table's path, from this file; else the shipped one"),
    "params": Key("values for the policy's params"),
    "contract": Key("the contract's text; else a small one that lint finds nothing in"),
    "known_roots": Key("folders that contracts may name"),
    "defaults": Key("what every request has unless a case says otherwise"),
    "facts": Key("facts as they are, in the place of looking them up"),
    "now": Key("the time, such as 2026-11-29T12:00:00Z"),
    "ledger": Key("earlier checks that the window sees"),
    "tags": Key("words by which the cases can be chosen"),
    "policies": Key("by stage, the paths of other policies that steps are decided by; else the shipped ones"),
    "cases": Key("the cases"),
    "timeline": Key("steps against one ledger, as of one more case"),
}
CASE: Keys = {
    "name": Key("what the case shows", required=True),
    "request": Key("what the request has, on top of the defaults"),
    "each": Key("names with a list of values each: one case a combination"),
    "contract": Key("the contract's text, for this case"),
    "known_roots": Key("folders that contracts may name, for this case"),
    "facts": Key("facts as they are, for this case"),
    "params": Key("values for the policy's params, for this case"),
    "tiers": Key("the tier table's path, for this case"),
    "now": Key("the time, for this case"),
    "ledger": Key("earlier checks, for this case"),
    "tags": Key("words by which the case can be chosen, beside those of the file"),
    "skip": Key("why the case is not run"),
    "xfail": Key("why the case is known to come out otherwise; one that comes out as expected fails"),
    "expect": Key("`allow`, or the codes of all denials and warnings"),
    "steps": Key("steps against one ledger, in the place of `expect`"),
}
#: The kinds of documents, told apart by their keys.
KINDS = {"policy": POLICY, "tier table": {**V1, **V2}, "fixture": FILE, "runtimes": RUNTIMES, "markers": MARKERS}


class Case(Struct, frozen=True, kw_only=True):
    """One dry run."""

    id: str  #: file, name and values, as pytest writes node ids
    name: str
    place: Place
    policy: str
    tiers: str | None
    params: Mapping[str, object]
    request: Mapping[str, object]
    facts: Mapping[str, object]
    contract: str
    known_roots: tuple[str, ...]
    now: Moment
    ledger: tuple[LedgerRow, ...]
    expect: Expectation
    tags: tuple[str, ...] = ()
    skip: str = ""  #: why it is not run
    xfail: str = ""  #: why it is known to come out otherwise
    steps: tuple[Step, ...] = ()  #: of a timeline
    policies: Mapping[str, str] = {}  #: by stage, paths of the policies that steps of other stages are decided by


class Fixture(Struct, frozen=True, kw_only=True):
    """A fixture file, read."""

    file: str
    policy: str
    cases: tuple[Case, ...]
    description: str = ""


def load(data: bytes, file: str, codes: frozenset[str] | None, facts: frozenset[str]) -> Fixture:
    """The cases in the bytes of a fixture file.

    codes: the reason codes that there are; None where that is unknown.
    facts: the names that a request, `each` and `facts` may have.

    Raises PolicyError with every mistake of the file.
    """
    document = reader.read(data, file)
    form = _FixtureForm(document, codes, facts)
    fixture = form.fixture(document.tree)
    problems = [*document.problems, *form.problems]
    errors = tuple(each for each in problems if each.severity is Severity.ERROR)
    if errors or fixture is None:
        raise PolicyError(tuple(sorted(errors, key=_order)))
    return fixture


def _order(problem: Problem) -> tuple[int, int]:
    return problem.place.line, problem.place.column


class _FixtureForm(StepsForm):
    """Reads one fixture document."""

    def __init__(self, document: Document, codes: frozenset[str] | None, facts: frozenset[str]) -> None:
        super().__init__(document.source, codes, document.problems)
        self.facts = facts

    def fixture(self, tree: Tree) -> Fixture | None:
        top = self.keyed(tree, "", "a fixture file", FILE)
        if top is None:
            return None
        policy = self.text(top.get("policy"), "policy", "the policy's path")
        nodes = self.items(top.get("cases"), "cases", "`cases`")
        if "cases" in top.entries and not nodes:
            hint = "add at least one: a file without cases shows nothing"
            self.report(top.entries["cases"].key, "cases", "there is no case", hint)
        elif "cases" not in top.entries and "timeline" not in top.entries:
            unknown = [entry.key for entry in top if entry.key.raw not in FILE]
            self.required(top, "", {"cases": Key("the cases, or a `timeline`", required=True)}, unknown)
        cases = [case for at, node in enumerate(nodes) for case in self._cases(node, f"cases[{at}]", top)]
        cases += self._timeline(top)
        self._unique(cases)
        description = self.text(top.get("description"), "description", "a description") or ""
        return Fixture(file=self.source.file, policy=policy or "", cases=tuple(cases), description=description)

    def _unique(self, cases: list[Case]) -> None:
        seen: dict[str, int] = {}
        for case in cases:
            if case.id in seen:
                message = f"a second case has the name `{case.name}`, first on line {seen[case.id]}"
                self.report_at(case.place.line, case.place.column, "cases", message, "give each its own name")
            seen.setdefault(case.id, case.place.line)

    def _cases(self, node: Tree, path: str, top: MapTree) -> Iterator[Case]:
        case = self.keyed(node, path, "a case", CASE)
        if case is None:
            return
        name = self.text(case.get("name"), f"{path}.name", "a name") or ""
        if "expect" not in case.entries and "steps" not in case.entries:
            self.report(case, path, "required key `expect` is missing", f"add `expect: …`: {CASE['expect'].doc}")
        yield from self._read(case, name, f"{path}.steps", path, top)

    def _timeline(self, top: MapTree) -> Iterator[Case]:
        """The case that the steps of a file are."""
        entry = top.entries.get("timeline")
        if entry is not None:
            case = MapTree(line=entry.key.line, column=entry.key.column, entries={"steps": entry})
            yield from self._read(case, "timeline", "timeline", "timeline", top)

    def _read(self, case: MapTree, name: str, steps_path: str, path: str, top: MapTree) -> Iterator[Case]:
        expect = self.expectation(case.get("expect"), f"{path}.expect")
        request = {
            **self.values(top.get("defaults"), "defaults"),
            **self.values(case.get("request"), f"{path}.request"),
        }
        now = self._now(*_either(case, top, "now", path))
        steps = tuple(self.steps(case.get("steps"), steps_path, now))
        if "steps" in case.entries and "expect" in case.entries:
            message = "a case with steps expects something of each step"
            self.report(case.entries["expect"].key, f"{path}.expect", message, "move it into the steps")
        ledger = tuple(self.ledger_rows(*_either(case, top, "ledger", path), now))
        skip, xfail = (self.reason(case, key, path) for key in ("skip", "xfail"))
        tags = dict.fromkeys([*self.tags(top.get("tags"), "tags"), *self.tags(case.get("tags"), f"{path}.tags")])
        for suffix, values in self._each(case.get("each"), f"{path}.each"):
            yield Case(
                id=f"{self.source.file}::{name}{suffix}",
                name=name + suffix,
                place=self.place(case),
                policy=str(self._plain(top.get("policy"), "")),
                tiers=self.text(*_either(case, top, "tiers", path), "the tier table's path"),
                params={**self._map(top.get("params"), "params"), **self._map(case.get("params"), f"{path}.params")},
                request={**request, **values},
                facts={**self.values(top.get("facts"), "facts"), **self.values(case.get("facts"), f"{path}.facts")},
                contract=self.text(*_either(case, top, "contract", path), "the contract") or DEFAULT_CONTRACT,
                known_roots=tuple(self.texts(*_either(case, top, "known_roots", path), "`known_roots`")),
                now=now,
                ledger=ledger,
                expect=expect,
                tags=tuple(tags),
                skip=skip,
                xfail=xfail,
                steps=tuple(_completed(step, {**request, **values}) for step in steps),
                policies=self._policies(top.get("policies")),
            )

    def _plain(self, node: Tree | None, otherwise: object) -> object:
        return plain(node) if node is not None else otherwise

    def _map(self, node: Tree | None, path: str) -> dict[str, object]:
        found = self.mapping(node, path, f"`{path.rsplit('.', 1)[-1]}`") if node is not None else None
        return {entry.key.raw: plain(entry.value) for entry in found or ()}

    def _policies(self, node: Tree | None) -> dict[str, str]:
        found = self.mapping(node, "policies", "`policies`") if node is not None else None
        stages = [stage.value for stage in Stage]
        for entry in found or ():
            if entry.key.raw not in stages:
                self.report_unknown(entry.key, "policies", f"unknown stage `{entry.key.raw}`", stages)
        named = {
            entry.key.raw: self.text(entry.value, f"policies.{entry.key.raw}", "a policy's path")
            for entry in found or ()
        }
        return {stage: path for stage, path in named.items() if path is not None}

    def _each(self, node: Tree | None, path: str) -> Iterator[tuple[str, dict[str, object]]]:
        found = self.mapping(node, path, "`each`") if node is not None else None
        if found is None:
            yield "", {}
            return
        names: list[str] = []
        values: list[list[object]] = []
        for entry in found:
            self.check_fact(entry.key, path)
            items = self.items(entry.value, f"{path}.{entry.key.raw}", f"`{entry.key.raw}` of `each`")
            if not items and isinstance(entry.value, Sequence):
                self.report(entry.key, path, "a list without values makes no case", "give at least one value")
            names.append(entry.key.raw)
            values.append([plain(item) for item in items])
        for combination in product(*values):
            pairs = dict(zip(names, combination, strict=True))
            yield "[" + ",".join(f"{name}={shown(value, limit=30)}" for name, value in pairs.items()) + "]", pairs

    def _now(self, node: Tree | None, path: str) -> Moment:
        text = self.text(node, path, "a time")
        try:
            return Moment.parsed(text or DEFAULT_NOW)
        except ValueError:
            hint = "write a time with its zone, such as 2026-11-29T12:00:00Z"
            if node is not None:
                self.report(node, path, f"`{text}` is not a time", hint)
            return Moment.parsed(DEFAULT_NOW)


def _completed(step: Step, request: Mapping[str, object]) -> Step:
    """A step with what its case asks for unless it says otherwise; another stage is asked by other names.

    Whether a stage that is named is that of the policy is known once the policy is.
    """
    return step if step.stage is not None else structs.replace(step, request={**request, **step.request})


def _either(case: MapTree, top: MapTree, key: str, path: str) -> tuple[Tree | None, str]:
    """What a case says of its own, else what the file says for all cases; with the path of which it is."""
    own = case.get(key)
    return (own, f"{path}.{key}") if own is not None else (top.get(key), key)
