"""What was booked, against what the lines give: columns, accounts with their totals, attempts and settlements."""

import json
from collections.abc import Callable, Iterator
from itertools import islice

from gatewright.ledger.archives import seals
from gatewright.ledger.faults import Fault, Harm
from gatewright.ledger.rows import Row, read_line, sound
from gatewright.ledger.sources import Source

LIMIT = 10  #: of faults that are told

_BOOKED = """
SELECT rows.id, line, start, length, ts, kind, decision, reason, agents, name, rows.total, contract, runtime,
       request_id, job_id, nth IS NOT NULL, at
FROM rows LEFT JOIN accounts ON accounts.id = account ORDER BY rows.id
"""
_COLUMNS = (
    *("ts", "kind", "decision", "reason", "agents", "account", "total"),
    *("contract", "runtime", "request_id", "job_id", "nth"),
)
_OF_CONTRACTS = """
SELECT contract, id, runtime, nth, settled_by FROM rows
WHERE contract IS NOT NULL AND (nth IS NOT NULL OR (kind = 'registration' AND decision = 'ALLOW') OR kind = 'closing')
ORDER BY contract, id
"""


class Sums:
    """An account as its rows give it."""

    def __init__(self, total: int = 0, newest: float | None = None, muddled: float | None = None) -> None:
        self.total, self.newest, self.muddled = total, newest, muddled

    def add(self, agents: int, at: float) -> int:
        """Book a row; the total with it."""
        self.total += agents
        if self.newest is not None and at < self.newest:
            self.muddled = self.newest
        self.newest = at if self.newest is None else max(self.newest, at)
        return self.total


def sums_of(text: str) -> dict[str, Sums]:
    """The sums that were written down when rows were taken out."""
    return {name: Sums(*each) for name, each in json.loads(text).items()}


def faults(source: Source, progress: Callable[[int, int], None]) -> Iterator[Fault]:
    """What does not hold of it, of each kind the first few."""
    sealed = seals(source.connection)
    sums = sums_of(sealed[-1].sums if sealed else "{}")
    found = list(islice(_column_faults(source, sums, progress), LIMIT))
    yield from found
    if found:
        return  # the sums are made of the columns
    yield from _account_faults(source, sums)
    yield from islice(_settlement_faults(source), LIMIT)


def _column_faults(source: Source, sums: dict[str, Sums], progress: Callable[[int, int], None]) -> Iterator[Fault]:
    size = source.connection.execute("SELECT max(id) FROM rows").fetchone()[0] or 0
    for number, line, start, length, *booked, at in source.connection.execute(_BOOKED):
        text = line if source.file is None else source.file.between(start, start + length)
        given = derived(read_line(text), sums, at)
        if given != tuple(booked):
            yield _edited(number, given, tuple(booked))
        if number % 4096 == 0:
            progress(number, size)


def derived(row: Row, sums: dict[str, Sums], at: float) -> tuple[object, ...]:
    """What is booked of a row, as it and those before it give it, in the order of the columns."""
    name, total = row.account, None
    if name is not None and row.agents is not None:
        name = sound(name)
        total = sums.setdefault(name, Sums()).add(row.agents, at)
    counted = row.allowed_check and row.contract_sha is not None
    named = (None if each is None else sound(each) for each in (row.request_id, row.job_id))
    contract = None if row.contract_sha is None else sound(row.contract_sha)
    return (
        *(row.ts, row.kind.value, sound(row.decision), sound(row.reason), row.agents, name, total),
        *(contract, sound(row.runtime), *named, int(counted)),
    )


def _edited(row: int, given: tuple[object, ...], booked: tuple[object, ...]) -> Fault:
    name, right, wrong = next(each for each in zip(_COLUMNS, given, booked, strict=True) if each[1] != each[2])
    return _wrong(row, name, right, wrong)


def _wrong(row: int, name: str, right: object, wrong: object) -> Fault:
    message = f"`{name}` is {wrong!r}, and the lines give {right!r}"
    return Fault(harm=Harm.EDITED, message=message, row=row)


def _account_faults(source: Source, sums: dict[str, Sums]) -> Iterator[Fault]:
    kept = {row[0]: row[1:] for row in source.connection.execute("SELECT name, total, newest, muddled FROM accounts")}
    for name in sorted(kept.keys() | sums.keys()):
        given = sums.get(name, Sums())
        right = (given.total, given.newest, given.muddled)
        if kept.get(name) != right:
            booked = "total, newest, out of order up to"
            message = f"account `{name}` has {kept.get(name)} ({booked}), and its rows give {right}"
            yield Fault(harm=Harm.EDITED, message=message)


def _settlement_faults(source: Source) -> Iterator[Fault]:
    """Attempts and settlements, contract by contract, as the rows give them in their order."""
    contract: str | None = None
    waiting = Waiting()
    for each, number, runtime, nth, settled_by in source.connection.execute(_OF_CONTRACTS):
        if each != contract:
            yield from waiting.faults()
            contract, waiting = each, Waiting(_sealed_attempts(source, each))
        if nth is None:
            waiting.settle(runtime, number)
        else:
            yield from waiting.add(number, runtime, nth, settled_by)
    yield from waiting.faults()
    query = "SELECT id, settled_by FROM rows WHERE nth IS NULL AND settled_by IS NOT NULL LIMIT 1"
    for number, settled_by in source.connection.execute(query):
        yield _wrong(number, "settled_by", None, settled_by)


def _sealed_attempts(source: Source, contract: str) -> int:
    query = "SELECT nth FROM sealed_contracts WHERE contract = ?"
    found = source.connection.execute(query, (contract,)).fetchone()
    return int(found[0]) if found is not None else 0


class Waiting:
    """The allowed checks of one contract, and what they were settled by."""

    def __init__(self, attempts: int = 0) -> None:
        self.attempts = attempts
        self._open: dict[str, list[int]] = {}  #: by runtime, newest last
        self._kept: dict[int, int | None] = {}
        self._settled: dict[int, int] = {}

    def add(self, row: int, runtime: str, nth: int, settled_by: int | None) -> Iterator[Fault]:
        """An allowed check, and what is booked of it."""
        self.attempts += 1
        self._open.setdefault(runtime, []).append(row)
        self._kept[row] = settled_by
        if nth != self.attempts:
            yield _wrong(row, "nth", self.attempts, nth)

    def settle(self, runtime: str, registration: int) -> None:
        """A registration settles the newest check of its runtime, else the newest of all."""
        fitting = self._open.get(runtime) or max(
            (rows for rows in self._open.values() if rows), key=lambda rows: rows[-1], default=None
        )
        if fitting:
            self._settled[fitting.pop()] = registration

    def faults(self) -> Iterator[Fault]:
        """Checks that are booked as settled by something else."""
        for row, settled_by in self._kept.items():
            if settled_by != self._settled.get(row):
                yield _wrong(row, "settled_by", self._settled.get(row), settled_by)
