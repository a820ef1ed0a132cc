"""Patterns: a subset that `re` decides in linear time, spelt so that RE2 would decide it alike; the rest is refused."""

import builtins
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.expressions import patterns
from gatewright.expressions.patterns import OutsideError, PatternError, matcher, subset


@pytest.fixture
def without_re2(monkeypatch):
    """RE2 cannot be imported, whether it is installed or not."""
    importing = builtins.__import__

    def stub(name, *args, **kwargs):
        if name == "re2":
            raise ImportError(name)
        return importing(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", stub)


def found(pattern, text):
    return matcher(pattern)(text) is not None


@pytest.mark.parametrize(
    ("pattern", "spelt", "anchored"),
    [
        ("", "", False),
        ("abc", "abc", False),
        ("^abc$", r"\Aabc\Z", True),
        ("a|b", "a|b", False),
        ("^a|^b", r"\Aa|\Ab", True),
        ("^a|b", r"\Aa|b", False),
        ("^(a|b)", r"\A(?:a|b)", True),
        ("(^a|^b)c", r"(?:\Aa|\Ab)c", True),
        ("(^a)?b", r"(?:\Aa)?b", False),
        ("(?:a)b", "(?:a)b", False),
        ("()", "(?:)", False),
        ("a?b", "a?b", False),
        ("^a{2,3}", r"\Aa{2,3}", True),
        ("^a{2,}b", r"\Aa{2,}b", True),
        ("a{2}", "a{2}", False),
        ("a{", r"a\{", False),
        ("a{,5}", r"a\{,5}", False),
        ("a{x}", r"a\{x}", False),
        (".", ".", False),
        (r"\d\w\.", r"\d\w\.", False),
        (r"\s\S", r"[\t\n\f\r ][^\t\n\f\r ]", False),
        (r"[\s]", r"[\t\n\f\r ]", False),
        (r"\ba\b", r"\ba\b", False),
        (r"\n\t\r\f\v", r"\n\t\r\f\v", False),
        (r"[a-z0-9_]", "[a-z0-9_]", False),
        (r"[^a-z]", "[^a-z]", False),
        (r"[\d\-]", r"[\d\-]", False),
        ("[-a]", r"[\-a]", False),
        ("[a-]", r"[a\-]", False),
        (r"[\]\\^]", r"[\]\\^]", False),
        (r"[\n-\r]", r"[\n-\r]", False),
        ("é신", "é신", False),
        ("[é-ü]", "[é-ü]", False),
    ],
)
def test_a_simple_pattern_is_spelt_for_re(pattern, spelt, anchored):
    assert subset(pattern) == (spelt, anchored)


@pytest.mark.parametrize(
    ("pattern", "text", "answer"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^a", "abc", True),
        ("c$", "abc", True),
        ("c$", "abc\n", False),
        ("^abc$", "abc\n", False),
        ("^$", "", True),
        ("a.c", "a\nc", False),
        ("^a", "b\na", False),
        (r"\d", "٣", False),
        (r"\w", "é", False),
        (r"\s", "\u00a0", False),
        (r"\s", "\v", False),
        (r"\s", "\f", True),
        (r"[\s]", "\x1c", False),
        (r"\S", "\v", True),
        (r"\b신", "a신", True),
        ("[^a]", "é", True),
        ("a{,5}", "a", False),
        ("a{,5}", "a{,5}", True),
        ("gpt-5|claude", "my claude", True),
        (r"^gpt-\d+\.\d+-[a-z]+$", "gpt-5.6-sol", True),
        ("", "", True),
    ],
)
def test_a_pattern_searches_with_ascii_classes_and_ends_at_the_end(pattern, text, answer):
    assert found(pattern, text) is answer


@pytest.mark.parametrize(
    ("pattern", "at", "words"),
    [
        ("(", 0, "group"),
        ("a(b", 1, "group"),
        ("a)", 1, "not open"),
        ("[a", 0, "class"),
        ("ab[", 2, "class"),
        (r"[a\]", 0, "class"),
        ("[]", 1, "empty class"),
        ("[^]", 2, "empty class"),
        ("a[z-a]", 2, "back to"),
        ("*a", 0, "nothing to repeat"),
        ("a|+", 2, "nothing to repeat"),
        ("(?:?)", 3, "nothing to repeat"),
        ("^*", 1, "repeats a place"),
        ("a$+", 2, "repeats a place"),
        (r"\b?", 2, "repeats a place"),
        ("a\\", 1, "backslash"),
        (r"(a)\1", 3, "refers back"),
        ("a{1001}", 1, "1000"),
        ("a{1,1001}", 1, "1000"),
        ("a{1001,}", 1, "1000"),
        ("a{3,2}", 1, "in order"),
        ("a{10001}", 1, "1000"),
        ("(" * 21 + ")" * 21, 20, "20 deep"),
    ],
)
def test_a_pattern_that_nothing_decides_is_refused_at_its_character(pattern, at, words):
    with pytest.raises(PatternError) as caught:
        subset(pattern)
    assert not isinstance(caught.value, OutsideError)
    assert caught.value.at == at
    assert words in caught.value.message


NESTED_REPEATS = [
    "(a+)+",
    "^(a+)+$",
    "(a*)*",
    "(a|b)*",
    "(a|aa)+",
    "(x+x+)+y",
    "(a?){20}",
    "((a)*)*",
    "(^a)*",
    "(a+){2}",
]
REPEATS_OF_REPEATS = ["a**", "a+?", "a??", "a{2}{3}", "a*+", "a++"]
SAME_AGAIN = [
    *(r"\s+$", r"\d+", ".*", ".*x", "a*b", "[a-z]+x", "aa*b", "abca*b", r"\w+@\w+", "x[^y]*z", "a.*b"),
    *("^a*a", "^a*a*", "^a+a+$", "^.*x", r"^\w+\d+", "^a*b*a*", "^(a|b)c*c", "^a*(b?)a*", r"^\s*\s", "^[a-m]*[k-z]*$"),
]
TOO_MANY_CHOICES = [
    *(
        "^(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$",
        "a{0,100}b",
        "^a{0,100}b{0,100}c",
        "a{65}",
        "^a{0,1000}b",
    ),
    "^" + "a?" * 10,
]
OTHER_ENGINES = [
    *("(?=a)", "(?!a)", "(?<=a)b", "(?<!a)b", "(?P<n>a)", "(?i)a", "(?#c)a", "(?>a)", "(?a", "(?"),
    *(r"\p{L}", r"\x41", r"\u0041", r"\A", r"\Z", r"\z", r"\G", r"\Q", r"\é", r"[\b]", r"[\x41]", r"[\S]"),
    *("[[:alpha:]]", "[[a]", "[a[b]"),
    r"a\B",  # in the empty text it holds for RE2 and newer Pythons, and not for older ones
]


@pytest.mark.parametrize("pattern", NESTED_REPEATS + REPEATS_OF_REPEATS + SAME_AGAIN + TOO_MANY_CHOICES + OTHER_ENGINES)
def test_a_shape_that_backtracking_could_take_long_for_is_outside_the_subset(pattern):
    with pytest.raises(OutsideError):
        subset(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        # outside ASCII a class and its complement meet
        "^[^é]+ü+[^é]+ü+x$",
        "^[^é]*ü+x$",
        "^[^a-é]+ü*x$",
        # alternatives times lengths: each alone is few, together they are many
        "^(aa|a)(aa|a)(aa|a)(aa|a)(aa|a)(aa|a)a?a?a?a?a?a?a*b$",
        "^(aa|a)(aa|a)(aa|a)(aa|a)a{0,100}b",
    ],
)
def test_ways_to_match_one_text_stay_few(pattern):
    with pytest.raises(OutsideError):
        subset(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "^a*$",
            "^a*b*$",
            "^a?a*$",
            "^[a-z]+-[0-9]+$",
            r"^\d+\.\d+$",
            "^.*$",
            r"^\w+@",
            "^(a*b)?c*$",
            "^[^x]*x[^y]*y$",
        ),
        *(
            "ab*c",
            "xa*b",
            r"v\d+\.",
            "gpt-[0-9]+x",
            "a{0,3}b",
            "(a|b)c?",
            "é",
            "^[é]*e$",
            "a{2,4}",
            "^a{1000}$",
            "." * 64,
        ),
    ],
)
def test_a_shape_with_one_way_to_go_on_is_in_the_subset(pattern):
    spelt, _ = subset(pattern)
    re.compile(spelt, re.ASCII)


@pytest.mark.parametrize("pattern", ["[a&&b]", "[a||b]", "[~~]", "[+--]", "[a-c--]", "[&&&]", "[|]"])
def test_every_spelling_compiles_without_a_warning(pattern):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            spelt, _ = subset(pattern)
        except OutsideError:
            return
        re.compile(spelt, re.ASCII)


def test_a_repeat_is_counted_in_plain_digits():
    assert found("^a{٣}$", "a{٣}")
    assert subset("^a{٣}$")[0] == "\\Aa\\{٣}\\Z"


def test_a_pattern_has_a_longest_length():
    assert found("^" + "a" * 499, "a" * 499)
    with pytest.raises(PatternError) as caught:
        matcher("a" * 501)
    assert "500" in caught.value.message


def test_a_pattern_that_is_not_tied_to_the_start_reads_a_bounded_text():
    at_limit = "a" * patterns.MAX_MATCHED
    assert found("b", at_limit) is False
    assert found("^b", at_limit + "a") is False
    with pytest.raises(OverflowError):
        matcher("b")(at_limit + "a")


@pytest.mark.parametrize("pattern", NESTED_REPEATS[:3] + OTHER_ENGINES[:6])
@pytest.mark.usefixtures("without_re2")
def test_without_re2_a_pattern_outside_the_subset_is_refused_with_what_to_do(pattern):
    with pytest.raises(PatternError) as caught:
        matcher(pattern)
    assert caught.value.hint


@pytest.mark.usefixtures("without_re2")
def test_the_hint_names_the_extra_unless_the_pattern_can_be_mended():
    with pytest.raises(PatternError) as extra:
        matcher("(a|b)*")
    with pytest.raises(PatternError) as mended:
        matcher(r"\d+")
    assert "gatewright[re2]" in extra.value.hint
    assert "`^`" in mended.value.hint


def read(pattern):
    """Spelling and anchor of a pattern, and the character at which it goes wrong; the last one where it does not."""
    try:
        return *subset(pattern), len(pattern)
    except PatternError as error:
        return "", False, error.at


# -- the subset means to us what it means to the engines -------------------------------------------------------------

_ALPHABET = "ab1 -\n.é{"
_CHARACTER = st.sampled_from(["a", "b", "1", " ", "-", r"\.", r"\-", "é", r"\n", ".", r"\d", r"\w", r"\D", r"\W", "{"])
_CLASS = st.builds(
    "[{}{}]".format,
    st.sampled_from(["", "^"]),
    st.lists(st.sampled_from(["a", "b", "0-9", "a-z", r"\d", r"\w", r"\-", "é", ".", " "]), min_size=1, max_size=3).map(
        "".join
    ),
)
_REPEATED = st.builds(
    str.__add__, _CHARACTER | _CLASS, st.sampled_from(["", "", "?", "{2}", "{1,2}", "{0}", "*", "+", "{1,}"])
)
_PLACE = st.sampled_from([r"\b", "^", "$"])
_SEQUENCE = st.lists(_REPEATED | _REPEATED | _REPEATED | _PLACE, max_size=4).map("".join)
_GROUP = st.builds("({}|{}){}".format, _SEQUENCE, _SEQUENCE, st.sampled_from(["", "?"]))
_PATTERN = st.builds(
    lambda start, parts, end: start + "".join(parts) + end,
    st.sampled_from(["", "^"]),
    st.lists(_SEQUENCE | _GROUP, max_size=3),
    st.sampled_from(["", "$"]),
)
_TEXT = st.text(alphabet=_ALPHABET, max_size=12)


def as_python_reads(pattern):
    """A pattern of the subset in Python's own words: `^` and `$` are the ends of the text, an open brace is itself."""
    spelt = re.sub(r"\{(?!\d)", r"\\{", pattern)
    return re.compile(spelt.replace("$", r"\Z"), re.ASCII)


@examples(800)
@given(_PATTERN, _TEXT)
def test_a_pattern_of_the_subset_means_what_python_takes_it_for(pattern, text):
    try:
        spelt, _ = subset(pattern)
    except PatternError:
        return
    ours = re.compile(spelt, re.ASCII).search(text) is not None
    assert ours is (as_python_reads(pattern).search(text) is not None)
    assert found(pattern, text) is ours


@examples(800)
@given(_PATTERN, _TEXT)
def test_a_pattern_of_the_subset_means_what_re2_takes_it_for(pattern, text):
    re2 = pytest.importorskip("re2")
    try:
        subset(pattern)
    except PatternError:
        return
    assert found(pattern, text) is (re2.search(pattern, text) is not None)


@examples(800)
@given(st.text(alphabet=r"ab01(){}[]^$.*+?|\\-,:=!<P nsdwSDWbBx" + "éü", max_size=16))
def test_no_pattern_makes_the_reader_raise_anything_but_its_own_error(pattern):
    spelt, anchored, at = read(pattern)
    assert 0 <= at <= len(pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = re.compile(spelt, re.ASCII)
    # Tied to the start means that a match starts nowhere else.
    assert not anchored or all(match.start() == 0 for match in compiled.finditer("ab01" * 3))
