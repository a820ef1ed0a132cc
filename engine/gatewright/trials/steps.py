"""Steps of a timeline: what is asked when, and what must become of it, or what a report must add up to."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from gatewright.errors import Place
from gatewright.model import Moment, Stage
from gatewright.policy.form import Key, Keys
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Tree, plain
from gatewright.trials.parts import Expectation, PartsForm

STEP: Keys = {
    "at": Key("when: how long after `now`, such as 23h59m59s, or a time", required=True),
    "stage": Key("the stage that it is decided at; else that of the policy"),
    "request": Key("what the request has, on top of the defaults"),
    "facts": Key("facts as they are, in the place of looking them up"),
    "contract": Key("the contract's text, for this step"),
    "times": Key("how often it is done, one right after the other"),
    "expect": Key("`allow`, or the codes of all denials and warnings"),
    "report": Key("figures that a report on the ledger has by then, in the place of a request"),
}
#: The figures that a report has.
FIGURES: Mapping[str, str] = {
    "rows": "rows that are none of a foreign kind",
    "checks": "checks, allowed or not",
    "dispatches": "checks that were allowed",
    "agents": "agents of allowed checks",
    "cost": "estimated cost of allowed checks",
    "denials": "denials of all stages",
    "overrides": "dispatches that passed a tier rule by an override",
    "exceptions": "denials that an exception let through",
    "jobs": "jobs that were registered",
    "attempts": "registrations",
    "verified": "jobs whose model was proven",
    "refused": "registrations that were denied",
    "models": "groups of dispatches by model",
    "tiers": "groups of dispatches by tier",
    "tables": "tier tables that checks were judged under, none being one of them",
    "policies": "policies that decisions were made under, none being one of them",
    "other_rows": "rows that record no decision",
    "skipped": "lines that are no rows",
}
MOST_STEPS = 10_000  #: of one case


class Step(Struct, frozen=True, kw_only=True):
    """One step: a request with what is expected of it, or the figures of a report."""

    place: Place
    said: str  #: when, as it is written
    at: float  #: seconds since the epoch
    stage: Stage | None = None  #: None for that of the policy
    request: Mapping[str, object] = {}
    facts: Mapping[str, object] = {}
    contract: str | None = None
    expect: Expectation = Expectation()
    report: Mapping[str, int] | None = None


class StepsForm(PartsForm):
    """Reads values of facts, and the steps that are made of them.

    facts: the names that requests and facts may have.
    """

    facts: frozenset[str] = frozenset()

    def steps(self, node: Tree | None, path: str, now: Moment) -> Iterator[Step]:
        """The steps under `steps:` or `timeline:`."""
        items = self.items(node, path, f"`{path.rsplit('.', 1)[-1]}`")
        if node is not None and not items and not self.is_told(node):
            self.report(node, path, "there is no step", "add at least one: a timeline without steps shows nothing")
        count = 0
        for at, item in enumerate(items):
            found = self._step(item, f"{path}[{at}]", now)
            if found is not None:
                step, times = found
                count += times
                if count > MOST_STEPS:
                    message = f"the steps are more than {MOST_STEPS:,} by now, each as often as it is done"
                    self.report(item, f"{path}[{at}]", message, "make several cases of them")
                    return
                yield from [step] * times

    def _step(self, item: Tree, path: str, now: Moment) -> tuple[Step, int] | None:
        top = self.keyed(item, path, "a step", STEP)
        if top is None:
            return None
        self._one_of_two(top, path)
        stage = self.choice(top.get("stage"), f"{path}.stage", "stage", [stage.value for stage in Stage])
        moment = self.moment(top.get("at"), f"{path}.at", now, onward=True)
        times = self.integer(top.get("times"), f"{path}.times", "`times`", least=1) or 1
        said = top.get("at")
        step = Step(
            place=self.place(item),
            said=said.raw if isinstance(said, Scalar) else "",
            at=moment if moment is not None else now.epoch,
            stage=Stage(stage) if stage in {each.value for each in Stage} else None,
            request=self.values(top.get("request"), f"{path}.request"),
            facts=self.values(top.get("facts"), f"{path}.facts"),
            contract=self.text(top.get("contract"), f"{path}.contract", "the contract"),
            expect=self.expectation(top.get("expect"), f"{path}.expect"),
            report=self._figures(top.get("report"), f"{path}.report"),
        )
        return step, times

    def _one_of_two(self, top: MapTree, path: str) -> None:
        """A step asks for a decision or looks at a report, and says what comes of it."""
        if ("expect" in top.entries) == ("report" in top.entries):
            hint = "add `expect` for what becomes of a request, or `report` for what the ledger adds up to"
            which = "both `expect` and" if "report" in top.entries else "neither `expect` nor"
            self.report(top, path, f"a step has {which} `report`", hint)
        for name in ("request", "facts", "contract", "stage", "times") if "report" in top.entries else ():
            if name in top.entries:
                message = f"a report has no `{name}`"
                self.report(top.entries[name].key, f"{path}.{name}", message, "make it a step of its own")

    def _figures(self, node: Tree | None, path: str) -> dict[str, int] | None:
        if node is None:
            return None
        found: dict[str, int] = {}
        for entry in self.mapping(node, path, "`report`") or ():
            if entry.key.raw not in FIGURES:
                listed = "figures are " + ", ".join(f"`{name}`" for name in FIGURES)
                self.report_unknown(entry.key, path, f"unknown figure `{entry.key.raw}`", FIGURES, listed)
            value = self.integer(entry.value, f"{path}.{entry.key.raw}", f"`{entry.key.raw}`", least=0)
            found[entry.key.raw] = value if value is not None else 0
        if not found:
            self.report(node, path, "a report without figures shows nothing", "name at least one")
        return found

    # -- values of facts -------------------------------------------------------------------------------------------

    def values(self, node: Tree | None, path: str) -> dict[str, object]:
        """The values under the names of facts."""
        found = self.mapping(node, path, f"`{path.rsplit('.', 1)[-1]}`") if node is not None else None
        for entry in found or ():
            self.check_fact(entry.key, path)
        return {entry.key.raw: plain(entry.value) for entry in found or ()}

    def check_fact(self, key: Scalar, path: str) -> None:
        """A problem for a name that is no fact's."""
        if key.raw not in self.facts:
            listed = "`gatewright facts` lists the names"
            self.report_unknown(key, path, f"unknown fact `{key.raw}`", self.facts, listed)
