"""A decision for machines that show it: code scanning, test reports, annotations of a workflow, spreadsheets, pages."""

from collections.abc import Iterator

from gatewright.model import Finding, FindingStatus, GateDecision, Level, Outcome, RuleRow
from gatewright.report import junit, sarif, tap, workflow
from gatewright.report.decision import ROW_HEADERS, headline, row_cells
from gatewright.report.formats import as_csv, as_json, escaped, markdown_table

_LEVELS = {Level.DENY: "error", Level.WARN: "warning", Level.NOTE: "note", Level.OFF: "none"}
_ENGINE = "engine"  #: the rule of findings that no rule gave


def rendered(name: str, decision: GateDecision) -> str:
    """The decision in one of these formats."""
    if name == "sarif":
        return as_json(sarif.log(results(decision)))
    return _FORMATS[name](decision)


def results(decision: GateDecision) -> list[sarif.Result]:
    """Each finding with its place in the policy; those that were let through are told as accepted."""
    return [
        sarif.Result(
            rule=finding.code,
            level=_LEVELS[finding.level],
            text=_said(finding),
            place=finding.where,
            accepted=_accepted(finding),
        )
        for finding in decision.findings
    ]


def _said(finding: Finding) -> str:
    return f"{finding.rule}: {finding.message}" + (f" ({finding.hint})" if finding.hint else "")


def _accepted(finding: Finding) -> str:
    return "" if finding.status is FindingStatus.ACTIVE else f"{finding.status.value} by: {finding.by}"


def github(decision: GateDecision) -> str:
    """The findings that count as commands of a GitHub workflow, each beside its place in the policy."""
    return "".join(
        workflow.annotation(
            _LEVELS[finding.level],
            _said(finding),
            file=finding.where.file if finding.where is not None else decision.policy.path,
            line=finding.where.line if finding.where is not None else 1,
            column=finding.where.column if finding.where is not None else 1,
            title=finding.code,
        )
        for finding in decision.findings
        if finding.status is FindingStatus.ACTIVE and finding.level is not Level.OFF
    )


def as_junit(decision: GateDecision) -> str:
    """A suite of the policy with a case for each rule; one that denies fails, one that was let through is skipped."""
    policy = decision.policy
    told = {"policy": policy.id, "policy_digest": policy.digest, "decision": headline(decision)}
    properties = {name: value for name, value in told.items() if value}
    return junit.report([junit.Suite(policy.path, tuple(_cases(decision)), properties)])


def _cases(decision: GateDecision) -> Iterator[junit.Case]:
    stage = decision.stage.value
    engine = [finding for finding in decision.findings if finding.rule == _ENGINE or not finding.rule]
    for finding in engine:
        yield junit.Case(name=stage, group=_ENGINE, failure=_said(finding), kind=finding.code)
    for row in decision.rows:
        own = [finding for finding in decision.findings if finding.rule == row.rule]
        denials = [finding for finding in own if finding.denies]
        let = [finding for finding in own if finding.status is not FindingStatus.ACTIVE]
        told = [finding for finding in own if not finding.denies and finding.status is FindingStatus.ACTIVE]
        yield junit.Case(
            name=stage,
            group=row.rule,
            failure="\n".join(_said(finding) for finding in denials),
            kind=denials[0].code if denials else "",
            skipped=_let_through(let) if not denials else "",
            output="\n".join(f"{finding.level.value} {finding.code}: {_said(finding)}" for finding in told),
        )


def _let_through(findings: list[Finding]) -> str:
    return "; ".join(f"{finding.code} {_accepted(finding)}" for finding in findings)


def as_tap(decision: GateDecision) -> str:
    """A point for each rule of the policy."""
    return tap.report([*_engine_points(decision), *(_point(decision, row) for row in decision.rows)])


def _engine_points(decision: GateDecision) -> Iterator[tap.Point]:
    for finding in decision.findings:
        if finding.rule == _ENGINE or not finding.rule:
            yield tap.Point(name=_ENGINE, passed=not finding.denies, about={"message": _said(finding)})


def _point(decision: GateDecision, row: RuleRow) -> tap.Point:
    own = [finding for finding in decision.findings if finding.rule == row.rule]
    about = {"codes": ", ".join(row.codes), "message": "; ".join(_said(finding) for finding in own)} if own else {}
    skip = row.why or row.outcome.value if row.outcome in (Outcome.NOT_APPLICABLE, Outcome.OFF) else ""
    passed = not any(finding.denies for finding in own)
    return tap.Point(name=row.rule, passed=passed, skip=skip, about=about)


def csv(decision: GateDecision) -> str:
    """A line for each rule of the policy, below a line with the verdict."""
    verdict = ["(decision)", "allowed" if decision.allow else "denied", ", ".join(decision.reasons), "", ""]
    return as_csv([header.lower() for header in ROW_HEADERS], [verdict, *row_cells(decision)])


def markdown(decision: GateDecision) -> str:
    """A page of Markdown: the verdict, a table of the rules, and each finding."""
    lines = [f"# {escaped(headline(decision))}", ""]
    lines += markdown_table([header.capitalize() for header in ROW_HEADERS], row_cells(decision))
    lines += ["", *(f"- {finding.code}: {escaped(_said(finding))}" for finding in decision.findings)]
    return "\n".join(lines).rstrip("\n") + "\n"


_FORMATS = {"github": github, "junit": as_junit, "tap": as_tap, "csv": csv, "markdown": markdown}
NAMES = ("sarif", *_FORMATS)
