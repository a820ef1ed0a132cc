"""The tables of a ledger in SQLite: rows, the accounts they are booked to, tickets, and what holds for the whole."""

import sqlite3

from gatewright.ledger.errors import LedgerError

VERSION = 1
APPLICATION = 0x67776C67  #: `gwlg`, by which a file is known to be a ledger of ours

#: A row is never changed but for `settled_by`, which says what registration an allowed check was matched with.
TABLES = """
CREATE TABLE rows (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,          -- ledger time, which never goes back
    ts REAL,                   -- the row's own time; null where it has none that can be read
    kind TEXT NOT NULL,        -- check, registration, audit, or skipped for a line that is no row
    decision TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    agents INTEGER,
    account INTEGER REFERENCES accounts (id),  -- null for rows that do not count
    total INTEGER,             -- of the account, this row included
    contract TEXT,
    runtime TEXT,
    nth INTEGER,               -- of an allowed check: how many there are of its contract by now
    request_id TEXT,
    job_id TEXT,
    settled_by INTEGER,
    taken_up INTEGER NOT NULL DEFAULT 0,  -- 1 for a line that something else has written
    line BLOB,                 -- the row itself, where it is kept here
    start INTEGER,             -- its place and length in the file, where it is kept there
    length INTEGER,
    more TEXT,                 -- what the older tool's rows have no key for, as JSON
    leaf BLOB NOT NULL,        -- SHA-256 of 0x00, the line, and if there is more: a line feed and that
    head BLOB NOT NULL         -- SHA-256 of 0x01, the head before, the leaf, `at` as eight bytes, and `taken_up` as one
);
CREATE INDEX rows_by_time ON rows (ts);
CREATE INDEX rows_of_account ON rows (account, at, id, total) WHERE account IS NOT NULL;
CREATE INDEX rows_of_contract ON rows (contract, id) WHERE nth IS NOT NULL;
CREATE INDEX pending_rows ON rows (contract, runtime, id) WHERE nth IS NOT NULL AND settled_by IS NULL;
CREATE INDEX odd_rows ON rows (at) WHERE account IS NOT NULL AND (ts IS NULL OR ts > at);
CREATE INDEX rows_of_request ON rows (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX rows_of_job ON rows (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX skipped_rows ON rows (id) WHERE kind = 'skipped';
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE, -- tier:NAME, or model:NAME for rows without a tier
    total INTEGER NOT NULL,
    newest REAL NOT NULL,      -- ledger time of its newest row
    muddled REAL               -- up to here rows stand out of order, as they were taken up; null if none do
);
CREATE TABLE tickets (
    runtime TEXT NOT NULL,
    contract TEXT NOT NULL,
    issued REAL NOT NULL,      -- ledger time
    count INTEGER NOT NULL,
    PRIMARY KEY (runtime, contract)
) WITHOUT ROWID;
CREATE TABLE sealed (           -- rows that were taken out into archives, always from the first one on
    last INTEGER PRIMARY KEY,  -- the last row of the archive
    at REAL NOT NULL,          -- ledger time of the taking out
    head BLOB NOT NULL,
    frontier BLOB NOT NULL,
    sums TEXT NOT NULL,        -- accounts with what their rows came to so far, as JSON
    archive TEXT NOT NULL,     -- the name of the file
    digest BLOB NOT NULL       -- SHA-256 of it
);
CREATE TABLE sealed_contracts (contract TEXT PRIMARY KEY, nth INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sealed_jobs (job_id TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    origin TEXT NOT NULL,      -- names this ledger in checkpoints
    size INTEGER NOT NULL,     -- rows ever written
    head BLOB NOT NULL,
    frontier BLOB NOT NULL,    -- of the Merkle tree over all leaves
    time REAL,                 -- ledger time of the last writing
    wall REAL,                 -- what the wall clock said then
    boot TEXT NOT NULL,        -- the boot it was in, and the boot clock then
    boot_time REAL NOT NULL,
    covered INTEGER NOT NULL   -- bytes of the file that have been taken in, where rows are kept in one
);
"""


def create(connection: sqlite3.Connection, origin: str) -> None:
    """Make the tables of an empty database."""
    connection.executescript(f"BEGIN IMMEDIATE;{TABLES}PRAGMA application_id = {APPLICATION};")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("INSERT INTO state VALUES (1, ?, 0, x'', x'', NULL, NULL, '', 0, 0)", (origin,))
    connection.execute("COMMIT")


def check(connection: sqlite3.Connection, path: str) -> None:
    """Raise LedgerError for a database that is none of ours, or of another version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise LedgerError(path, "it is a SQLite database of something else", "name another file with --ledger")
    if (error := newer(connection, path)) is not None:
        raise error
    if version < VERSION:
        raise LedgerError(path, f"it has schema version {version}", "run `gatewright ledger migrate`")
    if connection.execute("SELECT 1 FROM state").fetchone() is None:
        raise LedgerError(path, "it is damaged: nothing says how far it goes", "put a copy in its place")


def newer(connection: sqlite3.Connection, path: str) -> LedgerError | None:
    """Why a ledger of a newer program cannot be used; None for any other database."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION or version <= VERSION:
        return None
    problem = f"it has schema version {version}, and this program knows {VERSION}"
    return LedgerError(path, problem, "use the newer gatewright that made it")


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a database holds nothing at all yet."""
    return bool(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0)
