"""A dispatch that is stopped by hand knows of everything that it has made, and says no more and no less."""

import os
import signal

import pytest
from tests.flows.ramps import JOB, TASK, TERMINAL

from gatewright.cli.interrupting import Signals
from gatewright.model import Stage
from gatewright.model.exits import DispatchCode
from gatewright.report.dispatches import end_line

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def stopped(ramp):
    """A ramp that hears signals."""
    before = {each: signal.getsignal(each) for each in STOPS}
    for each in STOPS:
        signal.signal(each, signal.SIG_DFL)
    ramp.interruptions = Signals()
    ramp.interruptions.listen()
    yield ramp
    for each, handler in before.items():
        signal.signal(each, handler)


def sent(*signals):
    """Sends them to this process."""

    def send():
        for each in signals:
            os.kill(os.getpid(), each)

    return send


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize(
    ("method", "code", "made", "end"),
    [
        ("create_task", DispatchCode.NOT_STARTED, {TASK}, "no worker was given the task"),
        ("open_terminal", DispatchCode.NOT_STARTED, {TASK, TERMINAL}, "no worker was given the task"),
        ("wait_idle", DispatchCode.NOT_STARTED, {TASK, TERMINAL}, "no worker was given the task"),
        ("inject", DispatchCode.UNREGISTERED, {TASK, TERMINAL}, "a worker may be running"),
    ],
)
def test_what_was_made_is_known_whenever_the_signal_comes(method, code, made, end, stop, stopped):
    stopped.orchestrator.on[method] = sent(stop)
    found = stopped.dispatch()
    assert (found.code, found.made.dispatch) == (code, None)
    assert {f"end {each}" for each in made} == {each for each in found.clean_up if each.startswith("end ")}
    assert end in end_line(found)
    assert bool([row for row in stopped.rows if row.get("kind") == "not_started"]) is (code is DispatchCode.NOT_STARTED)


def test_one_that_is_registered_is_told_as_that_and_as_unverified(stopped):
    stopped.orchestrator.on["dispatch_of"] = sent(signal.SIGTERM)
    found = stopped.dispatch()
    assert (found.code, found.made.dispatch, found.made.registered) == (DispatchCode.DONE, JOB, True)
    assert (stopped.outcomes["delivery"], found.made.delivery) == ("warned", "unknown")
    assert "delivery UNVERIFIED: stopped by hand" in stopped.step("delivery")
    assert end_line(found) == f"DISPATCHED {JOB}: registered, model not verified, delivery unknown"


def test_a_check_that_was_recorded_is_closed(stopped):
    whole = stopped.ledger

    class Slow:
        """A ledger in the middle of whose step the signal comes."""

        def writing(self):
            sent(signal.SIGTERM)()
            return whole.writing()

        def __getattr__(self, name):
            return getattr(whole, name)

    stopped.ledger = Slow()
    found = stopped.dispatch()
    assert (found.code, [row.get("kind", "check") for row in stopped.rows][:2]) == (
        DispatchCode.NOT_STARTED,
        ["check", "not_started"],
    )


def test_one_that_is_broken_off_before_anything_is_spent_is_not_told_as_denied(stopped):
    class Deciding:
        """A gate in front of which the signal comes."""

        def __getattr__(self, _):
            sent(signal.SIGINT)()

    stopped.gates[Stage.DISPATCH] = Deciding()
    found = stopped.dispatch()
    assert (found.code, stopped.rows, stopped.orchestrator.calls) == (DispatchCode.DENIED, [], [])
    assert end_line(found) == "NOT DISPATCHED: broken off; nothing was started"


def test_a_second_key_does_not_break_off_what_is_said_at_the_end(stopped):
    stopped.orchestrator.on["open_terminal"] = sent(signal.SIGINT, signal.SIGTERM, signal.SIGINT)
    whole = stopped.orchestrator.clean_up

    def clean_up(*made):
        sent(signal.SIGINT)()
        return whole(*made)

    stopped.orchestrator.clean_up = clean_up
    found = stopped.dispatch()
    assert (found.code, f"end {TERMINAL}" in found.clean_up) == (DispatchCode.NOT_STARTED, True)


def test_a_signal_that_the_caller_has_it_ignore_stays_ignored(stopped):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    stopped.interruptions.listen()
    stopped.orchestrator.on["open_terminal"] = sent(signal.SIGHUP)
    assert stopped.dispatch().code is DispatchCode.DONE
