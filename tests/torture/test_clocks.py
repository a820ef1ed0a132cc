"""Whatever is done to the clocks, no cap is passed within a window of true time."""

import sqlite3
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples
from tests.ledger.desks import START, FakeClock

from gatewright.ledger import schema
from gatewright.ledger.book import Book
from gatewright.ledger.rows import row_of
from gatewright.ledger.session import BookDesk, BookSession
from gatewright.model.tiers import TierTable

CAP, WINDOW = 4, 86_400
HOUR = 3600.0
TABLE = TierTable(version=2, index={"gpt-5.5": "low"}, caps={"low": CAP}, window_seconds=WINDOW)


class Machine:
    """A machine whose clocks go astray, the ledger on it, and the true time, which nobody on it knows."""

    def __init__(self, error: float) -> None:
        self.clock, self.true, self.error_then = FakeClock(wall=START + error), START, error
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        schema.create(self.connection, "here")
        self.admitted: list[tuple[float, int]] = []
        self.times: list[float] = []
        self.seen = False  #: whether there was a check in this boot

    def close(self) -> None:
        self.connection.close()

    @property
    def error(self) -> float:
        """How far the wall clock is ahead of the true time."""
        return self.clock.now - self.true

    def goes_on(self, seconds: float) -> None:
        self.true += seconds
        self.clock.pass_(seconds)

    def wall_is_set(self, seconds: float) -> None:
        """Set the wall clock; ahead only within a boot that the ledger knows and has seen: else nobody can tell."""
        self.clock.set_wall(seconds if (self.seen and self.clock.name) or seconds < 0 else 0)

    def boots(self, seconds: float, behind: float, name: str) -> None:
        """Another boot, another machine or an older state of it, whose wall clock is no further ahead than it was."""
        self.true += seconds
        self.clock.now = self.true + min(self.error_then, self.error_then - behind)
        self.clock.name, self.clock.since_boot, self.seen = name, seconds % 1000, False

    def checks(self, agents: int) -> bool:
        book = Book(self.connection, self.clock)
        used = BookSession(book, BookDesk(book)).usage("low", TABLE, agents).agents
        allowed = used + agents <= CAP
        if allowed:
            row = {"decision": "ALLOW", "n_agents": agents, "tier": "low", "ts": self.clock.now}
            book.append(row_of(row))
            self.admitted.append((self.true, agents))
        self.times.append(book.now.time)
        book.save()
        self.error_then, self.seen = self.error, True
        return allowed


hours = st.sampled_from([0.0, 0.01, 1.0, 5.0, 12.0, 23.9, 24.0, 24.1, 30.0]) | st.floats(0, 50)
steps = st.one_of(
    st.tuples(st.just("check"), st.integers(1, 4)),
    st.tuples(st.just("on"), hours),
    st.tuples(st.just("set"), st.floats(-1000, 1000)),
    st.tuples(st.just("boot"), hours, st.sampled_from([0.0, 0.0, 3.0, 30.0, 10_000.0]), st.sampled_from("ABC")),
    st.tuples(st.just("boot"), hours, st.just(0.0), st.just("")),  # a system that does not tell boots apart
)


def run(machine, sequence):
    for name, *values in sequence:
        if name == "check":
            machine.checks(*values)
        elif name == "on":
            machine.goes_on(values[0] * HOUR)
        elif name == "set":
            machine.wall_is_set(values[0] * HOUR)
        else:
            machine.boots(values[0] * HOUR, values[1] * HOUR, values[2])


@examples(400)
@given(st.lists(steps, max_size=40), st.sampled_from([0.0, -30 * HOUR, -START, 30 * HOUR, 1e4 * HOUR]))
def test_no_cap_is_passed_within_a_true_window_and_ledger_time_never_goes_back(sequence, error):
    with closing(Machine(error)) as machine:
        run(machine, [("check", 1), *sequence, ("check", 1)])
        assert machine.times == sorted(machine.times)
        for end, _ in machine.admitted:
            within = sum(agents for at, agents in machine.admitted if end - WINDOW < at <= end)
            assert within <= CAP, machine.admitted


@examples(100)
@given(st.lists(steps, max_size=20))
def test_a_quiet_window_frees_the_whole_cap_whatever_the_clocks_did_before(sequence):
    with closing(Machine(0.0)) as machine:
        run(machine, sequence)
        machine.clock.name = "the last boot"
        machine.checks(1)
        machine.goes_on(WINDOW + 1)
        assert machine.checks(CAP)


def test_a_clock_that_was_wrong_at_first_and_set_right_later_lets_no_day_pass_at_the_next_boot():
    with closing(Machine(-START)) as machine:  # a device that starts in 1970
        assert machine.checks(CAP)
        machine.wall_is_set(START)  # and hears the time later
        assert not machine.checks(1)
        machine.boots(60.0, 0.0, "B")
        assert not machine.checks(1)
