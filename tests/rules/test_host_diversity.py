"""Host diversity: a worker runs in another runtime than its master."""

import pytest
from tests.rules.calls import WARN, findings_of, levels_of

from gatewright.model import HOST_UNMEASURED, SAME_HOST_RUNTIME, Host
from gatewright_rules import host_diversity

SAME = Host(master="codex", alternatives=("claude", "grok"))


@pytest.mark.parametrize(
    ("host", "reason", "found"),
    [
        (Host(master="claude"), None, []),
        (SAME, None, [(SAME_HOST_RUNTIME, WARN)]),
        (SAME, " \t", [(SAME_HOST_RUNTIME, WARN)]),
        (SAME, "claude is over its limit", []),
        (Host(master="claude", measured=False), None, [(HOST_UNMEASURED, WARN)]),
        (Host(master="codex", measured=False), "so", [(HOST_UNMEASURED, WARN)]),
        (Host(master="codex", measured=False), None, [(HOST_UNMEASURED, WARN), (SAME_HOST_RUNTIME, WARN)]),
    ],
)
def test_the_masters_own_runtime_and_an_unnamed_master_are_warned_of(host, reason, found):
    assert levels_of(host_diversity, runtime="codex", host=host, same_host_reason=reason) == found


@pytest.mark.parametrize(
    ("host", "hint"),
    [
        (SAME, "installed as well: claude, grok; or give --same-host-reason"),
        (Host(master="codex"), "give --same-host-reason"),
    ],
)
def test_the_warning_names_the_alternatives(host, hint):
    (finding,) = findings_of(host_diversity, runtime="codex", host=host, same_host_reason=None)
    assert finding.hint == hint
