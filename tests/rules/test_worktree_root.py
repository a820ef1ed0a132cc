"""Worktree as root: a worktree is no repository root."""

import pytest
from tests.rules.calls import WARN, fires, levels_of

from gatewright.model import WORKTREE_AS_REPO_ROOT, Contract, Mentions
from gatewright_rules import worktree_root


@pytest.mark.acceptance("C26")
@pytest.mark.parametrize(("named", "found"), [(True, [(WORKTREE_AS_REPO_ROOT, WARN)]), (False, [])])
def test_a_line_that_gives_a_worktree_as_the_root_is_warned_of(named, found):
    contract = Contract(path="job.md", readable=True, mentions=Mentions(worktree_as_root=named))
    assert levels_of(worktree_root, contract=contract) == found
    assert fires(worktree_root, contract=contract) is named
