"""Expressions that fit a schema, contexts that fit it or only just, and expressions that fit the grammar alone."""

from hypothesis import strategies as st
from msgspec import Struct

from gatewright.expressions.kinds import ANY, BOOLEAN, INT_MAX, INT_MIN, INTEGER, NUMBER, TEXT, Kind, Type, of_noun
from gatewright.expressions.schema import Schema


class Named(Struct, frozen=True, kw_only=True):
    """A noun of one field."""

    name: str


class Shed(Struct, frozen=True, kw_only=True):
    """A noun that holds another, or none."""

    name: str
    size: int
    note: str | None = None
    owner: Named | None = None


def optional(kind):
    return Type(kind, optional=True)


PARAMS = Type(Kind.RECORD, fields={"cap": INTEGER, "limit": NUMBER, "names": Type(Kind.LIST, of=TEXT), "on": BOOLEAN})
NAMES = {
    "runtime": TEXT,
    "model": optional(Kind.TEXT),
    "agents": INTEGER,
    "est_chars": optional(Kind.INTEGER),
    "score": NUMBER,
    "ratio": optional(Kind.NUMBER),
    "ready": BOOLEAN,
    "approved": optional(Kind.BOOLEAN),
    "roles": Type(Kind.LIST, of=TEXT),
    "sizes": Type(Kind.LIST, of=INTEGER),
    "pool": Type(Kind.LIST, optional=True, of=TEXT),
    "mixed": Type(Kind.LIST, of=ANY),
    "labels": Type(Kind.MAP, of=TEXT),
    "caps": Type(Kind.MAP, of=optional(Kind.INTEGER)),
    "loose": Type(Kind.MAP, of=ANY),
    "site": of_noun(Shed),
    "pair": Type(Kind.RECORD, fields={"left": INTEGER, "right": optional(Kind.TEXT)}),
    "body": ANY,
    "other": ANY,
    "params": PARAMS,
}
SCHEMA = Schema(names=NAMES)

KEYS = ("a", "dev", "b", "x")
WORDS = ("", "a", "b", "dev", "x", "Dev", "gpt-5", "é", "a\nb")
QUOTED = tuple({word: f'"{word}"'.replace("\n", "\\n") for word in WORDS}.values())
WHOLE = (0, 1, 2, 3, -1, -2, 7, INT_MAX, INT_MAX - 1, -INT_MAX, 2**32, 2**62, 10**9)
FRACTIONS = (0.0, 0.5, -0.5, 1.0, 2.0, 1e308, -1e308, 1e-320, 9.223372036854775807e18, 3.0)
PATTERNS = ('"^a"', '"e"', '"^[a-z]+-[0-9]$"', '"x$"', '"\\\\."', 'r"^\\d*$"', '"(a|b)"')


def of(*choices):
    return st.sampled_from(choices)


def any_of(*strategies):
    """One of these, each as often as it is named, however many choices it has itself."""
    return st.sampled_from(strategies).flatmap(lambda chosen: chosen)


# -- values --------------------------------------------------------------------------------------------------------

texts = of(*WORDS)
integers = of(*WHOLE, INT_MIN) | st.integers(INT_MIN, INT_MAX)
numbers = of(*FRACTIONS) | st.floats(allow_nan=False, allow_infinity=False)
keys = of("a", "a", "dev", "dev", "b", "x")


def maps(values):
    """Maps that hold the first two keys, and the others perhaps."""
    first, second, *rest = KEYS
    return st.fixed_dictionaries({first: values, second: values}, optional=dict.fromkeys(rest, values))


def lists(values):
    some = st.lists(values, min_size=1, max_size=3)
    return any_of(some, some, some, st.just([]))


scalars = st.none() | st.booleans() | integers | numbers | texts
anything = st.recursive(scalars, lambda inner: lists(inner) | maps(inner), max_leaves=5)
sheds = st.builds(
    Shed,
    name=texts,
    size=integers,
    note=st.none() | texts,
    owner=st.none() | st.builds(Named, name=texts),
)
params = st.fixed_dictionaries({"cap": integers, "limit": numbers, "names": lists(texts), "on": st.booleans()})
contexts = st.fixed_dictionaries(
    {
        "runtime": texts,
        "model": st.none() | texts,
        "agents": integers,
        "est_chars": st.none() | integers,
        "score": numbers,
        "ratio": st.none() | numbers,
        "ready": st.booleans(),
        "approved": st.none() | st.booleans(),
        "roles": lists(texts),
        "sizes": lists(integers),
        "pool": st.none() | lists(texts),
        "mixed": lists(anything),
        "labels": maps(texts),
        "caps": maps(st.none() | integers),
        "loose": maps(anything),
        "site": sheds,
        "pair": st.fixed_dictionaries({"left": integers, "right": st.none() | texts}),
        "body": maps(scalars) | anything,
        "other": scalars,
        "params": params,
    }
)

# -- expressions that fit SCHEMA -----------------------------------------------------------------------------------


def dotted(base):
    """A field of a map, in either spelling."""
    return st.builds(lambda key, dot: f"{base}.{key}" if dot else f'{base}["{key}"]', keys, st.booleans())


loose_paths = (
    of("other", "body.a", "body.dev", 'loose["a"]', "loose.dev", "mixed[0]")
    | dotted("body")
    | dotted("loose")
    | of("body", "body[0]", "body[-1]", "mixed[agents]", "body[model]", "loose[runtime]", "mixed[1].a", "body.a.dev")
)
text_paths = of(
    "runtime", "model", "site.name", "site.note", "site.owner.name", "pair.right", "roles[0]", "roles[-1]", "pool[0]"
) | dotted("labels")
text_literals = of(*QUOTED, "'dev'", 'r"gpt-5"', '"\\x61"')
integer_paths = of("agents", "est_chars", "site.size", "pair.left", "sizes[0]", "params.cap", "caps[runtime]") | dotted(
    "caps"
)
integer_literals = of(*(str(number) for number in WHOLE), "0x10", "1_000")
number_paths = of("score", "ratio", "params.limit")
number_literals = of(*(repr(number) for number in FRACTIONS))
boolean_paths = of("ready", "approved", "params.on")
list_paths = of("roles", "pool", "params.names")
map_paths = of("labels", "caps", "loose")
paths = text_paths | integer_paths | number_paths | boolean_paths | list_paths | map_paths | loose_paths
text_lists = st.lists(text_literals | of("null"), min_size=1, max_size=4).map(lambda items: f"[{', '.join(items)}]")
number_lists = st.lists(integer_literals | number_literals, min_size=1, max_size=4).map(
    lambda items: f"({', '.join(items)},)"
)


def joined(template, *parts):
    return st.builds(template.format, *parts)


def text_expressions(depth):
    plain = any_of(text_paths, text_paths, text_literals, text_literals, loose_paths)
    if depth == 0:
        return plain
    inner = st.deferred(lambda: text_expressions(depth - 1))
    given = joined("default({}, {})", text_paths | loose_paths, text_literals | of("null"))
    return any_of(plain, plain, joined("lower({})", inner), given)


def number_expressions(depth):
    plain = any_of(integer_paths, integer_paths, integer_literals, number_paths, number_literals, loose_paths)
    if depth == 0:
        return plain
    inner = st.deferred(lambda: number_expressions(depth - 1))
    sized = joined("len({})", text_paths | list_paths | map_paths | loose_paths)
    given = joined("default({}, {})", integer_paths | loose_paths, integer_literals)
    sums = joined("({} {} {})", inner, of("+", "-", "*"), inner)
    return any_of(plain, plain, sums, sums, joined("-({})", inner), sized, given)


def comparisons(depth):
    numeric, textual = number_expressions(depth), text_expressions(depth)
    orders = of("<", "<=", ">", ">=")
    chain = joined("{0} {3} {1} {4} {2}", numeric, numeric, numeric, of("<", "<="), of("<", "<="))
    back = joined("{0} {3} {1} {4} {2}", textual, textual, textual, of(">", ">="), of(">", ">="))
    ins = of("in", "not in")
    nullness = joined("{} {} null", paths, of("==", "!=", "is", "is not"))
    return any_of(
        joined("{} {} {}", numeric, of("==", "!="), numeric),
        joined("{} {} {}", textual, of("==", "!="), textual),
        joined("{} {} {}", numeric, orders, numeric),
        joined("{} {} {}", textual, orders, textual),
        chain,
        back,
        nullness,
        joined("{} {} {}", textual, ins, text_lists),
        joined("{} {} {}", numeric, ins, number_lists),
        joined("{} {} {}", textual, ins, any_of(list_paths, map_paths, loose_paths)),
        joined("{} {} {}", numeric, ins, of("sizes", "mixed") | loose_paths),
        joined("{} {} {}", list_paths, of("==", "!="), list_paths | text_lists),
        joined("{} {} {}", loose_paths, of("==", "!="), loose_paths),
        joined("{}({}, {})", of("starts_with", "ends_with", "contains"), textual, textual),
        joined("matches({}, {})", textual, of(*PATTERNS)),
        joined("has({})", paths),
    )


def conditions(depth=2):
    """Conditions that the checker takes, most of the time."""
    comparison = comparisons(max(depth - 1, 0))
    plain = any_of(comparison, comparison, comparison, boolean_paths | loose_paths | of("true", "False"))
    if depth == 0:
        return plain
    inner = st.deferred(lambda: conditions(depth - 1))
    return any_of(
        plain,
        joined("{} and {}", inner, inner),
        joined("{} or {}", inner, inner),
        joined("({} or {}) and {}", inner, inner, inner),
        joined("not ({})", inner),
        joined("not {}", comparisons(0)),
        joined("({}) {} ({})", inner, of("==", "!="), inner),
    )


whole = of("agents", "site.size", "pair.left", "sizes[0]") | of(*(str(number) for number in WHOLE))
sums = st.recursive(
    whole | whole | of("est_chars", "score", "ratio", "0.5", "1e308", "other"),
    lambda inner: joined("({} {} {})", inner, of("+", "-", "*"), inner) | joined("-({})", inner),
    max_leaves=6,
)
expressions = any_of(conditions(), conditions(), conditions(), number_expressions(3), text_expressions(2), paths)

# -- expressions that fit the grammar, whatever their kinds ---------------------------------------------------------

_SPACE = of("", " ", " ", "\n", "\t ", "\r\n  ")
_NAME = of("a", "agents", "x_1", "match", "type", "Z9", "labels", "nullable", "orders", "notes", "inner")
_LITERAL = of(
    *("0", "7", "0x1F", "1_000", "1.5", "2e3", "9223372036854775807", "1.25E-3", "true", "True", "null", "None"),
    *('"a"', "'b'", '"it\'s"', r'"\x41\u00e9\n\t\\"', 'r"\\d+"', r'"\U0001F600"', "'\"'", "false", "False", '"é"'),
)


def spaced(*parts):
    """The parts with white space between them, at least one blank where words would run into each other."""
    return st.builds(lambda space, *words: (space or " ").join(words), _SPACE, *parts)


def _literal_lists():
    items = st.lists(_LITERAL, max_size=4)
    brackets = items.map(lambda each: f"[{', '.join(each)}]")
    parentheses = st.lists(_LITERAL, min_size=1, max_size=3).map(lambda each: f"({', '.join(each)},)")
    return brackets | parentheses


def _wider(inner):
    postfix = st.builds("({}).{}".format, inner, _NAME) | st.builds("({})[{}]".format, inner, inner)
    call = st.one_of(
        joined("{}({})", of("len", "lower", "has"), inner),
        joined("{}({}, {})", of("contains", "starts_with", "ends_with", "matches", "default"), inner, inner),
    )
    return st.one_of(
        spaced(inner, of("and", "or"), inner),
        spaced(of("not"), inner),
        joined("({})", inner),
        spaced(joined("({})", inner), of("+", "-", "*"), joined("({})", inner)),
        spaced(joined("({})", inner), of("==", "!=", "<", "<=", ">", ">=", "in", "not in"), joined("({})", inner)),
        spaced(joined("({})", inner), of("is", "is not"), of("null", "None", "(null)")),
        spaced(_NAME, of("<"), _LITERAL, of("<="), _NAME),
        spaced(_LITERAL, of("+", "-", "*"), _NAME, of("+", "-", "*"), _LITERAL),
        spaced(of("-"), joined("({})", inner)),
        postfix,
        call,
    )


grammar = st.recursive(_NAME | _LITERAL | _literal_lists(), _wider, max_leaves=12)
