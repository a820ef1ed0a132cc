"""Trees: precedences, places, and the limits that keep every expression small."""

import pytest
from tests.expressions.faults import marked, of_parser

from gatewright.expressions import nodes, parser
from gatewright.expressions.nodes import (
    Arith,
    Bool,
    Call,
    Compare,
    Field,
    Index,
    ListLiteral,
    Literal,
    Name,
    Negate,
    Not,
)

LIMIT = "EXPR_LIMIT"


def shape(node):  # noqa: C901, PLR0911  one case a class of node
    """A tree as a nested tuple, without places."""
    match node:
        case Literal(value=value):
            return value
        case ListLiteral(items=items):
            return [shape(item) for item in items]
        case Name(name=name):
            return name
        case Field(base=base, name=name):
            return (shape(base), ".", name)
        case Index(base=base, key=key):
            return (shape(base), "[]", shape(key))
        case Not(operand=operand):
            return ("not", shape(operand))
        case Negate(operand=operand):
            return ("-", shape(operand))
        case Bool(op=op, parts=parts):
            return (op, *map(shape, parts))
        case Arith(op=op, left=left, right=right):
            return (op, shape(left), shape(right))
        case Compare(first=first, ops=ops, rest=rest):
            return (
                "?",
                shape(first),
                *(part for op, each in zip(ops, rest, strict=True) for part in (op, shape(each))),
            )
        case Call(function=function, args=args):
            return (function, *map(shape, args))
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a or b and not c", ("or", "a", ("and", "b", ("not", "c")))),
        ("(a or b) and c", ("and", ("or", "a", "b"), "c")),
        ("a and b and c", ("and", "a", "b", "c")),
        ("not a == b", ("not", ("?", "a", "==", "b"))),
        ("not not a", ("not", ("not", "a"))),
        ("not a in b", ("not", ("?", "a", "in", "b"))),
        ("a not in b", ("?", "a", "not in", "b")),
        ("a is null", ("?", "a", "is", None)),
        ("a is not None", ("?", "a", "is not", None)),
        ("a < b <= c", ("?", "a", "<", "b", "<=", "c")),
        ("a - b - c", ("-", ("-", "a", "b"), "c")),
        ("a + b * c", ("+", "a", ("*", "b", "c"))),
        ("(a + b) * c", ("*", ("+", "a", "b"), "c")),
        ("-a * b", ("*", ("-", "a"), "b")),
        ("-a.b", ("-", ("a", ".", "b"))),
        ("a - -1", ("-", "a", -1)),
        ("- - 1", 1),
        ("-1.5", -1.5),
        ("a + 1 == b - 1", ("?", ("+", "a", 1), "==", ("-", "b", 1))),
        ("a.b[c].d", ((("a", ".", "b"), "[]", "c"), ".", "d")),
        ('a["b"][0]', (("a", "[]", "b"), "[]", 0)),
        ("a[b or c]", ("a", "[]", ("or", "b", "c"))),
        ("len(a) > 1", ("?", ("len", "a"), ">", 1)),
        ("default(a.b, [1, 2,])", ("default", ("a", ".", "b"), [1, 2])),
        ('a in ("b", "c")', ("?", "a", "in", ["b", "c"])),
        ('a in ("b",)', ("?", "a", "in", ["b"])),
        ('("b")', "b"),
        ("[]", []),
        ("[-1, true, null]", [-1, True, None]),
        ("((a))", "a"),
        ("a.len and a.has and a.true", ("and", ("a", ".", "len"), ("a", ".", "has"), ("a", ".", "true"))),
    ],
)
def test_precedences_are_the_usual_ones(text, tree):
    assert shape(parser.parse(text)) == tree


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        (" a.b ", Field, "a.b"),
        ("x and a[0]", Index, "a[0]"),
        ("x and not y", Not, "not y"),
        ("1 - -y", Negate, "-y"),
        ("1 - -5", Arith, "1 - -5"),
        ("x == [1, 2]", ListLiteral, "[1, 2]"),
        ("x in (1, 2) and y", ListLiteral, "(1, 2)"),
        ("x and len( y )", Call, "len( y )"),
        ("(a or b) and c", Bool, "(a or b) and c"),
    ],
)
def test_a_node_spans_its_characters(text, kind, part):
    (first, *_) = [node for node in nodes.walk(parser.parse(text)) if isinstance(node, kind)]
    assert text[first.start : first.end] == part


def test_the_facts_of_an_expression_are_read_in_order_and_once():
    assert nodes.roots(parser.parse("b.x > 1 and a[c] == b or has(d.e)")) == ["b", "a", "c", "d"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("a.b", True), ("len(a.b) > 1 or c", True), ("a.c", False), ("c.b", False), ("a.c.b", False), ('a["b"]', False)],
)
def test_whether_a_field_is_read_is_seen_in_the_tree(text, answer):
    assert nodes.reads_field(parser.parse(text), "a", "b") is answer


@pytest.mark.parametrize(("text", "root"), [("a.b[0].c", "a"), ("a", "a"), ("lower(a).b", None), ("1", None)])
def test_a_path_starts_at_a_fact(text, root):
    found = nodes.path_root(parser.parse(text))
    assert (found and found.name) == root


# -- limits --------------------------------------------------------------------------------------------------------

DEEP = {
    "parentheses": ("(", "a", ")"),
    "negations": ("not ", "a", ""),
    "minuses": ("- ", "a", ""),
    "calls": ("len(", "a", ")"),
    "lists in keys": ("a[", "0", "]"),
    "fields": ("", "a", ".b"),
    "elements": ("", "a", "[0]"),
    "sums": ("", "a", " + a"),
    "products": ("", "a", " * a"),
}


@pytest.mark.parametrize("kind", DEEP)
def test_nesting_ends_at_forty(kind):
    opening, core, closing = DEEP[kind]
    parser.parse(opening * 40 + core + closing * 40)
    fault = of_parser(opening * 41 + core + closing * 41)
    assert (fault.code, fault.message) == (LIMIT, "nested more than 40 deep")


def test_nesting_counts_across_kinds():
    text = "not (" * 20 + "a" + ")" * 20
    parser.parse(text)
    assert of_parser(f"not {text}").code == LIMIT


def test_what_stands_side_by_side_is_not_nested():
    side = " and ".join(["not (not (a + 1 > len(b.c)))"] * 20)
    assert isinstance(parser.parse(side), Bool)


def test_an_expression_has_at_most_300_parts():
    # Each comparison is three parts, and the list of alternatives one more.
    text = " or ".join(["a > 1"] * 99)
    parser.parse(f"{text} or a")
    fault = of_parser(f"{text} or a or a or a")
    assert fault.code == LIMIT
    assert "300" in fault.message


def test_the_elements_of_a_list_are_not_counted():
    listed = ", ".join(f'"m{number}"' for number in range(400))
    tree = parser.parse(f"a in [{listed}]")
    assert len(tree.rest[0].items) == 400


def test_a_limit_is_blamed_on_the_part_that_reached_it():
    text = " or ".join(["a > 1"] * 101)
    fault = of_parser(text)
    assert marked(text, fault) in ("a", "1", ">")
    assert fault.start > 700
