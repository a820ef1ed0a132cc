"""What the commands `gatewright check` and `dispatch-gate check` have in common: run the flow, print, exit."""

from collections.abc import Callable

from gatewright.app import App, Gate
from gatewright.cli.streams import say
from gatewright.errors import GatewrightError, Place, PolicyError
from gatewright.flows.check import CheckRequest, Surroundings, facts_of
from gatewright.model import LEDGER_UNAVAILABLE, POLICY_UNAVAILABLE, RULE_ERROR, GateDecision, PolicyRef, Stage
from gatewright.model.exits import ExitCode
from gatewright.model.refusals import refusal
from gatewright.probes import clock
from gatewright.runner import Facts
from gatewright.text import counted


class Checked:
    """A decision with what it takes to explain it."""

    def __init__(self, decision: GateDecision, gate: Gate | None = None, facts: Facts | None = None) -> None:
        self.decision, self.gate, self.facts = decision, gate, facts


def check(app: App, request: CheckRequest, ledger: Callable[[], str | None]) -> Checked:
    """The decision on a request. Never raises: what goes wrong denies with its own code."""
    path = ""
    try:
        path = app.policy_path(Stage.CHECK)
        gate = app.gate(Stage.CHECK)
        named = ledger()
        surroundings = Surroundings(tier_policy=app.tier_policy_path(), known_roots=app.known_roots_path())
    except PolicyError as error:
        first = error.problems[0]
        more = f" (and {counted(len(error.problems) - 1, 'more mistake')})" if len(error.problems) > 1 else ""
        return Checked(_refused(POLICY_UNAVAILABLE, f"{first}{more}", path, where=first.place))
    except GatewrightError as error:
        return Checked(_refused(POLICY_UNAVAILABLE, str(error), path))
    except Exception as error:  # noqa: BLE001  an internal fault closes the gate, and says so
        return Checked(_refused(RULE_ERROR, f"internal error: {type(error).__name__}", path))
    try:
        if named is not None:
            message = f"ledger `{named}` cannot be read: this version has no ledger"
            return Checked(refusal(Stage.CHECK, LEDGER_UNAVAILABLE, message, policy=gate.ref))
        facts = facts_of(gate, request, surroundings, clock.now())
        return Checked(gate.decide(facts), gate, facts)
    except Exception as error:  # noqa: BLE001  an internal fault closes the gate, and says so
        message = f"internal error: {type(error).__name__}"
        return Checked(refusal(Stage.CHECK, RULE_ERROR, message, policy=gate.ref))


def _refused(code: str, message: str, path: str, *, where: Place | None = None) -> GateDecision:
    return refusal(Stage.CHECK, code, message, where=where, policy=PolicyRef("", path, "", ""))


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
