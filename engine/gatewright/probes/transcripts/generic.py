"""Transcripts of no known format: rows of an assistant that hold a model, in themselves or one level down."""

from gatewright.model.measurements import Seen
from gatewright.probes.transcripts.rows import Part, Row, text
from gatewright.probes.transcripts.tally import Tally, named


class Generic:
    """What the rows of one session tell."""

    def __init__(self, limit: int) -> None:
        self.main, self.aside = Tally(limit), Tally(limit)
        self.session: str | None = None

    def take(self, row: Row) -> None:
        """Count a row."""
        self.session = self.session or text(row.session_id)
        parts = [each for each in (row.message, row.item, row.payload, row.response) if isinstance(each, Part)]
        if "assistant" not in (row.type, row.role, *(each.type for each in parts), *(each.role for each in parts)):
            return
        model = next((each for each in (row.model, *(each.model for each in parts)) if text(each)), None)
        answer = next((text(each.id) for each in parts if text(each.id)), None)
        tally = self.aside if row.is_sidechain is True else self.main
        tally.add(named(model), answer)

    def seen(self) -> Seen:
        """What all of it tells."""
        return Seen(
            format="generic",
            measured=self.main.newest,
            models=self.main.models,
            recent=self.main.recent,
            placeholders=self.main.placeholders,
            subagents=self.aside.models,
            session=self.session,
        )
