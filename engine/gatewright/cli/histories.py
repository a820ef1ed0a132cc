"""Options that say which recorded checks are meant, for the commands that replay them."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from itertools import chain, islice
from typing import Any, TypeVar

import click
from msgspec import Struct, structs

from gatewright.app import App, Options
from gatewright.cli import reporting
from gatewright.cli.progress import progress
from gatewright.cli.streams import say
from gatewright.errors import FileError, UsageError
from gatewright.ledger.protocol import Entry
from gatewright.ledger.stores import NoLedger
from gatewright.model import Stage, TierPolicy
from gatewright.model.backtests import Backtest
from gatewright.probes import clock
from gatewright.probes.tiers import read_tier_policy
from gatewright.trials import columns, histories
from gatewright.trials.backtest import backtest
from gatewright.trials.columns import OtherwiseReadError
from gatewright.trials.grouped import grouped
from gatewright.trials.replaying import Side

_EVERY = 256
_FEW = 5_000  #: rows of a ledger that are gone through one by one before DuckDB has been loaded
Command = TypeVar("Command", bound=Callable[..., Any])


class History(Struct, frozen=True, kw_only=True):
    """The checks that are meant: of a ledger or of a file, and of which time."""

    ledger: str | None = None
    file: str | None = None
    span: reporting.Span = (None, None)

    def named(self) -> bool:
        """Whether a ledger or file was named."""
        return self.ledger is not None or self.file is not None

    def backtest(self, options: Options, new: Side, old: Side | None = None) -> Backtest:
        """The back-test of these checks, the quick way where that is there and gives the same.

        Raises LedgerError or FileError.
        """
        seconds = max(side.window_seconds for side in (new, old or new))
        found = self._at_once(options, new, old, seconds) if columns.is_there() else None
        if found is not None:
            return found
        source, entries = self.rows(options, seconds)
        return backtest(source, entries, new, old, span=self.span)

    def _at_once(self, options: Options, new: Side, old: Side | None, seconds: int) -> Backtest | None:
        if self.file is not None and not histories.is_archive(self.file):
            with suppress(OtherwiseReadError), columns.opened(self.file) as opened:
                if opened is not None:
                    return grouped(opened, new, old, self.span)
        source, entries = self.rows(options, seconds)
        first = list(islice(entries, _FEW))
        if len(first) < _FEW:
            return backtest(source, first, new, old, span=self.span)
        with suppress(OtherwiseReadError), columns.spooled(source, chain(first, entries)) as opened:
            return grouped(opened, new, old, self.span) if opened is not None else None
        return None

    def rows(self, options: Options, window_seconds: int) -> tuple[str, Iterator[Entry]]:
        """What the checks come from, and its rows, from so far before the span on as a window reaches.

        On a terminal a bar shows how far they have been read. Raises LedgerError or FileError.
        """
        if self.file is not None:
            return self.file, _watched(histories.entries(self.file), histories.size(self.file))
        ledger = App(structs.replace(options, ledger=self.ledger)).ledger(to_read=True)
        if isinstance(ledger, NoLedger):
            say("gatewright", f"there is no ledger at {ledger.name}")
        since, until = self.span
        rows = ledger.rows(None if since is None else since - window_seconds, until)
        return ledger.name, _watched(rows, 0, clock.now().epoch if until is None else until)


def _watched(entries: Iterator[Entry], size: int, end: float | None = None) -> Iterator[Entry]:
    """The rows as they come, with a bar for people who wait: by place, by number or, up to an end, by time."""
    first: float | None = None
    with progress("replaying") as told:
        for entry in entries:
            at = entry.row.ts if end is not None else entry.id if entry.start is None else entry.start
            first = at if first is None else first
            if entry.id % _EVERY == 0 and at is not None and first is not None:
                told(round(at - first), size if end is None else round(end - first))
            yield entry


def history_options(command: Command) -> Command:
    """Which checks are meant; the command gets them as `history`."""

    @wraps(command)
    def gathered(**given: Any) -> int:
        ledger, file = given.pop("ledger"), given.pop("history")
        if ledger is not None and file is not None:
            raise UsageError("the checks of two places are asked for", "give --ledger or --history")
        span = reporting.span(today=False, since=given.pop("since"), until=given.pop("until"))
        status: int = command(history=History(ledger=ledger, file=file, span=span), **given)
        return status

    for option in (
        click.option("--until", metavar="TIME", help="Only rows before this time."),
        click.option("--since", metavar="TIME", help="Only rows of this time or later."),
        click.option(
            "--history", metavar="FILE", help="An archive or export in the place of a ledger: .parquet, .jsonl."
        ),
        click.option("--ledger", metavar="FILE|URL", help="The ledger."),
    ):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]  # the same command with its options gathered


def table_of(options: Options, tier_policy: str | None) -> TierPolicy:
    """The tier table that was named, else the one in force. Raises FileError for one that cannot be used."""
    path = tier_policy if tier_policy is not None else App(options).tier_policy_path()
    tiers = read_tier_policy(path)
    if not tiers.loaded:
        raise FileError(path, tiers.error or "it is no tier table", f"`gatewright lint {path}` tells more")
    return tiers


def side(options: Options, tier_policy: str | None) -> Side:
    """A policy with its table. Raises PolicyError, PluginError or FileError for one that cannot be used."""
    tiers = table_of(options, tier_policy)
    return Side(App(options).gate(Stage.CHECK), tiers)
