"""Judging: the dearest model counts, and only the declared one, everywhere on the main thread, is verified."""

import pytest
from tests.probes.transcripts.sessions import CHEAP, DEAR, NEWEST, TABLE

from gatewright.model.measurements import Agreement, Discord, Grade, Seen
from gatewright.model.tiers import TierTable
from gatewright.probes.transcripts.judging import agreement, grade_of, judged

OF_MODELS = TierTable(version=1, index={DEAR: "denied", CHEAP: "allowed"})


def seen(*models, subagents=()):
    counted = dict.fromkeys(models, 1)
    return Seen(measured=models[-1] if models else None, models=counted, subagents=dict.fromkeys(subagents, 1))


@pytest.mark.acceptance("M12")
@pytest.mark.parametrize(
    ("models", "subagents", "declared", "expected"),
    [
        ([CHEAP], [], CHEAP, CHEAP),
        ([DEAR, CHEAP], [], CHEAP, DEAR),
        ([CHEAP], [NEWEST, DEAR], CHEAP, DEAR),
        ([NEWEST], [CHEAP], NEWEST, NEWEST),
        ([CHEAP], ["brand-new"], CHEAP, CHEAP),
        (["brand-new"], [CHEAP], CHEAP, "brand-new"),
        (["brand-new"], [DEAR], CHEAP, DEAR),
        (["brand-new"], [CHEAP], None, "brand-new"),
        (["brand-new", "other-new"], [], CHEAP, "other-new"),
        ([], [DEAR], CHEAP, None),
    ],
)
def test_the_dearest_model_seen_is_judged_and_one_in_no_tier_hides_behind_no_cheap_one(
    models, subagents, declared, expected
):
    assert judged(seen(*models, subagents=subagents), declared, TABLE) == expected


@pytest.mark.parametrize("table", [None, OF_MODELS])
def test_without_tiers_the_measured_model_is_judged(table):
    assert judged(seen(DEAR, CHEAP), CHEAP, table) == CHEAP
    assert agreement(seen(DEAR, CHEAP), CHEAP, table) == (Agreement.DRIFT, Discord.MISMATCH)


@pytest.mark.acceptance("M03", "M04", "M09")
@pytest.mark.parametrize(
    ("models", "subagents", "declared", "expected"),
    [
        ([CHEAP], [], CHEAP, (Agreement.OK, None)),
        ([CHEAP], [], CHEAP.upper(), (Agreement.OK, None)),
        ([CHEAP], [NEWEST], CHEAP, (Agreement.DRIFT, Discord.ESCALATION)),
        ([NEWEST], [CHEAP], NEWEST, (Agreement.OK, None)),
        ([CHEAP], [], DEAR, (Agreement.DRIFT, Discord.MISMATCH)),
        ([CHEAP, NEWEST], [], NEWEST, (Agreement.DRIFT, Discord.MISMATCH)),
        ([DEAR], [], "brand-new", (Agreement.DRIFT, Discord.MISMATCH)),
        ([CHEAP], [], None, (Agreement.INFO, None)),
        ([], [], CHEAP, (Agreement.UNVERIFIED, Discord.UNVERIFIED)),
        ([], [], None, (Agreement.UNVERIFIED, Discord.UNVERIFIED)),
    ],
)
def test_how_what_was_seen_agrees_with_what_was_declared(models, subagents, declared, expected):
    assert agreement(seen(*models, subagents=subagents), declared, TABLE) == expected


@pytest.mark.parametrize(
    ("served", "declared", "same"),
    [
        ("claude-opus-5", "claude-opus-5[1m]", True),
        ("claude-opus-5", "claude-opus-5[1M]", True),
        ("claude-opus-5[1m]", "claude-opus-5[1m]", True),
        ("claude-opus-5[1m]", "claude-opus-5", False),
        ("claude-opus-5", "opus", False),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5", False),
        ("claude-opus-4-5", "claude-opus-4", False),
    ],
)
def test_an_id_is_the_declared_one_letter_by_letter_but_for_the_context_that_no_answer_can_name(served, declared, same):
    assert (agreement(seen(served), declared, TABLE)[0] is Agreement.OK) is same


@pytest.mark.parametrize(
    ("form", "measured", "grade"),
    [
        ("claude", CHEAP, Grade.SERVED),
        ("codex", CHEAP, Grade.CONFIGURED),
        ("generic", CHEAP, Grade.CONFIGURED),
        ("claude", None, Grade.UNAVAILABLE),
    ],
)
def test_the_grade_says_what_a_measured_model_rests_on(form, measured, grade):
    assert grade_of(Seen(format=form, measured=measured)) is grade
