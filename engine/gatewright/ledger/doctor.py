"""Looking a ledger over: what it stands on, and whether that will bear it."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from importlib.util import find_spec

from gatewright.ledger import places, postgres_doctor, schema, sources
from gatewright.ledger.clock import Clock, TimeBase, ledger_time
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.sqlite import SqliteLedger
from gatewright.ledger.symptoms import Mark, Symptom, clocks

#: Two connections that checkpoint at one moment can lose committed rows in these versions, and all between.
_FAULTY = (3, 7, 0), (3, 51, 2)
_LITTLE_SPACE = 256 * 1024 * 1024
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def examine(ledger: Ledger, clock: Clock) -> list[Symptom]:
    """Look a ledger over; whatever is wrong with it is told, not raised."""
    if isinstance(ledger, SqliteLedger):
        files = [ledger.path, ledger.lock_path]
        found = [*_sqlite(), *_place(ledger.path), *_files(files)]
        return [*found, *_log(ledger.path), *_inside(ledger, clock)]
    if isinstance(ledger, JsonLinesLedger):
        files = [ledger.path, ledger.proof_path, ledger.lock_path]
        found = [*_sqlite(), *_place(ledger.path), *_files(files), *_folder(ledger.tickets)]
        return [*found, *_inside(ledger, clock), *_left_over(ledger)]
    return [*postgres_doctor.symptoms(ledger, clock)] if isinstance(ledger, PostgresLedger) else []


def _sqlite() -> Iterator[Symptom]:
    version = sqlite3.sqlite_version_info
    newer = [name for name in ("pysqlite3", "apsw") if find_spec(name) is not None]
    told = f"version {sqlite3.sqlite_version}" + (f"; {', '.join(newer)} is installed, and not used" if newer else "")
    if _FAULTY[0] <= version <= _FAULTY[1]:
        to_do = "nothing, as long as only gatewright writes to it: its lock keeps two from checkpointing at once"
        yield Symptom("SQLite", Mark.WARNING, f"{told}, which can lose rows when its log is reset", to_do)
    else:
        yield Symptom("SQLite", Mark.OK, told)


def _place(path: str) -> Iterator[Symptom]:
    kind = places.file_system(path, places.mounts_of_process())
    try:
        places.refuse_network(path)
        yield Symptom("file system", Mark.OK, kind or "of an unknown kind")
    except LedgerError as error:
        yield Symptom("file system", Mark.PROBLEM, error.problem, error.hint)
    wanted = os.path.dirname(os.path.abspath(path))
    folder = _nearest(wanted)
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        yield Symptom("folder", Mark.PROBLEM, f"{folder}: {places.said(error)}", _CLOSED)
        return
    if free < _LITTLE_SPACE:
        to_do = "make room: without it every check is denied"
        yield Symptom("free space", Mark.WARNING, f"{free // 1024 // 1024:,} MiB", to_do)
    else:
        yield Symptom("free space", Mark.OK, f"{free // 1024 // 1024:,} MiB")
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Symptom("folder", Mark.PROBLEM, f"{folder} cannot be written", _CLOSED)
    elif folder != wanted:
        yield Symptom("folder", Mark.WARNING, "there is none yet", _MAKE)


_CLOSED = "check the path and its permissions: every check is denied"


def _nearest(folder: str) -> str:
    """The folder, or while it is not there the one in which it would be made."""
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def _files(paths: list[str]) -> Iterator[Symptom]:
    for path in paths:
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            yield Symptom(path, Mark.PROBLEM, places.said(error), "check the path and permissions")
            continue
        yield owned(path, status, "600")


def _folder(path: str) -> Iterator[Symptom]:
    if os.path.isdir(path):
        yield owned(path, os.stat(path), "700")


def owned(path: str, status: os.stat_result, wanted: str) -> Symptom:
    """Whose a file or folder is, and who may reach it. wanted: the mode that it should have."""
    mode = stat.S_IMODE(status.st_mode)
    told = f"mode {mode:o}, {status.st_size:,} bytes" if stat.S_ISREG(status.st_mode) else f"mode {mode:o}"
    if stat.S_ISLNK(status.st_mode):
        return Symptom(path, Mark.WARNING, "it is a link", "name the file that it leads to")
    other = status.st_uid != os.geteuid()
    told += f", of another user ({status.st_uid})" if other else ""
    if not os.access(path, os.R_OK | os.W_OK):
        way = "run this as that user, or have it let you in" if other else f"check its permissions, {wanted} is usual"
        return Symptom(path, Mark.PROBLEM, f"{told}: it cannot be read and written", f"{way}: every check is denied")
    if other:
        return Symptom(path, Mark.WARNING, told, "check who writes here")
    if mode & _OTHERS:
        to_do = f"chmod {wanted} {path}, unless others are meant to reach it"
        return Symptom(path, Mark.WARNING, f"{told}: others may reach it", to_do)
    return Symptom(path, Mark.OK, told)


def _inside(ledger: SqliteLedger | JsonLinesLedger, clock: Clock) -> Iterator[Symptom]:
    try:
        with sources.opened(ledger) as source:
            if source is None:
                yield Symptom("ledger", Mark.WARNING, "there is none here, or no proof beside it, yet", _MAKE)
                return
            yield from _tables(source, clock)
        with ledger.reading() as look:
            yield Symptom("tickets", Mark.OK, f"{len(look.tickets()):,}")
    except LedgerError as error:
        yield Symptom("ledger", Mark.PROBLEM, error.problem, error.hint)
    except sqlite3.Error as error:
        yield Symptom("ledger", Mark.PROBLEM, str(error), "`gatewright ledger verify` looks closer")


_MAKE = "the first check makes it, or `gatewright ledger init`"


def _tables(source: sources.Source, clock: Clock) -> Iterator[Symptom]:
    run = source.connection.execute
    yield Symptom("schema", Mark.OK, f"version {schema.VERSION}")
    if source.file is None:
        mode = run("PRAGMA journal_mode").fetchone()[0]
        if mode == "wal":
            yield Symptom("journal", Mark.OK, mode)
        else:
            yield Symptom("journal", Mark.WARNING, mode, "the next check puts it back to wal, where that can be had")
    state = sources.state_of(source.connection)
    counts = run(
        "SELECT count(*), coalesce(sum(kind = 'skipped'), 0), coalesce(sum(taken_up), 0), "
        "coalesce(sum(nth IS NOT NULL AND settled_by IS NULL), 0) FROM rows"
    ).fetchone()
    kinds = f"{counts[1]:,} could not be read, {counts[2]:,} taken up, {counts[3]:,} not registered"
    told = f"{counts[0]:,}, of which {kinds}"
    yield Symptom("rows", Mark.OK, told)
    accounts = run("SELECT count(*) FROM accounts").fetchone()[0]
    yield Symptom("accounts", Mark.OK, f"{accounts:,}")
    if state.time is not None:
        base = TimeBase(time=state.time, wall=state.wall or 0.0, boot=state.boot, at=state.boot_time)
        yield clocks(ledger_time(base, clock.wall(), clock.boot()).time - clock.wall())
    if not clock.boot()[0]:
        to_do = "keep the wall clock right: a window is as good as it"
        yield Symptom("boot clock", Mark.WARNING, "boots of this machine cannot be told apart", to_do)


def _log(path: str) -> Iterator[Symptom]:
    if os.path.exists(f"{path}-wal"):
        size = os.path.getsize(f"{path}-wal")
        told = f"{size:,} bytes of a log, of a writer at work or a crash"
        yield Symptom(f"{path}-wal", Mark.WARNING, told, "nothing: the next check takes it in")


def _left_over(ledger: JsonLinesLedger) -> Iterator[Symptom]:
    folder = os.path.dirname(os.path.abspath(ledger.path))
    beside = os.path.basename(ledger.path)
    for place, names in ((folder, _names(folder)), (ledger.tickets, _names(ledger.tickets))):
        for name in names:
            if name.endswith(".tmp") and (name.startswith((f"{beside}.", ".")) or name.endswith(".json.tmp")):
                yield Symptom(os.path.join(place, name), Mark.WARNING, "left over from a crash", "remove it")


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
