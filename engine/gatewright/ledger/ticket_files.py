"""Tickets as files of one folder, as the older tool keeps them."""

import contextlib
import os
import stat

from gatewright.ledger import places
from gatewright.ledger.errors import LedgerError
from gatewright.ledger.tickets import Ticket, read_ticket
from gatewright.model import TicketPath

LOCK = ".dispatch-gate.lock"
_MAX_BYTES = 4096


class TicketFolder:
    """The tickets in a folder. What is done to them is staged, and carried out when the row is on disk."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._staged: dict[str, str] = {}  #: temporary files by the path they are to have
        self._taken: set[str] = set()
        self._moved: list[str] = []

    def tickets(self) -> list[Ticket]:
        """The valid tickets, in the order of their names.

        Anything else in the folder is left alone: broken files, links, pipes, names that do not fit their content.
        """
        try:
            names = sorted(name for name in os.listdir(self.path) if name.endswith(".json"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise LedgerError(self.path, f"the tickets cannot be listed: {places.said(error)}") from None
        found = [ticket for name in names if (ticket := self._read(name)) is not None]
        return [ticket for ticket in found if self._place(ticket) not in self._taken]

    def _read(self, name: str) -> Ticket | None:
        try:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(os.path.join(self.path, name), flags)
        except OSError:
            return None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return read_ticket(os.read(descriptor, _MAX_BYTES), name)
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _place(self, ticket: Ticket) -> str:
        return os.path.join(self.path, ticket.name)

    def place(self, runtime: str, contract_sha: str) -> TicketPath:
        """Where the ticket of a contract and runtime is or would be, and whether that is inside the folder."""
        path = os.path.join(self.path, f"{runtime}-{contract_sha[:12].lower()}.json")
        folder = os.path.realpath(self.path)
        return TicketPath(inside=os.path.dirname(os.path.realpath(path)) == folder, path=path)

    def issue(self, ticket: Ticket) -> None:
        """Write a ticket beside its place; `put_in_place` moves it there. Raises LedgerError."""
        path = self._place(ticket)
        temporary = os.path.join(self.path, f".{ticket.name}.tmp")
        try:
            _removed(temporary)  # left by a writer that was killed: we hold the lock, so that there is no other
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            descriptor = os.open(temporary, flags, places.FILE_MODE)
        except OSError as error:
            raise LedgerError(temporary, f"the ticket cannot be written: {places.said(error)}") from None
        self._staged[path] = temporary
        try:
            data = ticket.text().encode()
            if os.write(descriptor, data) < len(data):
                raise LedgerError(temporary, "the ticket cannot be written: no space left on device")
            os.fsync(descriptor)
        except OSError as error:
            raise LedgerError(temporary, f"the ticket cannot be written: {places.said(error)}") from None
        finally:
            os.close(descriptor)

    def consume(self, ticket: Ticket) -> bool:
        """Take a ticket away; `remove_taken` removes its file. Whether it was there."""
        path = self._place(ticket)
        if path in self._taken or not os.path.lexists(path):
            return False
        self._taken.add(path)
        return True

    def remove_taken(self) -> None:
        """Remove the files of tickets that were taken away. Raises OSError."""
        for path in self._taken:
            _removed(path)

    def put_in_place(self) -> None:
        """Move the tickets that were issued to their places, for good. Raises OSError."""
        for path, temporary in self._staged.items():
            os.replace(temporary, path)
            self._moved.append(path)
        if self._staged or self._taken:
            places.sync_folder(self.path)

    def abandon(self) -> None:
        """Remove what was issued: a step that failed leaves no ticket."""
        for path in [*self._staged.values(), *self._moved]:
            _removed(path)


def _removed(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
