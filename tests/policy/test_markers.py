"""Lists of known screens: what an entry says, and every mistake with its place."""

import pytest

from gatewright.errors import PolicyError
from gatewright.model.screens import Form, GateKind, KnownScreen, PaneClass
from gatewright.policy.markers import load
from gatewright.runtimes.screens.reading import Reader


def test_an_entry_says_how_a_screen_is_known():
    text = """screens:
  my-question:
    product: my-agent
    class: hook-trust
    gate_kind: approval
    markers: [May I?, Let me…now]
    least: 2
    versions: from 2
    source: my own
"""
    assert load(text.encode(), "own.yaml").by_name == {
        "my-question": KnownScreen(
            name="my-question",
            product="my-agent",
            pane_class=PaneClass.HOOK_TRUST,
            form=Form.DIALOG,
            markers=("May I?", "Let me…now"),
            least=2,
            gate_kind=GateKind.APPROVAL,
            versions="from 2",
            source="my own",
        )
    }


def test_a_screen_may_be_known_by_an_orchestrators_word_alone():
    text = b"screens: {a: {product: x, class: hook-trust, gate_kind: trust, reasons: [my-trust]}}\n"
    reader = Reader(load(text, "own.yaml"))
    assert reader.told("my-trust").gate_kind is GateKind.TRUST
    assert (reader.told("your-trust"), reader.told("")) == (None, None)
    assert reader.read("my-trust").pane_class is PaneClass.UNKNOWN


@pytest.mark.parametrize(
    ("shows", "form"),
    [
        ("hook-trust", Form.DIALOG),
        ("limit", Form.NOTICE),
        ("unknown", Form.NOTICE),
        ("busy", Form.STATUS),
        ("prepared-prompt", Form.PROMPT),
    ],
)
def test_the_form_is_what_is_usual_for_the_class(shows, form):
    found = load(f"screens: {{a: {{product: x, class: {shows}, markers: [abc]}}}}\n".encode(), "own.yaml")
    assert found.by_name["a"].form is form


def test_a_list_of_ones_own_adds_screens_and_replaces_those_of_the_same_name():
    first = load(b"screens:\n  a: {product: x, class: limit, markers: [No more]}\n", "a.yaml")
    own = load(b"screens:\n  a: {product: x, class: limit, markers: [All gone]}\n", "b.yaml")
    reader = Reader(first.merged(own))
    assert [reader.read(text).pane_class.value for text in ("No more", "All gone")] == ["unknown", "limit"]


def test_a_prompt_of_ones_own_is_known_by_its_sign():
    known = load("screens:\n  a: {product: x, class: prepared-prompt, markers: [λ]}\n".encode(), "own.yaml")
    assert Reader(known).read("ready\n\nλ\n").pane_class is PaneClass.PREPARED_PROMPT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{}\n", [(1, 1, "", "required key `screens` is missing")]),
        ("screens: []\n", [(1, 10, "screens", "`screens` is a map")]),
        ("screens:\n  a: {product: x, class: limit}\n", [(2, 6, "screens.a", "required key `markers` is missing")]),
        (
            "screens:\n  a: {product: x, class: limits, markers: [a]}\n",
            [(2, 26, "screens.a.class", "unknown class `limits`")],
        ),
        (
            "screens:\n  a: {product: x, class: limit, gate_kind: quotas, markers: [a]}\n",
            [(2, 44, "screens.a.gate_kind", "unknown gate kind `quotas`")],
        ),
        (
            "screens:\n  a: {product: x, class: limit, markers: []}\n",
            [(2, 42, "screens.a.markers", "there is no marker")],
        ),
        (
            "screens:\n  a: {product: x, class: limit, markers: ['…']}\n",
            [(2, 43, "screens.a.markers[0]", "the marker has no words")],
        ),
        (
            "screens:\n  a: {product: x, class: limit, markers: [a], least: 2}\n",
            [(2, 54, "screens.a.least", "`least` is 2, and there are 1 marker")],
        ),
        (
            "screens:\n  a: {product: x, class: limit, markers: [a], form: box}\n",
            [(2, 53, "screens.a.form", "unknown form `box`")],
        ),
    ],
)
def test_a_mistake_has_its_place(text, found):
    with pytest.raises(PolicyError) as caught:
        load(text.encode(), "own.yaml")
    told = [(each.place.line, each.place.column, each.path, each.message) for each in caught.value.problems]
    assert [each[:3] for each in told] == [each[:3] for each in found]
    assert [each[3].startswith(wanted[3]) for each, wanted in zip(told, found, strict=True)] == [True] * len(found)
