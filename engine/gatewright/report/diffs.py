"""What a change of policy means, for people and programs."""

from gatewright.errors import Place
from gatewright.model.backtests import Backtest
from gatewright.model.decisions import Plain
from gatewright.model.diffs import Meaning, PolicyDiff, RuleChange, Shown
from gatewright.report import backtests
from gatewright.report.formats import escaped, markdown_table, table
from gatewright.text import counted, printable

HEADERS = ("WHAT", "MEANING", "KEYS", "PLACE", "SHOWN BY")


def text(found: PolicyDiff, *, style: str = "", width: int = 0) -> str:
    """A row a change, then a case to paste for what is let through now, then recorded checks."""
    parts = []
    if found.changes:
        parts.append(table([_cells(each) for each in found.changes], HEADERS, style=style, width=width))
    parts += [_case(each, each.loosened) for each in found.changes if each.loosened is not None]
    if found.moved:
        parts.append(f"{_MOVED}\n")
    if found.recorded is not None:
        parts.append(f"recorded checks: {backtests.summary(found.recorded)}\n{_recorded(found.recorded, style, width)}")
    return "\n".join([*parts, f"{summary(found)}\n"])


_MOVED = "rules stand in another order: of several denials another one may be the reason"


def _recorded(found: Backtest, style: str, width: int) -> str:
    rows = [backtests.cells(each) for each in found.flips]
    return table(rows, backtests.HEADERS, style=style, width=width) if rows else ""


def summary(found: PolicyDiff) -> str:
    """`1 loosened, 2 added`, `no difference in meaning`."""
    told = [
        f"{number} {meaning.value}"
        for meaning in Meaning
        if (number := sum(each.meaning is meaning for each in found.changes))
    ]
    return ", ".join([*told, *(["moved"] if found.moved else [])]) or "no difference in meaning"


def _cells(change: RuleChange) -> list[str]:
    place = change.after or change.before
    return [change.what, change.meaning.value, ", ".join(change.parts), _place(place), _shown_by(change)]


def _place(place: Place | None) -> str:
    return f"{place.file.rsplit('/', 1)[-1]}:{place.line}" if place is not None else ""


def _shown_by(change: RuleChange) -> str:
    told = [_told(shown) for shown in (change.loosened, change.tightened, change.told) if shown is not None]
    if told:
        return "; ".join(told)
    return f"none of {counted(change.tried, 'request')} tells them apart" if change.tried else ""


def _told(shown: Shown) -> str:
    return f"{shown.request}: {shown.before}, now {shown.after}"


def _case(change: RuleChange, shown: Shown) -> str:
    told = f"{printable(change.what)} lets through: {printable(_told(shown))}\n"
    if not shown.fixture:
        return told + "no case to paste: what denied it before denies nothing else, or its code is given all the same\n"
    lines = [printable(line) for line in shown.fixture.splitlines()]
    return told + "".join(f"    {line}\n" for line in lines)


def plain(found: PolicyDiff) -> dict[str, Plain]:
    """The change as plain data."""
    return {
        "old": found.old.to_dict(),
        "new": found.new.to_dict(),
        "differs": found.differs,
        "loosens": found.loosens,
        "moved": found.moved,
        "changes": [
            {
                "what": each.what,
                "meaning": each.meaning.value,
                "keys": list(each.parts),
                "before": str(each.before) if each.before is not None else None,
                "after": str(each.after) if each.after is not None else None,
                "loosened": _plain_shown(each.loosened),
                "tightened": _plain_shown(each.tightened),
                "told": _plain_shown(each.told),
                "tried": each.tried,
            }
            for each in found.changes
        ],
        "recorded": backtests.plain(found.recorded) if found.recorded is not None else None,
    }


def _plain_shown(shown: Shown | None) -> dict[str, Plain] | None:
    if shown is None:
        return None
    return {
        "request": shown.request,
        "before": shown.before,
        "after": shown.after,
        "whole_verdict": shown.whole,
        "fixture": shown.fixture,
    }


def markdown(found: PolicyDiff) -> str:
    """The change as a page of Markdown, for a review."""
    lines = ["# Change of policy", "", f"**{escaped(summary(found))}**", ""]
    if found.changes:
        headers = [header.capitalize() for header in HEADERS]
        lines += markdown_table(headers, [_cells(each) for each in found.changes])
    for each in found.changes:
        if each.loosened is not None and each.loosened.fixture:
            case = [printable(line) for line in each.loosened.fixture.splitlines()]
            lines += ["", f"{escaped(each.what)} lets through what this case denies:", "", *_fenced(case)]
    if found.moved:
        lines += ["", escaped(_MOVED)]
    if found.recorded is not None:
        lines += ["", f"Recorded checks: {escaped(backtests.summary(found.recorded))}", ""]
        rows = [backtests.cells(each) for each in found.recorded.flips]
        lines += markdown_table([header.capitalize() for header in backtests.HEADERS], rows) if rows else []
    return "\n".join(lines) + "\n"


def _fenced(lines: list[str]) -> list[str]:
    return ["```yaml", *(line.replace("```", "` ` `") for line in lines), "```"]
