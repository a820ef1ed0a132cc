"""Handling what an orchestrator has to tell: each event once, and acknowledged when all of its batch is handled.

An orchestrator tells a batch again until it is acknowledged, and so does nobody lose an event when a reader is killed.
What has been handled is kept by the event's id, so that no reader on this machine handles it a second time.
"""

from collections.abc import Callable, Generator, Iterator
from enum import Enum

from msgspec import Struct

from gatewright.ledger.errors import LedgerError
from gatewright.ledger.tasks import TaskBook
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Batch, Event, Orchestrator


class Handling(Enum):
    """What became of an event."""

    NOW = "now"
    BEFORE = "before"  #: it had been handled already, and came again
    FAILED = "failed"  #: it will come again


class Handled(Struct, frozen=True, kw_only=True):
    """An event, and what became of it."""

    event: Event
    handling: Handling


class Reader(Struct, frozen=True, kw_only=True):
    """Who handles events, and where that is kept."""

    book: TaskBook
    handle: Callable[[Event], bool]  #: handles an event; whether it could
    now: Callable[[], float]
    seconds: float  #: what handling an event may take, and so how long another reader may be at each of a batch


def handled(orchestrator: Orchestrator, reader: Reader, seconds: float) -> Iterator[Handled]:
    """Wait for events and handle them, batch for batch, until there are none or one of them could not be handled.

    Raises OrchestratorError. What it yields is kept; a batch with a failure in it is not acknowledged.
    """
    batch = orchestrator.wait(seconds)
    while batch.events:
        ended = yield from _batch(orchestrator, reader, batch)
        if not ended:
            return
        before, batch = batch, orchestrator.wait(0, batch.delivery)
        if batch.events and {each.id for each in batch.events} <= {each.id for each in before.events}:
            problem = (
                "what was acknowledged is told again: it is handled, and this orchestrator does not take note of it"
            )
            raise OrchestratorError(Trouble.REFUSED, problem)


def _batch(orchestrator: Orchestrator, reader: Reader, batch: Batch) -> Generator[Handled, None, bool]:
    """Handle the events of a batch that were not handled before; in the end, whether all of them are."""
    name, ended = orchestrator.name, True
    try:
        with reader.book.handling(1.0 + reader.seconds * len(batch.events)):
            known = set(reader.book.handled(name, [event.id for event in batch.events]))
            for event in batch.events:
                handling = Handling.BEFORE if event.id in known else _handled(reader, event)
                if handling is Handling.NOW and event.id:  # one without an id cannot be known again
                    known.add(event.id)
                    reader.book.keep_handled(name, event.id, reader.now())
                ended = ended and handling is not Handling.FAILED
                yield Handled(event=event, handling=handling)
    except LedgerError as error:
        raise OrchestratorError(Trouble.MISSING, str(error)) from None
    return ended


def _handled(reader: Reader, event: Event) -> Handling:
    return Handling.NOW if reader.handle(event) else Handling.FAILED
