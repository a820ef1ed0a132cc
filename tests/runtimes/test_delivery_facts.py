"""What is read off screens, as facts of the stage `deliver`."""

from gatewright.model.deliveries import ShownScreen, Worker, WorkerTranscript
from gatewright.model.screens import GateKind, Pane, PaneClass
from gatewright.runtimes.screens.delivery import facts


def test_screens_are_facts_by_their_class_kind_and_end():
    after = Pane(pane_class=PaneClass.LIMIT, gate_kind=GateKind.QUOTA, reset_at="2026-11-28T20:00:00Z", marker="x")
    assert facts(None, after, transcript_confirms=True, alive=False) == {
        "before": None,
        "after": ShownScreen.of(PaneClass.LIMIT, GateKind.QUOTA, "2026-11-28T20:00:00Z"),
        "transcript": WorkerTranscript(confirms=True),
        "worker": Worker(alive=False),
    }


def test_a_screen_as_a_fact_has_the_class_that_policies_name():
    shown = ShownScreen.of(PaneClass.BUSY)
    assert (getattr(shown, "class"), shown.pane_class, shown.gate_kind) == ("busy", "busy", None)
