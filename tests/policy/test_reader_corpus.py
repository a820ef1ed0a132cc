"""Every file of the YAML corpus: what is read, and what is refused at which character."""

import json
import re
from pathlib import Path

import pytest

from gatewright.app import catalog_of
from gatewright.errors import PolicyError
from gatewright.policy import reader, tree
from gatewright.policy.loader import load

FOLDER = Path(__file__).parent.parent / "cases" / "yaml"
CASES = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))["cases"]


def params(level, *outcomes):
    chosen = [case for case in CASES if case["level"] == level and case["outcome"] in outcomes]
    return [pytest.param(case, id=case["file"]) for case in chosen]


def read(case):
    """The value and the problems of a corpus file; the value is missing where there is none."""
    try:
        document = reader.read((FOLDER / case["file"]).read_bytes(), case["file"])
    except PolicyError as error:
        return None, error.problems
    return tree.plain(document.tree), document.problems


def lacking(words, problem):
    said = f"{problem.message} {problem.hint}".lower()
    return [word for word in words if word.lower() not in said]


@pytest.mark.parametrize("case", params("loader", "accept"))
def test_a_plain_file_has_its_value(case):
    assert read(case) == (case["value"], ())


@pytest.mark.parametrize("case", params("loader", "error"))
def test_a_file_that_two_readers_could_take_differently_is_refused_at_its_character(case):
    value, problems = read(case)
    if not problems and "accept_also" in case:
        wanted = re.search(r"\{.*\}", case["accept_also"])
        assert wanted is None or value == json.loads(wanted.group())
        return
    first = problems[0]
    assert (first.place.line, first.place.column) == (case["line"], case["col"])
    assert lacking(case.get("mention", ()), first) == [], f"{first.message} ({first.hint})"


# -- files that only the schema of a policy can judge --------------------------------------------------------------

KEYS = {"Version": "Gatewright", "version": "gatewright", "name": "id", "whne": "dney", "when": "deny"}
REST = {
    "gatewright": "gatewright: 1\n",
    "policy": "policy: corpus\n",
    "stage": "stage: check\n",
    "codes": "codes: {A: the rule of the case fires}\n",
    "rules": "rules: [{id: b, deny: agents > 4, code: A}]\n",
}


def translated(text):
    """A corpus file in the keys of a policy, each line where it was, and behind it what a policy also needs."""
    text = re.sub(r"\b(Version|version|name|whne|when)(?=:)", lambda match: KEYS[match.group()], text)
    text = text.replace("    effect: deny\n", "\n").replace("    codes: ", "exceptions: ")
    if not re.search(r"^\w+:", text, re.MULTILINE):
        return text
    return text + "".join(line for key, line in REST.items() if not re.search(rf"(?i)^{key}:", text, re.MULTILINE))


def problems_of(case):
    """The problems of a translated file, errors or warnings."""
    text = translated((FOLDER / case["file"]).read_text(encoding="utf-8"))
    try:
        return load(text.encode(), case["file"], catalog_of()).warnings
    except PolicyError as error:
        return error.problems


def place_of(case):
    """Line and column of a case after translation; the column only where nothing before it on its line has changed."""
    before = (FOLDER / case["file"]).read_text(encoding="utf-8").splitlines()[case["line"] - 1][: case["col"] - 1]
    after = translated(before)[: case["col"] - 1]
    return (case["line"], case["col"] if before == after else None)


@pytest.mark.parametrize("case", params("schema", "error", "warn"))
def test_a_policy_that_is_sound_yaml_and_no_policy_is_told_what_is_wrong(case):
    words = [KEYS.get(word, word) if word != "name" else word for word in case["mention"]]
    found = [each for each in problems_of(case) if not lacking(words, each)]
    assert found, [str(each) for each in problems_of(case)]
    line, column = place_of(case)
    places = {(each.place.line, column and each.place.column) for each in found}
    assert (line, column) in places
    assert {each.severity.value for each in found} == {"warning" if case["outcome"] == "warn" else "error"}
