"""The shipped views and queries run on a ledger, and say what is in it."""

import json
import re
import sqlite3
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
VIEWS = (EXAMPLES / "ledger-views.sql").read_text(encoding="utf-8")
QUERIES = json.loads((EXAMPLES / "datasette.json").read_text(encoding="utf-8"))["databases"]["ledger"]["queries"]
COUNTS = {"decisions": 14, "denials": 1, "used_in_a_day": 2, "not_registered": 3, "unattested": 2, "overridden": 0}

needs_json = pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 38), reason="`->>` came with SQLite 3.38")


@pytest.fixture
def connection(ready):
    post = ready("sqlite")
    connection = sqlite3.connect(f"file:{post.ledger.path}?mode=ro&immutable=1", uri=True)
    yield connection
    connection.close()


@needs_json
def test_every_view_can_be_read_from_a_ledger_that_may_not_be_written(connection):
    connection.executescript(VIEWS)
    names = re.findall(r"CREATE TEMP VIEW (\w+)", VIEWS)
    counts = {name: len(connection.execute(f"SELECT * FROM {name}").fetchall()) for name in names}
    assert counts == COUNTS


@needs_json
@pytest.mark.parametrize("name", QUERIES)
def test_every_canned_query_has_rows_to_show(name, connection):
    found = connection.execute(QUERIES[name]["sql"], {"contract": "aa"}).fetchall()
    assert len(found) == {**COUNTS, "of_contract": 1}[name]
