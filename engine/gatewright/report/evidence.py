"""What going through a ledger has found, and rows of it, for people and machines."""

from base64 import b64encode
from collections.abc import Sequence

from gatewright.ledger.faults import Audit, Fault
from gatewright.ledger.looking import Seen
from gatewright.model import Moment
from gatewright.model.decisions import Plain
from gatewright.report.formats import natural_width, table
from gatewright.text import counted, printable, shown


def text(audit: Audit, name: str) -> str:
    """The ledger, its size and hashes, what was found, and a verdict."""
    tally = audit.tally
    lines = [
        ("ledger", name),
        ("origin", tally.origin),
        ("rows", f"{tally.size:,}{_remarks(audit)}"),
        ("root", b64encode(tally.root).decode()),
        ("chain", b64encode(tally.head).decode()),
        *(("agrees with", each) for each in audit.checkpoints),
    ]
    told = [f"{label:12}{printable(value)}" for label, value in lines if value]
    found = [f"{fault.harm.value.upper()}  {_place(fault)}{printable(fault.message)}" for fault in audit.faults]
    return "".join(f"{line}\n" for line in [*told, "", *found, _verdict(audit)])


def _verdict(audit: Audit) -> str:
    if not audit.holds:
        return "FAILED  the ledger is not what it was"
    return "OK  every row is what it was" if audit.tally.size else "there is no row to verify"


def _remarks(audit: Audit) -> str:
    tally = audit.tally
    remarks = [
        (tally.sealed, "taken out into archives"),
        (tally.unattested, "written by something else and taken up: unattested"),
        (tally.skipped, "no row at all"),
        (tally.waiting, "more in the file, not taken up yet"),
    ]
    told = ", ".join(f"{number:,} {words}" for number, words in remarks if number)
    return f" ({told})" if told else ""


def _place(fault: Fault) -> str:
    if fault.row is None:
        return ""
    line = f" (line {fault.line:,})" if fault.line is not None else ""
    return f"row {fault.row:,}{line}: "


def plain(audit: Audit) -> Plain:
    """The same as plain data."""
    tally = audit.tally
    return {
        "holds": audit.holds,
        "origin": tally.origin,
        "size": tally.size,
        "rows": tally.rows,
        "sealed": tally.sealed,
        "unattested": tally.unattested,
        "skipped": tally.skipped,
        "waiting": tally.waiting,
        "root": b64encode(tally.root).decode(),
        "chain": b64encode(tally.head).decode(),
        "checkpoints": list(audit.checkpoints),
        "faults": [
            {"harm": fault.harm.value, "row": fault.row, "line": fault.line, "message": fault.message}
            for fault in audit.faults
        ],
    }


# -- rows --------------------------------------------------------------------------------------------------------------

_HEADERS = ("ROW", "TIME", "KIND", "DECISION", "REASON", "AGENTS", "RUNTIME", "MODEL", "CONTRACT", "JOB")
#: In the order in which they go where there is no room for them.
_CAN_GO = ("RUNTIME", "AGENTS", "JOB", "CONTRACT", "MODEL", "KIND")
_SHORT = 12


def seen_table(rows: Sequence[Seen], *, style: str = "", width: int = 0) -> str:
    """A line a row."""
    cells = [
        [
            *(str(row.id), moment_text(row.at), row.kind + (" *" if row.taken_up else "")),
            *(_cell(row, name) for name in ("decision", "reason", "n_agents", "runtime", "model")),
            *(_cell(row, "contract_sha")[:_SHORT], _cell(row, "job_id")),
        ]
        for row in rows
    ]
    left_out = _left_out(cells, width)
    kept = [at for at, name in enumerate(_HEADERS) if name not in left_out]
    notes = [
        "* written by something else and taken up" if any(row.taken_up for row in rows) else "",
        f"no room for {', '.join(left_out)}: --row NUMBER or --json shows all" if left_out else "",
    ]
    note = "".join(f"{each}\n" for each in notes if each)
    cells, headers = [[row[at] for at in kept] for row in cells], [_HEADERS[at] for at in kept]
    return table(cells, headers, style=style, width=width) + (f"\n{note}" if note else "")


def _left_out(cells: Sequence[Sequence[str]], width: int) -> list[str]:
    """The columns that go where a terminal has no room for all: a time or a code that is cut tells nothing."""
    found: list[str] = []
    for name in _CAN_GO if width else ():
        kept = [at for at, header in enumerate(_HEADERS) if header not in found]
        if (
            natural_width([[printable(row[at]) for at in kept] for row in cells], [_HEADERS[at] for at in kept])
            <= width
        ):
            break
        found.append(name)
    return [name for name in _HEADERS if name in found]


def _cell(row: Seen, name: str) -> str:
    value = row.data.get(name)
    return value if isinstance(value, str) else "" if value is None else shown(value, limit=40)


def seen_text(row: Seen) -> str:
    """One row, key by key; of a line that is no row, the line."""
    head = f"row {row.id:,}   {row.kind}, ledger time {moment_text(row.at)}"
    marks = [
        "written by something else and taken up" if row.taken_up else "",
        f"settled by row {row.settled_by:,}" if row.settled_by is not None else "",
    ]
    told = [", ".join([head, *(mark for mark in marks if mark)]), ""]
    told += [f"{printable(name):24}{shown(value, limit=400)}" for name, value in sorted(row.data.items())]
    if not row.data:
        told.append(
            f"{counted(len(row.line), 'byte')}: {shown(row.line.decode('utf-8', 'backslashreplace'), limit=400)}"
        )
    return "".join(f"{line}\n" for line in told)


def seen_plain(row: Seen) -> dict[str, object]:
    """The same as plain data."""
    return {
        "id": row.id,
        "at": row.at,
        "time": moment_text(row.at),
        "kind": row.kind,
        "taken_up": row.taken_up,
        "settled_by": row.settled_by,
        "row": dict(row.data),
        "line": None if row.data else row.line.decode("utf-8", "backslashreplace"),
    }


def moment_text(at: float) -> str:
    """A time as text; a number beyond any calendar as it is."""
    try:
        return Moment.at(at).text
    except ValueError:
        return f"{at:g}"
