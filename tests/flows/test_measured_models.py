"""The model that a worker was measured to run, against the one that was declared and checked."""

import json

import pytest
from tests.flows.jobs import JOB
from tests.ledger.desks import TABLE
from tests.ledger.test_rows import rows

TOP, LOW, ALSO_LOW = "claude-opus-5", "gpt-5.5", "gpt-5.4"
RANKED = {"version": 2, "tiers": {"top": [TOP], "low": [LOW, ALSO_LOW]}, "fanout_caps": {}}


def registered(office, measured, declared=LOW, *, table=RANKED):
    """A check for the declared model and its registration; the decision, and what its row says of the models."""
    office.table(table)
    office.check(model=declared)
    decision = office.register(declared_model=declared, model_probe_cmd=measured)
    row = rows(office)[-1]
    return decision, (row["model_declared"], row["model_measured"], row["model_verified"])


@pytest.mark.acceptance("R26", "T10", "R31")
@pytest.mark.parametrize(
    "probe", [f"echo {LOW}", "echo GPT-5.5", "printf ' gpt-5.5 \\n\\n \\n'", f"echo reading; echo {TOP}; echo {LOW}"]
)
def test_the_declared_model_is_verified(office, probe):
    decision, (declared, measured, verified) = registered(office, probe)
    assert (decision.reason, decision.warnings) == ("OK", ())
    assert (declared, measured.casefold(), verified) == (LOW, LOW, True)


@pytest.mark.parametrize(
    ("declared", "measured", "warnings"),
    [
        (f"{TOP}[1m]", TOP, ()),
        (f"{TOP}[1M]", f"{TOP}[1m]", ()),
        (TOP, f"{TOP}[1m]", ("MODEL_MISMATCH",)),
        (f"{TOP}[1m]", f"{TOP}-x", ("MODEL_MISMATCH", "TIER_UNKNOWN_MODEL")),
    ],
)
def test_a_declared_context_size_is_no_part_of_what_answers(office, declared, measured, warnings):
    decision, (_, _, verified) = registered(office, f"echo '{measured}'", declared)
    assert (decision.reason, decision.warnings, verified) == ("OK", warnings, not warnings)


@pytest.mark.acceptance("R27", "T16", "P26")
def test_a_model_above_its_tier_is_denied_and_recorded(office):
    decision, models = registered(office, f"echo {TOP}")
    assert decision.reason == "MODEL_TIER_ESCALATION"
    assert models == (LOW, TOP, False)
    row = rows(office)[-1]
    assert (row["decision"], row["reason"], row["job_id"]) == ("DENY", "MODEL_TIER_ESCALATION", JOB)
    assert "contract_sha" not in row


@pytest.mark.acceptance("P26", "R27")
def test_the_order_of_tiers_is_given_or_that_of_their_keys(office):
    turned = {**RANKED, "tier_order": ["low", "top"]}
    assert registered(office, f"echo {TOP}", table=turned)[0].warnings == ("MODEL_MISMATCH",)
    assert office.register(job_id="second").reason != "OK"
    office.table(turned)
    office.logged(model=TOP)
    assert office.register(declared_model=TOP, model_probe_cmd=f"echo {LOW}").reason == "MODEL_TIER_ESCALATION"


@pytest.mark.acceptance("R28")
@pytest.mark.parametrize(("declared", "measured"), [(TOP, LOW), (LOW, ALSO_LOW)])
def test_another_model_that_is_no_dearer_is_warned_of(office, declared, measured):
    decision, models = registered(office, f"echo {measured}", declared)
    assert (decision.reason, decision.warnings) == ("OK", ("MODEL_MISMATCH",))
    assert models == (declared, measured, False)
    assert rows(office)[-1]["warnings"] == ["MODEL_MISMATCH"]


@pytest.mark.acceptance("P06", "P07")
@pytest.mark.parametrize(("found", "reason"), [("warn", "OK"), ("deny", "TIER_UNKNOWN_MODEL")])
def test_a_measured_model_in_no_tier_is_told_and_denied_only_where_the_table_says_so(office, found, reason):
    office.table({**RANKED, "unknown_measured": found})
    office.check()
    decision = office.register(model_probe_cmd="echo brand-new")
    assert decision.reason == reason
    assert decision.warnings == ("MODEL_MISMATCH", "TIER_UNKNOWN_MODEL")[: 2 if found == "warn" else 1]
    assert rows(office)[-1]["measured_tier"] == "unknown"


@pytest.mark.acceptance("R29", "R39")
@pytest.mark.parametrize(
    ("declared", "probe"),
    [
        (None, f"echo {LOW}"),
        (None, None),
        (LOW, None),
        (LOW, ""),
        (LOW, "echo '<synthetic>'"),
        (LOW, "echo '<missing>'"),
        (LOW, """echo '{"measured":null,"grade":"unavailable"}'"""),
    ],
)
def test_a_model_that_nobody_declared_or_measured_is_warned_of(office, declared, probe):
    office.check()
    decision = office.register(declared_model=declared, model_probe_cmd=probe)
    assert (decision.reason, decision.warnings) == ("OK", ("MODEL_UNVERIFIED",))
    assert rows(office)[-1]["model_verified"] is False


@pytest.mark.acceptance("R30")
@pytest.mark.parametrize(
    "probe",
    [f"echo {LOW}; exit 1", "true", "echo ' '", "no-such-program", "sleep 300", "echo '{'", "printf '%0300d' 1"],
)
def test_a_model_probe_that_fails_is_warned_of(office, probe):
    office.check()
    office.seconds = 0.5 if "sleep" in probe else 30.0
    decision = office.register(model_probe_cmd=probe)
    assert (decision.reason, decision.warnings) == ("OK", ("MODEL_PROBE_FAILED",))
    assert (rows(office)[-1]["model_measured"], rows(office)[-1]["model_grade"]) == (None, "unavailable")


@pytest.mark.acceptance("R33")
@pytest.mark.parametrize(
    "table",
    [{"version": 1, "worker_allowed": [LOW], "worker_denied_tiers": [TOP], "unknown_model": "warn"}, {"version": 9}],
)
def test_models_that_no_table_ranks_are_compared_by_name(office, table):
    office.check()
    office.table(table)
    decision = office.register(model_probe_cmd=f"echo {TOP}")
    assert (decision.reason, decision.warnings) == ("OK", ("MODEL_MISMATCH",))


@pytest.mark.acceptance("R34")
def test_a_registration_keeps_to_the_model_that_was_checked(office):
    office.table(TABLE)
    office.check()
    assert office.register(declared_model=TOP, model_probe_cmd=f"echo {TOP}").reason == "INVALID_REQUEST"
    assert office.register(declared_model="GPT-5.5").allow


@pytest.mark.acceptance("R40")
@pytest.mark.parametrize(
    ("said", "grade"),
    [
        (LOW, "configured"),
        ({"measured": LOW, "grade": "served"}, "served"),
        ({"measured": LOW, "grade": "configured"}, "configured"),
        ({"measured": LOW}, "configured"),
        ({"measured": LOW, "grade": "certain"}, "configured"),
    ],
)
def test_a_measurement_says_how_good_it_is(office, said, grade):
    (office.folder / "model.txt").write_text(said if isinstance(said, str) else json.dumps(said))
    decision, (_, _, verified) = registered(office, f"cat '{office.folder}/model.txt'")
    assert (decision.reason, decision.warnings, verified) == ("OK", (), True)
    assert rows(office)[-1]["model_grade"] == grade


@pytest.mark.acceptance("R27")
@pytest.mark.parametrize(
    ("said", "reason", "warnings", "verified"),
    [
        ({"measured": LOW, "judged": TOP}, "MODEL_TIER_ESCALATION", (), True),
        ({"measured": LOW, "judged": LOW, "models_seen": {LOW: 3}}, "OK", (), True),
        ({"measured": LOW, "models_seen": {ALSO_LOW: 1, LOW: 2}}, "OK", ("MODEL_MISMATCH",), False),
        ({"measured": LOW, "models_seen": [LOW, "<synthetic>"]}, "OK", (), True),
    ],
)
def test_every_model_that_was_seen_counts(office, said, reason, warnings, verified):
    (office.folder / "model.txt").write_text(json.dumps(said))
    decision, models = registered(office, f"cat '{office.folder}/model.txt'")
    assert (decision.reason, decision.warnings) == (reason, warnings)
    assert models[2] is verified
