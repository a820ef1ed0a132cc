"""Codex's rollouts: each turn names the model that the agent was set to; who answered is told by a warning, if at all.

A forked session begins with a copy of its parent: the parent's turns are older than the session, by the time that
their ids hold. A sub-agent and the automatic reviewer write sessions of their own.
"""

import re
from collections import Counter

from gatewright.ledger.rows import time_of
from gatewright.model.measurements import Seen
from gatewright.model.tiers import UNKNOWN, vendor_of
from gatewright.probes.transcripts.rows import ErrorText, Part, Row, part, text
from gatewright.probes.transcripts.tally import Tally, count, named

_ID = r"[`'\"]?([A-Za-z][\w.:/@\[\]-]*[\w\]])"
#: The words by which a warning says who answers instead; that it is a model's id is seen by its vendor.
_REROUTED = re.compile(
    rf"\b(?:(?:re)?routed|falling back|fell back|switched) to {_ID}|\brerouted: \S+ (?:->|→) {_ID}", re.IGNORECASE
)
_MAX_TEXT = 4_096  #: characters of a warning that are looked at
_COPY_SECONDS = 1.0  #: within which a fork writes its parent's rows, where the ids of turns hold no time


class Codex:
    """What the rows of one session tell."""

    def __init__(self, limit: int) -> None:
        self.main = Tally(limit)
        self.requested: Counter[str] = Counter()
        self.session: str | None = None
        self.is_aside = False  #: whether it is a sub-agent's session
        self._began: float | None = None
        self._forked = False
        self._turn: tuple[str, str | None] | None = None  #: the set model and the id of the turn that is being read
        self._served: str | None = None  #: who answered it, where that is told
        self._copied = 0
        self._limits: Counter[str] = Counter()
        self._moves: Counter[tuple[str, str]] = Counter()

    def take(self, row: Row) -> None:
        """Count a row."""
        payload = part(row.payload)
        if row.type == "session_meta":
            self._begin(row, payload)
        elif row.type == "turn_context":
            self._turns(row, payload)
        elif row.type == "event_msg":
            self._event(payload)

    def _begin(self, row: Row, payload: Part) -> None:
        name = text(payload.id)
        if self.session is not None:
            self._forked = self._forked or name != self.session
            return
        self.session = name or ""
        self.is_aside = is_aside(payload)
        self._began = began(row, payload)
        self._forked = text(payload.forked_from_id) is not None

    def _turns(self, row: Row, payload: Part) -> None:
        turn = text(payload.turn_id)
        model = named(payload.model)
        if self._turn == (model, turn) and turn is not None:
            return  # the same turn goes on
        self._settle()
        if self._forked and self._is_copy(row, turn):
            self._copied += 1
            return
        self._turn = (model, turn)

    def _is_copy(self, row: Row, turn: str | None) -> bool:
        if self._began is None:
            return True
        made = made_at(turn)
        if made is not None:
            return made < self._began
        written = time_of(row.timestamp)
        return written is None or written <= self._began + _COPY_SECONDS

    def _event(self, payload: Part) -> None:
        for error in (payload.error, payload.message):
            if isinstance(error, ErrorText) and text(error.codex_error_info):
                self._limits[named(error.codex_error_info)] += 1
        if self._turn is None:
            return
        if payload.type == "model_reroute":
            self._served = text(payload.to_model) or self._served
        elif payload.type == "warning" and isinstance(payload.message, str):
            self._served = _rerouted_to(payload.message) or self._served

    def _settle(self) -> None:
        """Count the turn that has been read."""
        if self._turn is None:
            return
        model, turn = self._turn
        if self._served is not None:
            count(self.requested, model)
            self._moves[model, named(self._served)] += 1
        self.main.add(named(self._served) if self._served is not None else model, turn)
        self._turn = self._served = None

    def seen(self) -> Seen:
        """What all of it tells."""
        self._settle()
        return Seen(
            format="codex",
            measured=self.main.newest,
            models=self.main.models,
            recent=self.main.recent,
            placeholders=self.main.placeholders,
            requested=self.requested,
            session=self.session or None,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> list[str]:
        notes = [f"set to {before}, rerouted to {after}: {n}" for (before, after), n in self._moves.most_common(5)]
        notes += [f"not answered, {error}: {number}" for error, number in self._limits.most_common(5)]
        if self._copied:
            notes.append(f"{self._copied} turns are copies of another session and do not count")
        return notes


def _rerouted_to(warning: str) -> str | None:
    """The model that a warning says a turn went to; None for a warning of anything else."""
    ids = (found[1] or found[2] for found in _REROUTED.finditer(warning[:_MAX_TEXT]))
    return next((each for each in ids if vendor_of(each) != UNKNOWN), None)


def is_aside(payload: Part) -> bool:
    """Whether a session's header says that a sub-agent or a reviewer runs in it."""
    return payload.thread_source == "subagent" or isinstance(payload.source, dict)


def parent_of(payload: Part) -> str | None:
    """The id of the session that started a sub-agent's, where the header tells it."""
    found = payload.source
    for name in ("subagent", "thread_spawn", "parent_thread_id"):
        found = found.get(name) if isinstance(found, dict) else None
    return text(found)


def began(row: Row, payload: Part) -> float | None:
    """When a session began, by its header."""
    told = time_of(payload.timestamp)
    return time_of(row.timestamp) if told is None else told


def made_at(turn: str | None) -> float | None:
    """When an id was made, by the milliseconds at the front of a version 7 UUID; None for any other id."""
    digits = (turn or "").replace("-", "")
    if len(digits) != 32 or digits[12] != "7":  # noqa: PLR2004  the form of a UUID
        return None
    try:
        return int(digits[:12], 16) / 1000
    except ValueError:
        return None
