"""What two screens, and the worker's transcript, say of a delivery."""

import json

import pytest

from gatewright.model.screens import DeliveryClass, GateKind, Pane, PaneClass
from gatewright.runtimes.screens.delivery import confirms, transition

CLASSES = list(PaneClass)
STARTED, UNKNOWN = "agent-started", "unknown"


@pytest.mark.acceptance("D02", "D03", "D04", "D08")
@pytest.mark.parametrize("before", [None, *CLASSES])
@pytest.mark.parametrize("after", CLASSES)
def test_every_pair_of_screens_has_one_delivery(before, after):
    seen = transition(Pane(pane_class=before) if before else None, Pane(pane_class=after))
    gone = before is PaneClass.PREPARED_PROMPT and after in (PaneClass.BUSY, PaneClass.UNKNOWN)
    wanted = after.value if after in (PaneClass.HOOK_TRUST, PaneClass.LIMIT) else STARTED if gone else UNKNOWN
    assert seen.delivery_class.value == wanted
    assert seen.delivery_class.failed is (wanted in ("hook-trust", "limit"))


PREPARED = Pane(pane_class=PaneClass.PREPARED_PROMPT)


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize("kind", [GateKind.DEAD, GateKind.SERVICE, GateKind.ADVISORY])
def test_a_prompt_that_something_else_took_the_place_of_is_no_start(kind):
    after = Pane(pane_class=PaneClass.UNKNOWN, gate_kind=kind)
    assert transition(PREPARED, after).delivery_class is DeliveryClass.UNKNOWN


@pytest.mark.acceptance("D17")
@pytest.mark.parametrize(("alive", "wanted"), [(True, STARTED), (None, STARTED), (False, UNKNOWN)])
def test_a_worker_that_is_gone_has_not_started(alive, wanted):
    assert transition(PREPARED, Pane(pane_class=PaneClass.BUSY), alive=alive).delivery_class.value == wanted


@pytest.mark.acceptance("D18")
@pytest.mark.parametrize(
    ("after", "confirmed", "wanted", "evidence"),
    [
        (PaneClass.UNKNOWN, False, UNKNOWN, None),
        (PaneClass.UNKNOWN, True, STARTED, "transcript"),
        (PaneClass.PREPARED_PROMPT, True, STARTED, "transcript"),
        (PaneClass.HOOK_TRUST, True, "hook-trust", None),
        (PaneClass.LIMIT, True, "limit", None),
    ],
)
def test_the_transcript_turns_nothing_but_the_unknown_into_a_start(after, confirmed, wanted, evidence):
    seen = transition(None, Pane(pane_class=after), transcript_confirms=confirmed)
    assert (seen.delivery_class.value, seen.evidence) == (wanted, evidence)


def test_a_start_that_the_screens_show_is_theirs():
    assert transition(PREPARED, Pane(pane_class=PaneClass.BUSY), transcript_confirms=True).evidence == "screen"


TASK = 'Read contracts/job-17.md, and "carry" it out.\nThen say so.'


@pytest.mark.acceptance("D18")
@pytest.mark.parametrize(
    ("transcript", "found"),
    [
        (TASK, True),
        (json.dumps({"message": {"role": "user", "content": f"Hello. {TASK}"}}), True),
        (json.dumps({"content": TASK}, ensure_ascii=False), True),
        (json.dumps({"content": "Read contracts/job-18.md"}), False),
        ("", False),
    ],
)
def test_a_transcript_confirms_by_the_words_of_the_task(transcript, found):
    assert confirms(transcript, TASK) is found


def test_a_task_of_few_letters_is_confirmed_by_nothing():
    assert confirms("go on, go on", "go on") is False
