"""What the commands `check` and `register` of both programs have in common: run the flow, print, exit."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from gatewright.app import App, Gate
from gatewright.cli.options import width
from gatewright.cli.streams import say
from gatewright.errors import GatewrightError, Place, PolicyError
from gatewright.flows import recording
from gatewright.flows.check import CheckRequest, Surroundings
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Ledger
from gatewright.model import (
    LEDGER_UNAVAILABLE,
    POLICY_UNAVAILABLE,
    RULE_ERROR,
    GateDecision,
    Orchestration,
    PolicyRef,
    Stage,
)
from gatewright.model.exits import ExitCode
from gatewright.model.refusals import refusal
from gatewright.report.formats import Format, as_json
from gatewright.runner import Facts
from gatewright.text import counted

if TYPE_CHECKING:
    from gatewright.flows.registrations import RegisterRequest


#: Of a decision, beside a table and JSON.
FORMATS = ("sarif", "github", "junit", "tap", "csv", "markdown")


class OpenLedger(Protocol):
    """How the ledger in force is had."""

    def __call__(self, *, to_read: bool) -> Ledger:
        """The ledger, to write to or only to read."""


class Checked(Struct, frozen=True):
    """A decision with what it takes to explain it."""

    decision: GateDecision
    gate: Gate | None = None
    facts: Facts | None = None


def check(app: App, request: CheckRequest, ledger: OpenLedger, *, record: bool) -> Checked:
    """The decision on a request, recorded or not. Never raises: what goes wrong denies with its own code."""

    def run(gate: Gate) -> recording.Checked:
        surroundings = Surroundings(tier_policy=app.tier_policy_path(), known_roots=app.known_roots_path())
        flow = recording.check if record else recording.evaluate
        return flow(gate, request, surroundings, ledger(to_read=not record))

    def note(decision: GateDecision) -> None:
        if record:
            surroundings = Surroundings(tier_policy=app.tier_policy_path(), known_roots="")
            recording.note(decision, request, surroundings, ledger(to_read=False))

    return decided(app, Stage.CHECK, run, note)


def register(
    app: App, request: "RegisterRequest", ledger: OpenLedger, look_up: Callable[[str, str], Orchestration]
) -> Checked:
    """The decision on a registration, recorded. Never raises: what goes wrong denies with its own code."""

    def run(gate: Gate) -> recording.Checked:
        from gatewright.flows import registering

        means = registering.Means(tier_policy=app.tier_policy_path(), look_up=look_up)
        return registering.register(gate, request, means, ledger(to_read=False))

    def note(decision: GateDecision) -> None:
        from gatewright.flows import registering

        registering.note(decision, request, ledger(to_read=False))

    return decided(app, Stage.REGISTER, run, note)


def decided(
    app: App, stage: Stage, run: Callable[[Gate], recording.Checked], note: Callable[[GateDecision], None]
) -> Checked:
    """What a flow decides under the policy of a stage. Never raises: what goes wrong denies with its own code.

    note: records the denial of a gate that could not be made.
    """
    path = ""
    try:
        path = app.policy_path(stage)
        gate = app.gate(stage)
    except GatewrightError as error:
        return Checked(_noted(_unavailable(error, path, stage), note))
    except Exception as error:  # noqa: BLE001  an internal fault closes the gate, and says so
        return Checked(_refused(RULE_ERROR, f"internal error: {type(error).__name__}", path, stage))
    try:
        found = run(gate)
        return Checked(found.decision, gate, found.facts)
    except LedgerError as error:
        return Checked(refusal(stage, LEDGER_UNAVAILABLE, f"ledger {error}", policy=gate.ref))
    except GatewrightError as error:
        return Checked(_noted(_unavailable(error, path, stage), note))
    except Exception as error:  # noqa: BLE001  an internal fault closes the gate, and says so
        message = f"internal error: {type(error).__name__}"
        return Checked(refusal(stage, RULE_ERROR, message, policy=gate.ref))


def _unavailable(error: GatewrightError, path: str, stage: Stage) -> GateDecision:
    if not isinstance(error, PolicyError):
        return _refused(POLICY_UNAVAILABLE, str(error), path, stage)
    first = error.problems[0]
    more = f" (and {counted(len(error.problems) - 1, 'more mistake')})" if len(error.problems) > 1 else ""
    return _refused(POLICY_UNAVAILABLE, f"{first}{more}", path, stage, where=first.place)


def _refused(code: str, message: str, path: str, stage: Stage, *, where: Place | None = None) -> GateDecision:
    return refusal(stage, code, message, where=where, policy=PolicyRef("", path, "", ""))


def _noted(decision: GateDecision, note: Callable[[GateDecision], None]) -> GateDecision:
    """The denial of a gate that could not be made, written down as far as that can be done; it stands either way."""
    try:
        note(decision)
    except Exception as error:  # noqa: BLE001  the gate is closed already, and why is what its user needs to know
        say("gatewright", f"the denial could not be recorded: {error}")
    return decision


def told(program: str, checked: Checked, deliver: Callable[[], None], *, reasons_told: bool = False) -> int:
    """Deliver a decision, and where it is a denial say why; the exit status.

    reasons_told: whether what is delivered tells the reasons itself. A decision that cannot be delivered is a denial.
    """
    try:
        deliver()
    except GatewrightError as error:
        say(program, str(error))
        return ExitCode.DENIED
    if not checked.decision.allow and not reasons_told:
        tell_denial(program, checked)
    return ExitCode.OK if checked.decision.allow else ExitCode.DENIED


def tell_denial(program: str, checked: Checked) -> None:
    """Say on standard error why the gate is closed, as far as it can be told."""
    from gatewright.report.decision import explanation, finding_lines

    if checked.gate is not None and checked.facts is not None:
        say(program, explanation(checked.gate.explain(checked.facts, quiet=False)))
        return
    for finding in checked.decision.findings:
        say(program, "\n".join(finding_lines(finding)))


def rendered(wanted: Format, checked: Checked) -> str:
    """A decision as JSON, or as a table of its rules with the reasons below."""
    if wanted.name == "json":
        return as_json(checked.decision.to_dict())
    if wanted.name in FORMATS:
        from gatewright.report import decision_formats

        return decision_formats.rendered(wanted.name, checked.decision)
    from gatewright.report import decision as report

    if checked.gate is None or checked.facts is None:
        lines = [line for finding in checked.decision.findings for line in report.finding_lines(finding)]
        return "\n".join([*lines, "", report.headline(checked.decision)]) + "\n"
    rows = report.rows(checked.decision, style=wanted.style, width=width())
    return rows + "\n" + report.explanation(checked.gate.explain(checked.facts, quiet=False))
