"""Exceptions for people and programs: what each lets through, who answers for it, and how it stands."""

from collections.abc import Sequence

from msgspec import Struct

from gatewright.errors import Place
from gatewright.model.decisions import Plain
from gatewright.report.formats import as_csv, markdown_table, table

HEADERS = ("EXCEPTION", "CODE", "OWNER", "UNTIL", "STANDING", "USED", "WHERE", "REASON")
CSV_COLUMNS = ("policy", "exception", "code", "owner", "until", "standing", "used", "where", "reason")


class Listed(Struct, frozen=True, kw_only=True):
    """An exception, and how it stands."""

    policy: str
    exception: str
    code: str
    owner: str
    until: str
    reason: str
    where: Place
    standing: str  #: live, soon over, or expired
    expired: bool
    usable: bool  #: whether a rule denies with its code at all
    used: int | None = None  #: recorded decisions; None where nobody asked

    @property
    def wrong(self) -> bool:
        """Whether it should be looked at: it holds no longer, or lets nothing through."""
        return self.expired or not self.usable or self.used == 0

    @property
    def told(self) -> str:
        """How often it was used, in words."""
        if not self.usable:
            return "by nothing"
        return "" if self.used is None else str(self.used)


def text(found: Sequence[Listed], *, style: str = "", width: int = 0) -> str:
    """A table, a line an exception."""
    return table(_rows(found), HEADERS, style=style, width=width)


def _rows(found: Sequence[Listed]) -> list[list[str]]:
    return [
        [
            *(each.exception, each.code, each.owner, each.until, each.standing, each.told),
            *(f"{each.where.file.rsplit('/', 1)[-1]}:{each.where.line}", each.reason),
        ]
        for each in found
    ]


def plain(found: Sequence[Listed]) -> list[Plain]:
    """The exceptions as plain data."""
    return [
        {
            "policy": each.policy,
            "exception": each.exception,
            "code": each.code,
            "owner": each.owner,
            "until": each.until,
            "reason": each.reason,
            "where": str(each.where),
            "standing": each.standing,
            "usable": each.usable,
            "used": each.used,
        }
        for each in found
    ]


def csv(found: Sequence[Listed]) -> str:
    """A line an exception."""
    return as_csv(
        CSV_COLUMNS,
        [
            [
                *(each.policy, each.exception, each.code, each.owner, each.until, each.standing, each.told),
                *(str(each.where), each.reason),
            ]
            for each in found
        ],
    )


def markdown(found: Sequence[Listed]) -> str:
    """A table in Markdown."""
    headers = [header.capitalize() for header in HEADERS]
    return "\n".join(["# Exceptions", "", *markdown_table(headers, _rows(found))]) + "\n"
