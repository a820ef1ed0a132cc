"""The older program's words are read as its scripts wrote them, and an option is never the value of another."""

import json

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.processes import DISPATCH_GATE
from tests.expressions.fuzzing import examples

from gatewright.cli.older.check_command import command as check
from gatewright.cli.older.register_command import command as register
from gatewright.cli.older.report_command import command as report
from gatewright.cli.older.watch_command import command as watch
from gatewright.cli.older_words import spelt_out

COMMANDS = [check, register, watch, report]
NAMES = {command: [name for option in command.params for name in option.opts] for command in COMMANDS}
WHOLE = (
    "--ledger own.jsonl check --runtime codex --contract job.md --agents 2 --est-chars 7 --model gpt-5.5 "
    "--completion-channel sentinel-log"
)


def spelt(command, words):
    context = click.Context(command, help_option_names=["-h", "--help"])  # a command keeps those that it had first
    return spelt_out(command, context, words)


def asked(place, *words):
    """The row of a check of 2 agents with 7 characters, whatever its words are."""
    place.write("job.md", "# A job\n")
    found = place.run(*words, program=DISPATCH_GATE)
    assert (found.code, found.json["reason"]) == (0, "OK"), found.stderr
    (line,) = (place.cwd / "own.jsonl").read_text().splitlines()
    return {name: json.loads(line)[name] for name in ("n_agents", "est_chars", "model", "completion_channel")}


@pytest.mark.parametrize(
    "words",
    [
        WHOLE,
        "--led own.jsonl check --run codex --cont job.md --ag 2 --est 7 --mod gpt-5.5 --comp sentinel-log",
        "--l=own.jsonl check --r=codex --con=job.md --a=2 --e=7 --m=gpt-5.5 --com=sentinel-log",
        f"--ledger a.jsonl {WHOLE.replace('check', 'check --runtime claude --agents 9 --model a')}",
        f"{WHOLE} --agents +2 --est-chars 007 --completion-channel sentinel-log",
    ],
    ids=["whole", "beginnings", "equals signs", "repeated", "repeated in another spelling"],
)
def test_one_check_in_several_spellings_is_one_check(place, words):
    assert asked(place, *words.split()) == {
        "n_agents": 2,
        "est_chars": 7,
        "model": "gpt-5.5",
        "completion_channel": "sentinel-log",
    }


@pytest.mark.parametrize(
    "words",
    [
        ["--tier", "x"],  # of two options
        ["--c", "x"],
        ["--nope"],
        ["--no-recording"],
        ["--agentss", "1"],
        ["--no-record=1"],
        ["--tier-override", "--no-record"],
        ["--tier-override", "-o"],
        ["--model"],
        ["extra"],
    ],
    ids=" ".join,
)
def test_what_is_unclear_is_wrong_usage_and_nothing_is_recorded(place, words):
    found = place.run(*[word for word in place.request() if word != "--no-record"], *words, program=DISPATCH_GATE)
    assert (found.code, found.stdout) == (64, "")
    assert list(place.cwd.glob("*.jsonl")) == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--est-chars", "-1"], ["--est-chars", "-1"]),
        (["--est", "-1.5"], ["--est-chars", "-1.5"]),
        (["--contract", "-"], ["--contract", "-"]),
        (["--mod=-x"], ["--model=-x"]),
        (["--tier-o", "-because it is urgent"], ["--tier-override", "-because it is urgent"]),
        (["--no", "--ag", "1"], ["--no-record", "--agents", "1"]),
        (["--model", "x", "--", "--ag"], ["--model", "x", "--", "--ag"]),
        (["x", "--ag", "1"], ["x", "--ag", "1"]),
        (["--tier-override", ""], ["--tier-override", ""]),
        (["--t=--no-record"], ["--t=--no-record"]),
        (["--model"], ["--model"]),
    ],
)
def test_what_a_word_is_shows_in_the_words_before_it(words, found):
    assert spelt(check, words) == found


@given(st.sampled_from(COMMANDS), st.data())
@examples(200)
def test_a_beginning_is_the_option_that_alone_begins_so(command, data):
    name = data.draw(st.sampled_from(NAMES[command]))
    beginning = name[: data.draw(st.integers(3, len(name)))]
    fitting = [each for each in [*NAMES[command], "--help"] if each.startswith(beginning)]
    whole = name if len(fitting) == 1 else beginning
    assert spelt(command, [f"{beginning}=x"]) == [f"{whole}=x"]
