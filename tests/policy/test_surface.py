"""Patterns of paths, from the root of the repository."""

import pytest

from gatewright.policy.surface import covers, wrong


@pytest.mark.parametrize(
    ("pattern", "within", "outside"),
    [
        ("src", ["src", "src/a.py", "src/a/b.py"], ["lib/src", "srcs", "src.py"]),
        ("src/", ["src/a.py", "src"], ["srcs/a.py"]),
        ("src/**", ["src/a.py", "src/a/b.py"], ["src", "lib/src/a.py"]),
        ("src/*", ["src/a.py", "src/a/b.py"], ["src"]),
        ("src/*.py", ["src/a.py", "src/.py"], ["src/a/b.py", "src/a.pyc", "a.py"]),
        ("**/*.py", ["a.py", "src/a.py", "a/b/c/d.py"], ["a.pyc"]),
        ("**/.env", [".env", "a/b/.env", "a/.env/x"], [".env.local", "a.env"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b/c"], ["a", "ab", "b", "x/a/b"]),
        ("a/**/**/b", ["a/b", "a/x/y/z/b"], ["a/x"]),
        ("**", ["a", "a/b/c"], []),
        ("a?c", ["abc", "a.c"], ["ac", "a/c", "abbc"]),
        ("*a*b*", ["ab", "xaxbx", "aab/c"], ["ba", "xa/b"]),
        ("app/[id].tsx", ["app/[id].tsx"], ["app/i.tsx"]),
        ("a.b", ["a.b"], ["axb"]),
        ("a\nb", ["a\nb"], ["a", "b"]),
    ],
)
def test_what_a_pattern_covers(pattern, within, outside):
    assert [path for path in within if not covers([pattern], path)] == []
    assert [path for path in outside if covers([pattern], path)] == []


@pytest.mark.parametrize(
    ("pattern", "path"), [(".github/**", ".GitHub/x.yml"), ("straße", "STRASSE/a"), ("caf\u00e9", "cafe\u0301")]
)
def test_one_name_in_two_spellings_is_one_where_letter_case_does_not_count(pattern, path):
    assert covers([pattern], path) is None
    assert covers([pattern], path, letter_case=False) == pattern


def test_the_first_pattern_that_covers_is_told():
    assert covers(["docs/**", "src/**", "**"], "src/a") == "src/**"
    assert covers([], "src/a") is None


@pytest.mark.parametrize("pattern", ["*a" * 200, "**/" * 300 + "x", "*" * 5000 + "b"])
def test_no_pattern_is_tried_in_very_many_ways(pattern):
    assert covers([pattern], "a" * 200 + "/a" * 300 + "c") in (None, pattern)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("!src", "`!` takes nothing back"),
        ("src\\a", "a backslash is no part of a pattern"),
        ("/src", "it is no path within the repository"),
        ("~/src", "it is no path within the repository"),
        ("../src", "it has a part that is empty, `.` or `..`"),
        ("a//b", "it has a part that is empty, `.` or `..`"),
        ("./a", "it has a part that is empty, `.` or `..`"),
        ("a**", "`**` stands for whole folders only"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_refused(pattern, said):
    found = wrong(pattern)
    assert found is not None
    assert found[0] == said


@pytest.mark.parametrize("pattern", ["src", "src/", "**", "**/a", "a/**/b", "*.py", ".env", "a b"])
def test_a_pattern_that_can_be_meant_is_not(pattern):
    assert wrong(pattern) is None
