"""Reading a transcript line by line, whatever it is and whatever stands in it."""

import os
import socket

import pytest
from tests.probes.transcripts.sessions import NEWEST, TABLE, answer, answers, task, write

from gatewright.errors import FileError
from gatewright.model.measurements import Agreement
from gatewright.probes.transcripts import lines as lines_module
from gatewright.probes.transcripts.lines import Lines
from gatewright.probes.transcripts.measuring import measure
from gatewright.probes.transcripts.places import Sought

ROW = b'{"type":"assistant","message":{"id":"m","model":"claude-sonnet-5"}}'


def models(path) -> list[object]:
    return [row.message.model for row in Lines(str(path))]


@pytest.mark.acceptance("MP-C13")
def test_only_a_line_feed_ends_a_line(tmp_path):
    text = answer(NEWEST, "m", note="a\u2028b\u2029c\u0085d\x0be\x0cf")
    lines = Lines(write(tmp_path / "t.jsonl", text, ROW + b"\r"))
    assert [row.message.model for row in lines] == [NEWEST, NEWEST]
    assert (lines.rows, lines.skipped, lines.torn) == (2, 0, False)


@pytest.mark.acceptance("M14")
@pytest.mark.parametrize(
    "line",
    [
        ROW.replace(b'"m"', b'"\xff\xfe"'),
        ROW.replace(b'"m"', b'"\\ud83d"'),
        ROW.replace(b'"m"', b'"a\x00b"'),
        ROW.replace(b'"m"', b'"a\tb"'),
        b"\xef\xbb\xbf" + ROW,
        b"\x00" * 4096 + ROW,
        ROW[:-1] + b',"cost":NaN}',
        ROW[:-1] + b',"type":"assistant"}',
        ROW[:-1] + b',"agentId":' + b"9" * 6000 + b"}",
        ROW[:-1] + b',"error":1e999}',
    ],
    ids=["bytes", "surrogate", "nul", "tab", "mark", "nuls", "nan", "twice", "digits", "infinite"],
)
def test_a_row_that_can_be_understood_is_read(tmp_path, line):
    path = tmp_path / "t.jsonl"
    path.write_bytes(line + b"\n")
    assert models(path) == [NEWEST]


@pytest.mark.acceptance("M14")
@pytest.mark.parametrize(
    "line",
    [b"{", b"\xff\xfe{\x00", b'{"a":' * 100_000, b"[" * 100_000, ROW + ROW, ROW[:-2], b"\x1b[2Jclaude-opus-5"],
    ids=["brace", "utf-16", "deep objects", "deep lists", "glued", "cut", "screen"],
)
def test_a_line_that_is_no_row_is_skipped_and_the_rest_counts(tmp_path, line):
    path = tmp_path / "t.jsonl"
    path.write_bytes(line + b"\n" + ROW + b"\n")
    lines = Lines(str(path))
    assert [row.message.model for row in lines] == [NEWEST]
    assert (lines.rows, lines.skipped) == (1, 1)


@pytest.mark.acceptance("M14")
@pytest.mark.parametrize(("end", "rows", "torn"), [(ROW, 2, False), (ROW[:40], 1, True), (b"", 1, False)])
def test_a_last_line_without_its_end_counts_where_it_is_whole_and_is_skipped_and_told_where_not(
    tmp_path, end, rows, torn
):
    path = tmp_path / "t.jsonl"
    path.write_bytes(ROW + b"\n" + end)
    lines = Lines(str(path))
    assert len(list(lines)) == rows
    assert (lines.skipped, lines.torn) == (int(torn), torn)


def test_what_is_appended_meanwhile_is_left_for_the_next_time(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes((ROW + b"\n") * 3)
    seen = []
    for row in Lines(str(path)):
        seen.append(row)
        with path.open("ab") as file:
            file.write(ROW + b"\n")
    assert len(seen) == 3


def test_a_line_beyond_the_limit_is_passed_over_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr(lines_module, "MAX_LINE", 1000)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"x":"' + b"a" * 5000 + b'"}\n' + ROW + b"\n" + b"b" * 3000)
    lines = Lines(str(path))
    assert [row.message.model for row in lines] == [NEWEST]
    assert (lines.rows, lines.skipped, lines.too_long) == (1, 2, 2)


def test_a_line_as_long_as_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(lines_module, "MAX_LINE", len(ROW) + 1)
    path = tmp_path / "t.jsonl"
    path.write_bytes((ROW + b"\n") * 2)
    assert models(path) == [NEWEST, NEWEST]


@pytest.mark.acceptance("MP-C15")
def test_a_first_row_of_megabytes_hides_nothing(tmp_path):
    file = write(tmp_path / "t.jsonl", task("A" * 3_000_000), *answers(NEWEST))
    assert measure(Sought(transcript=file), declared=NEWEST, table=TABLE).agreement is Agreement.OK


def opened(kind, path):
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    elif kind == "link to itself":
        path.symlink_to(path.name)
    elif kind == "socket":
        socket.socket(socket.AF_UNIX).bind(str(path))
    elif kind == "device":
        path.symlink_to("/dev/zero")


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("kind", ["nothing", "folder", "pipe", "dangling link", "link to itself", "socket", "device"])
def test_what_is_no_plain_file_is_refused_in_a_sentence(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    opened(kind, tmp_path / "t")
    with pytest.raises(FileError):
        list(Lines("t"))
    found = measure(Sought(transcript="t"), declared=NEWEST)
    assert (found.agreement, found.measured) == (Agreement.UNVERIFIED, None)
    assert found.problem is not None
    assert found.problem.startswith("t: ")


def test_a_link_to_a_transcript_is_followed(tmp_path):
    (tmp_path / "link").symlink_to(write(tmp_path / "t.jsonl", ROW))
    assert models(tmp_path / "link") == [NEWEST]


@pytest.mark.acceptance("M05", "M14")
@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "there is no answer in it yet"),
        (b"\n\n", "there is no answer in it yet"),
        (b'{"type":"user"}\n', "there is no answer in it yet"),
        ("❯ go\n● model: claude-opus-5\n".encode(), "no line of it is a row in JSON: this is no transcript"),
    ],
    ids=["empty", "blank", "no answer", "a pane's log"],
)
def test_what_tells_no_model_says_why(tmp_path, data, problem):
    path = tmp_path / "t.jsonl"
    path.write_bytes(data)
    found = measure(Sought(transcript=str(path)), declared=NEWEST)
    assert (found.measured, found.agreement) == (None, Agreement.UNVERIFIED)
    assert (found.problem or "").startswith(problem)
