"""`gatewright diff`: what a change of policy means."""

import click
from msgspec import structs

from gatewright.app import App, Options
from gatewright.cli.histories import History, history_options, table_of
from gatewright.cli.options import Output, output_options, place_options, width
from gatewright.cli.streams import say
from gatewright.errors import FileError, PathError, UsageError
from gatewright.ledger.errors import LedgerError
from gatewright.model import Stage
from gatewright.model.backtests import Backtest
from gatewright.model.diffs import PolicyDiff
from gatewright.model.exits import ExitCode
from gatewright.policy.loader import load
from gatewright.probes.files import read_file
from gatewright.report import diffs as report
from gatewright.report.formats import Format, as_json
from gatewright.runner import Gate
from gatewright.trials.diffing import diff
from gatewright.trials.pasting import Bench
from gatewright.trials.replaying import Side


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@history_options
@place_options
@output_options("table", "json", "markdown")
def command(
    *, options: Options, output: Output, history: History, old: str, new: str | None, tier_policy: str | None
) -> int:
    """Tell what a change of policy means: which rules were added, dropped, loosened, tightened or only reworded.

    Both versions are asked about requests made from the constants of both. For each thing that is let through now,
    there is a case to paste, which the old policy passes and the new one fails. Without NEW the policy in force is
    meant. With --ledger or --history recorded checks are replayed under both. Exits 1 for any difference.

    \b
    Example:
      gatewright diff policies/check.yaml next.yaml
    """
    app = App(options)
    before = _gate(app, old)
    stage = before.policy.stage
    after = _gate(app, new if new is not None else app.policy_path(stage))
    if after.policy.stage is not stage:
        problem = f"it is a policy of stage `{after.policy.stage.value}`, and {old} one of stage `{stage.value}`"
        raise FileError(after.policy.path, problem, "compare two policies of one stage")
    tiers = table_of(options, tier_policy)
    bench = Bench(app.catalog, tiers.path, named=tier_policy is not None, params=options.params)
    found = diff(before, after, tiers, bench)
    if history.named():
        recorded = _replayed(options, history, Side(after, tiers), Side(before, tiers))
        if recorded is None:
            return ExitCode.FAILED
        found = structs.replace(found, recorded=recorded)
    output.deliver(lambda each: rendered(each, found))
    return ExitCode.FAILED if found.differs else ExitCode.OK


def _gate(app: App, path: str) -> Gate:
    return Gate(load(read_file(path), path, app.catalog, app.options.params), app.catalog)


def _replayed(options: Options, history: History, new: Side, old: Side) -> Backtest | None:
    if new.gate.policy.stage is not Stage.CHECK:
        raise UsageError("recorded checks can be replayed under policies of stage `check` only", "leave them out")
    try:
        return history.backtest(options, new, old)
    except PathError as error:
        say("gatewright", f"ledger {error}" if isinstance(error, LedgerError) else str(error))
        return None


def rendered(wanted: Format, found: PolicyDiff) -> str:
    """What the change means, in a format."""
    if wanted.name == "json":
        return as_json(report.plain(found))
    if wanted.name == "markdown":
        return report.markdown(found)
    return report.text(found, style=wanted.style, width=width())
