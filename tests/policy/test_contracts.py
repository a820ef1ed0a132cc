"""The front matter of a contract, and each mistake in it with its place."""

import pytest

from gatewright.errors import PolicyError, Severity
from gatewright.model.terms import Demand, Terms
from gatewright.policy import contracts

WHOLE = {
    "repository": "acme/app",
    "checkout": "app-17",
    "allow": "[src/**]",
    "forbid": "[.github/**]",
    "acceptance": "[it works]",
    "evidence": "[{run: make test}, {file: out/report.xml, name: report}]",
    "commit": "true",
    "push": "false",
    "exclusions": "[]",
}


def contract(*, line_end: str = "\n", **more: str | None) -> bytes:
    """A contract whose front matter is whole but for these keys; None leaves one out."""
    lines = [f"{name}: {value}" for name, value in {**WHOLE, **more}.items() if value is not None]
    return line_end.join(["---", *lines, "---", "", "# Job", ""]).encode()


def told(data: bytes) -> list[tuple[str, int, int, str]]:
    """Severity, place and message of each problem."""
    found = contracts.problems(data, "job.md")
    return [(each.severity.value, each.place.line, each.place.column, each.message) for each in found]


def test_what_a_whole_front_matter_says():
    assert contracts.load(contract(branch="work/*", model="verified"), "job.md") == Terms(
        repository="acme/app",
        checkout="app-17",
        allow=("src/**",),
        forbid=(".github/**",),
        acceptance=("it works",),
        evidence=(Demand(name="make test", run="make test"), Demand(name="report", file="out/report.xml")),
        commit=True,
        branch="work/*",
        model="verified",
    )
    assert told(contract()) == []


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("repository", marks=pytest.mark.acceptance("A01")),
        pytest.param("checkout", marks=pytest.mark.acceptance("A01")),
        pytest.param("allow", marks=pytest.mark.acceptance("A02")),
        pytest.param("forbid", marks=pytest.mark.acceptance("A02")),
        pytest.param("acceptance", marks=pytest.mark.acceptance("A03")),
        pytest.param("evidence", marks=pytest.mark.acceptance("A04")),
        pytest.param("exclusions", marks=pytest.mark.acceptance("A06")),
    ],
)
def test_what_a_contract_has_to_say_is_missed_by_name(name):
    assert told(contract(**{name: None})) == [("error", 2, 1, f"required key `{name}` is missing")]


@pytest.mark.acceptance("A05")
def test_a_contract_that_says_nothing_of_commits_and_pushes_allows_neither_and_that_is_told():
    silent = contract(commit=None, push=None)
    terms = contracts.load(silent, "job.md")
    assert (terms.commit, terms.push) == (False, False)
    assert told(silent) == [
        ("note", 2, 1, "`commit` is left out, and so the worker may not commit"),
        ("note", 2, 1, "`push` is left out, and so the worker may not push"),
    ]


@pytest.mark.parametrize(
    ("name", "value", "column", "said"),
    [
        ("repository", "5", 13, "`repository` is text, and this is the number 5"),
        ("allow", "[]", 8, "`allow` is an empty list"),
        ("allow", "src", 8, "`allow` is a list, and this is the text"),
        ("allow", "[/src]", 9, "pattern `/src`: it is no path within the repository"),
        ("forbid", "[a/c, '../b']", 15, "pattern `../b`: it has a part that is empty"),
        ("acceptance", "[]", 13, "`acceptance` is an empty list"),
        ("evidence", "[]", 11, "`evidence` is an empty list"),
        ("evidence", "[make]", 12, "a piece of evidence is a map"),
        ("evidence", "[{run: a, file: b}]", 12, "a piece of evidence is either `run` or `file`"),
        ("evidence", "[{name: a}]", 12, "a piece of evidence is either `run` or `file`"),
        ("evidence", "[{run: a, seconds: 0}]", 30, "`seconds` is 0, and the least is 1"),
        ("evidence", "[{file: /etc/hosts}]", 19, "file `/etc/hosts`: it is no path"),
        ("evidence", "[{run: a}, {run: a}]", 22, "`a` is asked for twice"),
        ("commit", "yes", 9, "`commit` is true or false"),
        ("model", "verifed", 8, "unknown wish about the model `verifed`"),
        ("pusch", "true", 1, "unknown key `pusch`"),
        ("commit", "&a true", 9, "`&a` is an anchor"),
        ("commit", "!!bool true", 9, "tag"),
    ],
)
def test_a_mistake_is_told_at_its_place_in_the_file(name, value, column, said):
    data = contract(**{name: value})
    line = data.decode().split("\n").index(f"{name}: {value}") + 1
    ((severity, *where, message),) = told(data)
    assert (severity, where) == ("error", [line, column])
    assert said in message


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_and_a_byte_order_mark_move_no_place(start, line_end):
    assert told(start + contract(line_end=line_end)) == []
    assert told(start + contract(line_end=line_end, commit="5")) == [
        ("error", 8, 9, "`commit` is true or false, and this is the number 5")
    ]


def test_a_key_that_stands_twice_is_told():
    assert ("error", 3, 1, "duplicate key `a`, first on line 2") in told(b"---\na: 1\na: 2\n---\n")


def test_front_matter_that_is_never_closed_is_an_error():
    assert told(b"---\nrepository: a\n") == [("error", 1, 1, "the front matter is never closed")]


def test_empty_front_matter_says_nothing():
    assert [each[0] for each in told(b"---\n---\nbody")] == ["error"]


@pytest.mark.parametrize("data", [b"", b"# Job\n", b"\n---\na: 1\n---\n", b" ---\n", b"----\n", b"--- # x\n---\n"])
def test_a_contract_without_front_matter_is_warned_of_and_cannot_be_loaded(data):
    (problem,) = contracts.problems(data, "job.md")
    assert (problem.severity, problem.check, str(problem.place)) == (Severity.WARNING, "no-front-matter", "job.md:1:1")
    with pytest.raises(PolicyError):
        contracts.load(data, "job.md")


def test_what_stands_below_the_front_matter_is_not_read_as_yaml():
    assert told(contract() + b"\xff\x00 {{ : - \t" + b"x" * 2_000_000) == []


def test_front_matter_beyond_measure_is_refused():
    (found,) = told(b"---\na: " + b"x" * 2_000_000 + b"\n---\n")
    assert "at most 1,000,000 are read" in found[3]


def test_a_forbidden_name_without_folders_is_told_to_stand_at_the_root():
    (found,) = contracts.problems(contract(forbid="[.env, '**/.key', a/b]"), "job.md")
    assert (found.severity, found.hint) == (Severity.NOTE, "write `**/.env` if it is meant at any depth")
