"""A terminal is ready for a task once it has stayed so; what comes up in between is seen before anything is typed."""

import pytest
from tests.runtimes.readers import READER

from gatewright.flows.readiness import Readiness, look, ready
from gatewright.model.screens import GateKind, PaneClass
from gatewright.orchestrators.protocol import Idle, Screen

PROMPT = "› Ask Codex to do anything\n\n  gpt-5.6-sol · /srv/yard/alpha\n"
QUESTION = "Trust this folder?\n\n› 1. Trust and continue\n  2. Back to Agent Command Center\n"
LIMIT = "■ You’ve hit your usage limit. Try again at 8:58 PM.\n\n› Explain this codebase\n"
STARTING = "Loading the workspace\n"


class Terminal:
    """A terminal that shows one screen after the other, the last one for good."""

    def __init__(self, *screens, idle=None, alive=True, **more):
        self.screens = [Screen(text=each, alive=alive, **more) for each in screens]
        self.idle = idle or Idle(satisfied=True)
        self.slept = []

    def wait_idle(self, terminal, seconds):
        return self.idle

    def screen(self, terminal):
        return self.screens.pop(0) if len(self.screens) > 1 else self.screens[0]


def read(screen):
    return READER.read(screen.text, reason=screen.blocked)


def waited(terminal, pause=7.0):
    return ready(terminal, "t", read, 60, pause, sleep=terminal.slept.append)


@pytest.mark.acceptance("D07")
@pytest.mark.parametrize(
    ("screens", "readiness", "slept"),
    [
        ([PROMPT], Readiness.READY, [7.0]),
        ([PROMPT, QUESTION], Readiness.GATED, [7.0]),
        ([QUESTION], Readiness.GATED, []),
        ([LIMIT], Readiness.GATED, []),
        ([STARTING, PROMPT, PROMPT], Readiness.READY, [7.0, 7.0]),
        ([STARTING, PROMPT, QUESTION], Readiness.GATED, [7.0, 7.0]),
        ([STARTING], Readiness.UNKNOWN, [7.0]),
        (["", "", PROMPT], Readiness.READY, [1.0, 1.0, 7.0]),
        ([" \n\n"], Readiness.UNKNOWN, [1.0, 1.0, 1.0, 7.0, 1.0, 1.0, 1.0]),
        ([PROMPT, STARTING, PROMPT, STARTING, PROMPT], Readiness.READY, [7.0] * 4),
    ],
)
def test_a_screen_counts_when_it_stands_there_a_while_later_too(screens, readiness, slept):
    terminal = Terminal(*screens)
    assert (waited(terminal).readiness, terminal.slept) == (readiness, slept)


def test_without_a_pause_the_first_look_counts():
    terminal = Terminal(PROMPT, QUESTION)
    assert (waited(terminal, pause=0).readiness, terminal.slept) == (Readiness.READY, [])


@pytest.mark.acceptance("D14")
@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("codex-update-prompt", GateKind.START_MENU),
        ("codex-trust-workspace", GateKind.TRUST),
        ("codex-cwd-prompt", GateKind.START_MENU),
        ("codex-model-migration-prompt", GateKind.START_MENU),
        ("codex-hooks-review-prompt", GateKind.HOOK_TRUST),
        ("codex-interactive-prompt", GateKind.APPROVAL),
        ("agent-approval-prompt", GateKind.APPROVAL),
        ("a-word-of-tomorrow", None),
    ],
)
def test_what_the_orchestrator_says_a_terminal_waits_at_is_a_question(reason, kind):
    terminal = Terminal(STARTING, idle=Idle(satisfied=False, blocked=reason))
    found = waited(terminal)
    pane = found.look.pane
    assert (found.readiness, pane.pane_class, pane.gate_kind, pane.marker, terminal.slept) == (
        Readiness.GATED,
        PaneClass.HOOK_TRUST,
        kind,
        reason,
        [],
    )


@pytest.mark.acceptance("D14")
def test_a_word_that_the_orchestrator_has_for_the_screen_counts_before_what_stands_on_it():
    told = Terminal(PROMPT, blocked="agent-approval-prompt")
    assert look(told, "t", read, told.slept.append).pane.gate_kind is GateKind.APPROVAL
    finer = Terminal(QUESTION, blocked="agent-approval-prompt")
    assert look(finer, "t", read, finer.slept.append).pane.gate_kind is GateKind.TRUST
    unknown = Terminal(PROMPT, blocked="a-word-of-tomorrow")
    assert look(unknown, "t", read, unknown.slept.append).pane.pane_class is PaneClass.PREPARED_PROMPT


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize("screen", [PROMPT, QUESTION, ""])
def test_a_program_that_has_ended_is_gone_whatever_it_has_left_on_the_screen(screen):
    by_screen = Terminal(screen, alive=False)
    by_wait = Terminal(screen, alive=None, idle=Idle(satisfied=False, alive=False))
    assert [waited(each).readiness for each in (by_screen, by_wait)] == [Readiness.GONE] * 2
    assert by_screen.slept == []


def test_a_terminal_that_does_not_come_to_rest_is_told_apart_from_one_that_is_not_known():
    assert waited(Terminal(STARTING, idle=Idle(satisfied=False))).readiness is Readiness.RESTLESS
    assert waited(Terminal(PROMPT, idle=Idle(satisfied=False))).readiness is Readiness.READY
