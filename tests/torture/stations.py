"""A gate and its ledger for processes that come to grief, and what must hold of the ledger afterwards."""

import functools
import json
import os
from collections.abc import Iterator
from pathlib import Path

from gatewright.app import App, Gate, Options
from gatewright.flows import recording
from gatewright.flows.check import CheckRequest, Surroundings
from gatewright.ledger.chain import START, head_of, leaf_of, stamp_of
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.rows import Row, RowKind, read_line
from gatewright.ledger.stores import open_ledger
from gatewright.ledger.tickets import read_ticket
from gatewright.model import GateDecision, Stage

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"sqlite": "ledger.db", "jsonl": "ledger.jsonl"}
ROOM = 10**6  #: a cap that nothing here comes near
STRANGER = "older"  #: the runtime of rows that another program has appended


def environment(**more: str) -> dict[str, str]:
    """What a program of this folder is started with."""
    paths = os.pathsep.join(str(ROOT / part) for part in ("engine", "rules", "."))
    return {**os.environ, "PYTHONPATH": paths, **more}


@functools.cache
def gate() -> Gate:
    """The gate of the shipped policy."""
    return App(Options(), environ={}).gate(Stage.CHECK)


class Station:
    """A ledger of a kind in a folder, behind a cap."""

    def __init__(self, folder: Path, kind: str, cap: int = ROOM) -> None:
        self.folder, self.kind, self.cap = folder, kind, cap
        folder.mkdir(parents=True, exist_ok=True)
        self.contract, self.table = folder / "job.md", folder / "tiers.json"
        if not self.contract.exists():
            self.contract.write_text("# Job\n")
            table = {"version": 2, "tiers": {"low": ["gpt-5.5"]}, "fanout_caps": {"low": cap}}
            self.table.write_text(json.dumps(table))

    @property
    def tickets(self) -> Path:
        """The folder of ticket files."""
        return self.folder / "state" / "tickets"

    @property
    def ledger(self) -> Ledger:
        """The ledger, in folders that it has to make itself."""
        return open_ledger(str(self.folder / "state" / "ledger" / NAMES[self.kind]), str(self.tickets))

    def check(self, **given: object) -> GateDecision:
        """Check and record."""
        return recording.check(gate(), self.request(**given), self._surroundings, self.ledger).decision

    def look(self, **given: object) -> GateDecision:
        """Check without recording."""
        return recording.evaluate(gate(), self.request(**given), self._surroundings, self.ledger).decision

    @property
    def _surroundings(self) -> Surroundings:
        return Surroundings(tier_policy=str(self.table), known_roots="")

    def request(self, **given: object) -> CheckRequest:
        """A request that is allowed, but for what is given."""
        usual = {"runtime": "codex", "contract": str(self.contract), "agents": 1, "model": "gpt-5.5"}
        return CheckRequest(**{**usual, "completion_channel": "orchestration", **given})

    def rows(self) -> list[Row]:
        """The rows, torn lines left out."""
        with self.ledger.reading() as look:
            return [row for _, row in _lines(look) if row.kind is not RowKind.SKIPPED]

    def numbers(self) -> set[int]:
        """The sizes that rows were asked for with, by which this folder's programs tell rows apart."""
        return {row.data["est_chars"] for row in self.rows()}

    def faults(self) -> list[str]:
        """What does not hold of the ledger: its chain, its sums, its cap, its attempts, its tickets."""
        with self.ledger.reading() as look:
            lines = _lines(look)
            head = functools.reduce(lambda head, link: head_of(head, *link), [link for link, _ in lines], START)
            found = [] if head == look.book.head else ["the chain does not lead to the head"]
            names = [*look.book.accounts("tier:"), *look.book.accounts("model:")]
            kept = look.book.used(names, 0)
        checks = [row for _, row in lines if row.kind is RowKind.CHECK]
        used = sum(row.agents or 0 for row in checks if row.allowed_check)
        if used != kept:
            found.append(f"the sums say {kept}, the rows {used}")
        return [*found, *self._admissions(checks), *self._attempts(checks), *self._broken_tickets()]

    def _admissions(self, checks: list[Row]) -> Iterator[str]:
        used = 0
        for row in checks:
            agents = row.agents or 0
            fits = used + agents <= self.cap or row.data.get("tier_override") or row.runtime == STRANGER
            if row.decision == "ALLOW" and not fits:
                yield f"{used} + {agents} agents were let through a cap of {self.cap}"
            if row.reason == "TIER_FANOUT_CAP" and used + agents <= self.cap:
                yield f"{used} + {agents} agents were kept out by a cap of {self.cap}"
            used += agents if row.decision == "ALLOW" else 0

    def _attempts(self, checks: list[Row]) -> Iterator[str]:
        allowed = [row for row in checks if row.decision == "ALLOW" and row.runtime != STRANGER]
        attempts = [row.data["attempt"] for row in allowed]
        if attempts != list(range(1, len(allowed) + 1)):
            yield f"the attempts are {attempts}"

    def _broken_tickets(self) -> Iterator[str]:
        for path in self.tickets.glob("*.json"):
            if read_ticket(path.read_bytes(), path.name) is None:
                yield f"{path.name} is half a ticket"


def _lines(look: object) -> list[tuple[tuple[bytes, bytes], Row]]:
    """What the chain goes on with, and the row, for each of a ledger's lines."""
    query, found = "SELECT line, start, length, more, at, taken_up FROM rows ORDER BY id", []
    for line, start, length, more, at, taken_up in look.book.connection.execute(query):
        text = look.desk.line(start, length) if line is None else line
        found.append(((leaf_of(text, more), stamp_of(at, taken_up)), read_line(text)))
    return found
