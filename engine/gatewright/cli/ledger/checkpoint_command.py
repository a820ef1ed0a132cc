"""`gatewright ledger checkpoint`: sign what the ledger is now."""

import os

import click

from gatewright.cli.ledger.common import ledger_options, none_there, text_of
from gatewright.cli.progress import progress
from gatewright.cli.streams import emit, say
from gatewright.errors import UsageError
from gatewright.ledger import auditing, notes
from gatewright.ledger.checkpoints import checkpoint_of
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.protocol import Ledger
from gatewright.model.exits import ExitCode
from gatewright.report import evidence as report
from gatewright.text import counted, printable

_SECRET, _PUBLIC = 0o600, 0o666


@click.command("checkpoint")
@click.option("--key", metavar="FILE", help="The private key to sign with.")
@click.option("--out", metavar="FILE", help="Write to this new file; else to standard output.")
@click.option("--new-key", metavar="FILE", help="Make a key, and FILE.pub to verify with; then do no more.")
@click.option("--name", metavar="NAME", help="What the new key is called; else as the ledger.")
@ledger_options
def command(*, ledger: Ledger, key: str | None, out: str | None, new_key: str | None, name: str | None) -> int:
    """Sign how many rows the ledger has, and the root of the tree over their lines.

    A checkpoint is worth what the place is worth that it is kept in: one that the ledger's owner cannot write. Chain
    and tree are verified before. Exits 1 when they do not hold, 5 when there is no ledger.

    \b
    Example:
      gatewright ledger checkpoint --new-key gate.key
      gatewright ledger checkpoint --key gate.key --out monday.txt
    """
    if (key is None) == (new_key is None):
        raise UsageError("give either --key or --new-key", "a key is made once, and signs many checkpoints")
    if new_key is not None:
        return _make_key(new_key, name or auditing.origin_of(ledger) or "gatewright")
    assert key is not None
    return _sign(ledger, notes.read_private_key(text_of(key), key), out)


def _make_key(path: str, name: str) -> int:
    made = notes.new_key(name)
    public = made.public.text()
    _write_new(path, made.text() + "\n", _SECRET)
    try:
        _write_new(f"{path}.pub", public + "\n", _PUBLIC)
    except LedgerError:
        os.unlink(path)  # or the next try would find a key that is there already, and nothing to verify with
        raise
    emit(f"{printable(public)}\n")
    say("gatewright", f"{path} signs and stays secret, {path}.pub verifies")
    return ExitCode.OK


def _sign(ledger: Ledger, key: notes.PrivateKey, out: str | None) -> int:
    with progress("verifying") as told:
        audit = auditing.audit(ledger, (), told, chain_only=True)
    if audit is None:
        return none_there(ledger)
    if not audit.holds:
        say("gatewright", report.text(audit, ledger.name))
        return ExitCode.FAILED
    note = key.sign(checkpoint_of(audit.tally).text())
    if out is None:
        emit(note)
    else:
        _write_new(out, note, _PUBLIC)
        say("gatewright", f"{out}: {counted(audit.tally.size, 'row')} signed by {key.name}")
    return ExitCode.OK


def _write_new(path: str, text: str, mode: int) -> None:
    """Write a file that is not there yet, as a whole or not at all; it outlives a loss of power."""
    made = None
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(made, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise LedgerError(path, "it is there already, and is not overwritten", "name a new file") from None
    except OSError as error:
        if made is not None:
            os.unlink(path)
        raise LedgerError(path, (error.strerror or "it cannot be written").lower()) from None
