"""A ramp: everything that a dispatch needs, with an orchestrator that answers as the test says."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.ledger.desks import FakeClock, Post

from gatewright.app import App, Gate, Options
from gatewright.flows.dispatching.desk import Desk, DispatchRequest, Interruptions, Uninterrupted
from gatewright.flows.dispatching.pipeline import dispatch
from gatewright.ledger.protocol import Ledger
from gatewright.model import Host, Moment, Stage
from gatewright.model.dispatches import Dispatched, Step
from gatewright.orchestrators.protocol import Batch, Dispatch, Idle, Screen
from gatewright.runtimes.pretrust import homes
from gatewright.runtimes.screens.reading import Reader

TASK, JOB, TERMINAL = "task_1", "ctx_1", "term_1"
SPEC = "Read contracts/job.md and do what it says, nothing else."
PROMPT = "╭────────╮\n│ ❯      │\n╰────────╯\n"
BUSY = "✻ Working… (3s · esc to interrupt)\n"
TRUST = "Do you trust the files in this folder?\n❯ 1. Yes, proceed\n  2. No, exit\n"
LIMIT = "You've hit your session limit · resets 6:30pm (UTC)\n"
NOTHING = "some words\n"


class Scripted:
    """An orchestrator that does nothing, and keeps what it was asked."""

    name = "scripted"

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.screens = [PROMPT, BUSY]  #: until the task is typed in, and then look by look; the last one stays
        self.fails: dict[str, Exception] = {}  #: by method
        self.idle = Idle(satisfied=True)
        self.alive: bool | None = True
        self.known: Dispatch | None = Dispatch(id=JOB, task=TASK, terminal=TERMINAL)
        self.on: dict[str, Callable[[], None]] = {}  #: what happens as a method is called
        self._looks = 0

    def _called(self, method: str, *words: str) -> None:
        self.calls.append((method, *words))
        if method in self.on:
            self.on[method]()
        if method in self.fails:
            raise self.fails[method]

    @property
    def methods(self) -> list[str]:
        """What was asked, without looks at the screen."""
        return [call[0] for call in self.calls if call[0] != "screen"]

    def create_task(self, spec: str) -> str:
        self._called("create_task", spec)
        return TASK

    def open_terminal(self, worktree: str, command: str) -> str:
        self._called("open_terminal", worktree, command)
        return TERMINAL

    def wait_idle(self, terminal: str, seconds: float) -> Idle:
        self._called("wait_idle", terminal, f"{seconds:g}")
        return self.idle

    def inject(self, task: str, terminal: str) -> Dispatch:
        self._looks = 1
        self._called("inject", task, terminal)
        return Dispatch(id=JOB, task=task, terminal=terminal)

    def dispatch_of(self, task: str) -> Dispatch | None:
        self._called("dispatch_of", task)
        return self.known

    def screen(self, terminal: str) -> Screen:
        self._called("screen", terminal)
        text = self.screens[min(self._looks, len(self.screens) - 1)]
        self._looks += self._looks > 0
        return Screen(text=text, alive=self.alive)

    def wait(self, seconds: float, acknowledge: str = "") -> Batch:
        self._called("wait", f"{seconds:g}", acknowledge)
        return Batch()

    def probe_command(self, task: str) -> str:
        return f"show {task}"

    def clean_up(self, task: str = "", terminal: str = "") -> list[str]:
        return [f"end {each}" for each in (task, terminal) if each]


class Ramp(Post):
    """A post from which workers are dispatched."""

    def __init__(self, ledger: Ledger, clock: FakeClock, folder: Path, gates: Mapping[Stage, Gate]) -> None:
        super().__init__(ledger, clock, folder, gates[Stage.CHECK])
        self.gates = dict(gates)
        self.orchestrator = Scripted()
        self.host = Host(master="claude", source="set", installed=("claude", "codex"), alternatives=("codex",))
        self.worktree, self.home = folder / "worktree", folder / "home"
        for made in (self.worktree / ".git", self.home / ".codex", self.home / ".claude"):
            made.mkdir(parents=True)
        (self.home / ".codex" / "config.toml").write_text("")
        self.told: list[Step] = []
        self.interruptions: Interruptions = Uninterrupted()

    def desk(self) -> Desk:
        """What it works with."""
        app = App(Options(), environ={"HOME": str(self.home)}, folder=str(self.folder))
        screens = app.screens()
        return Desk(
            decide=lambda stage, ask, note: ask(self.gates[stage]).decision,
            surroundings=self.surroundings,
            ledger=lambda to_read=False: self.ledger,
            orchestrator=lambda: self.orchestrator,
            runtimes=app.runtimes(),
            host=self.host,
            homes=homes.find(app.environ),
            read=lambda screen, *, product, task, now: Reader(screens, product).read(
                screen.text, task=task, now=now, reason=screen.blocked
            ),
            seek=app.sought,
            now=lambda: Moment.at(self.clock.wall()),
            sleep=self.clock.pass_,
            interruptions=self.interruptions,
        )

    def dispatch(self, **given: object) -> Dispatched:
        """A dispatch that comes through, but for what is given."""
        found = {
            "contract": str(self.contract),
            "spec": SPEC,
            "worktree": str(self.worktree),
            "runtime": "codex",
            "model": "gpt-5.5",
        }
        return dispatch(self.desk(), DispatchRequest(**{**found, **given}), self.told.append)

    @property
    def outcomes(self) -> dict[str, str]:
        """How each step ended that was told."""
        return {step.name.value: step.outcome.value for step in self.told}

    def step(self, name: str) -> str:
        """Everything that was told of a step."""
        (found,) = (step for step in self.told if step.name.value == name)
        return "\n".join([found.says, *found.more])

    @property
    def rows(self) -> list[dict]:
        """What the ledger holds."""
        return [dict(entry.row.data) for entry in self.ledger.rows()]

    @property
    def config(self) -> str:
        """Codex's own file."""
        return (self.home / ".codex" / "config.toml").read_text()

    def writes(self, model: str, *, told: str = SPEC, ago: float = 0.0) -> None:
        """The worker writes a transcript, as Claude Code does."""
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.worktree.resolve()))
        folder = self.home / ".claude" / "projects" / slug
        folder.mkdir(parents=True, exist_ok=True)
        at = Moment.at(self.clock.wall() - ago).text
        common = {"sessionId": "s", "cwd": str(self.worktree), "timestamp": at, "isSidechain": False}
        rows = [
            {**common, "type": "user", "message": {"role": "user", "content": told}},
            {**common, "type": "assistant", "message": {"role": "assistant", "model": model, "content": []}},
        ]
        (folder / f"{len(list(folder.iterdir()))}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
