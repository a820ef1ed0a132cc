"""Ledgers of every kind to try, on clocks that the test sets."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from gatewright.app import Gate
from gatewright.flows import recording
from gatewright.flows.check import CheckRequest, Surroundings
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.stores import open_ledger
from gatewright.model import GateDecision

START = 1_795_953_600.0  #: 2026-11-29T12:00:00Z
TABLE = {
    "version": 2,
    "tiers": {"top": ["claude-opus-5"], "low": ["gpt-5.5"]},
    "fanout_caps": {"top": 4, "low": 8, "unknown": 8},
}
CONTRACT = "# Job\n\nDo it, and say so.\n"


class FakeClock:
    """A clock that goes on only when it is told to; both of its hands can be set apart."""

    def __init__(self, wall: float = START, boot: str = "boot-1", since_boot: float = 1000.0) -> None:
        self.now, self.name, self.since_boot = wall, boot, since_boot

    def wall(self) -> float:
        """The wall clock."""
        return self.now

    def boot(self) -> tuple[str, float]:
        """The boot and the time since."""
        return self.name, self.since_boot

    def pass_(self, seconds: float) -> None:
        """Let time go by."""
        self.now += seconds
        self.since_boot += seconds

    def set_wall(self, seconds: float) -> None:
        """Set the wall clock, forward or back."""
        self.now += seconds

    def reboot(self, seconds: float = 60.0) -> None:
        """Start the machine anew."""
        self.now += seconds
        self.name, self.since_boot = self.name + "+", 5.0


class Post:
    """A gate with a ledger, a clock, a contract and a tier table: what a check needs."""

    def __init__(self, ledger: Ledger, clock: FakeClock, folder: Path, gate: Gate) -> None:
        self.ledger, self.clock, self.folder, self.gate = ledger, clock, folder, gate
        self.contract = folder / "job.md"
        self.table(TABLE)
        self.contract.write_text(CONTRACT)

    def table(self, table: Mapping[str, object]) -> None:
        """Put another tier table in force."""
        (self.folder / "tiers.json").write_text(json.dumps(table))

    @property
    def surroundings(self) -> Surroundings:
        """Where the facts are."""
        return Surroundings(
            tier_policy=str(self.folder / "tiers.json"), known_roots=str(self.folder / "known-roots.json")
        )

    def request(self, **given: object) -> CheckRequest:
        """A request that is allowed, but for what is given."""
        found = {
            "runtime": "codex",
            "contract": str(self.contract),
            "agents": 1,
            "model": "gpt-5.5",
            "completion_channel": "orchestration",
        }
        return CheckRequest(**{**found, **given})

    def check(self, **given: object) -> GateDecision:
        """Check and record."""
        return recording.check(self.gate, self.request(**given), self.surroundings, self.ledger).decision

    def look(self, **given: object) -> GateDecision:
        """Check without recording."""
        return recording.evaluate(self.gate, self.request(**given), self.surroundings, self.ledger).decision

    def kept(self) -> bytes:
        """Everything that the ledger has written down."""
        if isinstance(self.ledger, PostgresLedger):
            from tests.ledger.postgres import dump

            return repr(dump(self.ledger.url)).encode()
        return b"".join(path.read_bytes() for path in self.folder.iterdir() if path.name.startswith("ledger"))

    def reasons(self, *agents: int, **given: object) -> list[str]:
        """The reasons of checks one after the other, each for so many agents."""
        return [self.check(agents=number, **given).reason for number in agents]


def sqlite(folder: Path, clock: FakeClock) -> Ledger:
    """A ledger in SQLite."""
    return open_ledger(str(folder / "ledger.db"), str(folder / "tickets"), clock=clock)


def json_lines(folder: Path, clock: FakeClock) -> Ledger:
    """A ledger in a file of JSON lines."""
    return open_ledger(str(folder / "ledger.jsonl"), str(folder / "tickets"), clock=clock)


def postgres(_folder: Path, clock: FakeClock) -> Ledger:
    """A ledger in a PostgreSQL database, with the server's clock set by the test."""
    from tests.ledger.postgres import Timed, fresh_database, server

    return Timed(server().url(fresh_database()), clock)


Kind = Callable[[Path, FakeClock], Ledger]
FILES: dict[str, Kind] = {"sqlite": sqlite, "jsonl": json_lines}
KINDS: dict[str, Kind] = {**FILES, "postgres": postgres}
