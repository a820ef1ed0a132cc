"""Known defects of the older gate, put back one by one: each of them makes a test fail that is named here."""

import pytest
from tests.mutation.copies import copied, failed, mend, spoil

LEDGER = "engine/gatewright/ledger"
FLOWS = "engine/gatewright/flows"
TRUST = "engine/gatewright/runtimes/pretrust"
DESKS = "engine/gatewright/orchestrators"
SCREEN = "tests/orchestrators/test_orca.py::test_the_screen_is_asked_for_and_what_was_written_only_where_there_is_none"
VERIFIED = (
    "tests/flows/test_registered_models.py::test_a_row_says_that_a_model_is_verified_only_where_it_is_the_declared_one"
)
#: By the number of the defect: the file, what is right in it, the defect in its place, and the test that finds it.
DEFECTS = {
    "1": (
        f"{TRUST}/homes.py",
        """    yield os.path.join(names.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "orca")\n""",
        "",
        "tests/runtimes/test_codex.py::test_the_folders_of_an_orchestrator_are_those_of_the_platform",
    ),
    "2": (
        f"{TRUST}/worktrees.py",
        "as_on_disk(os.path.realpath(given))",
        "as_on_disk(given)",
        "tests/runtimes/test_codex.py::test_the_key_is_the_real_path_however_the_worktree_is_named",
    ),
    "3": (
        f"{TRUST}/cursor.py",
        'return re.sub(r"[^a-zA-Z0-9]+", "-", path).strip("-")',
        'return re.sub(r"[^a-zA-Z0-9]+", "-", path.replace(".", "")).strip("-")',
        "tests/runtimes/test_cursor.py::test_the_key_collapses_what_is_no_letter_or_digit_and_hashes_what_is_long",
    ),
    "4": (
        "engine/gatewright/probes/transcripts/places.py",
        're.sub(r"[^A-Za-z0-9]", lambda',
        're.sub(r"[/.]", lambda',
        "tests/probes/transcripts/test_places.py::test_the_folder_of_a_worktree_is_named_by_the_agents_own_rule",
    ),
    "5": (
        f"{FLOWS}/dispatching/proving.py",
        "measured=found.measured,\n        judged=found.judged,",
        "measured=found.declared if found.declared in found.seen.models else None,",
        "tests/flows/test_dispatched_models.py::test_a_dearer_model_than_the_declared_one_ends_with_4",
    ),
    "6": (
        f"{FLOWS}/dispatching/proving.py",
        "if found.measured is not None or waited >= MODEL_SECONDS or self._is_over(terminal):",
        "if found is not None:",
        "tests/flows/test_dispatched_models.py::test_an_answer_that_comes_late_is_waited_for",
    ),
    "7": (
        f"{FLOWS}/ranking.py",
        "return [] if table is None else list(table.order)",
        "return [] if table is None else sorted(table.caps, key=table.caps.__getitem__)",
        "tests/flows/test_registered_models.py::test_models_are_ranked_by_the_order_of_their_tiers_whatever_the_caps",
    ),
    "8": (
        f"{LEDGER}/rows.py",
        'return self.kind is RowKind.CHECK and self.decision == "ALLOW"',
        'return self.kind in (RowKind.CHECK, RowKind.REGISTRATION) and self.decision == "ALLOW"',
        "tests/ledger/test_json_lines.py::test_registrations_audits_and_denials_never_count",
    ),
    "9": (
        f"{FLOWS}/recording.py",
        """        facts = facts_of(gate, request, outside, session, besides)
        decision = gate.decide(facts)
        record(session, request, outside, decision)
    return Checked(decision=decision, facts=facts)


def note""",
        """        pass
    with ledger.reading() as look:
        facts = facts_of(gate, request, outside, look, besides)
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
    "11": (
        f"{FLOWS}/registrations.py",
        '"model_verified": decision.facts.get("model_verified") is True,',
        '"model_verified": proofs.model.found is not None,',
        VERIFIED,
    ),
    "12": (
        f"{FLOWS}/registrations.py",
        '"attempt": check.attempt,',
        '"attempt": check.attempt + 1,',
        "tests/flows/test_registering.py::test_an_attempt_is_one_start_of_a_contract",
    ),
    "13, no limit of its own": (
        f"{FLOWS}/registering.py",
        "job=prove(request.job_id, request.probe_cmd, seconds=means.seconds),",
        "job=prove(request.job_id, request.probe_cmd, seconds=3),",
        "tests/flows/test_registering.py::test_a_job_probe_over_its_time_proves_nothing",
    ),
    "13, exit 0 is proof": (
        "engine/gatewright/probes/jobs.py",
        "    if not holds_word(ran.output, job_id):",
        "    if False:",
        "tests/flows/test_registering.py::test_a_job_is_proven_by_status_and_output_of_its_probe",
    ),
    "14": (
        "engine/gatewright/cli/older/check_command.py",
        '@click.option("--completion-channel", help="orchestration or sentinel-log.")',
        '@click.option("--completion-channel", type=click.Choice(["orchestration", "sentinel-log"]))',
        "tests/cli/test_check_table.py::test_a_channel_that_is_none_is_a_denial_and_no_wrong_usage[email-dispatch-gate]",
    ),
    "15": (
        f"{FLOWS}/registering.py",
        "    registrations.record(session, request, decision, proofs=proofs, choice=found)",
        """    if decision.allow or decision.reason in ("MODEL_TIER_ESCALATION", "ORCHESTRATION_UNVERIFIED"):
        registrations.record(session, request, decision, proofs=proofs, choice=found)""",
        "tests/flows/test_registering.py::test_nothing_is_registered_that_was_not_allowed",
    ),
    "16": (
        f"{DESKS}/orca.py",
        '    return ["orca"] if is_only or not _is_readers(environ, platform) else ["orca-ide"]',
        '    return ["orca"]',
        "tests/orchestrators/test_orca.py::test_the_program_is_found_as_its_vendor_finds_it[environ0-linux-words0]",
    ),
    "17": (
        f"{DESKS}/orca.py",
        'self._ask(*words, "--screen")',
        "self._ask(*words)",
        SCREEN,
    ),
    "18": (
        "policies/markers.yaml",
        "markers: [Trust this folder?, Trust and continue, Back to Agent Command Center]",
        "markers: [Back to Agent Command Center]",
        "tests/runtimes/test_known_screens.py",
    ),
    "19": (
        f"{DESKS}/looking.py",
        "    if found.id != job:",
        "    if not found.id:",
        "tests/orchestrators/test_looking.py::test_a_task_of_this_machine_is_found_in_its_book",
    ),
    "20": (
        "engine/gatewright/model/nouns.py",
        'return None if not name or (name.startswith("<") and name.endswith(">")) else name',
        "return name or None",
        "tests/rules/test_model_match.py",
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
