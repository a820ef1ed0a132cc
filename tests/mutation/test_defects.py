"""Known defects of the older gate, put back one by one: each of them makes a test fail that is named here."""

import pytest
from tests.mutation.copies import copied, failed, mend, spoil

LEDGER = "engine/gatewright/ledger"
#: By the number of the defect: the file, what is right in it, the defect in its place, and the test that finds it.
DEFECTS = {
    "8": (
        f"{LEDGER}/rows.py",
        'return self.kind is RowKind.CHECK and self.decision == "ALLOW"',
        'return self.kind in (RowKind.CHECK, RowKind.REGISTRATION) and self.decision == "ALLOW"',
        "tests/ledger/test_json_lines.py::test_registrations_audits_and_denials_never_count",
    ),
    "9": (
        "engine/gatewright/flows/recording.py",
        """        facts = facts_of(gate, request, outside, session)
        decision = gate.decide(facts)
        record(session, request, outside, decision)
    return Checked(decision=decision, facts=facts)


def note""",
        """        pass
    with ledger.reading() as look:
        facts = facts_of(gate, request, outside, look)
        decision = gate.decide(facts)
    with ledger.writing() as session:
        record(session, request, outside, decision)
    return Checked(decision=decision, facts=facts)


def note""",
        "tests/ledger/test_races.py::test_sixteen_processes_at_one_cap_start_no_more_than_it[sqlite]",
    ),
    "10": (
        f"{LEDGER}/rows.py",
        "    except (ValueError, RecursionError):\n        return None",
        "    except RecursionError:\n        return None",
        "tests/ledger/test_json_lines.py::test_a_torn_line_is_left_and_takes_nothing_with_it",
    ),
    "14": (
        "engine/gatewright/cli/older/check_command.py",
        '@click.option("--completion-channel", help="orchestration or sentinel-log.")',
        '@click.option("--completion-channel", type=click.Choice(["orchestration", "sentinel-log"]))',
        "tests/cli/test_check_table.py::test_a_channel_that_is_none_is_a_denial_and_no_wrong_usage[email-dispatch-gate]",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return copied(tmp_path_factory.mktemp("copy"))


@pytest.mark.parametrize("number", DEFECTS)
def test_a_defect_that_is_put_back_is_found(number, copy):
    path, right, wrong, test = DEFECTS[number]
    spoil(copy, path, right, wrong)
    try:
        said = failed(copy, [test])
    finally:
        mend(copy, path)
    assert f"FAILED {test}" in said, said
