"""A check that is counted, picked and recorded by one call of a function in the database."""

from collections.abc import Iterable
from typing import cast

from gatewright.ledger.postgres_book import as_bytes, as_text
from gatewright.ledger.postgres_link import VERSION, Link
from gatewright.ledger.protocol import Counted, Draft, Question, Usage
from gatewright.ledger.session import accounts_of
from gatewright.ledger.tickets import GRACE_SECONDS, TTL_SECONDS

_CALL = """
SELECT answer, wall, used, is_full, frees_at, unsorted FROM gatewright.check_at_once(
    %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


def counted_at_once(link: Link, question: Question) -> Counted | None:
    """Ask the database; a second time where it names accounts of models that have to be sorted first."""
    members: list[bytes] = []
    others: list[bytes] = []
    while True:
        found = link.row(_CALL, _values(question, members, others), final=True)
        answer, wall, used, full, frees_at, unsorted = cast("_Answer", found)
        if answer == "done":
            usage = Usage(agents=used, frees_at=frees_at)
            return Counted(usage=usage, wall=wall, full=full)
        if answer != "sort":
            return None
        known = set(_members(question, unsorted))
        members += [name for name in unsorted if name in known]
        others += [name for name in unsorted if name not in known]


_Answer = tuple[str, float, int, bool, float | None, list[bytes]]


def _members(question: Question, names: Iterable[bytes]) -> Iterable[bytes]:
    """The accounts among these that count for the tier."""
    return map(as_bytes, accounts_of(question.tier, question.table, map(as_text, names)))


def _values(question: Question, members: list[bytes], others: list[bytes]) -> list[object]:
    table = question.table
    return [
        *(VERSION, as_bytes(f"tier:{question.tier.casefold()}"), members, others),
        *(float(table.window_seconds), table.caps.get(question.tier), question.agents),
        None if question.request_id is None else as_bytes(question.request_id),
        *(as_bytes(question.contract_sha), as_bytes(question.runtime)),
        *(*_draft(question.room), *_draft(question.full)),
        TTL_SECONDS + GRACE_SECONDS,
    ]


def _draft(draft: Draft) -> tuple[bool, bytes, list[bytes]]:
    return draft.allow, as_bytes(draft.reason), list(draft.parts)
