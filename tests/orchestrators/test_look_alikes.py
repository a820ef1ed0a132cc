"""A program of the same name, and one that says too much: neither is taken at its word."""

import pytest

from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.tmux import TmuxTerminals
from gatewright.probes.commands import End, Ran


def saying(output="", errors="", status=0):
    """Terminals of a program that answers everything so."""
    ran = Ran(end=End.EXITED, status=status, output=output, errors=errors)
    return TmuxTerminals(lambda *_, **__: ran, {})


@pytest.mark.parametrize("output", ["", "y\ny\ny\n", "%1\n", "1:%", "12:%3 and more\n", "x:%3\n", "1:%3\n1:%3\n"])
def test_what_is_printed_and_names_no_pane_is_no_terminal(output):
    with pytest.raises(OrchestratorError, match="names no pane") as caught:
        saying(output).open("worktree", "agent")
    assert caught.value.trouble is Trouble.UNPARSEABLE


@pytest.mark.parametrize("output", ["tmux 3.4\n", "tmux next-3.6\n", "tmux openbsd-7.6\n"])
def test_what_says_its_version_as_tmux_does_is_tmux(output):
    saying(output).reach()


@pytest.mark.parametrize("output", ["", "tmuxinator 3.3.1\n", "byobu version 5\n", "usage: tmux FILE\n"])
def test_a_program_of_the_name_that_is_no_tmux_is_told_before_it_is_asked_for_anything(output):
    with pytest.raises(OrchestratorError, match="another program") as caught:
        saying(output).reach()
    assert caught.value.trouble is Trouble.MISSING


def test_of_a_long_answer_to_who_it_is_the_beginning_of_the_first_line_is_told():
    with pytest.raises(OrchestratorError) as caught:
        saying("x" * 3000 + "\nsecond line\n").reach()
    assert caught.value.problem.endswith(f"to -V it says `{'x' * 100}… (3,000 characters)`")


@pytest.mark.parametrize("inside", [True, False])
def test_a_pane_with_its_server_is_one(inside):
    terminals = saying("12:%3\n")
    terminals.is_inside = inside
    assert terminals.open("worktree", "agent") == "12:%3"


@pytest.mark.parametrize(
    ("length", "told"), [(1000, "x" * 1000), (1001, "x" * 1000 + "… (1,001 characters)"), (2_000_000, "… (2,0")]
)
def test_what_another_program_says_is_told_up_to_a_length(length, told):
    text = "x" * length
    error = OrchestratorError(Trouble.REFUSED, text, code=text, steps=(text,))
    assert told in error.problem
    assert all(len(each) < 1030 for each in (error.problem, error.code, *error.steps))
    assert len(str(error)) < 4000


def test_of_a_program_that_fails_with_many_words_the_beginning_is_told():
    with pytest.raises(OrchestratorError, match="tmux new-session: no, no") as caught:
        saying(errors="no, " * 100_000, status=1).open("worktree", "agent")
    assert len(caught.value.problem) < 1030
