"""Lists of answers without numbers, and what looks like one."""

import pytest
from tests.runtimes.panes import BOX
from tests.runtimes.readers import read, shown

RULE = "────────────────────\n"


@pytest.mark.acceptance("D03", "D07")
@pytest.mark.parametrize(
    "answers",
    [
        "❯ Yes\n  No\n",
        "  Yes, go on\n❯ No, leave\n",
        "› Allow once\n  Allow always\n  Reject\n",
        "❯ [✔] notes\n  [ ] mail\n",
        "│ > Continue │\n│   Cancel   │\n",
        "❯YES\nNO\n",
    ],
)
def test_a_list_of_answers_is_a_question_whoever_asks_it(answers):
    assert shown(read(f"May the settings be moved?\n\n{answers}")) == ("hook-trust", "start-menu")


@pytest.mark.acceptance("D03")
def test_a_known_question_keeps_its_kind_whatever_its_answers_are():
    text = "New MCP server found in this project: notes\n\n❯ Take it along\n  Go without it\n"
    assert shown(read(text)) == ("hook-trust", "hook-trust")


@pytest.mark.acceptance("D10")
@pytest.mark.parametrize(
    "typed",
    [
        "❯ Yes, do the first half and then\n  No further part\n",
        f"{RULE}❯ Yes, do the first half\n  No further part\n{RULE}  ? for shortcuts\n",
        "❯ Rename the first of them\n  and leave the second\n",
    ],
)
def test_what_was_typed_over_several_lines_is_no_list_of_answers(typed):
    task = "Yes, do the first half and then No further part"
    assert shown(read(typed, task=task)) == ("prepared-prompt", None)


@pytest.mark.parametrize(
    "draft", ["❯ 1. do the first\n  2. do the second\n", "❯ Yes\n  No\n", "❯ do it:\n  1. first\n  2. second\n"]
)
def test_what_is_typed_between_two_rules_is_a_prompt_whatever_its_words_are(draft):
    assert shown(read(f"{RULE}{draft}{RULE}  ? for shortcuts\n")) == ("prepared-prompt", None)


def test_a_rule_on_one_side_alone_makes_no_prompt_of_answers():
    assert shown(read(f"Which way?\n\n❯ 1. This\n  2. That\n{RULE}  3. Another\n")) == ("hook-trust", "start-menu")


@pytest.mark.acceptance("D10")
@pytest.mark.parametrize("below", ["● Done.\n", "✻ Pondering… (5s · esc to interrupt)\n"])
def test_an_answered_list_above_a_turn_counts_for_nothing(below):
    text = f"May the settings be moved?\n\n❯ Yes\n  No\n\n❯ Read the contract.\n\n{below}{BOX}"
    assert shown(read(text))[0] in ("busy", "prepared-prompt")


@pytest.mark.acceptance("D08")
def test_the_last_line_of_a_limit_s_own_menu_makes_no_question_of_it():
    text = "What do you want to do?\n\n❯ 1. Stop and wait for limit to reset\n  2. Upgrade\n\n"
    assert shown(read(text + "Enter to confirm · Esc to cancel\n")) == ("limit", "quota")
    assert shown(read("  ⎿  You've hit your limit\n\nGo on? Press enter\nPress enter to continue\n")) == (
        "hook-trust",
        "start-menu",
    )


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize(
    ("command", "shows"), [("  $ rm -r out\n", ("hook-trust", "approval")), ("$ rm -r out\n$ \n", ("unknown", "dead"))]
)
def test_a_command_that_a_question_shows_is_no_shell(command, shows):
    assert shown(read(f"△ Permission required\n{command}")) == shows
