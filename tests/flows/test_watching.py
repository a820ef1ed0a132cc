"""A log moves, stalls, is missing, or says that the work is done: by its changes, or by the times in its lines."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.expressions.fuzzing import examples

from gatewright.errors import FileError
from gatewright.expressions.patterns import matcher
from gatewright.flows.watching import Watch, follow, look
from gatewright.probes.logs import MAX_LINE, Tail

NOW = 1_795_953_600.0  #: 2026-11-29T12:00:00Z


class Hands:
    """Clocks that go on while somebody sleeps; what is to happen meanwhile, happens then."""

    def __init__(self, *events):
        self.now, self.since_start, self.events = NOW, 50.0, list(events)

    def wall(self):
        return self.now

    def steady(self):
        return self.since_start

    def sleep(self, seconds):
        self.now += seconds
        self.since_start += seconds
        if self.events:
            self.events.pop(0)()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "job.log"


def written(log, text, ago=0.0):
    """Write the log, as if so many seconds before the beginning."""
    log.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(log, (NOW - ago, NOW - ago))


def appended(log, text, at):
    """What appends to the log at a time."""

    def append():
        with log.open("ab") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.utime(log, (at, at))

    return append


def told(watched):
    return watched.standing.value, watched.reason.value


def patterns(**given):
    return {name: matcher(pattern) for name, pattern in given.items()}


def nothing():
    """What happens when nothing does."""


# -- one look ----------------------------------------------------------------------------------------------------------


@pytest.mark.acceptance("V01", "V02", "G13")
@pytest.mark.parametrize(
    ("ago", "max_idle", "standing"),
    [
        (0, 360, "OK"),
        (360, 360, "OK"),
        (361, 360, "STALLED"),
        (360.5, 360, "STALLED"),
        (1, 0, "STALLED"),
        (0, 0, "OK"),
        (-30, 360, "OK"),
    ],
)
def test_a_log_has_stalled_once_it_stood_still_for_longer_than_it_may(log, ago, max_idle, standing):
    written(log, "working\n", ago)
    watched = look(Watch(log=str(log), max_idle=max_idle), Hands())
    assert told(watched) == (standing, standing)
    assert watched.to_dict() == {
        "status": standing,
        "idle_seconds": max(0, ago),
        "last_progress_at": NOW - ago,
        "reason": standing,
    }


def test_the_time_that_a_look_takes_is_no_idleness(log):
    class Slow(Hands):
        """Hands of which each question takes a second of the steady clock."""

        asked = 0

        def steady(self):
            self.asked += 1
            return super().steady() + self.asked

    written(log, "working\n", 360)
    watched = look(Watch(log=str(log), max_idle=360), Slow())
    assert (watched.idle_seconds, told(watched)) == (360, ("OK", "OK"))


@pytest.mark.acceptance("V01")
@pytest.mark.parametrize("name", ["job.log", "no/such/folder/job.log", "file/job.log", "dangling"])
def test_a_log_that_is_not_there_is_missing(tmp_path, name):
    (tmp_path / "file").write_text("")
    (tmp_path / "dangling").symlink_to("nowhere")
    watched = look(Watch(log=str(tmp_path / name)), Hands())
    assert watched.to_dict() == {
        "status": "MISSING",
        "idle_seconds": None,
        "last_progress_at": None,
        "reason": "LOG_MISSING",
    }


@pytest.mark.parametrize("given", [{}, {"progress": "^step"}])
def test_an_idle_log_has_no_line_looked_at_without_need(log, given):
    written(log, "step\n", 5)
    assert look(Watch(log=str(log), **patterns(**given)), Hands()).lines == len(given)


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("step at 2026-11-29T11:59:00Z\n", 60),
        ("step at 2026-11-29 11:59:00Z, 2026-11-29T11:59:30Z\n", 60),
        ("step 2026-11-29T12:58:30.5+01:00\n", 89.5),
        ("step 2026-11-29 12:58:30,500+0100\n", 89.5),
        ("step 2026-11-29T11:59:00,250Z\n", 59.75),
        (f"step {int(NOW) - 45}\n", 45),
        (f"step {int(NOW) - 45}.5 done\n", 44.5),
        ("step 2026-11-29T11:50:00Z\nstep 2026-11-29T11:58:00Z\nstep 2026-11-29T11:40:00Z\n", 120),
        ("2026-11-29T11:59:59Z chatter\nstep 2026-11-29T11:50:00Z\n", 600),
    ],
)
def test_progress_is_the_newest_time_in_the_lines_that_are_progress(log, line, seconds):
    written(log, line)
    watched = look(Watch(log=str(log), max_idle=3600, **patterns(progress="^step")), Hands())
    assert watched.idle_seconds == seconds


@pytest.mark.parametrize(
    "line",
    [
        "step 2099-01-01T00:00:00Z\n",  # it has not come yet
        "step 2026-13-45T99:00:00Z\n",
        "step one\n",
        "step 17959536001234\n",
        "chatter 2026-11-29T11:00:00Z\n",
        "step 2026-11-29T11:00:00Z",  # not complete
    ],
)
def test_without_such_a_time_the_change_of_the_log_is_progress(log, line):
    written(log, line, 7)
    assert look(Watch(log=str(log), **patterns(progress="^step")), Hands()).idle_seconds == 7


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a\nDONE\nb\n", "DONE"),
        ("DONE\r\n", "DONE"),
        ("DONE", None),
        ("not DONE\n", None),
        ("a\nDONE\n" * 3, "DONE"),
        (b"\xff\x00\nDONE\n", "DONE"),
        (b"x" * 3_000_000 + b"\nDONE\n", "DONE"),
    ],
)
def test_a_sentinel_is_a_whole_line_and_beats_idleness(log, text, found):
    written(log, text, 9999)
    watched = look(Watch(log=str(log), **patterns(sentinel="^DONE$")), Hands())
    assert watched.sentinel == found
    assert told(watched) == (("OK", "SENTINEL") if found else ("STALLED", "STALLED"))
    assert ("sentinel" in watched.to_dict()) == bool(found)


def test_of_a_very_long_line_the_beginning_is_looked_at(log):
    written(log, "DONE" + "x" * 2_000_000 + "END\n")
    assert look(Watch(log=str(log), **patterns(sentinel="^DONE")), Hands()).sentinel
    assert not look(Watch(log=str(log), **patterns(sentinel="END")), Hands()).sentinel


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo])
def test_what_has_no_lines_cannot_be_read_for_some(log, make):
    make(log)
    with pytest.raises(FileError, match="no plain file"):
        look(Watch(log=str(log), **patterns(sentinel="x")), Hands())


# -- following ---------------------------------------------------------------------------------------------------------


def test_following_ends_when_the_log_has_stalled(log):
    written(log, "a\n", 10)
    hands, shown = Hands(), []
    watched = follow(Watch(log=str(log), max_idle=12), hands, shown.append)
    assert told(watched) == ("STALLED", "STALLED")
    assert (watched.idle_seconds, hands.now) == (12.5, NOW + 2.5)
    assert [each.idle_seconds for each in shown] == [10, 10.5, 11, 11.5, 12]


def test_following_ends_when_the_line_is_complete(log):
    written(log, "DO")
    events = [appended(log, "N", NOW), appended(log, "E", NOW), nothing, appended(log, "\nmore", NOW), nothing]
    hands = Hands(*events)
    watched = follow(Watch(log=str(log), **patterns(sentinel="^DONE$")), hands, lambda _: None)
    assert (told(watched), watched.sentinel, len(hands.events)) == (("OK", "SENTINEL"), "DONE", 1)


def test_a_log_that_moves_is_followed_on(log):
    written(log, "a\n")
    events = [appended(log, "b\n", NOW + n) for n in range(1, 6)]
    watched = follow(Watch(log=str(log), max_idle=1), Hands(*events), lambda _: None)
    assert (told(watched), watched.last_progress_at) == (("STALLED", "STALLED"), NOW + 5)


def test_a_log_that_is_not_there_yet_is_waited_for(log):
    events = [nothing, nothing, appended(log, "DONE\n", NOW + 1)]
    watched = follow(Watch(log=str(log), max_idle=5, **patterns(sentinel="DONE")), Hands(*events), lambda _: None)
    assert told(watched) == ("OK", "SENTINEL")


@pytest.mark.parametrize("there", [True, False])
def test_a_log_that_does_not_come_is_missing(log, there):
    if there:
        written(log, "a\n")
    hands = Hands(log.unlink if there else nothing)
    watched = follow(Watch(log=str(log), max_idle=3, **patterns(sentinel="DONE")), hands, lambda _: None)
    assert (told(watched), hands.now - NOW) == (("MISSING", "LOG_MISSING"), 4 if there else 3.5)


def test_a_wall_clock_that_is_set_changes_nothing(log):
    written(log, "a\n")
    hands = Hands()

    def set_ahead():
        hands.now += 5000

    hands.events = [set_ahead]
    watched = follow(Watch(log=str(log), max_idle=3), hands, lambda _: None)
    assert (told(watched), watched.idle_seconds) == (("STALLED", "STALLED"), 3.5)


def replaced(log, text):
    def replace():
        log.rename(log.with_suffix(".1"))
        log.write_text(text)

    return replace


def rewritten(log, text):
    def rewrite():
        with log.open("r+b") as file:
            file.truncate(0)
            file.write(text.encode())

    return rewrite


@pytest.mark.parametrize("change", [replaced, rewritten])
@pytest.mark.parametrize("text", ["DONE\n", "much more than there was before\nDONE\n", "DONE\nand more\n" * 9])
def test_a_log_that_is_put_in_the_place_of_another_is_read_from_its_start(log, change, text):
    written(log, "one\ntwo\nDON")
    watched = follow(
        Watch(log=str(log), max_idle=3, **patterns(sentinel="^DONE$")), Hands(change(log, text)), lambda _: None
    )
    assert told(watched) == ("OK", "SENTINEL")


def test_the_end_of_a_log_that_was_moved_away_is_read_too(log):
    written(log, "one\n")
    with log.open("ab") as writer:

        def move():
            replaced(log, "two\n")()
            writer.write(b"DONE\n")
            writer.flush()

        watch = Watch(log=str(log), max_idle=3, **patterns(sentinel="^DONE$"))
        assert told(follow(watch, Hands(move), lambda _: None)) == ("OK", "SENTINEL")


def test_a_half_line_is_not_glued_to_the_log_that_comes_after_it(log):
    written(log, "DO")
    hands = Hands(replaced(log, "NE\n"))
    watch = Watch(log=str(log), max_idle=3, **patterns(sentinel="^DONE$"))
    assert told(follow(watch, hands, lambda _: None)) == ("STALLED", "STALLED")


def test_what_is_known_of_a_log_is_told_on_each_look(log):
    written(log, "one\n")
    shown = []
    events = [appended(log, "two\nthr", NOW), nothing, appended(log, "ee\n", NOW)]
    follow(Watch(log=str(log), max_idle=2, **patterns(sentinel="DONE")), Hands(*events), shown.append)
    assert [(each.lines, each.newest) for each in shown][:4] == [(1, "one"), (2, "two"), (2, "two"), (3, "three")]


def test_a_line_without_end_takes_no_more_memory_than_a_line_may(log):
    tail = Tail(str(log))
    written(log, b"x" * (MAX_LINE * 3))
    assert list(tail.lines()) == []
    assert len(tail._line) == MAX_LINE
    appended(log, "y\nz\n", NOW)()
    assert [len(line) for line in tail.lines()] == [MAX_LINE, 1]
    tail.close()


@examples(100)
@given(st.lists(st.lists(st.sampled_from([b"a", b"\n", b"\r\n", b"\xff", b"\xc3\xa4", b"x" * 70_000]), max_size=8)))
def test_the_lines_are_those_of_the_whole_however_it_came(tmp_path_factory, pieces):
    log = tmp_path_factory.mktemp("tail") / "job.log"
    log.touch()
    tail, found = Tail(str(log)), []
    for piece in pieces:
        with log.open("ab") as file:
            file.write(b"".join(piece))
        found += tail.lines()
    tail.close()
    whole = b"".join(part for piece in pieces for part in piece).split(b"\n")[:-1]
    assert found == [line[:MAX_LINE].decode("utf-8", "replace").removesuffix("\r") for line in whole]
