"""The real agents, in a real terminal, without an account and without a network: asked before, not asked after.

`make live` installs them from their registry into a folder that is thrown away; nothing else runs these tests.
"""

import json
import os
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest
from tests.cli.processes import Place
from tests.runtimes.readers import read, shown

from gatewright.flows.readiness import Readiness, ready
from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.owned import OwnedOrchestrator
from gatewright.orchestrators.tmux import TmuxTerminals
from gatewright.probes.commands import run

pytestmark = [
    pytest.mark.skipif(not os.environ.get("GATEWRIGHT_LIVE"), reason="`make live` installs and starts real agents"),
    pytest.mark.skipif(not all(map(shutil.which, ("npm", "tmux", "git"))), reason="npm, tmux or git is missing"),
]
NOWHERE = "http://localhost:9"  #: where nobody listens
PACKAGES = ("@openai/codex", "@anthropic-ai/claude-code")
SETTLED = 25  #: seconds; Codex looks ready for some five of them before it asks
CODEX = f"""model = "x"
model_provider = "nowhere"
check_for_update_on_startup = false

[model_providers.nowhere]
name = "nowhere"
base_url = "{NOWHERE}/v1"
"""
CLAUDE = {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": ["none"]}}
QUESTIONS = {
    "codex": ("Trust this folder?", "Do you trust the contents of this directory?"),
    "claude": ("Yes, I trust this folder", "Do you trust the files in this folder?"),
}
READY = {"codex": "Ask Codex to do anything", "claude": "? for shortcuts"}
COMMANDS = {"codex": "codex --no-daemon --model x", "claude": "claude"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Where the agents are."""
    folder = tmp_path_factory.mktemp("agents")
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES], check=True)
    return folder / "node_modules" / ".bin"


@pytest.fixture
def worktree(place):
    """A worktree that is linked to a fresh repository."""
    (place.home / ".codex").mkdir()
    (place.home / ".codex" / "config.toml").write_text(CODEX)
    (place.home / ".claude.json").write_text(json.dumps(CLAUDE))
    environ = place.environment({"GIT_CONFIG_NOSYSTEM": "1"})
    own = ["-c", "user.name=nobody", "-c", "user.email=nobody@mail.example"]
    for words in (["init", "-q", "main"], ["-C", "main", *own, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *words], cwd=place.cwd, env=environ, check=True)
    subprocess.run(["git", "-C", "main", "worktree", "add", "-q", "../wt"], cwd=place.cwd, env=environ, check=True)
    return place.cwd / "wt"


def screen(place: Place, programs: Path, worktree: Path, agent: str, *, seconds: int) -> str:
    """What an agent shows in a fresh terminal: its question as soon as it asks, else what is there at the end."""
    tmux = ["tmux", "-S", str(place.cwd / "socket"), "-f", "/dev/null"]
    environ = environment(place, programs)
    size = ["-x", "120", "-y", "50", "-c", str(worktree)]
    subprocess.run([*tmux, "new-session", "-d", *size, f"{COMMANDS[agent]}; sleep 99"], env=environ, check=True)
    try:
        shown, patience = "", time.monotonic() + seconds
        while time.monotonic() < patience and not asks(agent, shown):
            time.sleep(1)
            shown = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True).stdout
        return shown
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)


def environment(place: Place, programs: Path) -> dict[str, str]:
    """What an agent is started with: nowhere to ask, and nothing to update."""
    return place.environment(
        {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": NOWHERE,
            "DISABLE_AUTOUPDATER": "1",
        }
    )


def asks(agent: str, shown: str) -> bool:
    return any(question in shown for question in QUESTIONS[agent])


@pytest.mark.acceptance("B13", "B19")
@pytest.mark.parametrize("agent", ["codex", "claude"])
def test_the_real_agent_asks_before_and_not_after(place, programs, worktree, agent):
    before = screen(place, programs, worktree, agent, seconds=90)
    assert asks(agent, before), before
    assert shown(read(before)) == ("hook-trust", "trust"), before
    assert place.run("pretrust", agent, str(worktree), "--home", str(place.home)).code == 0
    after = screen(place, programs, worktree, agent, seconds=SETTLED)
    assert READY[agent] in after, after
    assert not asks(agent, after), after
    assert shown(read(after)) == ("prepared-prompt", None), after
    print(f"\n{agent}\n== before\n{before}\n== after\n{after}")


LAUNCHED = {
    "codex": ["codex", "--no-daemon", "--model", "{model}"],
    "claude": ["claude", "--model", "{model}"],
}


@pytest.mark.parametrize("agent", LAUNCHED)
def test_a_task_is_delivered_to_the_real_agent_and_stands_in_its_transcript(place, programs, worktree, agent):
    """Nobody answers it, so that no model is measured but the one that Codex was set to."""
    place.write(
        "runtimes.yaml",
        json.dumps({"runtimes": {agent: {"launch": LAUNCHED[agent], "pretrust": agent, "transcripts": agent}}}),
    )
    place.write("gatewright.toml", 'runtimes = "runtimes.yaml"\nledger = "ledger.db"\n')
    place.write("contract.md", "# Job\n")
    socket = str(place.cwd / "socket")
    environ = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": NOWHERE,
        "DISABLE_AUTOUPDATER": "1",
        "GATEWRIGHT_TMUX_SOCKET": socket,
    }
    words = ["dispatch", "--project", ".", "--orchestrator", "tmux", "--contract", "contract.md", "--json"]
    words += ["--worktree", str(worktree), "--runtime", agent, "--model", "x"]
    words += ["--spec", "Please write a file with a greeting in it, and nothing else at all."]
    called = place.command("gatewright", words)
    try:
        done = subprocess.run(
            called,
            cwd=place.cwd,
            env=place.environment(environ),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        print(done.stderr)
        found = json.loads(done.stdout)
        assert (done.returncode, found["delivery"]) == (0, "agent-started")
        assert found["steps"][-1]["evidence"] == "transcript"
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-server"], check=False, capture_output=True)


@pytest.mark.acceptance("D07")
@pytest.mark.parametrize("agent", ["codex", "claude"])
def test_a_terminal_is_no_sooner_ready_than_its_agent_has_asked_what_it_asks(place, programs, worktree, agent):
    environ, socket = environment(place, programs), str(place.cwd / "socket")
    terminals = TmuxTerminals(partial(run, environ=environ), environ, socket)
    orchestrator = OwnedOrchestrator(terminals, TaskBook(str(place.cwd / "tasks.db")), time.time)
    found = []
    try:
        for _ in range(2):
            terminal = orchestrator.open_terminal(str(worktree), COMMANDS[agent])
            waited = ready(orchestrator, terminal, lambda screen: read(screen.text), 90, sleep=time.sleep)
            found.append(waited.readiness)
            place.run("pretrust", agent, str(worktree), "--home", str(place.home))
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)
    assert found == [Readiness.GATED, Readiness.READY]
