"""Works, for people and programs: where each of them stands, and why."""

from collections.abc import Sequence

from gatewright.model import Moment
from gatewright.model.decisions import Plain
from gatewright.model.works import Work
from gatewright.report.formats import table

_DIGITS = 12  #: of a hash, where people read it
_HEADERS = ("STATE", "JOB", "TASK", "CONTRACT", "RUNTIME", "MODEL", "SINCE", "WHY")


def works_table(works: Sequence[Work], *, style: str = "", width: int = 0) -> str:
    """A line a work; a sentence where there is none."""
    if not works:
        return "nothing was allowed or registered, and no dispatch is known\n"
    cells = [
        [
            work.state.value,
            work.job or "",
            work.task or "",
            (work.contract_sha or "")[:_DIGITS],
            work.runtime or "",
            work.model or "",
            _time(work.at) or "",
            work.detail,
        ]
        for work in works
    ]
    return table(cells, _HEADERS, style=style, width=width)


def work_plain(work: Work) -> dict[str, Plain]:
    """A work as plain data."""
    return {
        "state": work.state.value,
        "job": work.job,
        "task": work.task,
        "contract_sha": work.contract_sha,
        "runtime": work.runtime,
        "model": work.model,
        "attempt": work.attempt,
        "at": _time(work.at),
        "detail": work.detail or None,
    }


def _time(ts: float | None) -> str | None:
    if ts is None:
        return None
    try:
        return Moment.at(ts).text
    except ValueError:  # beyond the calendar
        return str(ts)
