"""Panes of tmux: a person can attach and look at each worker."""

import re
import secrets
import shlex
import tempfile
import time
from collections.abc import Mapping, Sequence

from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Screen
from gatewright.orchestrators.terminals import Caller
from gatewright.probes.commands import End
from gatewright.text import shortened

SESSION = "gatewright"
_HANDLE = re.compile(r"(\d+):(%\d+)")
_CALL_SECONDS = 10.0
_HISTORY_LINES = 100
_SAID = 100  #: characters that are told of what another program says
_END = "#{pane_dead}:#{pane_dead_status}:#{pane_dead_signal}"
_END_LOOKS, _END_SECONDS = 20, 0.1
_FIRST = "see which `tmux` is the first on the PATH"
_GONE = ("no server running", "can't find pane", "error connecting")
#: Programs take what comes in one burst for a paste; the key that submits it has to come apart from it.
_SUBMIT_AFTER_SECONDS = 0.3


class TmuxTerminals:
    """Panes of the tmux server on a socket, of the server that this process runs in, or of the user's own.

    A handle holds the server's process id with the pane's: pane ids begin anew with every server.
    """

    name = "tmux"

    def __init__(self, call: Caller, environ: Mapping[str, str], socket: str = "") -> None:
        self.call, self.socket = call, socket
        self.is_inside = bool(environ.get("TMUX")) and not socket

    def reach(self) -> None:
        """See that the program is there and is tmux. No server is started for it."""
        told = self._tmux("-V")
        if not told.startswith("tmux "):
            said = shortened(told.partition("\n")[0], _SAID)
            raise OrchestratorError(Trouble.MISSING, f"`tmux` is another program: to -V it says `{said}`", _FIRST)

    def open(self, worktree: str, command: str) -> str:
        """A new window with a command in it; it stays when the command ends, so that its end can be seen."""
        handle = self._opened(worktree, command)
        if not _HANDLE.fullmatch(handle):
            raise OrchestratorError(Trouble.UNPARSEABLE, f"tmux printed `{handle}`, which names no pane", _FIRST)
        return handle

    def _opened(self, worktree: str, command: str) -> str:
        # The last argument ends in a quotation mark: tmux takes a semicolon at an end for the end of its own command.
        start = ["-P", "-F", "#{pid}:#{pane_id}", "-c", worktree, f"exec /bin/sh -c {shlex.quote(command)}"]
        if self.is_inside:
            return self._kept_window("", start)
        try:
            session = ["new-session", "-d", "-s", SESSION, "-x", "160", "-y", "50", *start]
            return self._tmux(*session, *_kept(f"={SESSION}:"))
        except OrchestratorError as error:
            if "duplicate session" not in error.problem:
                raise
            return self._kept_window(f"={SESSION}:", start)

    def _kept_window(self, session: str, start: Sequence[str]) -> str:
        """A window behind all others of a session, where it can be named before anybody knows its number."""
        last = f"{session}{{end}}"
        return self._tmux("new-window", "-d", "-a", "-t", last, *start, *_kept(last))

    def type(self, terminal: str, text: str) -> None:
        """Paste a text and submit it; a program that knows pastes takes all lines as one entry."""
        pane = self._pane(terminal)
        buffer = f"gatewright-{secrets.token_hex(4)}"
        with tempfile.NamedTemporaryFile(prefix=buffer) as file:  # a command line has less room than a task may take
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            self._tmux("load-buffer", "-b", buffer, file.name)
        self._tmux("paste-buffer", "-p", "-d", "-b", buffer, "-t", pane)
        time.sleep(_SUBMIT_AFTER_SECONDS)
        self._tmux("send-keys", "-t", pane, "Enter")

    def screen(self, terminal: str) -> Screen:
        """What the pane shows, with wrapped lines joined."""
        pane = self._pane(terminal)
        is_dead, exit_code = self._end(pane)
        # A pane whose program has ended has scrolled its last words away, to say that it is dead.
        history = ["-S", f"-{_HISTORY_LINES}"] if is_dead else []
        text = self._tmux("capture-pane", "-p", "-J", "-t", pane, *history)
        changed = self._tmux("display-message", "-p", "-t", pane, "#{window_activity}")
        changed_at = float(changed) if changed.isdecimal() else None
        return Screen(text=text, alive=not is_dead, exit_code=exit_code, changed_at=changed_at)

    def _end(self, pane: str) -> tuple[bool, int | None]:
        """Whether a pane's program has ended, and its exit status; minus the signal's number where one ended it."""
        for _ in range(_END_LOOKS):
            words = self._tmux("display-message", "-p", "-t", pane, _END).split(":")
            dead, status, signal = [*words, "", "", ""][:3]
            if dead != "1":
                return False, None
            if status.isdecimal():
                return True, int(status)
            if signal.isdecimal():
                return True, -int(signal)
            # The terminal is closed before the system tells how its program ended. At times tmux misses the word, and
            # hears it with that of the next program that ends under it.
            self._tmux("run-shell", "true")
            time.sleep(_END_SECONDS)
        return True, None

    def close_command(self, terminal: str) -> str:
        """How a person closes the pane."""
        return shlex.join([*self._program, "kill-pane", "-t", terminal.partition(":")[2]])

    def _pane(self, terminal: str) -> str:
        """The pane of a handle, if its server is the one that runs now and has it."""
        found = _HANDLE.fullmatch(terminal)
        if found is None:
            hint = "a terminal of tmux is written as SERVER-PID:%PANE"
            raise OrchestratorError(Trouble.REFUSED, f"`{terminal}` is no terminal of tmux", hint, code="terminal_gone")
        server, pane = found.groups()
        known = self._tmux("list-panes", "-a", "-F", "#{pid}:#{pane_id}").split("\n")
        if terminal not in known:
            raise OrchestratorError(Trouble.REFUSED, f"pane {pane} of server {server} is gone", code="terminal_gone")
        return pane

    @property
    def _program(self) -> Sequence[str]:
        return ["tmux", "-S", self.socket] if self.socket else ["tmux"]

    def _tmux(self, *arguments: str) -> str:
        """What tmux prints, without the last line end. Raises OrchestratorError."""
        ran = self.call([*self._program, *arguments], seconds=_CALL_SECONDS)
        if ran.end is End.NOT_STARTED:
            hint = "install tmux, or choose another orchestrator"
            raise OrchestratorError(Trouble.MISSING, f"tmux cannot be started: {ran.problem}", hint)
        if ran.end is End.TIMED_OUT:
            raise OrchestratorError(Trouble.TIMEOUT, f"tmux {arguments[0]} did not end within {_CALL_SECONDS:g} s")
        if not ran.succeeded:
            said = ran.errors.strip() or f"status {ran.status}"
            code = "terminal_gone" if any(mark in said for mark in _GONE) else ""
            raise OrchestratorError(Trouble.REFUSED, f"tmux {arguments[0]}: {said}", code=code)
        return ran.output.removesuffix("\n")


def _kept(window: str) -> Sequence[str]:
    """The words by which a window stays when its program ends.

    They belong to the call that opens it: a program may end before the next one.
    """
    return [";", "set-option", "-w", "-t", window, "remain-on-exit", "on"]
