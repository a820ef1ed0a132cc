"""A result in the format that was asked for."""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from gatewright.cli.options import width
from gatewright.model.decisions import Plain
from gatewright.report.formats import Format, as_json

Found = TypeVar("Found")
Found_contra = TypeVar("Found_contra", contravariant=True)


class Report(Protocol[Found_contra]):
    """A module that tells one kind of result in the formats that most commands have."""

    def plain(self, found: Found_contra, /) -> Plain | dict[str, Plain] | list[Plain]:
        """As plain data."""

    def csv(self, found: Found_contra, /) -> str:
        """As comma-separated values."""

    def markdown(self, found: Found_contra, /) -> str:
        """As a page of Markdown."""

    def text(self, found: Found_contra, /, *, style: str, width: int) -> str:
        """As tables."""


def rendered(
    wanted: Format, report: Report[Found], found: Found, more: Mapping[str, Callable[[Found], str]] = {}
) -> str:
    """A result in a format. more: the formats that only its command has, by name."""
    if wanted.name in more:
        return more[wanted.name](found)
    if wanted.name == "json":
        return as_json(report.plain(found))
    if wanted.name == "csv":
        return report.csv(found)
    if wanted.name == "markdown":
        return report.markdown(found)
    return report.text(found, style=wanted.style, width=width())
