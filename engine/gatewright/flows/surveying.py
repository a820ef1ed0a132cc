"""Surveying: what was allowed, what has become of it, and what nobody has registered, by ledger and orchestrator.

What a worker says of itself has no part in it. The ledger tells what was allowed and proven, the orchestrator what it
has dispatched and where that is; what only one of the two knows of is told as that.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from gatewright.flows.registrations import SENTINEL_LOG
from gatewright.flows.unsettled import Unsettled, attempt_of
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import Row, RowKind
from gatewright.model.works import Work, WorkState
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus, Lister, Orchestrator

MAX_IDLE = 360.0  #: seconds without a sign, as for a log that is watched
_FAILED = (DispatchStatus.FAILED, DispatchStatus.CIRCUIT_BROKEN)


class Survey(Struct, frozen=True, kw_only=True):
    """What was found."""

    works: tuple[Work, ...]  #: in the order in which they were allowed or registered
    problems: tuple[str, ...] = ()  #: what the orchestrator could not be asked, and why


class Means(Struct, frozen=True, kw_only=True):
    """What a survey is made with."""

    orchestrator: Callable[[], Orchestrator]  #: made only when there is something to ask it
    now: Callable[[], float]
    max_idle: float = MAX_IDLE


def survey(ledger: Ledger, means: Means, since: float | None = None) -> Survey:
    """Where everything stands that was allowed or registered since then. Raises LedgerError."""
    rows = _Rows()
    for entry in ledger.rows(since):
        rows.add(entry.row)
    asked = _Asked(means)
    works = [*rows.works(), *(asked.state_of(work) for work in rows.jobs)]
    with ledger.reading() as look:
        works += [work for work in asked.unrecorded() if look.of_job(work.job or "") is None]
    works.sort(key=lambda work: (work.at is None, work.at or 0.0))
    return Survey(works=tuple(works), problems=tuple(dict.fromkeys(asked.problems)))


class _Rows:
    """What the rows tell."""

    def __init__(self) -> None:
        self.jobs: list[Work] = []
        self.ended: list[Work] = []  #: allowed checks whose start has failed
        self.pending: Unsettled[Work] = Unsettled()

    def add(self, row: Row) -> None:
        """Take a row in."""
        if row.allowed_check:
            self.pending.add(row, _work(row, WorkState.PENDING))
        elif row.kind is RowKind.REGISTRATION and row.decision == "ALLOW":
            self.jobs.append(_registered(row, self.pending.settle(row)))
        elif row.kind is RowKind.CLOSING:
            check = self.pending.settle(row)
            if check is not None:
                self.ended.append(replace(check, state=WorkState.NOT_STARTED, detail=_text(row.data, "why")))

    def works(self) -> Iterable[Work]:
        """The allowed checks that no job was registered for."""
        yield from self.ended
        yield from self.pending


class _Asked:
    """What an orchestrator tells."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self.problems: list[str] = []
        self._made: Orchestrator | None = None

    def state_of(self, work: Work) -> Work:
        """A registered work with where its dispatch is."""
        if work.task is None:
            return work
        try:
            found = self._orchestrator.dispatch_of(work.task)
        except OrchestratorError as error:
            self.problems.append(str(error))
            return replace(work, detail="the orchestrator could not be asked")
        if found is None:
            return replace(work, detail=f"{self._orchestrator.name} does not know its task")
        if found.id != work.job:
            return replace(work, detail=f"its task runs as {found.id} by now")
        return self._placed(work, found)

    def unrecorded(self) -> Iterator[Work]:
        """The dispatches that the orchestrator has not ended, as works that nobody has registered."""
        try:
            orchestrator = self._orchestrator
            found = orchestrator.dispatches() if isinstance(orchestrator, Lister) else ()
            for each in found:
                if each.status.is_active:
                    work = Work(state=WorkState.UNRECORDED, job=each.id, task=each.task or None)
                    yield replace(self._placed(work, each), state=WorkState.UNRECORDED)
        except OrchestratorError as error:
            self.problems.append(str(error))

    @property
    def _orchestrator(self) -> Orchestrator:
        if self._made is None:
            self._made = self.means.orchestrator()
        return self._made

    def _placed(self, work: Work, found: Dispatch) -> Work:
        if found.status in _FAILED:
            return replace(work, state=WorkState.FAILED, detail=found.last_failure or found.status.value)
        if found.status is DispatchStatus.COMPLETED:
            return replace(work, state=WorkState.COMPLETED)
        idle = self._idle(found)
        if idle is not None and idle > self.means.max_idle:
            return replace(work, state=WorkState.STALLED, detail=f"nothing new for {idle:.0f} s")
        return replace(work, state=WorkState.ACTIVE)

    def _idle(self, found: Dispatch) -> float | None:
        """For how long a worker has written nothing; None where that cannot be told."""
        try:
            screen = self._orchestrator.screen(found.terminal) if found.terminal else None
        except OrchestratorError as error:
            if error.trouble is not Trouble.REFUSED:
                self.problems.append(str(error))
            return None
        return None if screen is None or screen.changed_at is None else self.means.now() - screen.changed_at


def _work(row: Row, state: WorkState) -> Work:
    return Work(
        state=state,
        job=row.job_id,
        contract_sha=row.contract_sha,
        runtime=row.runtime or None,
        model=row.model or None,
        attempt=attempt_of(row),
        at=row.ts,
    )


def _registered(row: Row, check: Work | None) -> Work:
    """A registration: of an orchestrator's task, or of work that has none and is never given one later."""
    task = _text(row.data, "orchestration_task") or None
    outside = task is None or row.data.get("completion_channel") == SENTINEL_LOG
    work = _work(row, WorkState.NON_ORCHESTRATED if outside else WorkState.UNKNOWN)
    model = _text(row.data, "model_measured") or _text(row.data, "model_declared")
    model = model or (check.model if check is not None and check.model else "")
    return replace(work, task=None if outside else task, model=model or None)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""
