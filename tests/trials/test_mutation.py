"""Mutation: which slips are tried, which of them cases notice, and what is said of the others."""

import os

import pytest
from tests.runner.gates import BUILT_IN, CHECK

from gatewright.model.mutations import Fate
from gatewright.runner import Gate
from gatewright.trials import fixtures, mutation
from gatewright.trials.collecting import cases_of
from gatewright.trials.runs import Runner

FACTS = frozenset(BUILT_IN.facts)
TIERS = CHECK.replace("check.yaml", "tiers.yaml")
DEFAULTS = "{runtime: codex, model: gpt-5.5, agents: 1, est_chars: 30, completion_channel: orchestration}"
MANY = "rules:\n  - id: too-many\n    deny: agents > 8\n"
DENY = "expect: {deny: [TOO_MANY]}"


def runner_and_trials(folder, text):
    cases = fixtures.load(text.encode(), str(folder / "f.yaml"), None, FACTS).cases
    runner = Runner(BUILT_IN, TIERS)
    trials = [runner.run(case) for case in cases]
    assert [trial.differences or trial.error for trial in trials if not trial.passed] == []
    return runner, trials


@pytest.fixture
def mutated(tmp_path):
    """The mutants of a policy of these rules, judged by these cases, each `request: …, expect: …`."""

    def run(rules, *cases, top="", stage="check", defaults=DEFAULTS):
        (tmp_path / "p.yaml").write_text(f"gatewright: 1\npolicy: p\nstage: {stage}\n{rules}")
        listed = "".join(f"  - {{name: c{at}, {each}}}\n" for at, each in enumerate(cases))
        text = f"policy: p.yaml\ndefaults: {defaults}\n{top}cases:\n{listed}"
        return mutation.of_trials(*runner_and_trials(tmp_path, text), lambda _done, _total: None)

    return run


def fates(found, kind):
    return {each.after: each.fate.value for each in found.mutants if each.kind == kind}


def alive(found):
    return {(each.kind, each.after) for each in found.alive}


@pytest.mark.acceptance("IDEA-10")
def test_a_mutant_at_a_limit_lives_until_a_case_stands_on_the_limit(mutated):
    far = (f"request: {{agents: 20}}, {DENY}", "request: {agents: 1}, expect: allow")
    found = mutated(MANY, *far)
    (at_limit,) = [each for each in found.mutants if each.after == "deny: agents >= 8"]
    assert (at_limit.fate, at_limit.place.line, at_limit.place.column) == (Fate.SURVIVED, 6, 18)
    assert at_limit.before == "deny: agents > 8"
    found = mutated(MANY, *far, "request: {agents: 8}, expect: allow", f"request: {{agents: 9}}, {DENY}")
    assert alive(found) == set()
    (at_limit,) = [each for each in found.mutants if each.after == "deny: agents >= 8"]
    assert (at_limit.fate, at_limit.killed_by.rpartition("::")[2]) == (Fate.KILLED, "c2")


@pytest.mark.parametrize(
    ("condition", "tried"),
    [
        ("agents > 8", {"agents >= 8", "agents > 9", "agents > 7"}),
        ("8 < agents", {"8 <= agents", "9 < agents", "7 < agents"}),
        ('runtime == "a"', {'runtime != "a"'}),
        ("model is not None", {"model is None"}),
        ('runtime in ["a", "b"]', {'runtime not in ["a", "b"]', 'runtime in ["b"]', 'runtime in ["a"]',
                                   'runtime in ["a", "b", "codex"]'}),
        ('not runtime == "a"', {'not runtime != "a"', 'runtime == "a"'}),
        ('runtime == "a" and model == "b"', {'runtime != "a" and model == "b"', 'runtime == "a" and model != "b"',
                                             'runtime == "a" or model == "b"'}),
        ('(runtime == "a") or (model == "b" )', {'(runtime != "a") or (model == "b" )',
                                                 '(runtime == "a") or (model != "b" )',
                                                 '(runtime == "a") and (model == "b" )'}),
        ("agents * 2 > est_chars", {"agents * 2 >= est_chars", "agents * 3 > est_chars", "agents * 1 > est_chars"}),
        ("2 < agents < 5", {"2 <= agents < 5", "2 < agents <= 5", "3 < agents < 5", "1 < agents < 5",
                            "2 < agents < 6", "2 < agents < 4"}),
        ("agents >\n      8", {"agents >=", "9", "7"}),
    ],
)  # fmt: skip
def test_each_part_of_a_condition_is_tried_with_a_slip(mutated, condition, tried):
    rules = f"rules:\n  - id: too-many\n    level: note\n    deny: >-\n      {condition}\n"
    tried_ = {each.after for each in mutated(rules, "expect: allow").mutants if each.kind not in ("rule", "level")}
    folded = {" ".join(each.split()) for each in tried_}
    assert {each.removeprefix("deny: ") for each in folded} == {" ".join(each.split()) for each in tried}


def test_what_stands_around_a_condition_is_tried_too(mutated):
    rules = (
        'rules:\n  - id: too-many\n    when: runtime == "codex"\n    deny: agents > 8\n    override: tier_override\n'
        "exceptions:\n  - {id: e, code: TOO_MANY, until: 2026-01-01, reason: r, owner: o, when: 'actor == \"a\"'}\n"
        "freeze: {until: 2020-01-01T00:00:00Z, reason: r}\n"
    )
    found = mutated(rules, "expect: allow")
    kinds = {(each.kind, each.subject) for each in found.mutants}
    assert {("guard", "too-many"), ("override", "too-many"), ("rule", "too-many"), ("level", "too-many")} <= kinds
    assert {("exception", "e"), ("guard", "e"), ("threshold", "e"), ("operator", "e"), ("freeze", "freeze")} <= kinds


def test_every_part_that_a_case_shows_is_noticed_when_it_goes(mutated):
    rules = (
        'rules:\n  - id: too-many\n    when: runtime == "codex"\n    deny: agents > 8\n    override: tier_override\n'
        "exceptions:\n  - {id: e, code: TOO_MANY, until: 2026-01-01, reason: r, owner: o, when: 'actor == \"a\"'}\n"
    )
    found = mutated(
        rules,
        f"request: {{agents: 9}}, {DENY}",
        "request: {agents: 8}, expect: allow",
        "request: {agents: 9, runtime: claude}, expect: allow",
        "request: {agents: 9, tier_override: x}, expect: {allow: true, overridden: [TOO_MANY]}",
        "request: {agents: 9, actor: a}, expect: {allow: true, excepted: [TOO_MANY]}",
        f"request: {{agents: 9, actor: a}}, now: 2026-01-02T00:00:00Z, {DENY}",
        top="now: 2026-01-01T23:59:59Z\n",
    )
    assert alive(found) == set()
    assert found.percent == 100.0


@pytest.mark.parametrize(
    "cases",
    [
        [f"request: {{agents: 20}}, {DENY}"],
        [
            f"request: {{agents: 20}}, {DENY}",
            "request: {agents: 20, actor: a}, expect: {allow: true, excepted: [TOO_MANY]}",
        ],
    ],
    ids=["no case of the exception", "a case beside one that reads the same"],
)
def test_the_days_around_the_end_of_an_exception_are_told_as_cases(mutated, cases):
    rules = MANY + (
        "exceptions:\n  - {id: e, code: TOO_MANY, until: 2026-12-31, reason: r, owner: o, when: 'actor == \"a\"'}\n"
    )
    found = [each for each in mutated(rules, *cases).mutants if (each.kind, each.subject) == ("threshold", "e")]
    told = {each.after.rpartition(" ")[2]: [line.strip() for line in each.case.splitlines()[-2:]] for each in found}
    assert told == {
        "2027-01-01": ["now: 2027-01-01T12:00:00Z", DENY],
        "2026-12-30": ["now: 2026-12-31T12:00:00Z", "expect: {allow: true, excepted: [TOO_MANY]}"],
    }


def test_what_an_exception_asks_for_is_told_by_cases_that_have_it(mutated):
    rules = MANY + (
        "exceptions:\n  - {id: e, code: TOO_MANY, until: 2026-12-31, reason: r, owner: o, when: est_chars < 50 and "
        'actor == "a"}\n'
    )
    found = mutated(rules, f"request: {{agents: 9, est_chars: 99}}, {DENY}", "request: {agents: 8}, expect: allow")
    told = {each.kind for each in found.mutants if each.subject == "e" and each.fate is Fate.SURVIVED}
    assert told == {"operator", "join", "exception", "threshold"}


def test_options_and_params_of_registered_rules_are_tried(mutated):
    rules = (
        "params: {most: 500000}\nrules:\n"
        "  - use: dispatch-budget\n    with: {max_chars: params.most}\n"
        "  - use: runtime-routing\n    with: {high_cost: [fable, opus]}\n"
    )
    found = mutated(rules, "request: {est_chars: 500000}, expect: allow")
    tried = {each.after: each.fate.value for each in found.mutants if each.kind in ("threshold", "list")}
    assert tried == {
        "most: 500001": "survived",
        "most: 499999": "killed",
        "max_batch_chars: 1000001": "survived",
        "max_batch_chars: 999999": "survived",
        'high_cost: ["opus"]': "survived",
        'high_cost: ["fable"]': "survived",
        'high_cost: ["fable","opus","codex"]': "killed",
    }


def test_a_case_with_a_value_of_its_own_for_a_param_notices_nothing_of_the_policy_s(mutated):
    rules = "params: {most: 8}\nrules:\n  - id: too-many\n    deny: agents > params.most\n"
    own = f"params: {{most: 3}}, request: {{agents: 4}}, {DENY}"
    assert fates(mutated(rules, own, "expect: allow"), "threshold") == {"most: 9": "survived", "most: 7": "survived"}
    edge = (f"request: {{agents: 9}}, {DENY}", "request: {agents: 8}, expect: allow")
    assert set(fates(mutated(rules, own, *edge), "threshold").values()) == {"killed"}


@pytest.mark.parametrize(
    ("condition", "mutant"),
    [
        ('model == "b" and agents >= 1 and agents > 8', 'model == "b" and agents >= 0 and agents > 8'),
        ("agents > 8 or agents > 10", "agents > 8 or agents > 9"),
        ("agents > 8 or agents > 10", "agents > 8 or agents >= 10"),
    ],
)
def test_a_mutant_that_decides_alike_is_equivalent_and_never_killed(mutated, condition, mutant):
    found = mutated(f"rules:\n  - id: too-many\n    deny: '{condition}'\n", "expect: allow")
    (same,) = [each for each in found.mutants if mutant in each.after]
    assert same.fate is Fate.EQUIVALENT


def test_equivalent_mutants_are_not_counted(mutated):
    found = mutated(
        "rules:\n  - id: too-many\n    deny: agents > 8 or agents > 10\n", f"request: {{agents: 9}}, {DENY}"
    )
    judged = found.count(Fate.KILLED) + len(found.alive)
    assert len(found.mutants) == judged + found.count(Fate.EQUIVALENT)
    assert found.percent == 100.0 * found.count(Fate.KILLED) / judged


def test_the_case_that_is_proposed_kills_its_mutant(mutated, tmp_path):
    rules = MANY + '  - id: other\n    when: now.weekday == "fri"\n    deny: runtime in ["a", "b"] or window.used > 3\n'
    cases = ["request: {agents: 20}, expect: {deny: [TOO_MANY]}", "expect: allow, facts: {window: {used: 0, cap: 9}}"]
    found = mutated(rules, *cases)
    proposed = [each for each in found.alive if each.case]
    assert len(proposed) > 5
    for each in proposed:
        text = "".join(f"  {line}\n" for line in each.case.splitlines())
        listed = "".join(f"  - {{name: c{at}, {case}}}\n" for at, case in enumerate(cases))
        whole = f"policy: p.yaml\ndefaults: {DEFAULTS}\ncases:\n{listed}{text}"
        again = mutation.of_trials(*runner_and_trials(tmp_path, whole), lambda _done, _total: None, [each.subject])
        (same,) = [
            one for one in again.mutants if (one.place, one.kind, one.after) == (each.place, each.kind, each.after)
        ]
        assert same.fate is Fate.KILLED


@pytest.mark.parametrize(
    ("condition", "slip", "now"),
    [
        ('now.time >= "20:00"', 'now.time > "20:00"', "2026-01-01T20:00:00Z"),
        ('now.time < "06:00"', 'now.time <= "06:00"', "2026-01-01T06:00:00Z"),
        ('now.date < "2028-02-29"', 'now.date <= "2028-02-29"', "2028-02-29T00:00:00Z"),
        ('now.weekday in ["sat", "sun"]', 'now.weekday in ["sat"]', "2026-01-04T00:00:00Z"),
    ],
)
def test_a_time_that_a_condition_names_is_tried(mutated, condition, slip, now):
    expected = "{deny: [A]}" if "06:00" in condition or "date" in condition else "allow"
    found = mutated(f"rules:\n  - id: a\n    deny: {condition}\n", f"request: {{}}, expect: {expected}")
    (mutant,) = [each for each in found.mutants if each.after == f"deny: {slip}"]
    assert mutant.fate is Fate.SURVIVED
    assert f"now: {now}" in mutant.case


def test_a_timeline_notices_what_no_single_case_does(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "gatewright: 1\npolicy: p\nstage: check\nrules: [{use: fan-out-cap}, {id: late, deny: window.used > 5}]\n"
    )
    timeline = (
        "timeline:\n  - {at: 0s, times: 5, request: {model: new}, expect: allow}\n"
        "  - {at: 1s, request: {model: new}, expect: allow}\n"
        "  - {at: 2s, request: {model: new}, expect: {deny: [LATE]}}\n"
    )
    found = mutation.of_trials(
        *runner_and_trials(tmp_path, f"policy: p.yaml\ndefaults: {DEFAULTS}\n{timeline}"), lambda _done, _total: None
    )
    assert set(fates(found, "threshold").values()) == {"killed"}
    assert {each.killed_by.rpartition("::")[2] for each in found.mutants if each.subject == "late"} == {"timeline"}


def test_a_step_of_a_timeline_has_a_case_beside_it_that_tells_a_mutant(tmp_path):
    (tmp_path / "p.yaml").write_text(f"gatewright: 1\npolicy: p\nstage: check\n{MANY}")
    timeline = (
        f"timeline:\n  - {{at: 0s, stage: check, request: {{agents: 20}}, {DENY}}}\n"
        "  - {at: 1h, stage: deliver, expect: allow}\n"
        "  - {at: 2h, request: {agents: 2, actor: a}, expect: allow}\n  - {at: 2h, report: {dispatches: 1}}\n"
    )
    top = f"policy: p.yaml\ndefaults: {DEFAULTS}\nnow: 2028-02-29T12:00:00Z\n"
    found = mutation.of_trials(*runner_and_trials(tmp_path, top + timeline), lambda _done, _total: None)
    told = {each.after: each.case.splitlines()[2:] for each in found.mutants if each.fate is Fate.SURVIVED}
    assert told == {
        "deny: agents >= 8": ["  now: 2028-02-29T12:00:00Z", "  expect: allow"],
        "deny: agents > 9": ["  now: 2028-02-29T12:00:00Z", f"  {DENY}"],
        "deny: agents > 7": ["  now: 2028-02-29T12:00:00Z", "  expect: allow"],
    }


def test_what_does_not_pass_or_is_known_to_fail_notices_nothing(mutated):
    found = mutated(MANY, f"request: {{agents: 8}}, xfail: known, {DENY}", "expect: allow")
    assert ("operator", "deny: agents >= 8") in alive(found)


@pytest.mark.parametrize(
    ("until", "tried"), [("9999-12-31", ["until: 9999-12-30"]), ("0001-01-01", ["until: 0001-01-02"])]
)
def test_beyond_the_calendar_no_day_is_tried(mutated, until, tried):
    rules = MANY + f"exceptions:\n  - {{id: e, code: TOO_MANY, until: {until}, reason: r, owner: o}}\n"
    found = mutated(rules, "expect: allow")
    assert [each.after for each in found.mutants if (each.subject, each.kind) == ("e", "threshold")] == tried


def test_progress_is_told_to_the_end(tmp_path):
    (tmp_path / "p.yaml").write_text(f"gatewright: 1\npolicy: p\nstage: check\n{MANY}")
    text = f"policy: p.yaml\ndefaults: {DEFAULTS}\ncases: [{{name: c, expect: allow}}]\n"
    told = []
    found = mutation.of_trials(*runner_and_trials(tmp_path, text), lambda done, total: told.append((done, total)))
    total = len(found.mutants)
    assert told == [(at, total) for at in range(total + 1)]


@pytest.fixture(scope="module")
def shipped_bench():
    """All shipped cases of one decision, and the mutants of the shipped policies."""
    folder = CHECK.replace("policies/check.yaml", "fixtures")
    runner = Runner(BUILT_IN, TIERS)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
    cases = [case for name in names for case in cases_of(os.path.join(folder, name), BUILT_IN) if not case.steps]
    return mutation.Bench(runner, [runner.run(case) for case in cases])


@pytest.mark.parametrize("lot", range(4))
def test_a_mutant_is_judged_as_its_own_gate_decides(shipped_bench, lot):
    bench = shipped_bench
    pairs = [(policy, each) for policy in bench.policies.values() for each in bench.mutants(policy)]
    for policy, mutant in pairs[lot :: 4 * 3]:
        gates = {}
        for case in bench.of(policy)[lot::11]:
            made = mutant.make(case.gate.policy)
            gate = gates.setdefault(id(case.gate), Gate(made, BUILT_IN))
            fast = mutation.decided(case, made, mutant)
            whole = gate.decide(case.facts)
            told = [
                (each.rule, each.code, each.level, each.status)
                for each in (fast or case.gate.decide(case.facts)).findings
            ]
            assert told == [(each.rule, each.code, each.level, each.status) for each in whole.findings]
