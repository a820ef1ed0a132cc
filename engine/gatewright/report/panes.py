"""Screens and deliveries as text and as plain data."""

from gatewright.model import DELIVERY_BLOCKED, DELIVERY_LIMITED, DELIVERY_UNVERIFIED
from gatewright.model.decisions import Plain
from gatewright.model.delivery_reasons import DELIVERY
from gatewright.model.screens import Delivery, DeliveryClass, Pane
from gatewright.report.formats import table

HEADERS = ("Screen", "Class", "Kind", "Known by", "Ends")
CODES = {
    DeliveryClass.HOOK_TRUST: DELIVERY_BLOCKED,
    DeliveryClass.LIMIT: DELIVERY_LIMITED,
    DeliveryClass.UNKNOWN: DELIVERY_UNVERIFIED,
}
_ACTIONS = {reason.code: reason.action for reason in DELIVERY}


def code_of(delivery: Delivery) -> str | None:
    """The reason code of a delivery; None for one that is a start."""
    return CODES.get(delivery.delivery_class)


def pane_plain(pane: Pane) -> dict[str, Plain]:
    """What was read off a screen as plain data."""
    return {
        "class": pane.pane_class.value,
        "gate_kind": pane.gate_kind.value if pane.gate_kind is not None else None,
        "screen": pane.screen,
        "product": pane.product,
        "marker": pane.marker,
        "reset_text": pane.reset_text,
        "reset_at": pane.reset_at,
    }


def delivery_plain(delivery: Delivery) -> dict[str, Plain]:
    """A delivery as plain data."""
    return {
        "delivery": delivery.delivery_class.value,
        "evidence": delivery.evidence,
        "before": pane_plain(delivery.before) if delivery.before is not None else None,
        "after": pane_plain(delivery.after),
        "reason": code_of(delivery),
        "remedy": _ACTIONS.get(code_of(delivery) or ""),
    }


def pane_table(pane: Pane, style: str, width: int) -> str:
    """What was read off a screen as a table."""
    return table([_row("now", pane)], HEADERS, style=style, width=width)


def delivery_table(delivery: Delivery, style: str, width: int) -> str:
    """A delivery as a table of its screens and a line on what they say."""
    rows = [_row("before", delivery.before)] if delivery.before is not None else []
    shown = table([*rows, _row("after", delivery.after)], HEADERS, style=style, width=width)
    by = f" (by its {delivery.evidence})" if delivery.evidence else ""
    code = code_of(delivery)
    told = f"{code}: {_ACTIONS[code]}\n" if code is not None else ""
    return f"{shown}\ndelivery: {delivery.delivery_class.value}{by}\n{told}"


def _row(name: str, pane: Pane) -> list[str]:
    kind = pane.gate_kind.value if pane.gate_kind is not None else ""
    return [name, pane.pane_class.value, kind, pane.marker or "", pane.reset_at or pane.reset_text or ""]
