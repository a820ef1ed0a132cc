"""Commit rules: commits, pushes and the branch are as the contract has them."""

from gatewright.model import COMMIT_RULE_VIOLATION, CommitRules, ContractTerms, Findings, deny
from gatewright.spec import rule


@rule(codes=[COMMIT_RULE_VIOLATION], stage="accept", fires="len(commits.violations) > 0")
def commit_rules(commits: CommitRules, terms: ContractTerms) -> Findings:  # noqa: ARG001  without terms no rules
    """Deny work that was committed, pushed or put on a branch without leave.

    What: looks at the commits since the base, at what of them a remote is known to have, and at the branch.
    Why: a commit on the wrong branch is merged by the next one who does not look.
    Denies: `COMMIT_RULE_VIOLATION` for commits or pushes that the contract does not allow, for another branch than it
    names, for work that does not stand on its base, and where that cannot be told.
    """
    if commits.violations:
        yield deny(
            COMMIT_RULE_VIOLATION,
            "; ".join(commits.violations),
            hint="undo what was not allowed; without a word of the contract nothing is committed or pushed",
        )
