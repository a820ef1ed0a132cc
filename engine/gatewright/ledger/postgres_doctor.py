"""Looking a ledger in PostgreSQL over: the server, the way to it, the schema, and what the role may do there."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import cast

from gatewright.ledger.clock import Clock
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.postgres import PostgresLedger
from gatewright.ledger.postgres_link import VERSION, Link
from gatewright.ledger.postgres_setup import FUNCTIONS
from gatewright.ledger.symptoms import Mark, Symptom, clocks

_AHEAD_SECONDS = 5.0
_GRANTS = "`gatewright ledger init --role NAME` prints the grants of a role that checks, and rewrites nothing"

_SERVER = """
SELECT current_setting('server_version_num')::integer, pg_is_in_recovery(), current_setting('fsync')::boolean,
       current_setting('full_page_writes')::boolean, current_setting('default_transaction_read_only')::boolean
"""
_ROLE = """
SELECT current_user, r.rolsuper, coalesce(pg_has_role(c.relowner, 'USAGE'), false),
       coalesce(has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'), false)
FROM pg_roles r LEFT JOIN pg_class c ON c.oid = (
    SELECT p.oid FROM pg_class p WHERE p.relname = 'rows' AND p.relnamespace = to_regnamespace('gatewright'))
WHERE r.rolname = current_user
"""
_CLOSED = """
SELECT p.proname FROM pg_proc p
WHERE p.pronamespace = to_regnamespace('gatewright') AND p.proname = ANY (%s)
    AND NOT (has_schema_privilege(p.pronamespace, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE'))
ORDER BY p.proname
"""
_OPEN = """
SELECT count(*) FROM pg_proc p
WHERE p.pronamespace = to_regnamespace('gatewright') AND has_function_privilege('public', p.oid, 'EXECUTE')
    AND has_schema_privilege('public', p.pronamespace, 'USAGE')
"""


def symptoms(ledger: PostgresLedger, clock: Clock) -> Iterator[Symptom]:
    """What there is to say of it; that it cannot be reached is said too, and not raised."""
    if ledger.name != ledger.url:
        to_do = "keep it in ~/.pgpass or PGPASSWORD: a command line can be seen by others on the machine"
        yield Symptom("URL", Mark.WARNING, "a password stands in it", to_do)
    try:
        with ledger.connected() as link:
            yield from _server(link)
            info = link.connection.info
            yield way(info.host, info.hostaddr, encrypted=link.connection.pgconn.ssl_in_use)
            yield from _role(link)
        yield from _inside(ledger, clock)
    except LedgerError as error:
        yield Symptom("ledger", Mark.PROBLEM, error.problem, error.hint)


def _server(link: Link) -> Iterator[Symptom]:
    number, standby, fsync, full_pages, reads = cast("tuple[int, bool, bool, bool, bool]", link.row(_SERVER))
    yield Symptom("server", Mark.OK, f"PostgreSQL {number // 10_000}.{number % 10_000}")
    if standby or reads:
        told = "it is a standby, and only reads" if standby else "transactions only read unless they say otherwise"
        to_do = "name the primary server" if standby else "set default_transaction_read_only to off for the role"
        yield Symptom("writing", Mark.PROBLEM, told, f"{to_do}: every check is denied")
    lost = [name for name, on in (("fsync", fsync), ("full_page_writes", full_pages)) if not on]
    if lost:
        told = f"{' and '.join(lost)} off: a loss of power there loses or breaks what was recorded"
        yield Symptom("durability", Mark.WARNING, told, "set it to on in postgresql.conf")
    else:
        yield Symptom("durability", Mark.OK, "fsync and full_page_writes are on")


def way(host: str, address: str, *, encrypted: bool) -> Symptom:
    """What there is to say of the way to a server.

    host: as it was named; the folder or the abstract name of a socket of this machine begins with `/` or `@`.
    address: what it came to, empty for a socket.
    """
    if host.startswith(("/", "@")) or _is_this_machine(address):
        return Symptom("connection", Mark.OK, "within this machine")
    if encrypted:
        return Symptom("connection", Mark.OK, "encrypted")
    return Symptom("connection", Mark.WARNING, "not encrypted", "add sslmode=verify-full to the URL")


def _is_this_machine(address: str) -> bool:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback


def _role(link: Link) -> Iterator[Symptom]:
    name, superuser, owner, writes = cast("tuple[str, bool, bool, bool]", link.row(_ROLE))
    if superuser or owner or writes:
        why = "a superuser" if superuser else "an owner of the ledger" if owner else "let into its tables"
        to_do = f"let checks run as a role that owns nothing; {_GRANTS}"
        yield Symptom("role", Mark.WARNING, f"`{name}` is {why}, and can rewrite every row", to_do)
    else:
        yield Symptom("role", Mark.OK, f"`{name}` can add rows, and change none")
    closed = [str(function) for (function,) in link.rows(_CLOSED, [list(FUNCTIONS)])]
    if closed:
        told = f"`{name}` may not call {', '.join(closed)}"
        yield Symptom("rights", Mark.PROBLEM, told, _GRANTS)
    (opened,) = link.row(_OPEN)
    if opened:
        to_do = "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA gatewright FROM PUBLIC, and grant them to roles by name"
        yield Symptom("rights", Mark.WARNING, f"{opened} functions are open to every role of the database", to_do)


def _inside(ledger: PostgresLedger, clock: Clock) -> Iterator[Symptom]:
    with ledger.looking() as (link, opened):
        wall, time, size = cast("tuple[float, float, int]", opened)
        here = clock.wall()
        yield Symptom("schema", Mark.OK, f"version {VERSION}")
        yield Symptom("rows", Mark.OK, f"{size:,}")
        (accounts,) = link.row("SELECT count(*) FROM gatewright.heads()")
        yield Symptom("accounts", Mark.OK, f"{accounts:,}")
        (tickets,) = link.row("SELECT count(*) FROM gatewright.all_tickets()")
        yield Symptom("tickets", Mark.OK, f"{tickets:,}")
        yield clocks(time - wall)
        ahead = here - wall
        if abs(ahead) > _AHEAD_SECONDS:
            way = "ahead of" if ahead > 0 else "behind"
            told = f"the clock of this machine is {abs(ahead):,.0f} s {way} the server's"
            yield Symptom("this clock", Mark.WARNING, told, "nothing for the ledger, which goes by the server's")
