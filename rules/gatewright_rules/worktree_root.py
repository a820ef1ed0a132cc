"""Worktree as root: a worktree is no repository root."""

from gatewright.model import WORKTREE_AS_REPO_ROOT, Contract, Findings, warn
from gatewright.spec import rule


@rule(codes=[WORKTREE_AS_REPO_ROOT], fires="contract.mentions.worktree_as_root")
def worktree_root(contract: Contract) -> Findings:
    """Warn of a contract that gives a worktree as the root of the repository.

    What: looks for a line that holds `/.orca/worktrees/` and names a repository root or a graph.
    Why: an index built on a worktree is stale when the worktree goes, and its paths lead nowhere.
    Warns: `WORKTREE_AS_REPO_ROOT` when there is such a line.
    """
    if contract.mentions.worktree_as_root:
        yield warn(
            WORKTREE_AS_REPO_ROOT,
            "a line of the contract gives a worktree as the root of the repository",
            hint="name the main checkout",
        )
