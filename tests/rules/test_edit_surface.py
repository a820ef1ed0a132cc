import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import SURFACE_VIOLATION, ContractTerms, Surface
from gatewright_rules import edit_surface

TERMS = ContractTerms(path="job.md", readable=True)


@pytest.mark.parametrize(
    ("surface", "found"),
    [
        (Surface(known=True, changed=("src/a",)), []),
        (Surface(known=True, changed=("x",), outside=("`x` is not allowed",)), [(SURFACE_VIOLATION, DENY)]),
        (Surface(known=False, problem="no git"), [(SURFACE_VIOLATION, DENY)]),
    ],
)
def test_what_lies_outside_or_cannot_be_told_is_denied(surface, found):
    assert levels_of(edit_surface, surface=surface, terms=TERMS) == found


def test_of_many_paths_the_first_are_told_and_all_are_kept():
    outside = tuple(f"`{at}` is not allowed" for at in range(12))
    (finding,) = findings_of(edit_surface, surface=Surface(known=True, outside=outside), terms=TERMS)
    assert finding.message.endswith("`9` is not allowed, and 2 more")
    assert finding.data["paths"] == list(outside)
