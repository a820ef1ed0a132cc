"""A PostgreSQL server for tests: started on first use, one a process, private, and ended with it.

Each ledger has a database of its own on it, in which the server's clock is one that the test sets.
"""

import atexit
import functools
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gatewright.ledger import postgres_setup
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_link import Link

if TYPE_CHECKING:
    from tests.ledger.desks import FakeClock

SETTINGS = """
listen_addresses = ''
max_connections = 60
shared_buffers = 32MB
log_min_messages = fatal
"""
IN_HASTE = "fsync = off\nfull_page_writes = off\n"
#: Everybody is let in; members of `named` with a password only.
DOORS = "local all +named scram-sha-256\nlocal all all trust\n"
_databases = itertools.count(1)


class Server:
    """A running server."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.binaries, self.folder = binaries, folder
        self.process: subprocess.Popen[bytes] | None = None

    def url(self, database: str, user: str = "postgres") -> str:
        """The URL of a database on it."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [self.binaries / "postgres", "-D", self.folder / "data", "-k", self.folder]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(as_servant(command), stdout=log, stderr=log)
        for _ in range(300):
            done = subprocess.run([self.binaries / "pg_isready", "-q", "-h", self.folder], check=False)
            if done.returncode == 0:
                return
            if not self.running:
                break
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, signal: str = "INT") -> None:
        """End it; INT is a fast and orderly end, QUIT one without any farewell."""
        assert self.process is not None
        pid = (self.folder / "data" / "postmaster.pid").read_text().split()[0]
        subprocess.run(["kill", f"-{signal}", pid], check=True)
        self.process.wait(timeout=30)

    def run(self, script: str, database: str = "postgres") -> None:
        """Run statements on one of its databases."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(script.encode())


def as_servant(command: Sequence[str | Path]) -> list[str | Path]:
    """A command as it is run by a user that PostgreSQL accepts, which the superuser is not."""
    if os.geteuid() != 0:
        return list(command)
    return ["setpriv", "--reuid", _servant(), "--clear-groups", "--pdeathsig", "INT", *command]


def _servant() -> str:
    return (
        "postgres" if subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode == 0 else "nobody"
    )


def made(folder: Path, settings: str) -> Server:
    """A server with its files in a new folder; it is not started yet."""
    binaries = _binaries()
    if binaries is None:
        _missing("the programs of a PostgreSQL server (initdb, postgres)")
    if os.geteuid() == 0:
        shutil.chown(folder, _servant())
    command = [binaries / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    done = subprocess.run(as_servant([*command, "--no-locale"]), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with (folder / "data" / "postgresql.conf").open("a") as file:
        file.write(settings)
    (folder / "data" / "pg_hba.conf").write_text(DOORS)
    return Server(binaries, folder)


#: Servers that are to be ended, each with the process that has started it: one that it forks has no part in them.
_STARTED: list[tuple[Server, int]] = []


@functools.cache
def server() -> Server:
    """The server of this process, with a database `fresh` to copy from."""
    return another()


def another(settings: str = SETTINGS + IN_HASTE) -> Server:
    """A server of one's own, to be stopped at will; it ends with this process at the latest."""
    _needed()
    found = made(Path(tempfile.mkdtemp(prefix="gw-pg-")), settings)
    found.start()
    _STARTED.append((found, os.getpid()))
    found.run("CREATE ROLE named")
    found.run("CREATE DATABASE fresh")
    postgres_setup.init(found.url("fresh"))
    found.run(CLOCK, "fresh")
    return found


@atexit.register
def end_all() -> None:
    """End what this process has started, and remove its files.

    At the end of a session of tests, while there is time for that: a process of many is not waited for long once it
    has said that it is done.
    """
    while _STARTED:
        server, owner = _STARTED.pop()
        if os.getpid() != owner:
            continue
        if server.running:
            server.stop("QUIT")
        shutil.rmtree(server.folder)


def _needed() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        _missing("psycopg, the driver of PostgreSQL")


def _missing(what: str) -> None:
    said = f"{what} cannot be found"
    if os.environ.get("REQUIRE_SERVICES"):
        pytest.fail(f"{said}, and services are required")
    pytest.skip(said)


def _binaries() -> Path | None:
    """The folder of the newest server's programs, in the places where systems put them."""
    named = shutil.which("initdb")
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/opt/homebrew/opt").glob("postgresql@*/bin")]
    places += [*Path("/usr/local/opt").glob("postgresql@*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    found = sorted(
        (place for place in places if (place / "initdb").exists()), key=lambda place: (len(str(place)), place)
    )
    return found[-1] if found else (Path(named).parent if named else None)


#: The server's clock becomes one that stands still until it is set.
CLOCK = """
CREATE TABLE public.clock (wall double precision NOT NULL);
INSERT INTO public.clock VALUES (0);
CREATE OR REPLACE FUNCTION gatewright._wall() RETURNS double precision LANGUAGE sql VOLATILE AS $$
    SELECT wall FROM public.clock
$$;
"""


class Timed(PostgresLedger):
    """A ledger whose server has the clock of the test."""

    def __init__(self, url: str, clock: "FakeClock") -> None:
        super().__init__(url)
        self.clock = clock

    def opened(self) -> Link:
        link = super().opened()
        link.rows("UPDATE public.clock SET wall = %s WHERE wall <> %s", [self.clock.wall()] * 2)
        return link


class Stepwise(Timed):
    """The same, with every check taken statement by statement."""

    def check_at_once(self, _question: object) -> None:
        """Never."""


def fresh_database() -> str:
    """The name of a new database with an empty ledger in it."""
    name = f"test{next(_databases)}"
    server().run(f"CREATE DATABASE {name} TEMPLATE fresh STRATEGY file_copy")
    return name


def dump(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that the tables of a ledger hold."""
    import psycopg

    tables = ("ledger", "accounts", "rows", "contracts", "tickets")
    with psycopg.connect(url) as connection:
        return {
            name: connection.execute(f"SELECT * FROM gatewright.{name} ORDER BY 1".encode()).fetchall()
            for name in tables
        }


if sys.platform == "darwin":  # a path to a socket is at most 104 characters there
    tempfile.tempdir = "/tmp"
