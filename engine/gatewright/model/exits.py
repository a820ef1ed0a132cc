"""Exit statuses. One meaning a number in each family of commands; no flag changes it."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status says."""

    OK = 0  #: allowed; all pass
    FAILED = 1  #: something failed: a case, a lint error, a difference
    DENIED = 2  #: the gate is closed; a policy that does not load closes it too
    INTERNAL = 3  #: a fault of gatewright itself
    NOTHING = 5  #: there was nothing to judge
    USAGE = 64  #: called wrongly


class ProbeCode(IntEnum):
    """What the exit status of `probe model` says."""

    OK = 0  #: the expected model, or nothing is expected
    DRIFT = 2  #: another model than the expected one, or a dearer one, was seen
    INTERNAL = 3  #: a fault of gatewright itself
    UNVERIFIED = 5  #: no model was measured: neither met nor missed
    USAGE = 64  #: called wrongly


class WatchCode(IntEnum):
    """What the exit status of `watch` says."""

    OK = 0  #: the log moves, or says that the work is done
    FAILED = 1  #: it cannot be told: the log cannot be read, or a fault of gatewright itself
    MISSING = 2  #: there is no log
    STALLED = 3  #: the log has not moved for too long
    USAGE = 64  #: called wrongly


class DispatchCode(IntEnum):
    """What the exit status of `dispatch` says."""

    DONE = 0  #: dispatched and registered; whether the worker has started is told
    ARGUMENTS = 1  #: called wrongly, or there is no contract
    DENIED = 2  #: a gate is closed, or the worktree could not be trusted; nothing was started
    NOT_STARTED = 3  #: no orchestrator, task or terminal, or the task could not be typed in; a recorded check is closed
    UNREGISTERED = 4  #: it was not registered; a worker may be running
    UNDELIVERED = 5  #: a question or a limit stands in the worker's way
