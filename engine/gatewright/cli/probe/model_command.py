"""`gatewright probe model`: measure the model that answers a worker."""

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options
from gatewright.cli.streams import emit, say
from gatewright.errors import UsageError
from gatewright.ledger.rows import time_of
from gatewright.model.exits import ProbeCode
from gatewright.model.measurements import Agreement
from gatewright.probes.tiers import read_tier_policy
from gatewright.probes.transcripts.measuring import LIMIT, measure
from gatewright.report import measurements as report
from gatewright.report.formats import as_json

_STATUS = {Agreement.DRIFT: ProbeCode.DRIFT, Agreement.UNVERIFIED: ProbeCode.UNVERIFIED}


@click.command("model")
@click.option("--transcript", metavar="FILE", help="The transcript itself.")
@click.option("--glob", metavar="PATTERN", help="A pattern of paths; of what it finds, the newest that fits.")
@click.option("--worktree", metavar="DIR", help="The folder that the worker stands in; no other's transcript counts.")
@click.option("--since", metavar="TIME", help="When the worker was allowed; what began before is not its own.")
@click.option("--runtime", metavar="NAME", help="The runtime that the worker is started in.")
@click.option("--expect", metavar="ID", help="The model that it should be; else $MODEL_IDENTITY_EXPECT.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    metavar="NUMBER",
    help="How many of the last answers are told.",
)
@click.option("--print-model", is_flag=True, help="Print the model that is judged by itself on the last line.")
@click.option("--tier-policy", metavar="FILE", help="The tier table, in the place of the one in force.")
@click.option("--project", metavar="DIR", help="The project whose gatewright.toml applies.")
@output_options("table", "json", styled=False)
def command(
    *,
    output: Output,
    limit: int,
    print_model: bool,
    tier_policy: str | None,
    project: str | None,
    **given: str | None,
) -> int:
    """Measure the model that answers a worker, from what its agent has written.

    Without FILE and PATTERN: in the folder where the runtime keeps the sessions of the worktree, else by
    $MOGUI_TRANSCRIPT_GLOB or the instance configuration. Exits 0 for the expected model and where none is expected, 2
    when another or a dearer one was seen, 5 when no model was measured: that is neither.

    \b
    Examples:
      gatewright probe model --transcript session.jsonl --expect claude-opus-5
      gatewright probe model --worktree wt --runtime codex --since 2026-11-29T18:02:11Z --json
    """
    if print_model and output.shown == "json":
        raise UsageError("`--print-model` and JSON on standard output", "the JSON holds it as `judged`; leave one out")
    app = App(Options(project=project, tier_policy=tier_policy))
    sought = app.sought(
        given["transcript"],
        given["glob"],
        worktree=given["worktree"],
        since=_time(given["since"]),
        runtime=given["runtime"],
    )
    tiers = read_tier_policy(app.tier_policy_path())
    if not tiers.loaded:
        say("gatewright", f"{tiers.path}: {tiers.error}")
        say("gatewright", "without a tier table no model is dearer than another, and nothing is judged above its tier")
    found = measure(sought, declared=app.expected_model(given["expect"]), table=tiers.table, limit=limit)
    output.deliver(lambda each: as_json(found.to_dict()) if each.name == "json" else report.text(found))
    if print_model and found.judged is not None:
        emit(f"{found.judged}\n")
    return _STATUS.get(found.agreement, ProbeCode.OK)


def _time(given: str | None) -> float | None:
    if given is None:
        return None
    try:
        found = time_of(float(given))
    except ValueError:
        found = time_of(given)
    if found is None:
        raise UsageError(f"`--since {given}` is no time", "write 2026-11-29T18:02:11Z, or seconds since the epoch")
    return found
