"""What stands at the bottom of a screen, and what of it is in force."""

import pytest
from tests.runtimes.panes import BOX, CODEX
from tests.runtimes.readers import READER, read, shown

from gatewright.model.screens import DeliveryClass
from gatewright.policy.markers import load
from gatewright.runtimes.screens.delivery import transition
from gatewright.runtimes.screens.reading import Reader

TRUST = "Do you trust the contents of this directory?\n\n› 1. Yes, continue\n  2. No, quit\n"
LIMIT = "■ You've hit your usage limit.\n"


@pytest.mark.acceptance("D08")
@pytest.mark.parametrize("text", [LIMIT + "\n" + TRUST, TRUST + "\n" + LIMIT])
def test_a_question_outranks_a_limit(text):
    assert shown(read(text)) == ("hook-trust", "trust")


@pytest.mark.acceptance("D13", "D20")
def test_a_limit_above_an_empty_prompt_is_a_limit():
    assert shown(read(f"❯ Read the contract.\n  ⎿  You've hit your limit\n\n{BOX}")) == ("limit", "quota")


@pytest.mark.acceptance("D12")
@pytest.mark.parametrize(
    "text",
    [
        f"  You've used 90% of your weekly limit · resets Mon 9am\n\n{BOX}",
        f"⚠ Approaching rate limits\n{CODEX}",
        f"{BOX}  Rate limits │ No issues · 5h 12% · 7d 40%\n",
        f"{BOX}  weekly limit 40% · session limit 12%\n",
    ],
)
def test_a_warning_of_a_limit_is_none(text):
    assert shown(read(text)) == ("prepared-prompt", None)


@pytest.mark.acceptance("D07")
@pytest.mark.parametrize("end", ["", "\n❯ \n", "\n> \n"])
def test_a_start_menu_is_no_prompt(end):
    assert shown(read(f"  New worktree\n  Resume session\n  Changelog\n{end}")) == ("hook-trust", "start-menu")


def test_one_word_of_a_start_menu_is_none():
    assert shown(read(f"  Changelog\n\n{BOX}")) == ("prepared-prompt", None)


@pytest.mark.parametrize("prompt", ["codex>", "❯", "›", "➜", "─────\n> \n─────", "│ > │"])
def test_an_empty_prompt_is_prepared(prompt):
    assert shown(read(f"ready\n\n{prompt}\n")) == ("prepared-prompt", None)


@pytest.mark.parametrize("text", ["> ", "→", "> quoted words", "Type here", "", "\n\n"])
def test_what_may_be_anything_is_no_prompt(text):
    assert shown(read(text)) == ("unknown", None)


def test_a_running_turn_beats_the_prompt_below_it():
    assert shown(read(f"✻ Pondering… (5s · esc to interrupt)\n\n{BOX}")) == ("busy", None)


def test_a_turn_that_ran_before_the_last_answer_runs_no_more():
    assert shown(read(f"✻ Pondering… (5s · esc to interrupt)\n\n● Done.\n\n{BOX}")) == ("prepared-prompt", None)


@pytest.mark.parametrize("said", ["• Press esc to interrupt the tests.", "Tell them to use esc to interrupt it"])
def test_a_sentence_about_an_indicator_is_none(said):
    assert shown(read(f"{said}\n{CODEX}")) == ("prepared-prompt", None)


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize(
    "shell",
    [
        "$ ",
        "me@host:~/alpha$ ",
        "[me@host alpha]$ ",
        "bash-5.2$ ",
        "host% ",
        "root@box:/srv# ",
        "➜  alpha git:(main) ✗",
    ],
)
def test_a_shell_at_the_bottom_means_that_there_is_no_agent(shell):
    assert shown(read(f"{TRUST}\nBye.\n{shell}")) == ("unknown", "dead")


def test_a_question_may_show_the_command_that_it_is_about():
    text = "Would you like to run the following command?\n\n$ rm -r out\n\n› 1. Yes, proceed (y)\n  2. No\n"
    assert shown(read(text)) == ("hook-trust", "approval")


def test_a_question_of_more_than_25_lines_is_not_at_the_bottom():
    lines = "\n".join(f"  line {number}" for number in range(25))
    assert shown(read(f"Hooks need review\n{lines}\n")) == ("unknown", None)


def test_blank_rows_below_a_question_change_nothing():
    assert shown(read(TRUST + "\n" * 60 + "  Press enter to continue\n" + "\n" * 20)) == ("hook-trust", "trust")


def test_a_notice_with_more_than_8_lines_below_it_has_scrolled_up():
    lines = "\n".join(f"line {number}" for number in range(9))
    assert shown(read(f"{LIMIT}\n{lines}\n{CODEX}")) == ("prepared-prompt", None)


def test_the_product_says_which_of_two_alike_screens_it_is():
    text = "You've hit your usage limit"
    assert Reader(KNOWN_TWICE, "b").read(text).screen == "of-b"
    assert Reader(KNOWN_TWICE, "a").read(text).screen == "of-a"


KNOWN_TWICE = load(
    b"screens:\n"
    b'  of-a: {product: a, class: limit, markers: ["You\'ve hit your usage limit"]}\n'
    b'  of-b: {product: b, class: limit, markers: ["You\'ve hit your usage limit"]}\n',
    "own.yaml",
)


@pytest.mark.acceptance("D11")
def test_a_stream_is_read_as_the_screen_that_it_draws():
    old = "\x1b[2J\x1b[1;1HHooks need review\x1b[3;1H"
    drawn = f"{old}\x1b[2J\x1b[1;1H─────\x1b[2;1H❯ \x1b[3;1H─────\x1b[4;3H? for shortcuts"
    assert shown(READER.read(drawn)) == ("prepared-prompt", None)


def test_a_marker_that_the_width_of_the_terminal_breaks_is_found():
    assert shown(read("\x1b[1mDo you trust the contents of this directory?\x1b[0m", columns=17)) == (
        "hook-trust",
        "trust",
    )


MENU = "  A new model is here\n\n› 1. Take it\n  2. Keep the old one\n\n  enter picks, esc leaves\n"
BARE_MENU = MENU.partition("\n  enter")[0]


@pytest.mark.acceptance("D07")
@pytest.mark.parametrize("text", [MENU, BARE_MENU, MENU.replace("›", "❯"), MENU.replace("1.", "1)")])
def test_a_list_of_answers_with_a_cursor_is_a_question_though_nobody_knows_it(text):
    assert shown(read(text)) == ("hook-trust", "start-menu")


@pytest.mark.acceptance("D07")
def test_a_prompt_that_makes_way_for_a_list_of_answers_has_not_taken_the_task():
    assert transition(read(CODEX), read(MENU)).delivery_class is DeliveryClass.HOOK_TRUST


@pytest.mark.parametrize(
    ("text", "pane_class"),
    [
        (f"❯ 1. do this\n  2. then that\n\n{BOX}", "prepared-prompt"),
        ("› 1. do this\n  2. then that\n\n• Working (3s • esc to interrupt)\n", "busy"),
        ("● Two ways lead there:\n  1. the long one\n  2. the short one\n", "unknown"),
        ("  1. a line of a log\n  2. another\n", "unknown"),
        (f"{MENU}\n● It was answered.\n", "unknown"),
    ],
)
def test_a_numbered_task_and_a_numbered_reply_are_no_list_of_answers(text, pane_class):
    assert shown(read(text))[0] == pane_class


def test_a_task_that_was_typed_as_a_numbered_list_is_none_either():
    text = "› 1. write the test first\n  2. then the code\n"
    assert shown(read(text, task="1. write the test first\n2. then the code"))[0] == "unknown"
