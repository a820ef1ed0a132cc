"""A slip of one finger in a word that means something is refused at its line, with the word in the hint.

Tried on every key, rule name, fact, code, level and reference to a param, of the shipped policies and of one that has
everything: each character left out, doubled by a neighbour, replaced, or swapped with the next. A slip may leave the
meaning as it was; no slip loads and means something else.
"""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from gatewright.app import catalog_of
from gatewright.errors import PolicyError
from gatewright.expressions.lexer import tokens
from gatewright.expressions.parser_atoms import CONSTANTS
from gatewright.policy import analysis, reader
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.policy.tree import Mapping, Scalar, Sequence, Tree

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = """\
gatewright: 1
policy: everything
stage: check
description: A policy with every key that there is.
params:
  most: 8
  runtimes: [codex]
codes:
  TOO_MANY: more agents than a team may start
rules:
  - use: dispatch-budget
    id: budget
    when: runtime in params.runtimes
    with: { max_chars: 500000, max_batch_chars: params.most }
    levels: { BUDGET_EXCEEDED: warn }
    overrides: { BUDGET_EXCEEDED: tier_override }
  - use: runtime-routing
    with: { high_cost: params.runtimes }
    level: note
  - use: fan-out-cap
    override: tier_override
  - use: request-shape
    locked: true
  - id: fleet
    when: window.cap is not None
    deny: window.used + agents > window.cap and agents > params.most
    code: TOO_MANY
    level: deny
    message: "{agents} agents of {window.cap}"
    hint: ask for fewer
    override: top_approved
  - id: channel
    require: starts_with(completion_channel, "orchestration") or completion_channel == "sentinel-log"
    code: NO_COMPLETION_CHANNEL
  - id: unknown
    warn: tier == "unknown"
    levels: { UNKNOWN: note }
exceptions:
  - id: pilot
    code: TOO_MANY
    until: 2026-12-31
    reason: the pilot was approved
    owner: platform
    when: has(labels.team)
freeze:
  until: 2026-01-01T00:00:00Z
  reason: the year is being closed
"""
POLICIES = {
    **{path.name: path.read_text() for path in sorted((ROOT / "policies").glob("*.yaml")) if path.name == "check.yaml"},
    "everything.yaml": EVERYTHING,
}
#: Values that nothing else refers to: ids and texts for people, days, and data. A slip in one makes another value, not
#: another meaning of a name. Names of params and codes are their author's where they are declared; what refers to them
#: is held to them.
FREE_KEYS = ("policy", "description", "id", "message", "hint", "until", "reason", "owner")
FREE_PATHS = re.compile(r"params(\..*)?|codes\..*|rules\[\d+\]\.with\.(max_chars|max_batch_chars)")
CONDITIONS = ("when", "deny", "warn", "require")


pytestmark = pytest.mark.xdist_group("one character")  # what is tried is tried once


class Word(NamedTuple):
    """A word that means something, and where it stands."""

    text: str
    start: int
    end: int
    line: int
    in_condition: bool = False


def words(source: str, tree: Tree, path: str = "") -> Iterator[Word]:
    """The words of a document that mean something."""
    if isinstance(tree, Sequence):
        for at, item in enumerate(tree.items):
            yield from words(source, item, f"{path}[{at}]")
    elif isinstance(tree, Mapping):
        for entry in tree:
            inner = f"{path}.{entry.key.raw}".lstrip(".")
            if not re.fullmatch(r"(params|codes)\.\w+", inner):
                yield Word(entry.key.raw, entry.key.start, entry.key.end, entry.key.line)
            yield from words(source, entry.value, inner)
    else:
        yield from of_value(source, tree, path)


def of_value(source: str, value: Scalar, path: str) -> Iterator[Word]:
    key = path.rsplit(".", 1)[-1]
    raw = source[value.start : value.end]
    if key in CONDITIONS and path.count(".") == 1:
        yield from names(raw, value)
    elif key == "message":
        for match in re.finditer(r"\{([\w.]+)\}", raw):
            yield from names(match.group(1), value, match.start(1))
    elif raw.startswith("params.") or (key not in FREE_KEYS and not FREE_PATHS.fullmatch(path)):
        yield Word(raw, value.start, value.end, value.line)


def names(text: str, value: Scalar, offset: int = 0) -> Iterator[Word]:
    """The names of facts, fields, params and functions in an expression.

    Operators and texts are none, and a label's name is free: which labels a request has is not written down anywhere.
    """
    found = tokens(text)
    for at, token in enumerate(found):
        is_label = [each.text for each in found[max(at - 2, 0) : at]] == ["labels", "."]
        if token.kind == "name" and token.text not in {"and", "or", "not", "in", "is", *CONSTANTS} and not is_label:
            start = value.start + offset + token.start
            yield Word(token.text, start, start + len(token.text), value.line, in_condition=True)


ALPHABET = "aest_-1X"


def slips(word: str, *, in_condition: bool) -> Iterator[str]:
    """Every word that is one slip away. At the edge of a name a `-` is an operator, and the name is as it was."""
    found = {word[:at] + word[at + 1 :] for at in range(len(word))}
    found |= {
        word[:at] + char + word[at + more :] for at in range(len(word) + 1) for char in ALPHABET for more in (0, 1)
    }
    found |= {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    edges = {each for each in found if in_condition and (each.startswith("-") or each.endswith("-"))}
    yield from sorted(found - edges - {word})


def meaning(policy: Policy) -> tuple[object, ...]:
    """What a policy decides by, without the places of it."""

    def told(rule):
        texts = [each and each.text for each in (rule.condition, rule.when)]
        message = rule.message and (rule.message.pieces, [path.text for path in rule.message.paths])
        return (rule.id, rule.rule, rule.options, rule.effect, *texts, rule.code, message, rule.hint)

    rules = [(told(rule), rule.levels, rule.overrides, rule.locked) for rule in policy.rules]
    exceptions = [(each.id, each.code, each.until, each.when and each.when.text) for each in policy.exceptions]
    until = policy.freeze and policy.freeze.until
    return policy.id, policy.stage, policy.params, rules, exceptions, until, policy.reasons


class Outcome(NamedTuple):
    """What became of a slip: refused or the same, and whether at the line and with the word in the hint."""

    slip: str
    fate: str  #: `same`, `other`, `elsewhere`, `refused`
    hinted: bool


@cache
def outcomes(name: str) -> list[Outcome]:
    text, catalog = POLICIES[name], catalog_of()
    before = meaning(load(text.encode(), name, catalog))
    found = []
    for word, slip in chosen(text):
        changed = text[: word.start] + slip + text[word.end :]
        told = f"{name}:{word.line}: {word.text} -> {slip}"
        try:
            fate = "same" if meaning(load(changed.encode(), name, catalog)) == before else "other"
            found.append(Outcome(told, fate, hinted=False))
        except PolicyError as error:
            here = [problem for problem in error.problems if problem.place.line == word.line]
            hinted = any(word.text.removeprefix("params.") in problem.hint for problem in here)
            found.append(Outcome(told, "refused" if here else "elsewhere", hinted))
    return found


def chosen(text: str) -> list[tuple[Word, str]]:
    """The slips that are tried: all of them in a long run, else some hundreds, evenly spread."""
    tree = reader.read(text.encode(), "policy.yaml").tree
    every = [(word, slip) for word in words(text, tree) for slip in slips(word.text, in_condition=word.in_condition)]
    return every if os.environ.get("GATEWRIGHT_FUZZ") == "long" else every[:: max(len(every) // SAMPLE, 1)]


SAMPLE = 200


@pytest.mark.parametrize("name", POLICIES)
def test_no_slip_loads_and_means_something_else(name):
    assert [each.slip for each in outcomes(name) if each.fate == "other"] == []


@pytest.mark.parametrize("name", POLICIES)
def test_a_slip_is_refused_at_its_line(name):
    assert [each.slip for each in outcomes(name) if each.fate == "elsewhere"] == []


@pytest.mark.parametrize("name", POLICIES)
def test_nineteen_of_twenty_slips_have_the_word_in_their_hint(name):
    refused = [each for each in outcomes(name) if each.fate == "refused"]
    lacking = [each.slip for each in refused if not each.hinted]
    assert len(refused) > SAMPLE // 2
    assert len(lacking) * 20 <= len(refused), lacking


def test_every_key_and_every_name_of_the_shipped_policy_is_tried():
    text = POLICIES["check.yaml"]
    tried = {word.text for word in words(text, reader.read(text.encode(), "policy.yaml").tree)}
    rules = {rule.rule.id for rule in load(text.encode(), "check.yaml", catalog_of()).rules if rule.rule}
    assert {"gatewright", "1", "stage", "check", "rules", "use", "with", "override", "tier_override"} <= tried
    assert rules | {"max_chars", "params.max_chars", "params", "home_roots"} <= tried


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "everything.yaml"])
def test_the_shipped_policies_have_no_rule_that_is_constant_or_shadowed(name):
    assert analysis.findings(load(POLICIES[name].encode(), name, catalog_of())) == []
