"""What a registration says of the model that its worker was measured to run."""

import pytest
from tests.ledger.desks import TABLE
from tests.ledger.test_rows import rows


@pytest.mark.acceptance("R27", "R28", "P26")
@pytest.mark.parametrize("caps", [{}, {"unknown": 8}, {"top": 9, "low": 2, "unknown": 8}, {"top": 2, "low": 9}])
def test_models_are_ranked_by_the_order_of_their_tiers_whatever_the_caps(office, caps):
    office.table({**TABLE, "fanout_caps": caps})
    office.logged()
    dearer = office.register(declared_model="gpt-5.5", model_probe_cmd="echo claude-opus-5")
    assert dearer.reason == "MODEL_TIER_ESCALATION"
    in_no_tier = office.register(declared_model="gpt-5.5", model_probe_cmd="echo brand-new")
    assert (in_no_tier.reason, in_no_tier.warnings) == ("OK", ("MODEL_MISMATCH", "TIER_UNKNOWN_MODEL"))
    office.logged(model="claude-opus-5")
    cheaper = office.register(job_id="another", declared_model="claude-opus-5", model_probe_cmd="echo gpt-5.5")
    assert (cheaper.reason, cheaper.warnings) == ("OK", ("MODEL_MISMATCH",))


@pytest.mark.acceptance("R26", "R29", "R30", "R39", "T10", "T16")
@pytest.mark.parametrize(
    ("probe", "measured", "verified"),
    [
        ("echo gpt-5.5", "gpt-5.5", True),
        ("echo first; echo ' GPT-5.5 '; echo", "GPT-5.5", True),
        ("echo gpt-5.4", "gpt-5.4", False),
        ("echo claude-opus-5", "claude-opus-5", False),
        ("echo '<synthetic>'", None, False),
        ("echo", None, False),
        ("echo gpt-5.5; exit 1", None, False),
        (None, None, False),
    ],
)
def test_a_row_says_that_a_model_is_verified_only_where_it_is_the_declared_one(office, probe, measured, verified):
    office.logged()
    office.register(declared_model="gpt-5.5", model_probe_cmd=probe)
    row = rows(office)[1]
    assert (row["model_measured"], row["model_verified"]) == (measured, verified)
