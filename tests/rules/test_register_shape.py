import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import INVALID_REQUEST
from gatewright_rules import register_shape

REFUSED = [(INVALID_REQUEST, DENY)]


@pytest.mark.acceptance("R11", "TI-07")
@pytest.mark.parametrize(
    ("sha", "found"),
    [
        (None, []),
        ("a1b2c3d4e5f6", []),
        ("A1B2C3D4E5F6", []),
        (" a1b2c3d4e5f6\n", []),
        ("a" * 64, []),
        ("a" * 65, REFUSED),
        ("a1b2c3d4e5f", REFUSED),
        ("", REFUSED),
        ("a1b2c3d4e5fg", REFUSED),
        ("../a1b2c3d4e5", REFUSED),
        ("*", REFUSED),
        ("a1b2c3 d4e5f6", REFUSED),
        ("１２３４５６７８９０１２", REFUSED),
    ],
)
def test_a_hash_has_twelve_to_sixty_four_hex_digits(sha, found):
    assert levels_of(register_shape, runtime=None, contract_sha=sha) == found


@pytest.mark.parametrize(
    ("runtime", "found"),
    [
        (None, []),
        ("codex", []),
        ("Codex", []),
        (" codex\n", []),
        ("a" * 32, []),
        ("a" * 33, REFUSED),
        ("", REFUSED),
        ("-x", REFUSED),
        ("a b", REFUSED),
        ("../x", REFUSED),
    ],
)
def test_a_runtime_is_a_name_in_any_letter_case(runtime, found):
    assert levels_of(register_shape, runtime=runtime, contract_sha=None) == found


def test_two_parts_that_are_wrong_are_both_told():
    assert levels_of(register_shape, runtime="-", contract_sha="-") == REFUSED * 2
