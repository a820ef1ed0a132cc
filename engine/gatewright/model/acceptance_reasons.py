"""What the reason codes of the stage `accept` mean, beside those that it shares with earlier stages."""

from gatewright.model import codes
from gatewright.model.reason import Reason

ACCEPT = ("accept",)

ACCEPTANCE: tuple[Reason, ...] = (
    Reason(
        codes.NO_REGISTRATION,
        ACCEPT,
        "deny",
        "nothing shows that this work was allowed",
        "the job is not in the ledger, or was registered for a contract with other bytes",
        "name the job as it was registered, and give the contract file that was checked",
    ),
    Reason(
        codes.MASTER_CHECKOUT,
        ACCEPT,
        "deny",
        "the worker stood in the checkout of its master",
        "its placement report says `is_master_checkout: yes`",
        "stop the worker at once, see what it has changed there, and start it again in a worktree of its own",
    ),
    Reason(
        codes.SURFACE_VIOLATION,
        ACCEPT,
        "deny",
        "something was changed that the contract does not let be changed, or it cannot be told what was",
        "a path is covered by no pattern of `allow` or by one of `forbid`, a link leads out of the worktree, or git "
        "cannot compare it with its base",
        "take the change back, or have the contract widened and checked again",
    ),
    Reason(
        codes.COMMIT_RULE_VIOLATION,
        ACCEPT,
        "deny",
        "commits, pushes or the branch are not as the contract has them",
        "there are commits or pushes without leave, the branch is another, or the work does not stand on its base",
        "undo what was not allowed, or accept it by hand",
    ),
    Reason(
        codes.EVIDENCE_MISSING,
        ACCEPT,
        "deny",
        "evidence that the contract asks for is not there",
        "a file is missing, is no plain file or lies behind a link out of the worktree; a command was not run because "
        "the work is refused anyway; the placement report cannot be read",
        "have the evidence made; the list of what was not run names it",
    ),
    Reason(
        codes.EVIDENCE_FAILED,
        ACCEPT,
        "deny",
        "evidence that the contract asks for speaks against the work",
        "a command exited with another status than 0 or was over its time, or the worker did not stand in its worktree",
        "run the command in the worktree, and have the work mended",
    ),
)
