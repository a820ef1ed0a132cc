"""An audit in the words of the older gate, so that scripts which read its report run unchanged."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime

from gatewright.model.audits import Audit
from gatewright.model.tiers import UNKNOWN
from gatewright.text import printable


def text(audit: Audit) -> str:
    """The report of the older gate: headings with lines below them, and `<none>` where there are none."""
    lines = [
        "Dispatch gate report",
        f"Scope: {'today (UTC)' if audit.bounded else 'all ledger entries'}",
        f"Skipped malformed: {audit.skipped.lines}",
        f"Time span: {_span(audit)}",
    ]
    for title, found in (
        ("Models", _models(audit)),
        ("Denials", _denials(audit)),
        ("Tiers", _tiers(audit)),
        ("Tier policies", _tables(audit)),
        ("Tier overrides", _overrides(audit)),
    ):
        lines += [f"{title}:", *([f"  {printable(line)}" for line in found] or ["  <none>"])]
    return "".join(f"{line}\n" for line in lines)


def _span(audit: Audit) -> str:
    if audit.first is None or audit.last is None:
        return "none"
    return f"{_time(audit.first)} to {_time(audit.last)}"


def _time(ts: float) -> str:
    try:
        return datetime.fromtimestamp(ts, UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):
        return str(ts)


def _models(audit: Audit) -> list[str]:
    return [
        f"{use.model}: dispatches={use.dispatches} est_cost_proxy={use.cost}"
        + (f" computed_legacy_entries={use.computed}" if use.computed else "")
        for use in audit.models
        if use.model is not None
    ]


def _denials(audit: Audit) -> list[str]:
    counts: dict[str, int] = {}
    for each in audit.denials:
        if each.code is not None:
            counts[each.code] = counts.get(each.code, 0) + each.count
    return [f"{code}: {counts[code]}" for code in sorted(counts)]


def _tiers(audit: Audit) -> list[str]:
    return [
        f"{use.tier}: dispatches={use.dispatches} agents={use.agents}"
        + ("  <- allowed without a known tier" if use.tier == UNKNOWN else "")
        for use in audit.tiers
        if use.tier is not None and use.dispatches
    ]


def _tables(audit: Audit) -> list[str]:
    return [
        f"{use.path}: sha256={use.sha256[:12] if use.sha256 else '<unrecorded>'} decisions={use.decisions}"
        for use in audit.tables
        if use.path is not None
    ]


def _overrides(audit: Audit) -> Iterable[str]:
    return [
        f"{use.model}: reason={json.dumps(use.reason, ensure_ascii=False)} count={use.dispatches}"
        for use in audit.overrides
        if use.model is not None
    ]
