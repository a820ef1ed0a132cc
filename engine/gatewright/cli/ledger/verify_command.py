"""`gatewright ledger verify`: go through the ledger, and tell whether it is what it was."""

from collections.abc import Sequence

import click

from gatewright.cli.ledger.common import ledger_options, none_there, text_of
from gatewright.cli.options import Output, output_options
from gatewright.cli.progress import progress
from gatewright.ledger import auditing, notes
from gatewright.ledger.checkpoints import Checkpoint, read_checkpoint
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.report import evidence as report
from gatewright.report.formats import as_json


@click.command("verify")
@click.option(
    "--checkpoint", "checkpoints", metavar="FILE", multiple=True, help="A checkpoint that it must agree with."
)
@click.option("--public-key", "keys", metavar="FILE", multiple=True, help="The key that checkpoints are signed with.")
@click.option("--chain-only", is_flag=True, help="Leave out what was derived from the lines.")
@click.option("--archive", metavar="DIR", help="The folder of the archives.")
@ledger_options
@output_options("table", "json", styled=False)
def command(
    *,
    ledger: Ledger,
    output: Output,
    checkpoints: tuple[str, ...],
    keys: tuple[str, ...],
    chain_only: bool,
    archive: str | None,
) -> int:
    """Go through the ledger from the first row to the last, and name the first that is not what it was.

    Lines against their hashes, hashes against the chain, the tree and each checkpoint, totals, attempts and settlements
    against the lines. Exits 1 when something does not hold, 5 when there is no row.

    \b
    Example:
      gatewright ledger verify --checkpoint monday.txt --public-key gate.pub
    """
    known = _checkpoints(checkpoints, keys)
    with progress("verifying") as told:
        audit = auditing.audit(ledger, known, told, chain_only=chain_only, archive=archive)
    if audit is None:
        return none_there(ledger)
    output.deliver(
        lambda each: as_json(report.plain(audit)) if each.name == "json" else report.text(audit, ledger.name)
    )
    if not audit.holds:
        return ExitCode.FAILED
    return ExitCode.OK if audit.tally.size else ExitCode.NOTHING


def _checkpoints(files: Sequence[str], keys: Sequence[str]) -> list[Checkpoint]:
    public = [notes.read_public_key(text_of(path), path) for path in keys]
    return [read_checkpoint(notes.opened(text_of(path), public, path), path) for path in files]
