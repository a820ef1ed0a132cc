"""A verdict on work, for people and as data: what it is fixed to, what passed, what was not run, what remains."""

from gatewright.model import GateDecision
from gatewright.model.acceptance import Account
from gatewright.model.decisions import Plain
from gatewright.report import decision as report
from gatewright.text import printable


def plain(decision: GateDecision, account: Account) -> dict[str, Plain]:
    """The verdict as plain data."""
    lists = {name: list[Plain](lines) for name, lines in _lists(account).items()}
    return {**decision.to_dict(), **_fixed(account), "verdict": account.verdict, **lists}


def text(decision: GateDecision, account: Account) -> str:
    """The verdict with its reasons, the four things that it is fixed to, and the three lists."""
    lines = [line for finding in decision.findings for line in report.finding_lines(finding)]
    lines += ["", *(f"{name:13}{'-' if value is None else value}" for name, value in _fixed(account).items())]
    for name, entries in _lists(account).items():
        lines += ["", name.replace("_", " "), *(f"  {printable(entry)}" for entry in entries or ("nothing",))]
    return "\n".join([*lines, "", account.verdict]).lstrip("\n") + "\n"


def _fixed(account: Account) -> dict[str, Plain]:
    return {
        "contract_sha": account.contract_sha,
        "job_id": account.job_id,
        "task": account.task,
        "attempt": account.attempt,
    }


def _lists(account: Account) -> dict[str, tuple[str, ...]]:
    return {"passed": account.passed, "not_run": account.not_run, "remaining_risk": account.remaining_risk}
