"""Back-tests of millions of rows: DuckDB puts checks that must come out alike together, and one of each is judged.

Where the window counts, the checks that it counts for are gone through in their order, as they are row by row. Whatever
is found is the same as row by row; where that cannot be had, nothing is found, and the slower way is gone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from gatewright.expressions.sql import literal
from gatewright.model import Window
from gatewright.model.backtests import Backtest
from gatewright.model.tiers import UNKNOWN
from gatewright.trials.backtest import FIRST, Findings, Span, verdicts
from gatewright.trials.columns import History, history
from gatewright.trials.folding import Fold
from gatewright.trials.keys import (
    Keys,
    Unfit,
    keys_of,
    looks_for_odd_times,
    models_table,
    odd,
    relevant_tiers,
    sql_list,
)
from gatewright.trials.recorded import Reader, Recorded
from gatewright.trials.replaying import Judged, Side
from gatewright.trials.rule_columns import Columns, accessors
from gatewright.trials.views import File, Wanted

if TYPE_CHECKING:
    import pyarrow as pa

Judge = Callable[[Recorded], Judged]
_BATCH = 65_536
_MOST_GROUPS = 500_000
_MOST_LISTED = 1_500_000  #: checks that are held in memory


def grouped(file: File, new: Side, old: Side | None, span: Span = (None, None)) -> Backtest | None:
    """The back-test of a history, or of a span of it; None where the policies have it done row by row.

    Raises OtherwiseReadError for a file that DuckDB does not read as the reader of rows does.
    """
    import duckdb

    sides = [new] if old is None else [new, old]
    try:
        asked = Columns()
        keys = [keys_of(side, number, asked) for number, side in enumerate(sides)]
        reads = frozenset().union(*(each.reads for each in keys))
        bits, apart = tuple(asked.bits), asked.told_apart()
        found = history(file, Wanted(tests=asked.tests, bits=bits, odd=odd(reads), apart=apart))
        return _Run(found, sides, keys, span).result()
    except (Unfit, duckdb.Error):
        return None


class _Group(Struct):
    """Checks that have everything alike but what the window holds."""

    count: int
    agents: int
    first: list[int]  #: the numbers of the first ones
    folded: bool  #: whether the window counts for them
    inside: bool  #: whether they are of the span; others count in windows as they were recorded
    tiers: Sequence[str | None]  #: for each side


class _Run:
    """One back-test."""

    def __init__(self, found: History, sides: Sequence[Side], keys: Sequence[Keys], span: Span) -> None:
        self.history, self.sides, self.keys, self.span = found, sides, keys, span
        self.connection = found.file.connection
        self.tiers = [relevant_tiers(side, keys) for side, keys in zip(sides, self.keys, strict=True)]
        self.fold = Fold(sides, self.keys)
        self.beside = [(f"f{number}_{at}", sql) for number, at, sql in self._asked()]
        self.row = ["number", "counts_at", "counted", *(name for name, _ in self.beside)]
        self.found = Findings()
        if self._has_odd_times():
            raise Unfit
        self._models()
        self._view()
        self.looked_at = self._looked_at()

    def _has_odd_times(self) -> bool:
        """Whether a rule may find a row whose own time lies ahead of a later one's: that is not kept here."""
        if not any(looks_for_odd_times(keys) for keys in self.keys):
            return False
        before = 'max(ts) FILTER (ts > "at") OVER (ORDER BY number ROWS UNBOUNDED PRECEDING)'
        all_ = f'SELECT ts, {before} AS before FROM checks WHERE "at" IS NOT NULL'  # noqa: S608  names of ours
        query = f"SELECT 1 FROM ({all_}) WHERE ts < before LIMIT 1"  # noqa: S608  as above
        return self.connection.execute(query).fetchone() is not None

    def _models(self) -> None:
        import pyarrow as pa

        for number, side in enumerate(self.sides):
            table = models_table(side, self.history.models)
            schema = {"named": pa.string(), "of_tier": pa.string(), "of_tier_ambiguous": pa.bool_()}
            schema |= {"of_model_listing": pa.string(), "of_vendor": pa.string()}
            self.connection.register(f"models{number}", pa.Table.from_pylist(table, pa.schema(list(schema.items()))))

    def _view(self) -> None:
        """Every check with its key, and whether the window counts for it."""
        inside = self._inside()
        columns = [*(f'"{name}"' for name in self.history.shape), "bits", "CASE WHEN odd THEN number END", inside]
        columns += [each for keys in self.keys for each in keys.columns]
        joins = " ".join(
            f"LEFT JOIN models{number} m{number} ON checks.model IS NOT DISTINCT FROM m{number}.named"
            for number in range(len(self.sides))
        )
        folded = self._folded()
        held = [f"({column}) AS k{at}" for at, column in enumerate(columns)]
        held += [f"m{number}.of_tier AS tier{number}" for number in range(len(self.sides))]
        held += [f"({sql}) AS {name}" for name, sql in self.beside]
        self.connection.execute(
            f"CREATE VIEW keyed AS SELECT number, counts_at, counted, ({folded}) AS folded, {inside} AS inside,"  # noqa: S608
            f" {', '.join(held)} FROM checks {joins}"
        )
        self.key = ", ".join(f"k{at}" for at in range(len(columns)))
        number = f"SELECT coalesce(sum(number), 0) FROM seen AS checks {joins} WHERE {folded}"  # noqa: S608  as above
        self.listed = self.connection.execute(number).fetchall()[0][0] <= _MOST_LISTED

    def _inside(self) -> str:
        """Whether a check is of the span."""
        since, until = self.span
        tests = [f"ts >= {literal(since)}"] if since is not None else []
        tests += [f"ts < {literal(until)}"] if until is not None else []
        return f"coalesce({' AND '.join(tests)}, FALSE)" if tests else "TRUE"

    def _looked_at(self) -> str:
        """Which checks are looked at: of those outside the span the ones that a window of one inside may reach."""
        if self.span == (None, None):
            return "TRUE"
        first = f"SELECT min(counts_at) FROM checks WHERE {self._inside()}"  # noqa: S608  numbers
        at = self.connection.execute(first).fetchall()[0][0]
        seconds = max(side.window_seconds for side in self.sides)
        return "inside" if at is None else f"(inside OR (folded AND counts_at >= {literal(at - seconds)}))"

    def _asked(self) -> Iterator[tuple[int, int, str]]:
        """The facts that the rules which read the window ask for beside it."""
        for number, desk in enumerate(self.fold.desks):
            known = accessors(number)
            for at, name in enumerate(desk.names):
                if name not in known:
                    raise Unfit
                yield number, at, known[name]

    def _folded(self) -> str:
        tests = ["FALSE"]
        for number, tiers in enumerate(self.tiers):
            if tiers:
                told = [tier.casefold() for tier in tiers]
                tests.append(f"coalesce(m{number}.of_tier IN {sql_list(tiers)}, FALSE)")
                tests.append(f"coalesce(lower(checks.tier) IN {sql_list(told)}, FALSE)")
            if UNKNOWN in tiers:  # what has no model counts for it
                tests.append("checks.model IS NULL")
        return " OR ".join(tests)

    # -- what is alike -------------------------------------------------------------------------------------------------

    def result(self) -> Backtest:
        """Everything that is found."""
        groups = self._groups()
        checks = self._checks(number for group in groups.values() for number in group.first)
        judges = [side.judge for side in self.sides]
        for name, group in groups.items():
            if group.folded:
                self.fold.kind(name, checks[group.first[0]], group.tiers, inside=group.inside)
            else:
                self._add(group.count, group.agents, [(checks[number], judges) for number in group.first])
        self._fold()
        old = self.sides[1] if len(self.sides) > 1 else None
        source, others = self.history.file, self.history.others
        return self.found.result(source.name, self.span, self.sides[0], old, skipped=source.skipped, others=others)

    def _groups(self) -> dict[int, _Group]:
        """The groups by the hash of their key, which is theirs alone."""
        import pyarrow as pa

        tiers = "".join(f", any_value(tier{number})" for number in range(len(self.sides)))
        rows = f"list({{{', '.join(f'{name}: {name}' for name in self.row)}}}) FILTER (folded)"
        query = (
            f"SELECT hash({self.key}) AS name, {rows if self.listed else 'NULL'} AS rows, count(*),"  # noqa: S608
            f" coalesce(sum(counted), 0), min(number, {FIRST}), folded, inside{tiers}"
            f" FROM keyed WHERE {self.looked_at} GROUP BY {self.key}, folded, inside LIMIT {_MOST_GROUPS + 1}"
        )
        table = self.connection.execute(query).to_arrow_table()
        self.rows = pa.table({name: table.column(name) for name in ("name", "rows")})
        names, *columns = (column.to_pylist() for at, column in enumerate(table.columns) if at != 1)
        found = {
            name: _Group(count, int(agents), first, folded, inside, tiers)
            for name, count, agents, first, folded, inside, *tiers in zip(names, *columns, strict=True)
        }
        if len(table) > _MOST_GROUPS or len(found) < len(table):
            raise Unfit
        return found

    def _checks(self, numbers: Iterable[int]) -> dict[int, Recorded]:
        """The checks of these numbers. Raises Unfit where one of them is none to the reader of rows."""
        wanted = set(numbers)
        entries = self.history.entries(wanted)
        found = {check.row: check for check in Reader().checks(entries[number] for number in sorted(entries))}
        if found.keys() != wanted:
            raise Unfit
        return found

    def _add(self, count: int, agents: int, first: Sequence[tuple[Recorded, Sequence[Judge]]]) -> None:
        """Add checks that came out alike. One stands for all; where there is something to tell, the first ones do."""
        for at, (check, judges) in enumerate(first):
            both = verdicts(check, judges[0], judges[1] if len(judges) > 1 else None)
            if at == 0 and not both.differ:
                self.found.add(check, both, count=count, agents=agents)
                return
            self.found.add(check, both, count=1 if at else count - len(first) + 1, agents=0 if at else agents)

    # -- what the window counts for ------------------------------------------------------------------------------------

    def _fold(self) -> None:
        """Go through the checks for which the window counts, in their order."""
        for batch in self._listed() if self.listed else self._asked_again():
            self.fold.through(zip(*(column.to_pylist() for column in batch.columns), strict=True))
        outcomes = self.fold.outcomes()
        checks = self._checks(number for outcome in outcomes for number, _ in outcome.seen)
        for outcome in outcomes:
            first = [(checks[number], self._judges(windows)) for number, windows in outcome.seen]
            self._add(outcome.count, outcome.agents, first)

    def _listed(self) -> Iterator["pa.RecordBatch"]:
        """The checks for which the window counts, as they were listed with their groups, put in order."""
        import pyarrow as pa
        import pyarrow.compute as pc

        lists = self.rows.column("rows").combine_chunks()
        names = self.rows.column("name").take(pc.list_parent_indices(lists))
        number, at, counted, *beside = lists.flatten().flatten()
        columns = [number, at, counted, names, *beside]
        rows = pa.table(columns, [str(place) for place in range(len(columns))])
        yield from rows.take(pc.sort_indices(number)).to_batches(_BATCH)

    def _asked_again(self) -> Iterator["pa.RecordBatch"]:
        """The same where they are too many to be listed."""
        number, at, counted, *beside = self.row
        columns = ", ".join([number, at, counted, f"hash({self.key})", *beside])
        query = f"SELECT {columns} FROM keyed WHERE folded AND {self.looked_at} ORDER BY number"  # noqa: S608  names of ours
        yield from self.connection.execute(query).to_arrow_reader(_BATCH)

    def _judges(self, windows: Sequence[Window]) -> list[Judge]:
        return [partial(side.judge, window=window) for side, window in zip(self.sides, windows, strict=True)]
