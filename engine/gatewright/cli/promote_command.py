"""`gatewright promote`: another level for a rule, with what it would have done."""

import difflib
import os

import click

from gatewright.app import App, Options
from gatewright.cli.histories import History, history_options, table_of
from gatewright.cli.options import Output, output_options, place_options, width
from gatewright.cli.streams import say
from gatewright.errors import PathError, UsageError
from gatewright.ledger.errors import LedgerError
from gatewright.model import Level, Stage, TierPolicy
from gatewright.model.backtests import Promotion
from gatewright.model.exits import ExitCode
from gatewright.policy.levels import LOCKED, STEPS, promoted, rule_of
from gatewright.policy.loader import load
from gatewright.policy.policies import PolicyRule
from gatewright.probes.files import read_file, replace_file
from gatewright.report import promotions as report
from gatewright.report.formats import Format, as_json
from gatewright.runner import Gate
from gatewright.shipped import shipped
from gatewright.trials.replaying import Side


@click.command("promote")
@click.argument("rule", metavar="RULE")
@click.option("--to", "step", type=click.Choice(list(STEPS)), required=True, help="What it is to do from now on.")
@click.option("--max-new-denials", "limit", type=click.IntRange(0), metavar="N", help="Exit 1 when there are more.")
@click.option("--write", is_flag=True, help="Write the change into the policy, unless there are too many new denials.")
@history_options
@place_options
@output_options("table", "json", "markdown")
def command(
    *, options: Options, output: Output, history: History, rule: str, step: str, limit: int | None, write: bool
) -> int:
    """Tell what a rule would have denied at another level, and show the change of its policy.

    Recorded checks are replayed under the policy with the rule at that level, and under the policy as it is. `observe`
    records only, `warn` tells, `deny` denies, and `locked` lets no override or exception through either. Exits 1 when
    there are more new denials than --max-new-denials, 5 when no check can be replayed.

    \b
    Example:
      gatewright promote unknown-model --to deny --since 7d --max-new-denials 3
    """
    app = App(options)
    path = app.policy_path(Stage.CHECK)
    found = rule_of(app.policy(Stage.CHECK), rule)
    data = read_file(path)
    after = promoted(data, path, found, step)
    if write:
        _refuse_shipped(path)
    try:
        promotion = _tried(app, history, found, step, (data, after), limit)
    except PathError as error:
        say("gatewright", f"ledger {error}" if isinstance(error, LedgerError) else str(error))
        return ExitCode.FAILED
    output.deliver(lambda each: rendered(each, promotion))
    if not promotion.found.replayed:
        say("gatewright", "no check could be replayed, so nothing is known of what the step would do")
        return ExitCode.NOTHING
    if promotion.too_many:
        if write:
            say("gatewright", f"{path}: not written")
        return ExitCode.FAILED
    if write and after != data:
        replace_file(path, after)
        say("gatewright", f"{path}: written")
    return ExitCode.OK


def _refuse_shipped(path: str) -> None:
    if os.path.realpath(path).startswith(os.path.realpath(shipped("policies")) + os.sep):
        raise UsageError(f"{path} ships with gatewright", "copy it, and name the copy with --policy")


def _tried(
    app: App, history: History, rule: PolicyRule, step: str, texts: tuple[bytes, bytes], limit: int | None
) -> Promotion:
    """What the step would have done. Raises PolicyError for a step that the policy cannot take."""
    path = app.policy_path(Stage.CHECK)
    tiers = table_of(app.options, None)
    old, new = (_side(app, data, path, tiers) for data in texts)
    found = history.backtest(app.options, new, old)
    return Promotion(
        rule=rule.id,
        before=_step_of(rule),
        after=step,
        found=found,
        limit=limit,
        edit=_difference(path, *texts),
    )


def _side(app: App, data: bytes, path: str, tiers: TierPolicy) -> Side:
    return Side(Gate(load(data, path, app.catalog, app.options.params), app.catalog), tiers)


def _step_of(rule: PolicyRule) -> str:
    """What a rule does as it is; of one that says so code by code, all that it does."""
    if rule.locked:
        return LOCKED
    usual = "warn" if rule.effect == "warn" else "deny" if rule.effect else "its own level"
    found = [_word(rule.levels[code]) if code in rule.levels else usual for code in rule.codes]
    return " and ".join(dict.fromkeys(found))


def _word(level: Level) -> str:
    return "observe" if level is Level.NOTE else level.value


def _difference(path: str, before: bytes, after: bytes) -> str:
    old, new = (data.decode("utf-8-sig").splitlines(keepends=True) for data in (before, after))
    return "".join(difflib.unified_diff(old, new, path, path, n=1))


def rendered(wanted: Format, promotion: Promotion) -> str:
    """What the step would have done, in a format."""
    if wanted.name == "json":
        return as_json(report.plain(promotion))
    if wanted.name == "markdown":
        return report.markdown(promotion)
    return report.text(promotion, style=wanted.style, width=width())
