"""What comes in: each fact is held to its type and copied, and what does not fit is not there."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone

import pytest
from msgspec import structs
from tests.runner.gates import gate_of, own_rule, request, shipped_gate

from gatewright.model import Contract, Mentions, Moment, TicketPath, TierPolicy, Window, deny
from gatewright.spec import given, rule


class Text(str):
    """A text with a will of its own."""

    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Whole(int):
    """A number with a will of its own."""


@pytest.mark.parametrize("agents", [True, False, 1.0, "1", None, [], {}, b"1", 2**63, -(2**63) - 1, Whole(1), object()])
def test_only_a_whole_number_of_64_bits_is_an_integer(agents):
    assert not gate_of("- {id: a, deny: agents > 8}").decide({"agents": agents}).allow


@pytest.mark.parametrize("runtime", [5, None, True, b"codex", ["codex"], Text("codex"), "x" * 1_000_001])
def test_only_a_plain_text_of_bounded_length_is_text(runtime):
    assert not gate_of("- {id: a, deny: runtime == 'fable'}").decide({"runtime": runtime}).allow


@pytest.mark.acceptance("EX-05")
@pytest.mark.parametrize("flag", [0, 1, "true", "false", None, [], 1.0])
def test_only_true_and_false_are_booleans(flag):
    on = given("on", bool, "A switch.", stages=("check",))
    gate = gate_of("- {id: a, deny: on}", on)
    assert gate.decide({"on": False}).allow
    assert not gate.decide({"on": flag}).allow


@pytest.mark.parametrize(
    "share",
    [float("nan"), float("inf"), float("-inf"), "0.5", True, None, 10**400, [0.5]],
    ids=["nan", "inf", "-inf", "text", "true", "null", "huge", "list"],
)
def test_only_a_finite_number_is_a_number(share):
    fact = given("share", float, "A share.", stages=("check",))
    gate = gate_of("- {id: a, deny: share > 0.9}", fact)
    assert gate.decide({"share": 0.5}).allow
    assert gate.decide({"share": 0}).allow
    assert not gate.decide({"share": share}).allow


DEEP: dict[str, object] = {}
DEEP["again"] = DEEP
NO_LABELS = {
    "null": None,
    "a number": 5,
    "a text": "team",
    "a list": ["team"],
    "a number inside": {"team": 5},
    "null inside": {"team": None},
    "a list inside": {"team": ["x"]},
    "a key that is a number": {5: "x"},
    "itself inside": DEEP,
    "too many": {str(number): "x" for number in range(20_001)},
    "too long": {"team": "x" * 1_000_001},
    "a text of another class": {"team": Text("core")},
}


@pytest.mark.parametrize("labels", NO_LABELS.values(), ids=NO_LABELS)
def test_only_a_map_of_texts_is_a_map_of_texts(labels):
    gate = gate_of("- {id: a, deny: has(labels.frozen)}")
    assert gate.decide({"labels": {"team": "x"}}).allow
    assert gate.decide({"labels": labels}).reasons == ("FACT_UNAVAILABLE",)


@pytest.mark.parametrize("roots", [None, "x", {"a": "b"}, [5], [None], [["x"]], [Text("x")], {"x"}])
def test_only_a_list_of_texts_is_a_list_of_texts(roots):
    gate = gate_of("- {id: a, deny: \"'/' in known_roots\"}")
    assert gate.decide({"known_roots": ["x"]}).allow
    assert gate.decide({"known_roots": ("x",)}).allow
    assert not gate.decide({"known_roots": roots}).allow


NO_WINDOWS = [
    *(None, 5, "x", [], {5: 1}, {"used": "1"}, {"used": True}, {"used": 1.5}),
    *({"used": 1, "extra": 2}, {"cap": float("nan")}),
]


@pytest.mark.parametrize("window", NO_WINDOWS, ids=repr)
def test_a_noun_is_a_map_of_its_own_fields_of_their_own_kinds(window):
    gate = gate_of("- {id: a, deny: window.used == 99}")
    assert gate.decide({"window": {"used": 1, "cap": None}}).allow
    assert not gate.decide({"window": window}).allow


NOT_A_NUMBER = float("nan")


@pytest.mark.parametrize(
    ("changed", "allowed"),
    [
        ({"window": Window(used=0, cap=8)}, True),
        ({"window": Window(used=NOT_A_NUMBER, cap=8)}, False),
        ({"window": Window(used=0, cap=NOT_A_NUMBER)}, False),
        ({"window": Window(used=False, cap=8)}, False),
        ({"window": Window(used=-1e308, cap=8)}, False),
        ({"contract": Contract(path="x", readable=True)}, True),
        ({"contract": Contract(path="x", readable="no")}, False),
        ({"contract": Contract(path="x", readable=1)}, False),
        ({"contract": Contract(path="x", readable=True, mentions=None)}, False),
        ({"contract": Contract(path="x", readable=True, mentions=Mentions(mcp="yes"))}, False),
        ({"contract": Contract(path="x", readable=True, mentions=TicketPath(inside=True))}, False),
        ({"contract": Contract(path="x", readable=True, mentions=Mentions(paths="/home/eve"))}, False),
        ({"ticket_path": TicketPath(inside=True)}, True),
        ({"ticket_path": TicketPath(inside="no")}, False),
        ({"ticket_path": TicketPath(inside=[1])}, False),
        ({"tier_policy": TierPolicy(path="x", loaded="no")}, False),
        ({"tier_policy": TierPolicy(path="x", loaded=True, table={"version": 2})}, False),
        ({"tier_policy": TierPolicy(path="x", loaded=True, table=None)}, False),
    ],
    ids=lambda value: repr(value)[:90],
)
def test_a_noun_made_by_hand_is_held_to_its_types_as_a_map_is(changed, allowed):
    assert shipped_gate().decide(request(**changed)).allow is allowed


@pytest.mark.parametrize(
    ("now", "epoch"),
    [
        ("2026-11-29T12:00:00Z", 1_795_953_600),
        (1_795_953_600, 1_795_953_600),
        (1_795_953_600.5, 1_795_953_600.5),
        (datetime(2026, 11, 29, 12, tzinfo=UTC), 1_795_953_600),
        (datetime(2026, 11, 29, 21, tzinfo=timezone(timedelta(hours=9))), 1_795_953_600),
        (Moment.at(1_795_953_600), 1_795_953_600),
    ],
)
def test_a_time_is_text_seconds_or_a_datetime_with_a_zone(now, epoch):
    gate = gate_of(f"- {{id: a, require: now.epoch == {epoch}}}")
    assert gate.decide({"now": now}).allow


class Timely:
    """Something that says it is a time and is none."""

    tzinfo = UTC

    def timestamp(self):
        raise SystemExit(0)


NO_TIMES = {
    "null": None,
    "empty": "",
    "a word": "noon",
    "text without a zone": "2026-11-29T12:00:00",
    "a datetime without a zone": datetime(2026, 11, 29, 12),  # noqa: DTZ001  that is what is refused
    "true": True,
    "a list": [],
    "an empty map": {},
    "a map": {"epoch": 0, "text": "x"},
    "nan": float("nan"),
    "beyond the years": 1e300,
    "far beyond the years": 10**400,
    "something that fails": Timely(),
    "a moment whose parts do not agree": structs.replace(Moment.at(0), epoch=1.0),
}


@pytest.mark.parametrize("now", NO_TIMES.values(), ids=NO_TIMES)
def test_anything_else_is_no_time(now):
    gate = gate_of("- {id: a, deny: now.epoch == 5}")
    assert not gate.decide({"now": now}).allow


class Hostile(Mapping):
    """A map that fails when it is looked into."""

    def __getitem__(self, key):
        raise RuntimeError

    def __iter__(self):
        raise RuntimeError

    def __len__(self):
        return 1


@pytest.mark.parametrize("name", ["labels", "window", "contract", "known_roots", "agents", "now"])
def test_a_fact_that_fails_when_it_is_looked_at_cannot_be_had(name):
    condition = {
        "labels": "has(labels.x)",
        "window": "window.used == 5",
        "contract": "contract.mentions.mcp",
        "known_roots": "len(known_roots) > 9",
        "agents": "agents > 5",
        "now": "now.epoch == 5",
    }[name]
    assert not gate_of(f"- {{id: a, deny: {condition}}}").decide({name: Hostile()}).allow


class Interrupted(Hostile):
    """A map in whose reading the user presses Ctrl-C."""

    def __iter__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize("name", ["labels", "window"])
def test_a_user_who_interrupts_is_obeyed_even_while_a_fact_is_looked_at(name):
    gate = gate_of("- {id: a, deny: has(labels.frozen) or window.used == 5}")
    with pytest.raises(KeyboardInterrupt):
        gate.decide({name: Interrupted()})


def test_what_a_caller_does_to_its_facts_afterwards_changes_no_decision():
    gate = gate_of("- {id: a, deny: has(labels.frozen) or len(known_roots) > 0}")
    facts = {"labels": {}, "known_roots": []}
    admitted = gate.admit(facts)
    facts["labels"]["frozen"] = "yes"
    facts["known_roots"].append("/")
    assert gate.decide(admitted).allow


def test_a_rule_that_changes_a_default_changes_it_for_no_later_decision():
    @rule(codes=["MINE"])
    def changing(labels: Mapping[str, str]):
        """Deny where a label is there, and add one."""
        if labels:
            yield deny("MINE", "there is a label")
        labels["added"] = "yes"  # type: ignore[index]  # a rule that does what it must not

    gate = gate_of("- use: changing", changing)
    first = gate.decide({}).to_dict()
    assert gate.decide({}).to_dict() == first
    assert gate_of("- {id: a, deny: has(labels.added)}").decide({}).allow


def test_a_rule_that_changes_a_fact_changes_it_for_no_other_rule():
    @rule(codes=["MINE"])
    def clearing(known_roots: list[str]):
        """Clear the known roots, as no rule should."""
        known_roots.clear()
        yield from ()

    gate = gate_of("- use: clearing\n- {id: a, deny: \"'/' in known_roots\"}", clearing)
    admitted = gate.admit({"known_roots": ["/"]})
    assert gate.decide(admitted).reasons == ("A",)
    assert gate.decide(admitted).reasons == ("A",)


def test_a_rule_is_not_handed_what_was_refused():
    asked = own_rule(lambda agents: [deny("MINE", repr(agents))])
    assert gate_of("- use: mine", asked).decide({"agents": Whole(1)}).reasons == ("FACT_UNAVAILABLE",)


@pytest.mark.parametrize(
    ("fact", "value", "why"),
    [
        ("tier", 5, "`tier` is a number, and text or null is due"),
        ("cost_proxy", 3000.5, "`cost_proxy` is a decimal number, and an integer or null is due"),
        ("known_roots", [1], "`known_roots` holds something else than a list of text"),
        ("known_roots", "a", "`known_roots` is text, and a list of text is due"),
        ("window", {"used": 1.5, "cap": 4}, "`window.used` is a decimal number, and an integer or null is due"),
        ("window", {"used": 1}, "`window.cap` is missing"),
        ("window", {"used": 1, "kap": 4}, "`window` has no field `kap` (did you mean `cap`?)"),
        ("window", 5, "`window` is a number, and a record of its fields is due"),
        ("ticket_path", {"inside": "no"}, "`ticket_path.inside` is text, and a boolean is due"),
    ],
)
def test_what_does_not_fit_is_told_in_kinds_and_fields_and_never_by_value(fact, value, why):
    missing = shipped_gate().admit({**request(), fact: value}).missing[fact]
    assert missing.why == why


@pytest.mark.parametrize("now", ["yesterday", "2026-11-29", "2026-11-29T12:00:00", 10**30, [], datetime(2026, 11, 29)])  # noqa: DTZ001  without a zone
def test_a_time_that_is_none_is_told_with_the_forms_that_are(now):
    facts = gate_of('- {id: a, deny: now.time > "12:00"}').admit({"now": now})
    assert facts.missing["now"].why.startswith("`now` is no time: give RFC 3339 text")


@pytest.mark.parametrize("mentions", [5, {"mcp": "yes"}, {"mcq": True}])
def test_a_record_within_a_record_is_held_to_its_fields_too(mentions):
    contract = {"path": "job.md", "readable": True, "mentions": mentions}
    why = gate_of("- {id: a, deny: contract.mentions.mcp}").admit({"contract": contract}).missing["contract"].why
    assert why in (
        "`contract.mentions` is a number, and a record of its fields is due",
        "`contract.mentions.mcp` is text, and a boolean is due",
        "`contract.mentions` has no field `mcq` (did you mean `mcp`?)",
    )
