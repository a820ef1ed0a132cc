"""Making and upgrading the schema of a ledger in PostgreSQL, and the rights of those who use it."""

import os
import secrets

from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres_link import VERSION, Link, linked

_LOCK = "SELECT pg_advisory_xact_lock(1735879783, 0)"
#: What was made is on the server's disk before that is told, whatever the server is set to.
_ON_DISK = "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'"
_SCHEMA = ("postgres.sql", "postgres_writing.sql", "postgres_looking.sql")
#: What leads from one version of the schema to the next, by the version that it starts from.
UPGRADES = {1: ("postgres_writing.sql", "postgres_looking.sql")}


def init(url: str) -> bool:
    """Make the schema where it is missing; whether it was. Raises LedgerError."""
    link = linked(url)
    try:
        link.rows("BEGIN")
        link.rows(_ON_DISK)
        link.rows(_LOCK)
        found = _version(link)
        if found is None:
            _make(link)
        else:
            _refuse_other(link.name, found)
        link.rows("COMMIT", final=True)
    finally:
        link.close()
    return found is None


def migrate(url: str) -> tuple[int, int] | None:
    """Upgrade the schema; the versions before and after, None where there is no schema. Raises LedgerError."""
    link = linked(url)
    try:
        link.rows("BEGIN")
        link.rows(_ON_DISK)
        link.rows(_LOCK)
        before = found = _version(link)
        if before is None or found is None:
            return None
        while found in UPGRADES:
            for part in UPGRADES[found]:
                _run(link, part)
            found += 1
        _refuse_other(link.name, found)
        link.rows("UPDATE gatewright.ledger SET version = %s", [found])
        link.rows("COMMIT", final=True)
    finally:
        link.close()
    return before, found


#: The functions that a program calls; all others are called by these alone.
FUNCTIONS = (
    "enter",
    "look",
    "account_names",
    "used",
    "freed",
    "odd_times",
    "allowed",
    "of_request",
    "of_job",
    "line",
    "pending",
    "all_tickets",
    "span",
    "read_rows",
    "origin",
    "heads",
    "read_chain",
    "newest_rows",
    "numbered_row",
    "rows_of_contracts",
    "append",
    "check_at_once",
    "issue",
    "consume",
)


def grants(role: str) -> list[str]:
    """The statements that let a role use the ledger through its functions, and touch no table of it."""
    quoted = '"' + role.replace('"', '""') + '"'
    return [
        f"GRANT USAGE ON SCHEMA gatewright TO {quoted};",
        *(f"GRANT EXECUTE ON FUNCTION gatewright.{name} TO {quoted};" for name in FUNCTIONS),
    ]


def _version(link: Link) -> int | None:
    """The version of the schema; None where there is none. Raises LedgerError for a schema of something else."""
    (there, ours) = link.row(
        "SELECT (SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('gatewright')) > 0, "
        "to_regclass('gatewright.ledger') IS NOT NULL"
    )
    if there and not ours:
        problem = "it has a schema `gatewright` of something else"
        raise LedgerError(link.name, problem, "give the ledger a database of its own")
    if not ours:
        return None
    (version,) = link.row("SELECT version FROM gatewright.ledger")
    assert isinstance(version, int)
    return version


def _refuse_other(name: str, found: int) -> None:
    if found > VERSION:
        problem = f"it has schema version {found}, and this program knows {VERSION}"
        raise LedgerError(name, problem, "use the newer gatewright that made it")
    if found < VERSION:
        raise LedgerError(name, f"it has schema version {found}", "run `gatewright ledger migrate`")


def _make(link: Link) -> None:
    link.rows("CREATE SCHEMA IF NOT EXISTS gatewright")
    for part in _SCHEMA:
        _run(link, part)
    link.rows("INSERT INTO gatewright.accounts (name) VALUES ('rest')")
    origin = f"gatewright/{secrets.token_hex(8)}"
    link.rows("INSERT INTO gatewright.ledger VALUES (1, %s, %s)", [VERSION, origin])


def _run(link: Link, part: str) -> None:
    """Make a part of the schema; nobody may call its functions until that is granted."""
    with open(os.path.join(os.path.dirname(__file__), part), "rb") as file:
        link.script(file.read())
    link.rows("REVOKE ALL ON ALL FUNCTIONS IN SCHEMA gatewright FROM PUBLIC")
