"""Every known screen has its class, in whatever state it comes."""

from functools import partial

import pytest
from tests.runtimes import panes
from tests.runtimes.panes import BOX, CODEX, SCREENS
from tests.runtimes.readers import read, shipped_screens, shown

ids = [f"{screen.row}-{' '.join(screen.text.split())[:24]}" for screen in SCREENS]
each_screen = pytest.mark.parametrize("screen", SCREENS, ids=ids)
GATES = [screen for screen in SCREENS if screen.shows in ("hook-trust", "limit")]
each_gate = pytest.mark.parametrize("screen", GATES, ids=[f"{each.row}-{each.text.split()[0]}" for each in GATES])


def is_as_said(text, screen):
    found, kind = shown(read(text))
    return found == screen.shows and screen.kind in (None, kind)


@pytest.mark.acceptance("D01", "D09")
@each_screen
def test_a_screen_has_its_class(screen):
    assert is_as_said(screen.text, screen)


@pytest.mark.acceptance("D11")
@pytest.mark.parametrize(
    "change",
    [
        panes.curly,
        panes.hard_spaces,
        panes.coloured,
        panes.moved,
        panes.stripped,
        partial(panes.wrapped, 80),
        partial(panes.wrapped, 40),
        partial(panes.cut, 40),
    ],
    ids=["curly quotes", "no-break spaces", "colours", "cursor moves", "no spaces", "80", "40", "cut at 40"],
)
@each_screen
def test_a_screen_keeps_its_class_whatever_its_quotes_blanks_colours_and_breaks(screen, change):
    assert is_as_said(change(screen.text), screen)


@pytest.mark.acceptance("D10")
@each_gate
def test_a_marker_in_a_task_that_an_agent_works_on_does_not_count(screen):
    first = screen.text.strip().split("\n")[0].strip("│ ")
    text = f"❯ Find out why the screen says\n  {first}\n\n● Looking.\n\n✻ Pondering… (5s · esc to interrupt)\n{BOX}"
    assert shown(read(text)) == ("busy", None)


@pytest.mark.acceptance("D10")
@each_gate
def test_a_marker_in_a_task_that_is_not_sent_yet_does_not_count(screen):
    words = " ".join(screen.text.replace("│", " ").split())[:60]
    assert shown(read(f"› Find out why it says {words}\n\n  gpt-5.6-sol high\n")) == ("prepared-prompt", None)


@pytest.mark.acceptance("D10")
@each_gate
def test_a_screen_that_was_answered_or_passed_by_does_not_count(screen):
    later = "╭─ Claude Code ─╮\n│ /srv/yard/alpha │\n╰───────────────╯\n\n"
    assert shown(read(screen.text + "\n" + later + BOX)) == ("prepared-prompt", None)


@pytest.mark.acceptance("D10")
@each_gate
def test_what_an_agent_quotes_does_not_count(screen):
    words = " ".join(screen.text.replace("│", " ").split())[:60]
    assert shown(read(f'• The code waits for\n  "{words}"\n  and never sees it.\n{CODEX}')) == ("prepared-prompt", None)


def test_a_task_of_many_paragraphs_does_not_count_where_it_is_known():
    task = "Look into this.\n\nHooks need review\n\nThat is what it says."
    text = "› Look into this.\n\n  Hooks need review\n\n  That is what it says.\n\n  gpt-5.6-sol high\n"
    assert shown(read(text, task=task)) == ("prepared-prompt", None)


def test_every_known_screen_says_whose_it_is_and_where_its_words_are_from():
    assert [each.name for each in shipped_screens().by_name.values() if not (each.product and each.source)] == []
