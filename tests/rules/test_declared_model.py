import pytest
from tests.rules.calls import DENY, levels_of

from gatewright.model import INVALID_REQUEST, PendingChecks
from gatewright_rules import declared_model

OTHER = [(INVALID_REQUEST, DENY)]


@pytest.mark.acceptance("R34")
@pytest.mark.parametrize(
    ("declared", "checked", "found"),
    [
        ("gpt-5.5", "gpt-5.5", []),
        (" GPT-5.5 ", "gpt-5.5", []),
        ("gpt-5.6-sol", "gpt-5.5", OTHER),
        ("openai/gpt-5.5", "gpt-5.5", OTHER),
        ("", "gpt-5.5", OTHER),
        (None, "gpt-5.5", []),
        ("gpt-5.5", None, []),
    ],
)
def test_the_declared_model_is_the_one_that_was_checked(declared, checked, found):
    pending = PendingChecks(count=1, model=checked)
    assert levels_of(declared_model, declared_model=declared, pending=pending) == found
