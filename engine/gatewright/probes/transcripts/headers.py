"""Whose a transcript is: its format, its working directory, when it began, and whether it is a sub-agent's."""

from itertools import islice

from msgspec import Struct

from gatewright.ledger.rows import time_of
from gatewright.probes.transcripts import codex
from gatewright.probes.transcripts.lines import Lines
from gatewright.probes.transcripts.rows import Part, Row, part, text

_ROWS = 1_000  #: in which what is asked for has to stand


class Header(Struct, kw_only=True):
    """What the first rows of a transcript tell."""

    format: str = ""  #: `claude`, `codex`; empty where neither is told
    cwd: str | None = None
    began: float | None = None  #: seconds since the epoch
    session: str | None = None
    parent: str | None = None  #: the session that started a sub-agent's
    is_aside: bool = False  #: whether it is a sub-agent's

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing left to look for."""
        return bool(self.format and self.cwd) and self.began is not None


def header_of(path: str) -> Header:
    """The header of a transcript. Raises FileError."""
    found = Header()
    for row in islice(Lines(path), _ROWS):
        _note(found, row)
        if found.is_whole:
            break
    return found


def _note(found: Header, row: Row) -> None:
    payload = part(row.payload)
    if row.type == "session_meta" and isinstance(row.payload, Part) and not found.format:
        found.format, found.session = "codex", text(payload.id)
        found.cwd, found.began = text(payload.cwd), codex.began(row, payload)
        found.is_aside, found.parent = codex.is_aside(payload), codex.parent_of(payload)
    elif row.type == "turn_context" and isinstance(row.payload, Part):
        found.format, found.cwd = found.format or "codex", found.cwd or text(payload.cwd)
    elif found.format != "codex" and text(row.session_id):
        found.format, found.session = "claude", text(row.session_id)
        found.cwd = found.cwd or text(row.cwd)
        found.is_aside = found.is_aside or (row.is_sidechain is True and text(row.agent_id) is not None)
        found.parent = found.session if found.is_aside else None
    if found.began is None:
        found.began = time_of(row.timestamp)
