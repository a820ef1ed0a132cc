"""One value of a configuration in TOML: found in every spelling, set and taken out, and nothing else touched."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtimes.configs import LAYOUTS

from gatewright.runtimes.pretrust.outcomes import Status, TrustError
from gatewright.runtimes.pretrust.toml_trust import distrust, trust

KEYS = ("/p", "/main")
MARKS = pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
ENDS = pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])


def said(data):
    return tomllib.loads(data.decode("utf-8-sig"), parse_float=lambda spelt: ("float", spelt))


def with_trust(document, *keys):
    projects = dict(document.get("projects", {}))
    for key in keys:
        projects[key] = {**projects.get(key, {}), "trust_level": "trusted"}
    return {**document, "projects": projects}


def lines(data):
    return data.decode("utf-8-sig").splitlines()


@pytest.mark.acceptance("B15")
@MARKS
@ENDS
@pytest.mark.parametrize("layout", LAYOUTS)
def test_only_the_keys_that_are_asked_for_differ_afterwards(layout, end, mark):
    before = (mark + layout.replace("\n", end)).encode()
    edit = trust(before, KEYS, "config.toml", flip=False)
    assert said(edit.after) == with_trust(said(before), *KEYS)
    assert edit.after.decode().startswith(mark)
    assert [line for line in lines(before) if line not in lines(edit.after) and "{" not in line] == []


@pytest.mark.acceptance("B20")
@MARKS
@ENDS
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_was_added_is_taken_out_to_the_byte(layout, end, mark):
    before = (mark + layout.replace("\n", end)).encode()
    after = trust(before, KEYS, "config.toml", flip=False).after
    assert distrust(after, KEYS, "config.toml").after == before


@pytest.mark.acceptance("B11", "B16")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_second_time_finds_it_trusted_however_the_file_is_written(layout):
    after = trust(layout.encode(), KEYS, "config.toml", flip=False).after
    again = trust(after, KEYS, "config.toml", flip=False)
    assert (again.status, again.after) == (Status.ALREADY, after)


@pytest.mark.acceptance("B16")
@pytest.mark.parametrize(
    "entry",
    [
        '[projects."/p"]\ntrust_level = "trusted"\n',
        "[projects.'/p']\ntrust_level = 'trusted'\n",
        '[projects."\\u002fp"]\ntrust_level = "trusted"\n',
        '[projects."/p"]\n"trust_level" = """trusted"""\n',
        '[ "projects" . "/p" ] # mine\n# why\ntrust_level="trusted"#so',
        '[projects]\n"/p" = { trust_level = "trusted" }\n',
        "[projects]\n'/p'.trust_level = 'trusted'\n",
        'projects."/p".trust_level = "trusted"\n',
        'projects."/p" = { trust_level = "trusted" }\n',
        'projects = { "/p" = { trust_level = "trusted" } }\n',
        "projects = { '/p'.trust_level = 'trusted' }\n",
        '[projects."/p".sub]\nx = 1\n[projects."/p"]\ntrust_level = "trusted"\n',
    ],
)
def test_every_spelling_of_an_entry_is_found(entry):
    edit = trust(entry.encode(), ["/p"], "config.toml", flip=False)
    assert (edit.status, edit.changes) == (Status.ALREADY, False)
    taken = said(distrust(entry.encode(), ["/p"], "config.toml").after)
    assert "trust_level" not in taken.get("projects", {}).get("/p", {})


@pytest.mark.acceptance("B14")
@pytest.mark.parametrize(
    "entry",
    [
        '[projects."/p"]\ntrust_level = "untrusted" # no\n',
        "projects.'/p'.trust_level = 'untrusted' # no\n",
        'projects = { "/p" = { trust_level = "untrusted" } } # no\n',
    ],
)
def test_an_explicit_refusal_is_turned_around_on_demand_only(entry):
    with pytest.raises(TrustError) as refused:
        trust(entry.encode(), KEYS, "config.toml", flip=False)
    assert refused.value.problem == "`/p` is explicitly untrusted"
    edit = trust(entry.encode(), ["/p"], "config.toml", flip=True)
    assert edit.status is Status.UPDATED
    assert edit.after.decode().replace('"trusted"', "'untrusted'") == entry.replace('"untrusted"', "'untrusted'")


def test_a_refusal_of_the_repository_is_a_refusal_too():
    entry = b'[projects."/main"]\ntrust_level = "untrusted"\n'
    with pytest.raises(TrustError, match="`/main` is explicitly untrusted"):
        trust(entry, KEYS, "config.toml", flip=False)


@pytest.mark.acceptance("B12")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"a = \n", "it is not valid TOML: "),
        (b"[projects.\"/p\"]\n[projects.'/p']\n", "it is not valid TOML: cannot declare"),
        (b'projects = {"/p" = {}}\n[projects."/q"]\n', "it is not valid TOML: "),
        (b"a = '\xff'\n", "it is no text in UTF-8"),
        (b"projects = 1\n", "`projects` is no table"),
        (b"[[projects]]\n", "`projects` is no table"),
        (b'projects."/p" = "trusted"\n', "the entry of `/p` is no table"),
        (b'[[projects."/p"]]\n', "the entry of `/p` is no table"),
        (b'[projects."/p"]\ntrust_level = "Trusted"\n', "the trust level of `/p` is neither"),
        (b'[projects."/p"]\ntrust_level = true\n', "the trust level of `/p` is neither"),
        (b"a = " + b"[" * 100_000, "it is not valid TOML: "),
        (b"a = " + b"9" * 5_000, "it is not valid TOML: "),
    ],
)
def test_what_is_damaged_or_says_something_else_is_refused(data, problem):
    with pytest.raises(TrustError) as refused:
        trust(data, ["/p"], "config.toml", flip=True)
    assert refused.value.problem.startswith(problem)


@pytest.mark.parametrize(
    "key", ["/it's", '/"q"', "/back\\slash", "/a b", "/é\u0301", "/tab\t", "/\x1b[31m", "/\u200b", "/😀", "/", "/a.b#c"]
)
def test_a_key_is_the_path_whatever_characters_it_has(key):
    for layout in LAYOUTS:
        after = trust(layout.encode(), [key], "config.toml", flip=False).after
        assert said(after)["projects"][key] == {"trust_level": "trusted"}
        assert distrust(after, [key], "config.toml").after == layout.encode()


def test_a_file_that_was_made_is_removed_again():
    edit = trust(None, KEYS, "config.toml", flip=False)
    assert (edit.status, said(edit.after)) == (Status.ADDED, with_trust({}, *KEYS))
    assert distrust(edit.after, KEYS, "config.toml").after is None


def test_the_trust_that_a_repository_had_before_stays_when_that_of_a_worktree_is_taken_back():
    before = b'[projects."/main"]\ntrust_level = "trusted"\n'
    after = trust(before, KEYS, "config.toml", flip=False).after
    assert distrust(after, KEYS, "config.toml").after == before


@pytest.mark.acceptance("B20")
@pytest.mark.parametrize(
    ("entry", "left"),
    [
        ('[projects."/p"]\ntrust_level = "trusted" # mine\n', '[projects."/p"]\n# mine\n'),
        ('[projects."/p"]\r\n\ttrust_level = "trusted"# mine\r\nx = 1\r\n', '[projects."/p"]\r\n\t# mine\r\nx = 1\r\n'),
        ('a = 1\nprojects."/p".trust_level = "trusted" # mine', "a = 1\n# mine"),
    ],
)
def test_what_a_person_has_noted_behind_a_trust_that_is_taken_back_stays(entry, left):
    assert distrust(entry.encode(), ["/p"], "config.toml").after == left.encode()


@pytest.mark.parametrize("data", [b"", b"a = 1\n", b'[projects."/p"]\ntrust_level = "untrusted"\n', None])
def test_what_is_not_trusted_is_not_revoked(data):
    edit = distrust(data, ["/p"], "config.toml")
    assert (edit.status, edit.after) == (Status.ABSENT, data)


_names = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
_bare = st.text("ab-_1", min_size=1, max_size=3)
_scalars = st.sampled_from(
    ['"x"', "'y'", "1", "1.50", "nan", "true", '"""a\nb"""', "'''\n[x]'''", "1979-05-27", "[1, [2]]"]
)


@st.composite
def configurations(draw):
    """Valid configurations with entries of other paths, and perhaps of ours without a level, in every spelling."""
    spelt = draw(st.sampled_from(["header", "dotted", "inline", "table"]))
    keys = draw(st.lists(_names.filter(lambda key: "/" not in key), max_size=3, unique=True))
    keys += ["/p"] if draw(st.booleans()) else []
    quoted = ['"' + "".join(f"\\U{ord(char):08x}" for char in key) + '"' for key in keys]
    values = {key: draw(_scalars.filter(lambda value: "\n" not in value)) for key in quoted}
    entries = {
        "header": "".join(f"[projects.{key}]\nnote = {value}\n" for key, value in values.items()),
        "dotted": "".join(f"projects.{key}.note = {value}\n" for key, value in values.items()),
        "inline": "projects = {" + ", ".join(f"{key} = {{note = {value}}}" for key, value in values.items()) + "}\n",
        "table": "[projects]\n" + "".join(f"{key} = {{ note = {value} }} # c\n" for key, value in values.items()),
    }[spelt]
    first = "".join(f"z{at}.{draw(_bare)} = {draw(_scalars)}{draw(st.sampled_from(['', ' # c']))}\n" for at in range(3))
    last = "".join(f"[w.x{at}]\n{draw(_bare)} = {draw(_scalars)}\n" for at in range(draw(st.integers(0, 2))))
    text = first + entries + last
    text = text.rstrip("\n") if draw(st.booleans()) else text
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@pytest.mark.acceptance("B15", "B20")
@settings(max_examples=150, deadline=None)
@given(configurations())
def test_any_configuration_keeps_all_else_and_comes_back_to_the_byte(text):
    before = text.encode()
    edit = trust(before, KEYS, "config.toml", flip=False)
    assert said(edit.after) == with_trust(said(before), *KEYS)
    assert distrust(edit.after, KEYS, "config.toml").after == before
