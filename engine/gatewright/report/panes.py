"""Screens and deliveries as text and as plain data."""

from gatewright.model.decisions import Plain
from gatewright.model.screens import Delivery, DeliveryClass, Pane
from gatewright.report.formats import table

HEADERS = ("Screen", "Class", "Kind", "Known by", "Ends")
#: What to do about each class; no task is ever sent a second time, since the first may have arrived.
REMEDIES = {
    DeliveryClass.AGENT_STARTED: "",
    DeliveryClass.HOOK_TRUST: "answer what stands on the screen, and then dispatch anew; nothing is typed into it here",
    DeliveryClass.LIMIT: "take another runtime or account, or wait until the limit ends",
    DeliveryClass.UNKNOWN: "UNVERIFIED: look at the terminal itself; do not send the task again",
}


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
        "remedy": REMEDIES[delivery.delivery_class] or None,
    }


def pane_table(pane: Pane, style: str, width: int) -> str:
    """What was read off a screen as a table."""
    return table([_row("now", pane)], HEADERS, style=style, width=width)


def delivery_table(delivery: Delivery, style: str, width: int) -> str:
    """A delivery as a table of its screens and a line on what they say."""
    rows = [_row("before", delivery.before)] if delivery.before is not None else []
    shown = table([*rows, _row("after", delivery.after)], HEADERS, style=style, width=width)
    by = f" (by its {delivery.evidence})" if delivery.evidence else ""
    remedy = REMEDIES[delivery.delivery_class]
    return f"{shown}\ndelivery: {delivery.delivery_class.value}{by}\n" + (f"{remedy}\n" if remedy else "")


def _row(name: str, pane: Pane) -> list[str]:
    kind = pane.gate_kind.value if pane.gate_kind is not None else ""
    return [name, pane.pane_class.value, kind, pane.marker or "", pane.reset_at or pane.reset_text or ""]
