"""Terminals and orchestrators for the tests, on real programs."""

import sys
import textwrap
import time

from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.local import LocalTerminals
from gatewright.orchestrators.owned import OwnedOrchestrator
from gatewright.orchestrators.tmux import TmuxTerminals
from gatewright.probes.commands import run

#: A program that reads entries as agents do: it asks for pastes, echoes nothing, and says what it was told.
AGENT = """
import sys, termios, tty
tty.setraw(0)
def say(text): sys.stdout.write(text.replace("\\n", "\\r\\n")); sys.stdout.flush()
say("\\x1b[?2004h> ")
entry = b""
while True:
    data = sys.stdin.buffer.raw.read(4096)
    entry += data
    if not data or entry.endswith(b"\\r"):
        break
told = entry.removesuffix(b"\\r").removeprefix(b"\\x1b[200~").removesuffix(b"\\x1b[201~").decode()
open("told", "w").write(told)
say("working\\n")
if told.startswith("exit "):
    sys.exit(int(told.split()[1]))
import time; time.sleep(60)
"""


def agent_command(folder):
    (folder / "agent.py").write_text(textwrap.dedent(AGENT))
    return f"{sys.executable} {folder / 'agent.py'}"


def local(folder):
    terminals = LocalTerminals(str(folder / "terminals"), {"PATH": "/usr/bin:/bin"})
    return OwnedOrchestrator(terminals, TaskBook(str(folder / "ledger.db")), time.time)


def tmux(folder):
    terminals = TmuxTerminals(run, {}, str(folder / "tmux.sock"))
    return OwnedOrchestrator(terminals, TaskBook(str(folder / "ledger.db")), time.time)


def until(claim, seconds=10.0):
    """Wait until something holds; fail when it does not come to hold."""
    end = time.monotonic() + seconds
    while not (found := claim()):
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(0.05)
    return found
