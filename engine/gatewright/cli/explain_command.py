"""`gatewright explain`: what a reason code means, or what a decision says."""

import json
import sys
from collections.abc import Mapping

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.policies_command import in_force
from gatewright.errors import FileError, GatewrightError, UsageError
from gatewright.model import Finding, FindingStatus, Level, reasons
from gatewright.model.exits import ExitCode
from gatewright.model.reasons import Reason
from gatewright.policy.policies import Policy
from gatewright.probes.files import read_file
from gatewright.report import inventory
from gatewright.report.decision import finding_lines
from gatewright.report.formats import Format, as_json
from gatewright.text import did_you_mean, printable

FORMATS = ("table", "json")


@click.command("explain")
@click.argument("subject", metavar="CODE|FILE")
@place_options
@output_options(*FORMATS, styled=False)
def command(*, options: Options, output: Output, subject: str) -> int:
    """Explain a reason code, or the decision in a file.

    CODE is a reason code such as TIER_FANOUT_CAP, or one of a policy in force: its meaning, its cause and what to do.
    FILE holds the JSON that `check` printed; `-` reads it from standard input.

    \b
    Example:
      gatewright explain TIER_FANOUT_CAP
      gatewright check … -f json | gatewright explain -
    """
    app = App(options)
    if subject == "-" or "." in subject or "/" in subject:
        decision = _decision(subject)
        codes = list(dict.fromkeys([*_codes(decision, "reasons"), *_codes(decision, "warnings")]))
        output.deliver(lambda each: _of_decision(each, app, decision, codes))
    else:
        found = _reason(app, subject.upper())
        output.deliver(lambda each: _rendered(each, app, [found]))
    return ExitCode.OK


def _reason(app: App, code: str) -> Reason:
    found = reasons.reason(code)
    if found is not None:
        return found
    if code in app.catalog.reasons:
        rules = [rule for rule in app.catalog.rules.values() if code in rule.codes]
        cause = inventory.first_sentence(rules[0].doc) if rules else "see the plugin that gives it"
        stages = tuple(rule.stage.value for rule in rules)
        return Reason(code, stages, "deny", app.catalog.reasons[code], cause, "see the page of the rule")
    policies = _policies(app)
    for policy in policies:
        if (own := inventory.reason_of_policy(code, policy)) is not None:
            return own
    known = {*app.catalog.reasons, *(each for policy in policies for rule in policy.rules for each in rule.codes)}
    hint = did_you_mean(code, known) or "`gatewright rules` and `gatewright policies FILE` list codes"
    raise UsageError(f"there is no reason code `{code}`", hint)


def _policies(app: App) -> list[Policy]:
    """The policies in force; none where one has a mistake, which is no answer to a question about a code."""
    try:
        return in_force(app)
    except GatewrightError:
        return []


def _givers(app: App, code: str) -> list[str]:
    if code in app.catalog.reasons:
        return [rule.id for rule in app.catalog.rules.values() if code in rule.codes]
    return [rule.id for policy in _policies(app) for rule in policy.rules if code in rule.codes]


def _rendered(wanted: Format, app: App, found: list[Reason]) -> str:
    if wanted.name == "json":
        return as_json([inventory.reason_plain(each, _givers(app, each.code)) for each in found])
    return "\n".join(inventory.reason_page(each, _givers(app, each.code)) for each in found)


def _of_decision(wanted: Format, app: App, decision: Mapping[str, object], codes: list[str]) -> str:
    found = [_reason(app, code) for code in codes if code in app.catalog.reasons]
    if wanted.name == "json":
        return _rendered(wanted, app, found)
    warned = _codes(decision, "warnings")
    verdict = f"DENY {decision.get('reason')}"
    if decision["allow"]:
        verdict = "ALLOW with warnings: " + ", ".join(warned) if warned else "ALLOW"
    listed = decision.get("findings")
    findings = [_finding(each) for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    parts = [f"{printable(verdict)}\n", *("\n".join(finding_lines(each)) + "\n" for each in findings)]
    return "\n".join([*parts, _rendered(wanted, app, found)] if found else parts)


def _finding(held: Mapping[str, object]) -> Finding:
    """A finding of a kept decision; what it does not hold, or holds in another shape, is left out."""
    level, status = held.get("level"), held.get("status")
    return Finding(
        code=_text(held, "code"),
        level=next((each for each in Level if each.value == level), Level.DENY),
        message=_text(held, "message"),
        hint=_text(held, "hint"),
        rule="  ".join(part for part in (_text(held, "rule"), _text(held, "where")) if part),
        status=next((each for each in FindingStatus if each.value == status), FindingStatus.ACTIVE),
        by=_text(held, "by"),
    )


def _text(held: Mapping[str, object], key: str) -> str:
    value = held.get(key)
    return printable(value) if isinstance(value, str) else ""


def _decision(path: str) -> Mapping[str, object]:
    data = (sys.stdin.buffer.read() if sys.stdin is not None else b"") if path == "-" else read_file(path)
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise FileError(path, "it is not JSON", "give the output of `gatewright check -f json`") from None
    if not isinstance(found, dict) or not isinstance(found.get("allow"), bool) or not _is_told(found):
        raise FileError(path, "it holds no decision", "give the output of `gatewright check -f json`")
    return found


def _is_told(decision: Mapping[str, object]) -> bool:
    """Whether a decision has its reason, and every finding its code and message."""
    listed = decision.get("findings", [])
    findings = listed if isinstance(listed, list) else [None]
    parts = [decision.get("reason"), *(_part(each, key) for each in findings for key in ("code", "message"))]
    return all(isinstance(part, str) and part for part in parts)


def _part(finding: object, key: str) -> object:
    return finding.get(key) if isinstance(finding, dict) else None


def _codes(decision: Mapping[str, object], key: str) -> list[str]:
    listed = decision.get(key)
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
