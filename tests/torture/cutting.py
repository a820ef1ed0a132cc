"""A way to a PostgreSQL server that is cut at a given message, before it has arrived or behind it."""

import contextlib
import selectors
import socket
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

_SOCKET = ".s.PGSQL.5432"
_CHUNK = 1 << 16


class Way:
    """A socket that leads on to a server's. After so many messages of the client nothing goes through any more."""

    def __init__(self, folder: Path, server: Path, at: int, *, arrives: bool) -> None:
        self.folder, self.server, self.at, self.arrives = folder, server, at, arrives
        self.messages, self.was_cut = 0, False
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / _SOCKET))
        self._listening.listen(16)
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            with client, socket.socket(socket.AF_UNIX) as server, contextlib.suppress(OSError):
                server.connect(str(self.server / _SOCKET))
                self._lead(client, server)

    def _lead(self, client: socket.socket, server: socket.socket) -> None:
        with selectors.DefaultSelector() as both:
            both.register(client, selectors.EVENT_READ, server)
            both.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in both.select():
                    data = key.fileobj.recv(_CHUNK)
                    if not data or (key.fileobj is client and self._cut(data, server)):
                        return
                    key.data.sendall(data)

    def _cut(self, data: bytes, server: socket.socket) -> bool:
        self.messages += 1
        if self.messages < self.at:
            return False
        if self.arrives:
            server.sendall(data)
        self.was_cut = True
        return True


@contextlib.contextmanager
def cut(server: Path, at: int, *, arrives: bool) -> Iterator[Way]:
    """A way to the server whose sockets lie in a folder, cut at a message, which arrives or does not."""
    with tempfile.TemporaryDirectory(prefix="gw-way-") as folder:
        way = Way(Path(folder), server, at, arrives=arrives)
        try:
            yield way
        finally:
            way.close()
