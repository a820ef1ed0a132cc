"""`fmt`'s layout: other blanks, and nothing else. What a file means, its order and its comments stay."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.app import catalog_of
from gatewright.cli import fmt_command
from gatewright.errors import PolicyError
from gatewright.policy import reader, tree
from gatewright.policy.layout import formatted
from gatewright.policy.loader import load

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "policies", ROOT / "fixtures", ROOT / "tests" / "cases"]


def is_read(text: str) -> bool:
    try:
        return not reader.read(text.encode(), "file.yaml").problems
    except PolicyError:
        return False


def text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        return "{"  # it is none, and is not read


FILES = {
    path.relative_to(ROOT).as_posix(): text
    for folder in FOLDERS
    for path in sorted(folder.rglob("*.yaml"))
    if is_read(text := text_of(path))
}
SHIPPED = [name for name in FILES if not name.startswith("tests/") and fmt_command._is_ours(str(ROOT / name))]


def laid_out(text: str) -> str:
    return formatted(text.encode(), "file.yaml")


def meaning(text: str) -> object:
    return tree.plain(reader.read(text.encode(), "file.yaml").tree)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_is_laid_out_already(name):
    assert laid_out(FILES[name]) == FILES[name]


@pytest.mark.parametrize("name", FILES)
def test_a_file_means_the_same_and_keeps_its_comments_and_its_layout_is_final(name):
    once = laid_out(FILES[name])
    assert meaning(once) == meaning(FILES[name])
    assert once.count("#") == FILES[name].count("#")
    assert laid_out(once) == once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a:\n    b: 1\n", "a:\n  b: 1\n", id="maps by two columns"),
        pytest.param("a:\n- 1\n- 2\n", "a:\n  - 1\n  - 2\n", id="dashes by two columns under their key"),
        pytest.param("-   a: 1\n    b: 2\n", "- a: 1\n  b: 2\n", id="one blank behind a dash"),
        pytest.param("a:   1\nb : 2\n", "a: 1\nb: 2\n", id="one blank behind a colon, none before"),
        pytest.param("a: 1\n\n\n\nb: 2\n", "a: 1\n\nb: 2\n", id="one blank line at most"),
        pytest.param("\n\na: 1\n\n\n", "a: 1\n", id="no blank lines at both ends"),
        pytest.param("a: 1", "a: 1\n", id="a line feed at the end"),
        pytest.param("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n", id="line feeds alone"),
        pytest.param("\ufeffa: 1\n", "a: 1\n", id="no byte order mark"),
        pytest.param("a: 1   \n", "a: 1\n", id="nothing behind a value"),
        pytest.param("a: 1    # one\n", "a: 1 # one\n", id="one blank in front of a comment"),
        pytest.param("    # top\na: 1\n", "# top\na: 1\n", id="a comment where its neighbour stands"),
        pytest.param("a:\n  b: 1\n# c's\nc: 2\n", "a:\n  b: 1\n# c's\nc: 2\n", id="a comment with what is below it"),
        pytest.param("a: 1\n# the end\n", "a: 1\n# the end\n", id="a comment at the end"),
        pytest.param("a: {b: 1,c: [ 2,3 ]}\n", "a: { b: 1, c: [2, 3] }\n", id="brackets"),
        pytest.param("a: {}\nb: [ ]\n", "a: {}\nb: []\n", id="empty brackets"),
        pytest.param("a: [\n  1,  # one\n  2\n]\n", "a:\n  - 1 # one\n  - 2\n", id="no brackets around a comment"),
        pytest.param(f"a: [{'b' * 60}, {'c' * 60}]\n", f"a:\n  - {'b' * 60}\n  - {'c' * 60}\n", id="long brackets"),
        pytest.param("a: 'b: c'\n", 'a: "b: c"\n', id="double quotes"),
        pytest.param("a: 'say \"b\"'\n", "a: 'say \"b\"'\n", id="single quotes around double ones"),
        pytest.param("a: '8'\n", 'a: "8"\n', id="quotes that matter"),
        pytest.param('a: "b"\n', 'a: "b"\n', id="quotes that do not"),
        pytest.param("a: |\n     b\n       c\n", "a: |\n  b\n    c\n", id="a text by lines"),
        pytest.param("a: >-\n b\n\n c\n", "a: >-\n  b\n\n  c\n", id="a folded text"),
        pytest.param("|2-\n   # b\n", "|2-\n   # b\n", id="a text that starts with blanks"),
        pytest.param("a: b\n     c\n", "a: b\n  c\n", id="a text over two lines"),
        pytest.param('["a": 1\n"b":]\n', '[{ "a": "1 \\"b\\":" }]\n', id="a text that ends in a colon, in brackets"),
        pytest.param("a: null\nb: ~\nc:\n", "a: null\nb: ~\nc:\n", id="nothing, as it was written"),
        pytest.param("--- # head\na: 1\n", "---\n# head\na: 1\n", id="the start of the document"),
        pytest.param("# nothing here\n", "# nothing here\n", id="a comment alone"),
        pytest.param("", "", id="nothing at all"),
    ],
)
def test_there_is_one_layout(before, after):
    assert laid_out(before) == after
    assert laid_out(after) == after


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "a: 010\n", "a: &x 1\n", "a: \x00\n"])
def test_a_file_with_a_mistake_is_refused_with_its_place(text):
    with pytest.raises(PolicyError) as caught:
        laid_out(text)
    assert caught.value.problems[0].place.line >= 1


def test_the_rules_of_a_policy_are_equal_but_for_their_places():
    text = FILES["policies/check.yaml"].replace("\n  ", "\n      ").replace("{ ", "{").replace("# ", "#")
    rules = [parts_of(each) for each in load(text.encode(), "p.yaml", catalog_of()).rules]
    again = [parts_of(each) for each in load(laid_out(text).encode(), "p.yaml", catalog_of()).rules]
    assert (len(rules), again) == (16, rules)


def parts_of(rule):
    condition, when = (each and each.text for each in (rule.condition, rule.when))
    return rule.id, rule.rule, rule.options, condition, when, rule.code, rule.levels, rule.overrides, rule.locked


# -- texts that nobody would write -------------------------------------------------------------------------------------

BITS = [
    *(" # c\n", "\n# own\n", "\n\n", "\n", "  ", " ", "# x", "#", "- ", ": ", '"', "'", "[", "]", "{", "}", ", "),
    *("|\n", ">-\n", "|+\n", "|2-\n", "a", "é", "\t", "\\", "? ", "---\n", "...\n", "null", "~", "!"),
]


@st.composite
def changed_texts(draw) -> str:
    """A few lines of a file, with a few characters more or less."""
    lines = draw(st.sampled_from(list(FILES.values()))).split("\n")
    first = draw(st.integers(0, len(lines) - 1))
    chosen = lines[first : first + draw(st.integers(1, 12))]
    indent = min((len(line) - len(line.lstrip()) for line in chosen if line.strip()), default=0)
    text = "\n".join(line[indent:] for line in chosen)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", *BITS])) + text[at + draw(st.integers(0, 2)) :]
    return text


@given(changed_texts())
@examples(400)
def test_a_text_that_is_read_is_laid_out_once_and_for_all_with_its_meaning_and_its_comments(text):
    if not is_read(text):
        with pytest.raises(PolicyError):
            laid_out(text)
        return
    once = laid_out(text)
    assert meaning(once) == meaning(text)
    assert once.count("#") == text.count("#")
    assert laid_out(once) == once


@st.composite
def policies(draw) -> str:
    """A policy of a few rules in one of the styles that people write."""
    step, dash = " " * draw(st.sampled_from([1, 2, 4])), draw(st.sampled_from(["- ", "-   "]))
    pad = step + " " * len(dash)
    blanks = st.sampled_from([[], [""], ["", f"{pad}# note", ""]])
    lines = ["gatewright: 1", "policy:   few", "stage: check", "rules:"]
    for at in range(draw(st.integers(1, 4))):
        number = draw(st.integers(0, 99))
        styles = [f"agents > {number}", f"'agents > {number}'", f">-\n{pad} agents >\n{pad} {number}"]
        levels = ["", f"{pad}levels: {{RULE_{at}: warn}}", f"{pad}levels:\n{pad}  RULE_{at}: warn"]
        lines += [f"{step}{dash}id: rule-{at}{draw(st.sampled_from(['', '  # why', '   #']))}", *draw(blanks)]
        lines += [f"{pad}deny: {draw(st.sampled_from(styles))}", draw(st.sampled_from(levels))]
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n\n"]))


@given(policies())
@examples(60)
def test_a_policy_decides_the_same_in_its_layout(text):
    once = laid_out(text)
    before, after = (load(each.encode(), "p.yaml", catalog_of()) for each in (text, once))
    assert [parts_of(rule) for rule in after.rules] == [parts_of(rule) for rule in before.rules]
    assert laid_out(once) == once
