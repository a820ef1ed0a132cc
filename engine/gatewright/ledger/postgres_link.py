"""The way to a PostgreSQL server: connections with time limits on everything, and what goes wrong in plain words."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, LiteralString
from urllib.parse import unquote

from gatewright.ledger.errors import LedgerError

if TYPE_CHECKING:
    import psycopg

Values = tuple[object, ...]
Setting = str | int | None

VERSION = 2  #: of the schema in `postgres.sql` and the files beside it
OLDEST_SERVER = 15
CONNECT_SECONDS = 5
WAIT_SECONDS = 30.0  #: for a statement, and for the locks within it

_REPEAT = (
    "repeat it with the request id that it had, and it gets the answer that was recorded; if it had none, look into "
    "the ledger before asking again"
)
_INIT = ("the database holds no ledger that this program knows", "run `gatewright ledger init`")

#: What the codes of the server mean for a ledger, by the code or its class, and what to do.
_MEANINGS = {
    "3F000": _INIT,
    "42P01": _INIT,
    "42883": _INIT,
    "42501": ("the role may not do this", "`gatewright ledger init` prints the grants that a role needs"),
    "3D000": ("the server has no database of this name", "create it, then run `gatewright ledger init`"),
    "28": ("the server does not let this user in", "check the user, the password and the server's pg_hba.conf"),
    "55P03": ("another step has held its lock for too long", "pg_stat_activity of the server tells who"),
    "57014": ("the server took too long to answer", "pg_stat_activity of the server tells what it waits for"),
    "53100": ("the server's disk is full", "make room there"),
    "25006": ("the server only reads, as a standby does", "name the primary server"),
    "25P03": ("the step paused for too long, and the server ended it", "ask again"),
}
#: The server is going down, or the connection is gone.
_LOST = frozenset(["57P01", "57P02", "57P03", "08000", "08003", "08006"])


class Link:
    """A connection to the database of a ledger."""

    def __init__(self, connection: "psycopg.Connection", name: str) -> None:
        self.connection, self.name = connection, name

    def rows(self, query: LiteralString, values: Sequence[object] = (), *, final: bool = False) -> list[Values]:
        """What a statement answers. Raises LedgerError.

        final: whether the server may carry it out for good although its answer is lost.
        """
        import psycopg

        try:
            cursor = self.connection.execute(query, values)
            found: list[Values] = cursor.fetchall() if cursor.description is not None else []
        except psycopg.Error as error:
            told = _told(error, self.name, final=final)
        else:
            return found
        raise told  # out here, where no error of the driver hangs on to it, since those know the password

    def script(self, text: bytes) -> None:
        """Run the statements of a script of ours. Raises LedgerError."""
        import psycopg

        try:
            self.connection.execute(text)
        except psycopg.Error as error:
            told = _told(error, self.name, final=False)
        else:
            return
        raise told

    def row(self, query: LiteralString, values: Sequence[object] = (), *, final: bool = False) -> Values:
        """The one row that a statement answers. Raises LedgerError."""
        return self.rows(query, values, final=final)[0]

    def close(self) -> None:
        """End the connection; what was not committed is gone."""
        self.connection.close()


def linked(url: str, wait: float = WAIT_SECONDS) -> Link:
    """A connection to the database that a URL names. Raises LedgerError.

    wait: seconds that a statement may take, and that it may wait for a lock.
    """
    name = without_password(url)
    if find_spec("psycopg") is None:
        raise LedgerError(name, "the driver for PostgreSQL is not installed", "pip install 'gatewright[postgres]'")
    import psycopg
    from psycopg.conninfo import make_conninfo

    given = _given(url, name)
    try:
        settings = make_conninfo("", **_limited(given, wait))
        connection = psycopg.connect(settings, autocommit=True, prepare_threshold=None)
    except psycopg.Error as error:
        told = _unreachable(error, name, given.get("password"))
    else:
        return _checked(Link(connection, name))
    raise told


def _given(url: str, name: str) -> dict[str, Setting]:
    """What a URL says. Raises LedgerError where it cannot be read."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    given: dict[str, Setting] | None = None
    with suppress(psycopg.Error):
        given = dict(conninfo_to_dict(url))
    if given is None:
        raise LedgerError(name, "the URL cannot be read", "write postgresql://ann@db.example/ledger")
    return given


def _limited(given: Mapping[str, Setting], wait: float) -> dict[str, Setting]:
    """What to connect with: as given, and a time limit on everything."""
    limits = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": int(wait * 1000)}
    options = f"{given.get('options', '')} {_options(wait)}".strip()
    return {**limits, "application_name": "gatewright", **given, "options": options}


def _options(wait: float) -> str:
    # A lock is waited for somewhat less long than a statement may take, so that it is the lock that is told of. A
    # program that hangs in the middle of its step must not keep all others out.
    limits = {
        "statement_timeout": wait,
        "lock_timeout": wait * 0.8,
        "idle_in_transaction_session_timeout": wait,
    }
    texts = [f"-c {name}={max(1, int(seconds * 1000))}" for name, seconds in limits.items()]
    return " ".join([*texts, "-c default_transaction_isolation=read\\ committed"])


def _checked(link: Link) -> Link:
    server = link.connection.info.server_version // 10_000
    if server >= OLDEST_SERVER:
        return link
    link.close()
    raise LedgerError(link.name, f"the server is PostgreSQL {server}", f"PostgreSQL {OLDEST_SERVER} or newer is needed")


def without_password(url: str) -> str:
    """A URL as it may be shown: without a password, wherever in it that stands."""
    scheme, _, rest = url.partition("://")
    user, at, behind = rest.rpartition("@")
    behind, mark, query = behind.partition("?")
    kept = [part for part in query.split("&") if "password" not in unquote(part.partition("=")[0]).lower()]
    return f"{scheme}://{user.partition(':')[0]}{at}{behind}{mark if any(kept) else ''}{'&'.join(kept)}"


def _told(error: "psycopg.Error", name: str, *, final: bool) -> LedgerError:
    """What the server, or the lack of it, says of a ledger."""
    code = error.sqlstate
    if code == "GW001":
        return _other_version(name, int(error.diag.message_primary or 0))
    if code is None or code in _LOST:
        if final:
            problem = "the connection was lost before the answer came: whether the step was recorded is not known"
            return LedgerError(name, problem, _REPEAT)
        return LedgerError(name, "the connection was lost in the middle of the step, of which nothing remains")
    known = _MEANINGS.get(code) or _MEANINGS.get(code[:2])
    if known is not None:
        return LedgerError(name, *known)
    return LedgerError(name, f"the server says: {error.diag.message_primary} ({code})", "see the log of the server")


def _other_version(name: str, found: int) -> LedgerError:
    problem = f"it has schema version {found}, and this program knows {VERSION}"
    newer = found > VERSION
    return LedgerError(
        name, problem, "use the newer gatewright that made it" if newer else "run `gatewright ledger migrate`"
    )


def _unreachable(error: "psycopg.Error", name: str, password: object) -> LedgerError:
    """Why a connection could not be made; the driver gives texts, and codes only sometimes."""
    text = str(error)
    if isinstance(password, str) and password:
        text = text.replace(password, "…")
    said = " ".join(text.split())
    for pattern, code in (
        ("database .* does not exist", "3D000"),
        ("authentication failed|no pg_hba.conf entry", "28"),
    ):
        if re.search(pattern, said):
            return LedgerError(name, *_MEANINGS[code])
    said = re.sub(r"^connection failed: ", "", said)
    hint = "check that the server runs, and the host and port of the URL"
    return LedgerError(name, f"the server cannot be reached: {said}", hint)
