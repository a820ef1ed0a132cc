"""What is asked of each row of a history, in SQL, whatever kind of file it is in."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.expressions.sql import literal
from gatewright.ledger.rows import MAX_AGENTS
from gatewright.trials.histories import PARTS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

#: Texts that many rows share: the values of all of them are a row's shape.
SHARED = (
    *("decision", "reason", "runtime", "model", "completion_channel", "tier", "rule", "reasons", "warnings"),
    *("policy", "policy_digest", "tier_policy_sha256"),
)
#: Of these each row may have its own.
OWN = ("contract_sha", "request_id", "job_id", "tier_override", "actor", "top_approved", "kind", "policy_path")
WHOLE = ("n_agents", "est_chars")
TEXTS = tuple(name for name in (*SHARED, *OWN) if name not in PARTS)
NAMES = ("ts", *TEXTS, *WHOLE, *PARTS)
_LONGEST = 1_000_000  #: bytes of one text; a gate admits as many characters
_LATEST = 200_000_000_000  #: seconds since the epoch that every calendar here holds


class Written(Struct, frozen=True):
    """What `lines.write` has made a file of."""

    before: int  #: how many rows come before its first one, by their numbers
    skipped: int  #: lines that were no rows


class File(Struct, frozen=True, kw_only=True):
    """A file that DuckDB can read."""

    connection: "DuckDBPyConnection"
    name: str  #: of what the rows come from
    path: str
    folder: str  #: for what is written meanwhile
    written: Written | None = None  #: if it is one of ours

    @property
    def before(self) -> int:
        """How many rows come before its first one, by their numbers."""
        return self.written.before if self.written is not None else 0

    @property
    def skipped(self) -> int:
        """How many of its lines stand for some that were no rows."""
        return self.written.skipped if self.written is not None else 0


class Wanted(Struct, frozen=True, kw_only=True):
    """What is asked of each row, in SQL, beside its shape, its time and its numbers.

    A text may stand there as it is written in JSON: whether it is null can be asked, and how much it contains.
    """

    tests: Mapping[str, str] = {}  #: names of tests, by their SQL, that all that follows may read
    bits: tuple[str, ...]  #: tests, which become one number
    odd: str  #: whether the row is to be read one by one
    apart: Mapping[str, str] = {}  #: further columns whose values are compared, and never read


def any_of(tests: Iterable[str]) -> str:
    """Whether one of these tests is true; what is unknown is not."""
    return f"coalesce({' OR '.join(f'({test})' for test in tests)}, FALSE)"


def columns_of(columns: Mapping[str, str]) -> str:
    """Named columns, as `SELECT` takes them."""
    return ", ".join(f'({sql}) AS "{name}"' for name, sql in columns.items())


def parquet(path: str) -> str:
    """A file in Parquet with the numbers of its rows, as `FROM` takes it."""
    return f"read_parquet({literal(path)}, file_row_number = true, hive_partitioning = false)"


def tested(wanted: Wanted, rows: str) -> str:
    """Rows with the tests by their names: those are not made anew wherever they are read."""
    columns = {name: any_of([test]) for test, name in wanted.tests.items()}
    return f"(SELECT *, {columns_of(columns)} FROM {rows})" if columns else rows  # noqa: S608  names of ours


def told_of(wanted: Wanted) -> dict[str, str]:
    """What is kept of a row beside what it shares."""
    long = [f'strlen("{name}") > {_LONGEST}' for name in ("runtime", "model")]
    bits = " + ".join(f"(CASE WHEN {test} THEN {1 << at} ELSE 0 END)" for at, test in enumerate(wanted.bits))
    return {
        **{name: f'"{name}"' for name in ("ts", "at", *WHOLE)},
        **wanted.apart,
        "bits": bits,
        "odd_own": any_of(["odd_kinds", "runtime IS NULL", "n_agents IS NULL", *long, wanted.odd]),
        "plain": "kind IS NULL AND job_id IS NULL",
        "vast": "vast",
    }


def make_views(file: File, told: str) -> None:
    """Make the views of all rows and of the checks among them."""
    file.connection.execute(
        f"""
        CREATE VIEW every_row AS SELECT *, file_row_number + {1 + file.before} AS number,
            coalesce(plain AND decision IN ('ALLOW', 'DENY'), FALSE) AS is_check,
            -- What may be no row, has no time, or more agents than a column holds is left to the reader of rows.
            (decision IS NULL AND plain)
                OR (is_check AND (ts IS NULL OR NOT isfinite(ts) OR abs(ts) >= {_LATEST} OR vast)) AS unread,
            odd_own OR odd_shape AS odd,
            CASE WHEN n_agents >= 1 THEN least(n_agents, {MAX_AGENTS}) END AS counted
        FROM {told}
        """  # noqa: S608  names of ours
    )
    file.connection.execute(
        'CREATE VIEW checks AS SELECT *, coalesce("at", ts)::DOUBLE AS counts_at FROM every_row WHERE is_check'
    )
