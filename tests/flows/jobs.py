"""A post that registers jobs too, with an orchestrator that answers as the test says."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.ledger.desks import FakeClock, Post

from gatewright.app import Gate
from gatewright.flows import registering
from gatewright.flows.registering import Means
from gatewright.flows.registrations import RegisterRequest
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.tickets import Ticket
from gatewright.model import GateDecision, Orchestration
from gatewright.orchestrators.looking import look_up
from gatewright.orchestrators.orca import OrcaOrchestrator, program
from gatewright.probes.commands import Ran, run

JOB, TASK = "ctx_1a2b3c4d5e6f", "task_1a2b3c4d5e6f"
ORCA = """#!/bin/sh
printf '%s\\n' "$@" >> '{folder}/asked.txt'
cat '{folder}/answer.txt'
exit "$(cat '{folder}/status.txt')"
"""


class Office(Post):
    """A post with a gate for registrations."""

    def __init__(self, ledger: Ledger, clock: FakeClock, folder: Path, gate: Gate, registers: Gate) -> None:
        super().__init__(ledger, clock, folder, gate)
        self.registers = registers
        self.seconds = 30.0
        orca = folder / "orca"
        orca.write_text(ORCA.format(folder=folder))
        orca.chmod(0o755)
        self.environ = {"PATH": "/usr/bin:/bin", "ORCA_CLI_COMMAND": str(orca)}
        self.dispatched()

    def dispatched(self, **dispatch: object) -> None:
        """Let the orchestrator know the task as this job, but for what is given."""
        found = {"id": JOB, "task_id": TASK, "status": "dispatched", **dispatch}
        self.answers({"id": "1", "ok": True, "result": {"dispatch": found}, "_meta": {"runtimeId": "r"}})

    def answers(self, answer: object, status: int = 0) -> None:
        """Let the orchestrator answer so: text as it is, anything else as JSON."""
        text = answer if isinstance(answer, str) else json.dumps(answer, indent=2)
        (self.folder / "answer.txt").write_text(text)
        (self.folder / "status.txt").write_text(str(status))

    @property
    def asked(self) -> list[str]:
        """The words that the orchestrator was asked with, one call after the other."""
        path = self.folder / "asked.txt"
        return path.read_text().splitlines() if path.exists() else []

    def registration(self, **given: object) -> RegisterRequest:
        """A registration that is allowed after a check, but for what is given."""
        job = given.get("job_id", JOB)
        (self.folder / "state.txt").write_text(f"job={job}; state: running\n")
        found = {
            "job_id": job,
            "probe_cmd": f"cat '{self.folder}/state.txt'",
            "orchestration_task": TASK if job == JOB else None,
            "declared_model": "gpt-5.5",
            "model_probe_cmd": "echo gpt-5.5",
        }
        return RegisterRequest(**{**found, **given})

    def register(self, **given: object) -> GateDecision:
        """Register a job. One that is not the orchestrator's own needs a check for a sentinel log."""
        means = Means(tier_policy=self.surroundings.tier_policy, look_up=self.look_up, seconds=self.seconds)
        return registering.register(self.registers, self.registration(**given), means, self.ledger).decision

    def look_up(self, task: str, job: str) -> Orchestration:
        """What the orchestrator says of a task; it has no longer to say it than any other probe."""

        def call(words: Sequence[str], *, seconds: float) -> Ran:
            return run(words, seconds=min(seconds, self.seconds), environ=self.environ)

        return look_up(lambda: OrcaOrchestrator(call, program(self.environ)), task, job)

    def logged(self, **given: object) -> GateDecision:
        """A check for a sentinel log, which no orchestrator needs to know of."""
        return self.check(completion_channel="sentinel-log", **given)

    def waits(self, sha: str, runtime: str = "codex", *, ago: float = 60.0, ticket: bool = True, **row: object) -> None:
        """Put a check that was allowed so many seconds ago into the ledger, with its ticket."""
        then = self.clock.wall() - ago
        data: Mapping[str, object] = {
            "ts": then,
            "contract_sha": sha,
            "runtime": runtime,
            "n_agents": 1,
            "est_chars": 30,
            "decision": "ALLOW",
            "reason": "OK",
            "completion_channel": "sentinel-log",
            "model": "gpt-5.5",
            **row,
        }
        with self.ledger.writing() as session:
            session.append(data, {})
            if ticket:
                issued = session.ticket_time - ago
                session.issue(Ticket(runtime=runtime, contract_sha=sha, issued_ts=issued, count=1))
