"""Unfinished work in the same place is told, stops nothing, and a fault in looking for it is silent."""

import pytest
from tests.flows.ramps import JOB, TASK

from gatewright.flows.dispatching.scopes import overlap, scope_of
from gatewright.model.exits import DispatchCode
from gatewright.orchestrators.errors import OrchestratorError, Trouble
from gatewright.orchestrators.protocol import Dispatch, DispatchStatus

OTHER_JOB, OTHER_TASK = "ctx_2", "task_2"
FRONT = """---
repository: r
checkout: c
allow: [src/**]
forbid: []
acceptance: [x]
evidence: [{file: a}]
exclusions: []
---
"""


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("- Scope: `src/a.py`, `docs/`\n", ("src/a.py", "docs")),
        ("- **Scope:** src/a.py and tests/*.py.\n", ("src/a.py", "tests/*.py")),
        ("* scope : ./src/**\n", ("src",)),
        ("- Scope:\n  - `one/two`\n  three/four,\n\n  five/six\n", ("one/two", "three/four")),
        ("- Scope: `a/b`\n- Other: `c/d`\n", ("a/b",)),
        ("  - Scope: `a/b`\n  c/d\n", ("a/b",)),
        ("- Scope: everything in it (see https://example.org/x)\n", ()),
        ("- Scope: README.md\n", ("README.md",)),
        ("- Scope: `**`\n", ("**",)),
        ("Scope: `a/b`\n", ()),
        ("# Job\n", ()),
        (FRONT, ("src",)),
    ],
)
def test_a_scope_is_what_the_clause_and_the_front_matter_name(text, scope):
    assert scope_of(text.encode()) == scope


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("src/a.py", "src/a.py", True),
        ("src", "src/a.py", True),
        ("src/a.py", "src/b.py", False),
        ("src", "src2/a.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a.md", False),
        ("src/*.py", "src/*.md", False),
        ("src/**/x.py", "src/a/*.py", True),
        ("a/*.py", "b/*.py", False),
        ("**", "anything/at/all", True),
        ("*.md", "docs/*.md", True),
    ],
)
def test_two_scopes_overlap_where_a_path_may_be_in_both(one, other, both):
    assert overlap(one, other) is both
    assert overlap(other, one) is both


@pytest.fixture
def beside(ramp):
    """A ramp on which another contract of the folder was dispatched, and is not finished."""
    ramp.contract.write_text("# This\n\n- Scope: `src/app`\n")
    other = ramp.folder / "other.md"
    other.write_text("# Other\n\n- Scope: `src/app/main.py`\n")
    ramp.orchestrator.known = Dispatch(id=OTHER_JOB, task=OTHER_TASK)
    plain = ramp.orchestrator.create_task
    ramp.orchestrator.create_task = lambda _: OTHER_TASK
    inject = ramp.orchestrator.inject
    ramp.orchestrator.inject = lambda *_: Dispatch(id=OTHER_JOB, task=OTHER_TASK)
    assert ramp.dispatch(contract=str(other)).code is DispatchCode.DONE
    ramp.orchestrator.create_task, ramp.orchestrator.inject = plain, inject
    ramp.told.clear()
    ramp.orchestrator._looks = 0
    ramp.status = {OTHER_TASK: DispatchStatus.DISPATCHED}
    jobs = {OTHER_TASK: OTHER_JOB, TASK: JOB}
    ramp.orchestrator.dispatch_of = lambda task: Dispatch(
        id=jobs[task], task=task, status=ramp.status.get(task, DispatchStatus.DISPATCHED)
    )
    return ramp


def test_unfinished_work_in_the_same_place_is_told_and_stops_nothing(beside):
    assert beside.dispatch().code is DispatchCode.DONE
    assert beside.outcomes["scope"] == "warned"
    assert f"other.md (task {OTHER_TASK}): src/app" in beside.step("scope")


@pytest.mark.parametrize("text", ["# This\n\n- Scope: `src/app`\n", "# This\n"])
def test_unfinished_work_of_the_same_contract_is_told_whatever_it_is_about(text, beside):
    beside.contract.write_text(text)
    assert beside.dispatch().code is DispatchCode.DONE
    beside.told.clear()
    beside.orchestrator._looks = 0
    assert beside.dispatch().code is not DispatchCode.ARGUMENTS
    assert beside.outcomes["scope"] == "warned"
    assert f"{beside.contract} (task {TASK}): the same contract" in beside.step("scope")


def test_finished_work_is_not_told(beside):
    beside.status[OTHER_TASK] = DispatchStatus.COMPLETED
    beside.dispatch()
    assert beside.outcomes["scope"] == "done"


def test_work_elsewhere_is_not_told(beside):
    beside.contract.write_text("# This\n\n- Scope: `docs`\n")
    beside.dispatch()
    assert beside.outcomes["scope"] == "done"


def test_a_fault_on_the_way_is_silent(beside):
    answer = beside.orchestrator.dispatch_of

    def dispatch_of(task):
        if task == OTHER_TASK:
            raise OrchestratorError(Trouble.TIMEOUT, "no answer")
        return answer(task)

    beside.orchestrator.dispatch_of = dispatch_of
    assert beside.dispatch().code is DispatchCode.DONE
    assert beside.outcomes["scope"] == "done"
