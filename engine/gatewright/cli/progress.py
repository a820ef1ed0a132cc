"""A progress bar for long work."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Progress = Callable[[int, int], None]  #: how much is done, of how much


@contextmanager
def progress(label: str) -> Iterator[Progress]:
    """A progress bar on a terminal's standard error; nothing in a pipe."""
    stream = sys.__stderr__
    if stream is None or not stream.isatty():
        yield lambda _done, _total: None
        return
    with click.progressbar(length=1, label=label, file=stream, width=30) as bar:

        def told(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield told
