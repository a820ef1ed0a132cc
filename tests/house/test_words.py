"""The project speaks of itself alone: its text names no machine that it was written on, and no place that it came from.

`tests/cases` is left out: those files are data of other programs, byte for byte.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "rules", "policies", "fixtures", "tests", "docs", ".ci")
FILES = ("README.md", "LICENSE", "Makefile", "pyproject.toml", ".gitattributes", ".gitignore")

ABSOLUTE = re.compile(r"(?<![\w.:/~$<-])/(?:[\w.+-]+/)+[\w.+-]*\w")
#: Places that are the same on every machine, and so tell nothing.
STANDARD = ("/bin/", "/dev/", "/etc/", "/lib/", "/proc/", "/sbin/", "/sys/", "/usr/")
TEMPORARY = re.compile(r"/(?:var/)?tmp/\w")
HOME = re.compile(r"/(?:home|Users)/(?P<user>[\w.-]+)/")
LINK = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s\"'`<>)\]]+")
#: Hosts that a text may name: the licence's, those of schemas and namespaces, those that are set aside for examples,
#: and the dots in place of one.
HOSTS = re.compile(
    r"…|(?:www\.)?apache\.org|json-schema\.org|www\.w3\.org|localhost|(?:.+\.)?(?:example|invalid|test|example\.(?:com|net|org))"
)
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b")
MAIL_HOSTS = re.compile(r".+@(?:.+\.)?(?:example|invalid|test)(?:\.(?:com|net|org))?")


def texts() -> Iterator[Path]:
    yield from (ROOT / name for name in FILES)
    for folder in FOLDERS:
        for place, names, files in os.walk(ROOT / folder):
            kept = [name for name in names if name != "__pycache__" and Path(place, name) != ROOT / "tests" / "cases"]
            names[:] = sorted(kept)
            yield from (Path(place, file) for file in sorted(files))


def lines() -> Iterator[tuple[str, str]]:
    """Each line of each text, with its place."""
    for path in texts():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data in another encoding, on purpose
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{path.relative_to(ROOT).as_posix()}:{number}", line


LINES = list(lines())


def found(pattern: re.Pattern[str], *, but: re.Pattern[str] | None = None) -> list[str]:
    return [
        f"{place}: {match.group()}"
        for place, line in LINES
        for match in pattern.finditer(line)
        if but is None or not but.fullmatch(match.group())
    ]


def exists_here(path: str) -> bool:
    return not path.startswith(STANDARD) and os.path.exists(path)


def test_no_text_names_a_path_of_this_machine():
    named = [f"{place}: {path}" for place, line in LINES for path in ABSOLUTE.findall(line) if exists_here(path)]
    assert named == []


@pytest.mark.parametrize(
    "place", [str(ROOT), sys.prefix, os.path.expanduser("~") + "/"], ids=["root", "prefix", "home"]
)
def test_no_text_names_where_it_lies_or_who_runs_it(place):
    assert [where for where, line in LINES if re.search(rf"(?<![\w.-]){re.escape(place)}(?![\w.-])", line)] == []


def test_no_text_names_a_temporary_file():
    assert found(TEMPORARY) == []


def test_no_text_names_the_home_of_a_user_of_this_machine():
    users = {entry.name for home in ("/home", "/Users") if os.path.isdir(home) for entry in os.scandir(home)}
    named = [f"{place}: {match.group()}" for place, line in LINES for match in HOME.finditer(line)]
    assert [each for each in named if HOME.search(each)["user"] in users - {"Shared"}] == []


def test_links_lead_to_hosts_that_are_set_aside_for_examples():
    named = [(place, match.group()) for place, line in LINES for match in LINK.finditer(line)]
    assert [each for each in named if not HOSTS.fullmatch(urlsplit(each[1]).hostname or "localhost")] == []


def test_no_text_names_a_mail_address():
    assert found(MAIL, but=MAIL_HOSTS) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (ABSOLUTE, "see /" + "srv/widgets/a.txt"),
        (TEMPORARY, "written to /" + "tmp/x1"),
        (TEMPORARY, "written to /var/" + "tmp/x1"),
        (LINK, "from https:/" + "/index.company.net/simple"),
        (MAIL, "ask somebody" + "@company.net"),
        (HOME, "in /home" + "/somebody/notes"),
    ],
)
def test_a_pattern_finds_what_it_is_for(pattern, line):
    assert pattern.search(line)
