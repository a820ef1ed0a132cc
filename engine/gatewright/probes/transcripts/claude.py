"""Claude Code's sessions: each answer names the model that the provider says gave it.

One answer takes several rows with one id. Rows of sub-agents stand aside, in files of their own or marked
`isSidechain`. Where the provider did not answer, the program itself writes a row whose model is `<synthetic>`.
"""

from collections import Counter

from gatewright.model.measurements import Seen
from gatewright.probes.transcripts.rows import Part, Row, part, text
from gatewright.probes.transcripts.tally import Tally, count, is_placeholder, named

_ERROR = "<error>"
_MAX_AGENTS = 10_000
_MOST = 5  #: notes of a kind


class Claude:
    """What the rows of one session tell."""

    def __init__(self, limit: int) -> None:
        self.main, self.aside = Tally(limit), Tally(limit)
        self.requested: Counter[str] = Counter()
        self.session: str | None = None
        self._differing: Counter[tuple[str, str]] = Counter()
        self._errors: Counter[str] = Counter()
        self._switches: Counter[tuple[str, str, str]] = Counter()
        self._copied = 0
        self._told_of: dict[str, str] = {}  #: models of sub-agents as the parent was told them, by agent
        self._heard: set[str] = set()  #: sub-agents that have rows

    def take(self, row: Row, *, aside: bool = False) -> None:
        """Count a row. aside: whether its file is a sub-agent's."""
        if row.type == "assistant":
            self._answer(row, aside=aside or row.is_sidechain is True or text(row.agent_id) is not None)
        elif row.type == "system":
            self._switch(row)
        if isinstance(row.tool_use_result, Part):
            self._launched(row.tool_use_result)

    def _answer(self, row: Row, *, aside: bool) -> None:
        if row.forked_from is not None:
            self._copied += 1
            return
        answer = part(row.message)
        model = named(answer.model)
        if row.is_api_error_message is True and not is_placeholder(model):
            model = _ERROR
        if aside:
            self.aside.add(model, text(answer.id))
            if len(self._heard) < _MAX_AGENTS:
                self._heard.add(text(row.agent_id) or "")
            return
        self.session = self.session or text(row.session_id)
        if self.main.add(model, text(answer.id)):
            self._compare(text(row.requested_model), model)
        elif row.is_api_error_message is True:
            self._errors[text(row.error) or "an error of the provider"] += 1

    def _compare(self, asked: str | None, served: str) -> None:
        if asked is None:
            return
        count(self.requested, named(asked))
        if asked.casefold() != served.casefold() and len(self._differing) < _MAX_AGENTS:
            self._differing[named(asked), served] += 1

    def _switch(self, row: Row) -> None:
        before, after = text(row.original_model), text(row.fallback_model)
        if before and after and len(self._switches) < _MAX_AGENTS:
            why = text(row.trigger) or "the agent"
            self._switches[why, named(before), named(after)] += 1

    def _launched(self, result: Part) -> None:
        agent, model = text(result.agent_id), text(result.resolved_model)
        if agent and model and len(self._told_of) < _MAX_AGENTS:
            self._told_of[agent] = named(model)

    def seen(self) -> Seen:
        """What all of it tells."""
        subagents = self.aside.models.copy()
        for agent, model in self._told_of.items():
            if agent not in self._heard:
                count(subagents, model)
        return Seen(
            format="claude",
            measured=self.main.newest,
            models=self.main.models,
            recent=self.main.recent,
            placeholders=self.main.placeholders,
            subagents=subagents,
            requested=self.requested,
            session=self.session,
            notes=(*self._notes(),),
        )

    def _notes(self) -> list[str]:
        notes = [
            f"{why} switched the session from {before} to {after}"
            for (why, before, after), _ in self._switches.most_common(_MOST)
        ]
        notes += [
            f"asked for {asked}, answered by {served}: {number}"
            for (asked, served), number in self._differing.most_common(_MOST)
        ]
        notes += [f"not answered, {error}: {number}" for error, number in self._errors.most_common(_MOST)]
        if self._copied:
            notes.append(f"{self._copied} rows are copies of another session and do not count")
        return notes
