"""Lists and maps as wholes: compared by their elements, however many there are and of whatever kinds."""

from hypothesis import given
from hypothesis import strategies as st
from tests.expressions import strategies
from tests.expressions.fuzzing import examples

from gatewright.expressions.operators import OperationError, equal, member


def outcome(answer):
    """What a call answers, or that it has no answer."""
    try:
        return answer()
    except OperationError:
        return "no answer"


ALIKE = (
    st.lists(strategies.texts | st.none())
    | st.lists(strategies.integers | strategies.numbers)
    | st.lists(st.booleans())
)
LISTS = ALIKE | st.lists(strategies.scalars, max_size=4)


@examples(300)
@given(LISTS, LISTS)
def test_lists_are_equal_if_all_their_elements_are(left, right):
    wanted = outcome(lambda: len(left) == len(right) and all(map(equal, left, right)))
    assert outcome(lambda: equal(left, right)) is wanted
    assert outcome(lambda: equal(tuple(left), right)) is wanted
    assert outcome(lambda: equal(left, list(left))) is outcome(lambda: all(map(equal, left, left)))


@examples(300)
@given(LISTS, LISTS)
def test_maps_are_equal_if_they_have_the_same_keys_and_all_values_are(left, right):
    one, other = dict(enumerate(left)), dict(enumerate(right))
    assert outcome(lambda: equal(one, other)) is outcome(
        lambda: len(left) == len(right) and all(map(equal, left, right))
    )


@examples(300)
@given(strategies.scalars, LISTS)
def test_a_member_compares_with_every_element(item, held):
    wanted = outcome(lambda: True in [equal(item, each) for each in held])
    assert outcome(lambda: member(item, held)) is wanted
    assert outcome(lambda: member(item, [*held, item])) is outcome(
        lambda: True in [equal(item, each) for each in [*held, item]]
    )
