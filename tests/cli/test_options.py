"""Options of `check` and those that all commands share."""

import json

import pytest

POLICY = """\
gatewright: 1
policy: own
stage: check
params: {most: 3, ratio: 1.5, runtimes: [codex], open: true, team: red}
rules:
  - {id: most, deny: agents > params.most, code: BUDGET_EXCEEDED}
  - {id: ratio, deny: agents > params.ratio * 2, code: ROUTING_VIOLATION}
  - {id: runtimes, require: runtime in params.runtimes, code: INVALID_REQUEST}
  - {id: team, deny: 'has(labels.team) and labels.team != params.team', code: NO_MODEL}
"""


def test_a_label_is_a_fact(place):
    policy = place.write("own.yaml", POLICY)
    codes = [
        place.check("--policy", policy, "--label", f"team={team}").json["reason"] for team in ("red", "blue", "", "a=b")
    ]
    assert codes == ["OK", "NO_MODEL", "NO_MODEL", "NO_MODEL"]


@pytest.mark.parametrize("label", ["team", "=red", ""])
def test_a_label_without_name_or_sign_is_a_wrong_call(place, label):
    result = place.check("--label", label)
    assert (result.code, result.stdout) == (64, "")


def test_one_label_given_two_values_is_a_wrong_call(place):
    result = place.check("--label", "team=red", "--label", "team=blue")
    assert (result.code, result.stdout) == (64, "")


@pytest.mark.parametrize(("option", "fact"), [("--actor", "actor"), ("--request-id", "request_id")])
def test_who_asks_and_the_id_of_the_request_are_facts(place, option, fact):
    rule = f"{{id: a, deny: '{fact} == \"x\"', code: NO_MODEL}}"
    policy = place.write("own.yaml", f"gatewright: 1\npolicy: own\nstage: check\nrules:\n  - {rule}\n")
    assert place.check("--policy", policy, option, "x").json["reason"] == "NO_MODEL"
    assert place.check("--policy", policy, option, "y").json["reason"] == "OK"


@pytest.mark.parametrize(
    ("param", "reasons"),
    [
        ("most=3", []),
        ("most=0", ["BUDGET_EXCEEDED"]),
        ("ratio=0", ["ROUTING_VIOLATION"]),
        ("ratio=0.25", ["ROUTING_VIOLATION"]),
        ('runtimes=["claude"]', ["INVALID_REQUEST"]),
        ("runtimes=[]", ["INVALID_REQUEST"]),
        ("team=blue", []),
    ],
)
def test_a_param_takes_the_place_of_the_policys_own(place, param, reasons):
    policy = place.write("own.yaml", POLICY)
    assert place.check("--policy", policy, "--param", param).json["reasons"] == reasons


@pytest.mark.parametrize(
    "param",
    [
        "least=3",
        "most=three",
        "most=null",
        "most=true",
        "most=[3]",
        "most=NaN",
        "ratio=NaN",
        "ratio=Infinity",
        "ratio=-Infinity",
        "ratio=1e999",
        "most=99999999999999999999",
        "ratio=99999999999999999999",
        "runtimes=codex",
        "runtimes=[1]",
        'runtimes=["codex", 1]',
        'runtimes={"codex": 1}',
        "open=yes",
        "team=5",
        'team="\\ud800"',
        "runtimes=[" + "[" * 5000,
    ],
)
def test_a_param_of_no_such_name_or_of_another_kind_closes_the_gate(place, param):
    result = place.check("--policy", place.write("own.yaml", POLICY), "--param", param, agents="4")
    assert (result.code, result.json["reason"]) == (2, "POLICY_UNAVAILABLE")
    assert f"`{param.split('=')[0]}`" in result.json["message"]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", "1000000000000000000000"])
def test_a_limit_that_is_no_number_opens_nothing(place, value):
    rule = "{id: ratio, deny: agents > params.ratio, code: ROUTING_VIOLATION}"
    policy = f"gatewright: 1\npolicy: own\nstage: check\nparams: {{ratio: 1.5}}\nrules:\n  - {rule}\n"
    words = ["--policy", place.write("own.yaml", policy), "--param", f"ratio={value}"]
    result = place.check(*words, agents="1000", est_chars="1")
    assert (result.code, result.json["allow"]) == (2, False)


@pytest.mark.parametrize("param", ["most", "=3", ""])
def test_a_param_without_name_or_value_is_a_wrong_call(place, param):
    result = place.check("--param", param)
    assert (result.code, result.stdout) == (64, "")


def test_one_param_given_two_values_is_a_wrong_call(place):
    result = place.check("--policy", place.write("own.yaml", POLICY), "--param", "most=0", "--param", "most=9")
    assert (result.code, result.stdout) == (64, "")


@pytest.mark.acceptance("BU-01")
@pytest.mark.parametrize(
    ("param", "chars", "agents"),
    [("max_chars=0", "1", "1"), ("max_batch_chars=0", "1", "1"), ("max_batch_chars=9", "5", "2")],
)
def test_a_limit_of_nothing_allows_nothing(place, param, chars, agents):
    result = place.check("--param", param, est_chars=chars, agents=agents)
    assert (result.code, result.json["reason"]) == (2, "BUDGET_EXCEEDED")


def test_the_list_of_high_cost_runtimes_is_a_param(place):
    words = ["--param", 'high_cost_runtimes=["codex"]']
    assert place.check(*words, agents="2").json["reason"] == "ROUTING_VIOLATION"
    assert place.check(*words, agents="2", runtime="fable").json["reason"] == "OK"


def test_json_goes_into_a_pipe_and_is_asked_for_by_either_name(place):
    plain, named, short = place.check(), place.check("-f", "json"), place.check("--json")
    assert plain.stdout == named.stdout == short.stdout
    assert place.check("--json", "-f", "json").stdout == plain.stdout


def test_each_format_goes_where_it_is_sent(place):
    result = place.check("-f", "json:decision.json", "-f", "table:github", agents="0")
    held = (place.cwd / "decision.json").read_text()
    assert json.loads(held)["reason"] == "INVALID_REQUEST"
    assert held.endswith("}\n")
    assert result.stdout.startswith("| RULE")
    assert result.code == 2


def test_a_denial_is_told_on_stderr_where_stdout_has_no_table(place):
    result = place.check("-f", "table:decision.txt", agents="0")
    assert (result.code, result.stdout) == (2, "")
    assert "INVALID_REQUEST" in result.stderr
    assert "DENY INVALID_REQUEST" in (place.cwd / "decision.txt").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["-f", "nope"],
        ["-f", ""],
        ["-f", "JSON"],
        ["-f", "json", "-f", "table"],
        ["--json", "-f", "table"],
        ["-f", "json", "-f", "json"],
    ],
)
def test_a_format_that_is_none_or_one_too_many_is_a_wrong_call(place, words):
    result = place.check(*words)
    assert (result.code, result.stdout) == (64, "")


@pytest.mark.parametrize("file", ["missing/x.json", "."])
def test_a_decision_that_cannot_be_written_is_never_an_allow(place, file):
    result = place.check("-f", f"json:{file}")
    assert result.code == 2
    assert file in result.stderr


@pytest.mark.parametrize("file", ["missing/x.json", "."])
@pytest.mark.parametrize("words", [("report",), ("rules",), ("ledger", "doctor"), ("lint", "policy.yaml"), ("facts",)])
def test_a_file_that_cannot_be_written_is_a_failure_as_standard_output_is(place, words, file):
    place.write("policy.yaml", "gatewright: 1\npolicy: p\nstage: check\nrules:\n  - {use: dispatch-budget}\n")
    result = place.run(*words, "-f", f"json:{file}")
    assert (result.code, result.stdout) == (1, "")
    assert file in result.stderr
    exported = place.run("ledger", "export", "--out", file, "--ledger", "ledger.db")
    assert exported.code in (1, 5)


TABLE = """\
RULE                OUTCOME    CODES                  WHY    WHERE
------------------  ---------  ---------------------  -----  -------------
completion-channel  denied     NO_COMPLETION_CHANNEL         own.yaml:5:10
model-named         passed                                   own.yaml:6:10
unknown-model       warned     TIER_UNKNOWN_MODEL            own.yaml:7:10

DENY NO_COMPLETION_CHANNEL  completion-channel  own.yaml:5:10
    completion channel `email` is not `orchestration` or `sentinel-log`
    hint: give `orchestration` or `sentinel-log`, spelt exactly so
    completion_channel not in channels
    "email"            not in ["orchestration","sentinel-log"]   true
    completion_channel=email (request)
    would pass with completion_channel "orchestration" or "sentinel-log"

WARN TIER_UNKNOWN_MODEL  unknown-model  own.yaml:7:10
    model `new-model` is in no tier
    hint: add it to a tier of the table
    tier      == "unknown"
    "unknown" == "unknown"   true
    tier=unknown (derived)

DENY NO_COMPLETION_CHANNEL   3 rules: 1 passed, 1 denied, 1 warned
"""


def test_a_denied_request_as_a_table(place):
    rules = "".join(f"  - use: {name}\n" for name in ("completion-channel", "model-named", "unknown-model"))
    policy = place.write("own.yaml", f"gatewright: 1\npolicy: own\nstage: check\nrules:\n{rules}")
    result = place.check("--policy", policy, "-f", "table", completion_channel="email", model="new-model")
    assert (result.code, result.stdout, result.stderr) == (2, TABLE, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["check"], "missing option `--runtime`"),
        (["check", "--foo"], "no such option `--foo` (did you mean `--format`?)"),
        (["check", "--runtim", "x"], "no such option `--runtim` (did you mean one of: `--request-id`, `--runtime`?)"),
        (["check", "--agents", "two"], "invalid value for `--agents`: `two` is not a valid integer"),
        (["rules", "a", "b"], "got unexpected extra argument (b)"),
        (["explain"], "missing argument `CODE|FILE`"),
    ],
)
def test_a_wrong_call_is_told_first_and_in_the_words_of_everything_else(place, words, told):
    result = place.run(*words)
    assert (result.code, result.stderr.splitlines()[0]) == (64, f"gatewright: {told}")
