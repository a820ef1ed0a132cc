"""Runtime vendor: a runtime gets models that it can run."""

import pytest
from tests.rules.calls import DENY, findings_of, levels_of

from gatewright.model import MODEL_RUNTIME_MISMATCH, Launch
from gatewright_rules import runtime_vendor

ASKED = {"runtime": "codex", "model": "claude-opus-5", "vendor": "claude"}


@pytest.mark.acceptance("W19")
@pytest.mark.parametrize(("runs", "found"), [(True, []), (False, [(MODEL_RUNTIME_MISMATCH, DENY)])])
def test_a_model_that_the_runtime_cannot_run_is_denied(runs, found):
    assert levels_of(runtime_vendor, **ASKED, launch=Launch(runs=runs)) == found


@pytest.mark.parametrize(
    ("launch", "hint"),
    [
        (
            Launch(runs=False, runtimes=("claude", "cursor"), models=("gpt-5.5",)),
            "the runtimes claude, cursor can; models that `codex` can run: gpt-5.5",
        ),
        (Launch(runs=False, runtimes=("claude",)), "the runtimes claude can"),
        (Launch(runs=False), "choose another model or runtime"),
    ],
)
def test_the_denial_names_what_would_do(launch, hint):
    (finding,) = findings_of(runtime_vendor, **ASKED, launch=launch)
    assert finding.message == "runtime `codex` cannot run model `claude-opus-5` of vendor claude"
    assert finding.hint == hint
