"""What imports have taken up, and what looking a ledger over has found."""

from collections.abc import Sequence

from gatewright.ledger.symptoms import Symptom
from gatewright.ledger.transfer import Imported
from gatewright.model.decisions import Plain
from gatewright.report.formats import table
from gatewright.text import counted, printable

_NAMED = 20


def imported_text(imported: Imported, name: str) -> str:
    """How many rows were taken up, of which kinds, and which lines are none."""
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(imported.rows.items()))
    lines = [f"{name}: {counted(imported.total, 'row')} taken up" + (f" ({kinds})" if kinds else "")]
    if imported.skipped:
        more = ", …" if imported.rows.get("skipped", 0) > _NAMED else ""
        named = ", ".join(map(str, imported.skipped[:_NAMED]))
        lines.append(f"no rows, and kept as they are: line {named}{more}")
    if imported.empty:
        lines.append(f"left out: {counted(imported.empty, 'empty line')}")
    return "".join(f"{printable(line)}\n" for line in lines)


def imported_plain(imported: Imported) -> Plain:
    """The same as plain data."""
    return {
        "rows": imported.total,
        "kinds": dict(imported.rows),
        "skipped_lines": list(imported.skipped),
        "empty": imported.empty,
    }


_SYMPTOM_HEADERS = ("", "WHAT", "FOUND", "TO DO")


def symptom_table(symptoms: Sequence[Symptom], *, style: str = "", width: int = 0) -> str:
    """A line for each thing that was looked at."""
    cells = [[each.mark.value, each.about, each.told, each.to_do] for each in symptoms]
    return table(cells, _SYMPTOM_HEADERS, style=style, width=width)


def symptom_plain(symptom: Symptom) -> Plain:
    """The same as plain data."""
    return {"mark": symptom.mark.value, "about": symptom.about, "told": symptom.told, "to_do": symptom.to_do}
