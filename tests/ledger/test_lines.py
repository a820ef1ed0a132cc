"""A line of the ledger is the row that Python's own JSON reader makes of it, or none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.ledger.rows import RowKind, kind_of, read_line

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=9,
)


def plainly(line):
    """The object in a line, or nothing."""
    try:
        found = json.loads(line.decode("utf-8", "replace").strip("\ufeff\r\n\t \0"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def same(line):
    row = read_line(line)
    # Text, since NaN is not equal to itself.
    assert json.dumps(row.data) == json.dumps(plainly(line))
    assert (row.kind is RowKind.SKIPPED) == (not plainly(line))
    assert row.line == line
    assert kind_of(line) is row.kind


@examples(200)
@given(st.dictionaries(st.text(max_size=4), values, max_size=4), st.booleans())
def test_what_was_written_is_read(data, plain):
    same(json.dumps(data, ensure_ascii=plain).encode("utf-8", "surrogatepass"))


@examples(200)
@given(st.binary(max_size=30) | st.text('{}[]",:0123456789eE+-.\\u \ttrufalsn', max_size=30).map(str.encode))
def test_what_is_no_json_is_no_row(line):
    same(line)


@pytest.mark.acceptance("LE-03", "LE-07", "T21")
@pytest.mark.parametrize(
    "line",
    [
        b'{"a":1,"a":2}',
        b'{"a":1e999,"b":-0.0,"c":5e-324,"d":123456789012345678901234567890}',
        b'{"a":NaN,"b":-Infinity}',
        b'{"a":"\\ud800","b":"\xff\xfe"}',
        b'\xef\xbb\xbf{"a":1}\r',
        b'\0\0\0{"a":1}',
        b'{"a":1} {"b":2}',
        b'{"a":"\x01"}',
        b'{"a":01}',
        b"{'a':1}",
        b'{"a":' * 2000,
        b"[" * 200_000,
        b'{"a":' + b"[" * 900 + b"]" * 900 + b"}",
        b"{}",
        b"null",
        b"",
    ],
)
def test_odd_lines_are_read_as_python_reads_them(line):
    same(line)
