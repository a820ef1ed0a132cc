"""A person or the system stops a command: told once, and not in the middle of what nobody would know of afterwards."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """The signals that stop a command: the keys of a terminal, the end of a service, a terminal that is closed."""

    def __init__(self) -> None:
        self._is_held = self._is_waiting = self._is_over = False

    def listen(self) -> None:
        """Have each of them raise KeyboardInterrupt, but for one that whoever started the command has it ignore."""
        for each in _SIGNALS:
            if signal.getsignal(each) is not signal.SIG_IGN:
                signal.signal(each, self._heard)

    def _heard(self, *_: object) -> None:
        if self._is_held:
            self._is_waiting = True
        elif not self._is_over:
            self._is_over = True  # what is to be said and written at the end is not broken off by a second key
            raise KeyboardInterrupt

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait with an interruption until what is within has come to its end. Raises KeyboardInterrupt then."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._is_waiting:
            self._heard()

    def over(self) -> None:
        """From now on there is nothing to break off."""
        self._is_over = True
