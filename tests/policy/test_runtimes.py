"""The list of runtimes: what each entry says, and every mistake with its place."""

import pytest

from gatewright.errors import PolicyError
from gatewright.model.runtimes import PREFERRED, Runtime
from gatewright.policy.runtimes import load
from gatewright.shipped import shipped


def shipped_runtimes():
    path = f"{shipped('policies')}/runtimes.yaml"
    with open(path, "rb") as file:
        return load(file.read(), path)


def mistakes(text):
    with pytest.raises(PolicyError) as caught:
        load(text.encode(), "own.yaml")
    return [(each.place.line, each.place.column, each.path, each.message, each.hint) for each in caught.value.problems]


@pytest.mark.acceptance("W25")
@pytest.mark.parametrize(
    ("runtime", "command"),
    [
        ("claude", "claude --model claude-sonnet-5 --dangerously-skip-permissions"),
        ("codex", "codex --model claude-sonnet-5"),
        ("cursor", "cursor-agent --model claude-sonnet-5 --force --trust"),
        ("grok", "grok --model claude-sonnet-5 --always-approve"),
        ("agy", "agy --model claude-sonnet-5 --dangerously-skip-permissions"),
        ("gemini", "gemini"),
        ("opencode", "opencode"),
        ("of-my-own", "of-my-own"),
    ],
)
def test_a_runtime_is_started_with_the_model_as_it_was_given(runtime, command):
    assert shipped_runtimes().get(runtime).command("claude-sonnet-5") == command


def test_a_model_is_one_word_of_the_shell():
    assert shipped_runtimes().get("codex").command("a b; rm -rf $HOME") == "codex --model 'a b; rm -rf $HOME'"


@pytest.mark.acceptance("W19")
@pytest.mark.parametrize(
    ("runtime", "runs"),
    [
        ("claude", {"claude"}),
        ("codex", {"codex"}),
        ("grok", {"grok"}),
        ("agy", {"gemini"}),
        ("gemini", {"gemini"}),
        ("cursor", {"claude", "codex", "grok", "gemini"}),
        ("opencode", {"claude", "codex", "grok", "gemini"}),
        ("of-my-own", {"claude", "codex", "grok", "gemini"}),
    ],
)
def test_a_runtime_runs_the_models_of_its_vendors(runtime, runs):
    found = shipped_runtimes().get(runtime)
    assert {vendor for vendor in ("claude", "codex", "grok", "gemini") if found.runs(vendor)} == runs
    assert found.runs("unknown")


def test_every_runtime_that_is_chosen_by_itself_is_listed():
    assert set(PREFERRED) <= set(shipped_runtimes().by_name)


def test_another_list_takes_the_place_of_entries_of_the_same_name_only():
    own = load(b"runtimes:\n  codex: {launch: [my-codex]}\n  mine: {launch: [run, '{model}!']}\n", "own.yaml")
    merged = shipped_runtimes().merged(own)
    assert merged.get("codex") == Runtime(name="codex", launch=("my-codex",))
    assert merged.get("mine").command("a") == "run 'a!'"
    assert merged.get("claude") == shipped_runtimes().get("claude")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{}\n", [(1, 1, "", "required key `runtimes` is missing")]),
        ("runtimes: []\n", [(1, 11, "runtimes", "`runtimes` is a map")]),
        ("runtimes:\n  a: {}\n", [(2, 6, "runtimes.a", "required key `launch` is missing")]),
        ("runtimes:\n  a: {lunch: [a]}\n", [(2, 7, "runtimes.a", "unknown key `lunch`")]),
        ("runtimes:\n  a: {launch: []}\n", [(2, 7, "runtimes.a.launch", "there is no word")]),
        ("runtimes:\n  a: {launch: a b}\n", [(2, 15, "runtimes.a.launch", "`launch` is a list")]),
        ("runtimes:\n  a: {launch: ['{model}']}\n", [(2, 15, "runtimes.a.launch", "the first word is the program")]),
        ("runtimes:\n  A b: {launch: [a]}\n", [(2, 3, "runtimes", "a runtime `A b` is not in kebab case")]),
        (
            "runtimes:\n  a: {launch: [a], vendors: [opnai], pretrust: codx}\n",
            [
                (2, 30, "runtimes.a.vendors[0]", "unknown vendor `opnai`"),
                (2, 48, "runtimes.a.pretrust", "unknown kind of trust files `codx`"),
            ],
        ),
        ("runtimes:\n  a: {launch: [a]}\n  a: {launch: [b]}\n", [(3, 3, "", "")]),
    ],
)
def test_a_mistake_has_its_place(text, found):
    told = mistakes(text)
    assert len(told) == len(found)
    for (line, column, path, start), mistake in zip(found, told, strict=True):
        assert mistake[:2] == (line, column)
        assert not path or mistake[2] == path
        assert mistake[3].startswith(start)
