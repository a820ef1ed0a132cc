"""After the task was typed in: what the orchestrator, the transcript and the screen say of the worker."""

from datetime import datetime

import msgspec

from gatewright.flows import readiness, registering
from gatewright.flows.choosing import Choice
from gatewright.flows.dispatching.desk import IDLE_SECONDS, LOOK_SECONDS, LOOKS, MODEL_SECONDS, Desk, DispatchRequest
from gatewright.flows.readiness import Look, Waited
from gatewright.flows.recording import Checked
from gatewright.flows.registrations import Proofs, RegisterRequest
from gatewright.model import GateDecision, Job, MeasuredModel, Stage
from gatewright.model.measurements import Measurement
from gatewright.model.screens import Delivery, DeliveryClass, Pane
from gatewright.orchestrators.errors import OrchestratorError
from gatewright.orchestrators.looking import look_up
from gatewright.orchestrators.protocol import Dispatch, Orchestrator, Screen
from gatewright.probes.tiers import read_tier_policy
from gatewright.probes.transcripts import measuring
from gatewright.probes.transcripts.places import Sought
from gatewright.runner import Gate
from gatewright.runtimes.screens import delivery as deliveries
from gatewright.runtimes.screens.delivery import MARKER

_MARKED = 200  #: characters of a task by which it is looked for in a transcript
_LOOK_SECONDS = 1.0


class Worker:
    """A worker as it is looked at from outside."""

    def __init__(self, desk: Desk, request: DispatchRequest, orchestrator: Orchestrator, runtime: str) -> None:
        self.desk, self.request, self.orchestrator, self.runtime = desk, request, orchestrator, runtime
        self.spec = request.spec or ""

    def look(self, terminal: str) -> Look:
        """What its screen shows. Raises OrchestratorError."""
        return readiness.look(self.orchestrator, terminal, self.read, self.desk.sleep)

    def ready(self, terminal: str) -> Waited:
        """Wait until a new terminal is ready for the task. Raises OrchestratorError."""
        # An agent that has to trust a folder may draw its prompt first and ask then.
        pause = readiness.PAUSE_SECONDS if self.desk.runtimes.get(self.runtime).pretrust else 0.0
        return readiness.ready(self.orchestrator, terminal, self.read, IDLE_SECONDS, pause, sleep=self.desk.sleep)

    def read(self, screen: Screen) -> Pane:
        """What a screen shows, the words of the task aside."""
        at = datetime.fromisoformat(self.desk.now().text)
        return self.desk.read(screen, product=self.runtime, task=self.spec, now=at)

    def transcript(self, since: float | None) -> Sought | None:
        """Which transcript is the worker's; None where none can be told from another's.

        since: when its terminal was opened; None for one that was open before, whose transcript only the caller knows.
        """
        pattern, folder = self.request.transcript_glob, self.request.folder
        if pattern is None and (since is None or folder is None):
            return None
        if pattern is None and self.desk.runtimes.get(self.runtime).transcripts is None:
            return None
        return self.desk.seek(None, pattern, worktree=folder, since=since, runtime=self.runtime)

    def measured(self, sought: Sought, terminal: str, declared: str) -> Measurement:
        """The model that its transcript tells, once there is an answer in it, or nothing more will come."""
        table = read_tier_policy(self.desk.surroundings.tier_policy).table
        waited = 0.0
        while True:
            found = measuring.measure(sought, declared=declared, table=table)
            if found.measured is not None or waited >= MODEL_SECONDS or self._is_over(terminal):
                return found
            self.desk.sleep(_LOOK_SECONDS)
            waited += _LOOK_SECONDS

    def _is_over(self, terminal: str) -> bool:
        try:
            return self.look(terminal).is_over
        except OrchestratorError:
            return False

    def confirmed(self, sought: Sought | None) -> bool:
        """Whether the task stands in the worker's own transcript, as something that was said to it."""
        marker = " ".join(self.spec.split())[:_MARKED]
        return sought is not None and len(marker) >= MARKER and measuring.confirms(sought, marker)


def register(
    desk: Desk, worker: Worker, dispatch: Dispatch, contract_sha: str, model: MeasuredModel, declared: str
) -> GateDecision:
    """Register the dispatch as a job, by what the orchestrator says of it now; the decision is recorded."""
    orchestrator = worker.orchestrator
    request = RegisterRequest(
        job_id=dispatch.id,
        probe_cmd=orchestrator.probe_command(dispatch.task),
        contract_sha=contract_sha,
        runtime=worker.runtime,
        orchestration_task=dispatch.task,
        declared_model=declared,
        actor=worker.request.actor,
    )

    def prove(_: Choice) -> Proofs:
        orchestration = look_up(lambda: orchestrator, dispatch.task, dispatch.id)
        proven = orchestration.failure is None
        return Proofs(
            orchestration=orchestration,
            model=model,
            job=Job(proven=proven, problem=None if proven else orchestration.detail),
            tier_policy=read_tier_policy(desk.surroundings.tier_policy),
        )

    def ask(gate: Gate) -> Checked:
        return registering.register_with(gate, request, prove, desk.ledger())

    return desk.decide(Stage.REGISTER, ask, lambda decision: registering.note(decision, request, desk.ledger()))


def as_fact(found: Measurement | None) -> MeasuredModel:
    """A measurement as the rules of a registration know it."""
    if found is None:
        return MeasuredModel()
    return MeasuredModel(
        measured=found.measured,
        judged=found.judged,
        models=tuple(found.seen.models),
        grade=found.grade.value,
        probe_given=True,
        problem=found.problem,
    )


def delivery(desk: Desk, before: Pane | None, look: Look, *, confirmed: bool) -> tuple[Delivery, GateDecision]:
    """What became of the task, and the decision of the stage `deliver` on it."""
    told = deliveries.transition(before, look.pane, transcript_confirms=confirmed, alive=look.alive)

    def ask(gate: Gate) -> Checked:
        given = deliveries.facts(before, look.pane, transcript_confirms=confirmed, alive=look.alive)
        facts = gate.admit(given, {})
        return Checked(decision=gate.decide(facts), facts=facts)

    return told, desk.decide(Stage.DELIVER, ask, lambda _: None)


def watched(
    desk: Desk, worker: Worker, terminal: str, before: Pane | None, sought: Sought | None
) -> tuple[Delivery, GateDecision]:
    """What became of the task, looked at several times until it is clear. Raises OrchestratorError."""
    for left in reversed(range(LOOKS)):
        look = worker.look(terminal)
        confirmed = worker.confirmed(sought)
        told, decision = delivery(desk, before, look, confirmed=confirmed)
        started = told.delivery_class is DeliveryClass.AGENT_STARTED
        if started and confirmed:  # what the worker itself wrote outweighs what its screen seems to say
            told = msgspec.structs.replace(told, evidence="transcript")
        failed = told.delivery_class.failed and not decision.allow
        if started or failed or not left or look.alive is False:
            return told, decision
        desk.sleep(LOOK_SECONDS)
    raise AssertionError  # the last look returns
