"""Checks that a ledger has recorded, as requests that can be judged again, with what their rows do not say of them."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from gatewright.ledger.protocol import Entry
from gatewright.ledger.rows import Row, RowKind
from gatewright.model import INVALID_REQUEST, Contract, Mentions, Moment, TicketPath

Plain = Mapping[str, object]
_KEYS = {"runtime": "runtime", "model": "model", "agents": "n_agents"}
_KEYS |= {name: name for name in ("est_chars", "completion_channel")}
_UNREAD = "it could not be read when the check was made"


class Recorded(Struct, frozen=True, kw_only=True):
    """A recorded check: what was asked, what came of it, and what its row does not say."""

    row: int
    at: float  #: when it counts, in the ledger's time
    wall: float | None  #: the time that it has itself
    facts: Plain
    blanks: frozenset[str]  #: facts, and fields of facts, that the row does not hold
    decided: bool  #: whether a policy decided it, and not the engine in its place
    allow: bool
    reasons: tuple[str, ...]
    all_reasons: bool  #: whether those are all, and not the first one only
    warnings: frozenset[str]
    rule: str  #: the rule that denied it; empty where the row does not say
    agents: int | None  #: what it counts, if it was allowed
    tier: str
    policy: tuple[str, str] | None  #: id and digest of the policy that decided it
    table: str | None  #: SHA-256 of its tier table

    @property
    def first(self) -> str:
        """The first reason; empty for none."""
        return self.reasons[0] if self.reasons else ""


class Reader:
    """Reads the rows of one ledger in their order, and counts those that are no checks."""

    def __init__(self) -> None:
        self.skipped = self.others = 0
        self._last: float = 0.0

    def checks(self, entries: Iterable[Entry]) -> Iterator[Recorded]:
        """The checks among the rows."""
        for entry in entries:
            row = entry.row
            if row.kind is RowKind.SKIPPED:
                self.skipped += 1
            elif row.kind is RowKind.CHECK:
                yield self._recorded(entry)
            else:
                self.others += 1

    def _recorded(self, entry: Entry) -> Recorded:
        row, data = entry.row, entry.row.data
        at = entry.at if entry.at is not None else row.ts
        self._last = self._last if at is None else at
        facts, blanks = facts_of(row)
        reasons = _codes(data.get("reasons"))
        denied = row.decision != "ALLOW"
        own = data.get("policy_path") is not None
        return Recorded(
            row=entry.id,
            at=self._last,
            wall=row.ts,
            facts=facts,
            blanks=frozenset(blanks),
            decided=not (denied and data.get("facts") is None and data.get("rule") == "engine"),
            allow=not denied,
            reasons=(reasons or (row.reason,)) if denied else (),
            all_reasons=own,
            warnings=frozenset(_codes(data.get("warnings"))),
            rule=_text(data.get("rule")),
            agents=row.agents,
            tier=row.tier,
            policy=(_text(data.get("policy")), _text(data.get("policy_digest"))) if own else None,
            table=_text(data.get("tier_policy_sha256")) or None,
        )


def facts_of(row: Row) -> tuple[dict[str, object], set[str]]:
    """The facts of a request as its row tells them, and the names of those that it does not tell."""
    data = row.data
    kept = data.get("facts")
    own, more = data.get("policy_path") is not None, kept if isinstance(kept, dict) else None
    facts = {name: data.get(key) for name, key in _KEYS.items()}
    blanks = {name for name, key in _KEYS.items() if key not in data}
    for name in ("actor", "top_approved", "labels"):
        found = data.get(name, (more or {}).get(name))
        facts[name] = {} if found is None and name == "labels" else found
        if found is None and not own:
            blanks.add(name)
    facts["request_id"] = data.get("request_id")
    facts["tier_override"] = (more or {}).get("tier_override") if more is not None else data.get("tier_override")
    if more is None and "tier_override" not in data:
        blanks.add("tier_override")
    facts["now"] = _moment(row.ts)
    if facts["now"] is None:
        blanks.add("now")
    facts = {name: value for name, value in facts.items() if name not in blanks}
    _outside(row, more, facts, blanks)
    return facts, blanks


def _outside(row: Row, more: Plain | None, facts: dict[str, object], blanks: set[str]) -> None:
    """The facts that were looked up; where the row does not tell one, that it is as it usually is."""
    roots = (more or {}).get("known_roots")
    facts["known_roots"] = roots if isinstance(roots, list) else []
    if not isinstance(roots, list):
        blanks.add("known_roots")
    facts["ticket_path"] = TicketPath(inside=(more or {}).get("ticket_inside") is not False)
    if more is None and row.reason == INVALID_REQUEST:
        blanks.add("ticket_path")
    if "contract_sha" not in row.data:
        blanks.add("contract")
        return
    facts["contract"], unknown = _contract(row.data.get("contract_sha"), (more or {}).get("contract"))
    blanks |= {f"contract.{name}" for name in unknown}


def _contract(sha: object, kept: object) -> tuple[Contract, set[str]]:
    if not isinstance(kept, dict):
        unknown = {"path", "chars", "mentions"} if isinstance(sha, str) else {"path", "error"}
        kept = {}
    else:
        unknown = {"error"} if not isinstance(sha, str) else set()
    seen = kept.get("mentions")
    mentions = dict(seen) if isinstance(seen, dict) else {}
    if mentions.get("paths", ()) is None:
        del mentions["paths"]
        unknown.add("mentions")
    path, chars = _text(kept.get("path")), kept.get("chars", 0)
    if not isinstance(sha, str):
        return Contract(path=path, readable=False, error=_UNREAD), unknown
    try:
        found = msgspec.convert(mentions, Mentions)
    except msgspec.ValidationError:
        found, unknown = Mentions(), unknown | {"mentions"}
    size = chars if type(chars) is int else None
    return Contract(path=path, readable=True, sha256=sha, chars=size, mentions=found), unknown


def _moment(ts: float | None) -> Moment | None:
    try:
        return None if ts is None else Moment.at(ts)
    except ValueError:
        return None


def _codes(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
