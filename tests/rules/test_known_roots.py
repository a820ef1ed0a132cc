"""Known roots: a contract that names a folder nobody has heard of was perhaps written for another machine."""

import pytest
from tests.rules.calls import WARN, codes_of, findings_of, fires, levels_of

from gatewright.model import PATH_OUTSIDE_KNOWN_ROOTS, Contract, Mentions
from gatewright_rules import known_roots

WARNED = [(PATH_OUTSIDE_KNOWN_ROOTS, WARN)]
ROOT = "/home/ann/src"


def of(paths, roots):
    return {"contract": Contract(path="job.md", readable=True, mentions=Mentions(paths=paths)), "known_roots": roots}


@pytest.mark.acceptance("C26")
@pytest.mark.parametrize(
    "path",
    [
        "/home/eve",
        "/home/eve/src",
        "/Users/eve/src",
        "/home/ann",
        "/home/ann/sr",
        "/home/ann/srcs",
        "/home/ann/src-old",
        "/home/ANN/src",
        "/home/ann/src\u00a0x",
        "/home/" + "x" * 100_000,
    ],
    ids=lambda text: ascii(text[:30]),
)
def test_a_path_under_a_home_folder_and_under_no_root_is_warned_of(path):
    assert levels_of(known_roots, **of([path], [ROOT])) == WARNED
    assert fires(known_roots, **of([path], [ROOT]))


@pytest.mark.parametrize("path", [ROOT, ROOT + "/", ROOT + "/app/x.py", ROOT + "/a b"])
def test_a_root_and_what_lies_below_it_pass(path):
    assert codes_of(known_roots, **of([path], [ROOT])) == []
    assert codes_of(known_roots, **of([path], [ROOT + "/"])) == []


@pytest.mark.parametrize("path", [ROOT + "/../../eve/notes", ROOT + "/..", ROOT + "/./../../eve"])
def test_a_path_that_climbs_out_of_its_root_is_outside(path):
    assert levels_of(known_roots, **of([path], [ROOT])) == WARNED


@pytest.mark.parametrize("path", ["/etc/hosts", "/usr/share", "/homes/eve", "/tmp", "/", "/home", "/users/eve"])
def test_a_path_under_no_home_folder_is_not_looked_at(path):
    assert codes_of(known_roots, **of([path], [ROOT])) == []


@pytest.mark.parametrize("roots", [[], ["src"], ["~/src"], [""]])
def test_without_an_absolute_root_nothing_is_looked_at(roots):
    assert codes_of(known_roots, **of(["/home/eve"], roots)) == []


def test_a_root_that_is_the_whole_disk_covers_everything():
    assert codes_of(known_roots, **of(["/home/eve", "/Users/eve"], ["/"])) == []


def test_one_warning_is_given_for_all_paths_and_says_how_many():
    (finding,) = findings_of(known_roots, **of(["/home/eve/a", "/home/eve/b", "/home/eve/c"], [ROOT]))
    assert "`/home/eve/a` and 2 more" in finding.message


@pytest.mark.parametrize(
    ("homes", "path", "found"),
    [
        (("/export/",), "/export/eve", WARNED),
        (("/export",), "/export/eve", WARNED),
        (("/export/",), "/exports/eve", []),
        (("/export/",), "/home/eve", []),
        ((), "/home/eve", []),
        (("/",), "/etc/hosts", WARNED),
    ],
)
def test_the_folders_whose_paths_are_looked_at_are_an_option(homes, path, found):
    assert levels_of(known_roots, **of([path], [ROOT]), home_roots=homes) == found


def test_a_contract_that_names_no_path_is_not_asked():
    assert not fires(known_roots, **of([], [ROOT]))
    assert not fires(known_roots, **of(["/home/eve"], []))
