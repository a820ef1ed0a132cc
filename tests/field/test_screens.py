"""Field cases on screens: what became of a task, and when a limit ends."""

from datetime import datetime

import pytest
from tests.field.cases import FOLDER, data, expected, values
from tests.runtimes.readers import shipped_screens

from gatewright.runtimes.screens.delivery import transition
from gatewright.runtimes.screens.reading import Reader

DELIVERIES = sorted(path.name for path in FOLDER.glob("DL-*"))
TABLES = ("QU-07", "QU-09", "QU-13")


def moment(text):
    return datetime.fromisoformat(text) if text is not None else None


def screen(name, file):
    given = values(name)
    reader = Reader(shipped_screens(), given["runtime"])
    if not (FOLDER / name / file).exists():
        return None
    return reader.read(data(name, file).decode(), task=given["prepared_prompt"], now=moment(given.get("now")))


@pytest.mark.acceptance("D06", *DELIVERIES)
@pytest.mark.parametrize("name", DELIVERIES)
def test_two_screens_tell_what_became_of_a_task(name):
    seen = transition(screen(name, "pane.before.txt"), screen(name, "pane.after.txt"))
    wanted = expected(name)
    assert seen.delivery_class.value == wanted["class"]
    assert (5 if seen.delivery_class.failed else 0) == wanted["exit"]
    assert "reset_at" not in wanted or seen.after.reset_at == wanted["reset_at"]


@pytest.mark.acceptance(*TABLES)
@pytest.mark.parametrize(("name", "row"), [(name, row) for name in TABLES for row in values(name)["table"]])
def test_a_notice_names_the_moment_at_which_its_limit_ends(name, row):
    seen = Reader(shipped_screens()).read(row["text"], now=moment(row["observed_at"]))
    assert (seen.pane_class.value, seen.reset_at) == ("limit", row["reset_at"])


@pytest.mark.acceptance("QU-11")
@pytest.mark.parametrize("text", values("QU-11")["texts"])
def test_a_notice_that_names_none_is_a_limit_all_the_same(text):
    seen = Reader(shipped_screens()).read(text, now=moment(values("QU-11")["observed_at"]))
    assert (seen.pane_class.value, seen.reset_at) == ("limit", expected("QU-11")["reset_at"])
