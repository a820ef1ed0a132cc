"""Trust files: what an agent has to find there so that a fresh worktree does not stop it at a question.

A worker that stands at such a question has been started and does nothing, or ends when somebody presses return. No
launch flag stands in for it. Each agent has a file of its own, which its user and the agent itself write as well: one
value is added, every other byte stays, and what cannot be done so is refused.
"""

from collections.abc import Callable, Sequence

from gatewright.errors import UsageError
from gatewright.model import Moment
from gatewright.runtimes.pretrust import claude, codex, cursor, spots, toml_trust, worktrees
from gatewright.runtimes.pretrust.homes import Homes
from gatewright.runtimes.pretrust.outcomes import Edit, Entry, Outcome, Status, TrustError
from gatewright.text import did_you_mean

RUNTIMES = ("codex", "cursor", "claude")

_Change = Callable[[bytes | None], Edit]


def pretrust(
    runtime: str,
    worktree: str,
    homes: Homes,
    now: Moment,
    *,
    revoke: bool = False,
    flip_untrusted: bool = False,
    dry_run: bool = False,
) -> Outcome:
    """Have an agent start in a worktree without a question, or ask again.

    runtime: whose files, as `pretrust:` of a runtime names them.
    worktree: an absolute path.
    homes: where the files are.
    revoke: take back what was added.
    flip_untrusted: turn around what somebody has explicitly declared untrusted.
    dry_run: write nothing; the entries hold what would be written.

    A file that cannot be changed safely is an entry that says why, and the outcome has not succeeded. Raises TrustError
    for a worktree that no agent would look up, UsageError for a runtime without trust files.
    """
    if runtime not in RUNTIMES:
        raise UsageError(f"`{runtime}` has no trust files", did_you_mean(runtime, RUNTIMES))
    found = worktrees.find(worktree, existing=runtime == "cursor" and not revoke)
    if runtime == "cursor":
        entries = [_cursor(found.path, homes, now, revoke=revoke, dry_run=dry_run)]
    else:
        agent = codex if runtime == "codex" else claude
        keys = agent.keys(found)
        change = _codex(keys, revoke=revoke, flip=flip_untrusted) if agent is codex else _claude(keys[0], revoke=revoke)
        entries = [_edited(file, keys, change, dry_run=dry_run) for file in agent.files(homes)]
    return Outcome(
        runtime=runtime,
        worktree=found.path,
        entries=tuple(entries),
        notes=found.notes if runtime == "codex" else (),
        revoked=revoke,
        dry_run=dry_run,
    )


def _codex(keys: Sequence[str], *, revoke: bool, flip: bool) -> Callable[[str], _Change]:
    if revoke:
        return lambda file: lambda data: toml_trust.distrust(data, keys, file)
    return lambda file: lambda data: toml_trust.trust(data, keys, file, flip=flip)


def _claude(key: str, *, revoke: bool) -> Callable[[str], _Change]:
    change = claude.distrust if revoke else claude.trust
    return lambda file: lambda data: change(data, key, file)


def _edited(file: str, keys: tuple[str, ...], change: Callable[[str], _Change], *, dry_run: bool) -> Entry:
    try:
        with spots.at(file) as spot:
            edit = spots.edit(spot, change(file), dry_run=dry_run)
    except TrustError as refused:
        return _skipped(file, keys, refused)
    return Entry(file=file, status=edit.status, keys=keys, edit=edit)


def _cursor(path: str, homes: Homes, now: Moment, *, revoke: bool, dry_run: bool) -> Entry:
    try:
        if revoke:
            return cursor.distrust(path, homes, dry_run=dry_run)
        return cursor.trust(path, homes, now, dry_run=dry_run)
    except TrustError as refused:
        return _skipped(refused.path, (cursor.key(path),), refused)


def _skipped(file: str, keys: tuple[str, ...], refused: TrustError) -> Entry:
    return Entry(file=file, status=Status.SKIPPED, keys=keys, problem=refused.problem, hint=refused.hint)
