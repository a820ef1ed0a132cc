"""Logs of SARIF 2.1.0: results with their rule, their weight, their places, and why one was let through on purpose."""

import os
from collections.abc import Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

from msgspec import Struct

from gatewright.errors import Fix, Place
from gatewright.model.decisions import Plain
from gatewright.text import printable

Object = dict[str, Plain]


class Result(Struct, frozen=True, kw_only=True):
    """One thing that was found."""

    rule: str  #: the reason code, or the check of `lint`
    level: str  #: `error`, `warning` or `note`
    text: str
    place: Place | None
    related: tuple[Place, ...] = ()
    accepted: str = ""  #: what let it through
    fix: Fix | None = None
    fix_text: str = ""  #: what the fix does


def log(results: Sequence[Result]) -> Object:
    """The results as a log of one run."""
    rules = list(dict.fromkeys(result.rule for result in results))
    driver: Object = {"name": "gatewright", "rules": [{"id": printable(rule)} for rule in rules]}
    run: Object = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, rules.index(result.rule)) for result in results],
    }
    return {"version": "2.1.0", "runs": [run]}


def _result(result: Result, rule: int) -> Object:
    found: Object = {
        "ruleId": printable(result.rule),
        "ruleIndex": rule,
        "level": result.level,
        "message": {"text": printable(result.text)},
    }
    if result.place is not None:
        found["locations"] = [_location(result.place)]
    if result.related:
        found["relatedLocations"] = [_location(place) for place in result.related]
    if result.accepted:
        found["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": printable(result.accepted)}
        ]
    if result.fix is not None and result.place is not None:
        change: Plain = {"artifactLocation": _artifact(result.place), "replacements": [_replacement(result.fix)]}
        found["fixes"] = [{"description": {"text": result.fix_text}, "artifactChanges": [change]}]
    return found


def _location(place: Place) -> Object:
    region: Object = {"startLine": max(place.line, 1), "startColumn": max(place.column, 1)}
    return {"physicalLocation": {"artifactLocation": _artifact(place), "region": region}}


def _artifact(place: Place) -> Object:
    file = place.file
    return {"uri": PurePosixPath(file).as_uri() if os.path.isabs(file) else quote(os.fsencode(file))}


def _replacement(fix: Fix) -> Object:
    region: Object = {"charOffset": fix.start, "charLength": fix.end - fix.start}
    return {"deletedRegion": region, "insertedContent": {"text": fix.text}}
