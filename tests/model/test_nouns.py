"""The structured facts: their fields are described, and nothing but their fields comes in."""

import msgspec
import pytest

from gatewright.expressions.kinds import descriptions, of_noun
from gatewright.model import Contract, Mentions, Moment, TicketPath, TierPolicy, Window

NOUNS = (Contract, Mentions, Moment, TicketPath, TierPolicy, Window)


@pytest.mark.parametrize("noun", NOUNS)
def test_every_field_that_expressions_see_is_described(noun):
    fields = of_noun(noun).fields
    assert fields is not None
    assert set(descriptions(noun)) == set(fields)


@pytest.mark.parametrize("noun", NOUNS)
def test_a_noun_is_frozen(noun):
    with pytest.raises(AttributeError):
        setattr(msgspec.convert(MINIMAL[noun], noun), next(iter(MINIMAL[noun] or noun.__struct_fields__)), None)


@pytest.mark.parametrize("noun", NOUNS)
def test_a_field_that_a_noun_does_not_have_is_refused(noun):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**MINIMAL[noun], "extra": 1}, noun)


MINIMAL = {
    Contract: {"path": "job.md", "readable": True},
    Mentions: {"mcp": True},
    Moment: {"epoch": 0.0, "text": "1970-01-01T00:00:00Z", "date": "1970-01-01", "time": "00:00", "weekday": "thu"},
    TicketPath: {"inside": True},
    TierPolicy: {"path": "t.json", "loaded": True},
    Window: {"used": 1, "cap": 8},
}


@pytest.mark.parametrize(("noun", "field"), [(Contract, "readable"), (TierPolicy, "loaded")])
def test_a_noun_that_may_be_missing_names_the_field_that_says_so(noun, field):
    assert field == noun.MISSING
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"path": "x"}, noun)


def test_expressions_do_not_see_the_table_itself():
    fields = of_noun(TierPolicy).fields
    assert fields is not None
    assert "table" not in fields
