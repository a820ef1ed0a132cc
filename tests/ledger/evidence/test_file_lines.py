"""Lines of a file whose places are known: many at once are read as one by one, or not at all."""

import os
from contextlib import contextmanager

from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.ledger.sources import FileLines

TEXTS = st.lists(st.sampled_from([b"", b"{}", b'{"a": 1}', b"  ", b"\r", b"x\r"]), min_size=1, max_size=6)
SLIPS = st.lists(st.tuples(st.integers(0, 5), st.integers(-2, 2), st.integers(-2, 2)), max_size=2)


@contextmanager
def opened(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("lines") / "l.jsonl"
    path.write_bytes(data)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield FileLines(descriptor, len(data))
    finally:
        os.close(descriptor)


def one_by_one(file, starts, lengths, before):
    found = []
    for start, length in zip(starts, lengths, strict=True):
        try:
            found.append(file.row(None, start, length, before))
        except ValueError:
            return None
        before = start + length
    return found


@examples(300)
@given(texts=TEXTS, slips=SLIPS, before=st.integers(0, 3))
def test_many_lines_at_once_are_those_that_are_read_one_by_one(tmp_path_factory, texts, slips, before):
    head = b"\n" * before
    starts, lengths = [], []
    for at, text in enumerate(texts):
        starts.append(len(head) + sum(map(len, texts[:at])) + at)
        lengths.append(len(text))
    for at, moved, longer in slips:
        if at < len(texts):
            starts[at], lengths[at] = starts[at] + moved, lengths[at] + longer
    with opened(head + b"\n".join(texts) + b"\n", tmp_path_factory) as file:
        quick, slow = file.rows(starts, lengths, 0), one_by_one(file, starts, lengths, 0)
        assert quick in (None, slow)
        if not slips:
            assert quick == texts
