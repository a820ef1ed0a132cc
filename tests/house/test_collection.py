"""Tests have the same names in every process and at every time: several processes share them by name."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Collects elsewhere, in a way: another seed of hashes, another time zone, and a clock that is months ahead.
ELSEWHERE = """
import datetime, time
DAYS = 100.5
real, moment = time.time, datetime.datetime
time.time = lambda: real() + DAYS * 86400
class Later(moment):
    @classmethod
    def now(cls, tz=None):
        return moment.now(tz) + datetime.timedelta(DAYS)
datetime.datetime = Later
import sys, pytest
sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


def name_of(item):
    """Its name; pytest-xdist puts the group behind it."""
    group = item.get_closest_marker("xdist_group")
    return item.nodeid.removesuffix(f"@{group.args[0]}") if group and group.args else item.nodeid


def test_names_of_tests_depend_on_no_clock_zone_or_hash(request):
    here = {name_of(item) for item in request.session.items}
    words = [*request.config.args, "-k", request.config.option.keyword, "-m", request.config.option.markexpr]
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Pacific/Chatham"}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    there = set(run.stdout.splitlines())
    assert sorted(here - there) == []
