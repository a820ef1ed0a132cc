from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import COMMIT_RULE_VIOLATION, CommitRules, ContractTerms
from gatewright_rules import commit_rules

TERMS = ContractTerms(path="job.md", readable=True)


def test_every_rule_that_was_broken_is_told_at_once():
    commits = CommitRules(violations=("2 commits, and none is allowed", "branch `a` is not `b`"))
    assert levels_of(commit_rules, commits=commits, terms=TERMS) == [(COMMIT_RULE_VIOLATION, DENY)]
    (finding,) = findings_of(commit_rules, commits=commits, terms=TERMS)
    assert finding.message == "2 commits, and none is allowed; branch `a` is not `b`"


def test_rules_that_were_kept_pass():
    assert levels_of(commit_rules, commits=CommitRules(), terms=TERMS) == []
