"""Names, fields and kinds are judged before anything runs; all faults of an expression at once."""

import pytest
from tests.expressions.faults import marked, of_checker

from gatewright.errors import ExpressionError, Severity
from gatewright.expressions import checker
from gatewright.expressions.kinds import ANY, BOOLEAN, INTEGER, NUMBER, TEXT, Kind, Type
from gatewright.expressions.schema import Schema

NAME, KIND, CALL, PATTERN = "EXPR_NAME", "EXPR_KIND", "EXPR_CALL", "EXPR_PATTERN"

FIELDS = {"readable": BOOLEAN, "sha": TEXT, "note": Type(Kind.TEXT, optional=True)}
NAMES = {
    "model": TEXT,
    "agents": INTEGER,
    "score": NUMBER,
    "approved": BOOLEAN,
    "roles": Type(Kind.LIST, of=TEXT),
    "sizes": Type(Kind.LIST, of=INTEGER),
    "things": Type(Kind.LIST),
    "labels": Type(Kind.MAP, of=TEXT),
    "caps": Type(Kind.MAP),
    "contract": Type(Kind.RECORD, fields=FIELDS),
    "body": ANY,
}
SCHEMA = Schema(names=NAMES)
OPEN = Schema(names=NAMES, closed=False)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1", INTEGER),
        ("-1", INTEGER),
        ("1.5", NUMBER),
        ('"a"', TEXT),
        ("true", BOOLEAN),
        ("null", Type(Kind.NULL, optional=True)),
        ("agents", INTEGER),
        ("contract.sha", TEXT),
        ('contract["sha"]', TEXT),
        ("contract.note", Type(Kind.TEXT, optional=True)),
        ("roles[0]", TEXT),
        ("things[0]", ANY),
        ("labels.x", TEXT),
        ("labels[model]", TEXT),
        ("caps.x", ANY),
        ("caps[model]", ANY),
        ("body.x", ANY),
        ("body[model]", ANY),
        ("agents + 1", INTEGER),
        ("agents * 1.5", NUMBER),
        ("score - 1", NUMBER),
        ("agents + body", Type(Kind.ANY)),
        ("-agents", INTEGER),
        ("-score", NUMBER),
        ("-body", Type(Kind.ANY)),
        ("len(model)", INTEGER),
        ("lower(model)", TEXT),
        ('contains(model, "a")', BOOLEAN),
        ('starts_with(model, "a")', BOOLEAN),
        ('ends_with(model, "a")', BOOLEAN),
        ('matches(model, "^a")', BOOLEAN),
        ("has(labels.x)", BOOLEAN),
        ('default(labels.x, "a")', TEXT),
        ("default(labels.x, null)", Type(Kind.TEXT, optional=True)),
        ("default(body, 1)", Type(Kind.ANY)),
        ("default(body, null)", Type(Kind.ANY, optional=True)),
        ("default(agents, 1.5)", INTEGER),
        ("not approved", BOOLEAN),
        ("approved and approved", BOOLEAN),
        ("agents > 1", BOOLEAN),
        ('model in ["a"]', BOOLEAN),
        ('["a", null]', Type(Kind.LIST, of=TEXT)),
        ("[1, 2.5]", Type(Kind.LIST, of=NUMBER)),
        ("[]", Type(Kind.LIST, of=ANY)),
        ("[null]", Type(Kind.LIST, of=ANY)),
    ],
)
def test_an_expression_has_a_kind(text, kind):
    assert checker.checked(text, SCHEMA)[0].type == kind


@pytest.mark.parametrize(
    "text",
    [
        "agents == score",
        "agents < score",
        'model < "x"',
        "agents in sizes",
        "model in roles",
        "model in labels",
        "body in things",
        "agents in things",
        "body == agents",
        "roles == roles",
        'roles == ["a"]',
        "labels == labels",
        "contract == null",
        "contract is null",
        "null == null",
        "agents == null",
        'model in ("a", "b")',
        'model in ("a",)',
        "agents in [1, 2.0, null]",
        "model in body",
        "len(body) > len(roles) + len(labels)",
        'default(contract.sha, "x") == "x"',
        "default(roles, []) == []",
        "1 < agents <= 9",
        "9 >= agents > score",
        "body and approved",
    ],
)
def test_kinds_that_can_meet_are_taken(text):
    assert of_checker(text, SCHEMA) == ()


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("agnets > 1", "agnets", "did you mean `agents`?"),
        ("Model == body", "Model", "did you mean `model`?"),
        ("contract.raedable", "contract.raedable", "did you mean `readable`?"),
        ('contract["shaa"] == body', 'contract["shaa"]', "did you mean `sha`?"),
        ("contract.zzzzz == body", "contract.zzzzz", "one of `note`, `readable`, `sha`"),
        ("qqqqqqqq == 1", "qqqqqqqq", "text goes in quotes"),
        ("gpt-5 == model", "gpt", "reads as a subtraction"),
        ("agen-ts > 1", "agen", "did you mean `agents`?"),
        ("1 < ag-nts", "ag", "did you mean `agents`?"),
        ("has(agnets)", "agnets", "did you mean `agents`?"),
        ("has(contract.raedable)", "contract.raedable", "did you mean `readable`?"),
        ("default(contract.raedable, true)", "contract.raedable", "did you mean `readable`?"),
    ],
)
def test_an_unknown_name_comes_with_the_nearest(text, at, words):
    (fault, *_) = of_checker(text, SCHEMA)
    assert (fault.code, marked(text, fault)) == (NAME, at)
    assert words in fault.hint


@pytest.mark.parametrize(
    ("text", "at"),
    [
        # fields and elements
        ("model.x", "model.x"),
        ("roles.x", "roles.x"),
        ('agents["x"]', 'agents["x"]'),
        ("model[0]", "model[0]"),
        ("agents[model]", "agents[model]"),
        ('roles["x"]', 'roles["x"]'),
        ("roles[model]", "model"),
        ("roles[1.5]", "1.5"),
        ("roles[true]", "true"),
        ("labels[agents]", "agents"),
        ("labels[0]", "0"),
        # conditions
        ("not agents", "agents"),
        ('not "x"', '"x"'),
        ("not null", "null"),
        ("agents and approved", "agents"),
        ("approved or roles", "roles"),
        ('approved and "x"', '"x"'),
        ('"x" or approved', '"x"'),
        # equality
        ('agents == "2"', 'agents == "2"'),
        ("agents == true", "agents == true"),
        ("model != 1", "model != 1"),
        ("roles == model", "roles == model"),
        ("labels == roles", "labels == roles"),
        ("contract == contract", "contract == contract"),
        ("contract == body", "contract == body"),
        # order
        ('agents < "2"', 'agents < "2"'),
        ("model > 2", "model > 2"),
        ("approved < approved", "approved"),
        ("roles < 1", "roles"),
        ("null < 1", "null"),
        ("1 < model < 2", "1 < model < 2"),
        # membership
        ('"a" in model', "model"),
        ('model in "a"', '"a"'),
        ("model in 2", "2"),
        ("model in contract", "contract"),
        ("agents in labels", "agents"),
        ("agents in roles", "agents in roles"),
        ("model in [1]", "1"),
        ("model in []", "[]"),
        ('agents in [1, "a"]', '[1, "a"]'),
        ("body in [1, true]", "[1, true]"),
        # numbers
        ("model + 1 > 1", "model"),
        ('"a" + "b" == model', '"a"'),
        ("-model > 1", "model"),
        ("roles * 2 > 1", "roles"),
        ("1 + true > 1", "true"),
        ("1 + null > 1", "null"),
        ("null.x == 1", "null.x"),
        ("null[0] == 1", "null[0]"),
        # functions
        ("len(null) > 1", "null"),
        ("len(agents) > 1", "agents"),
        ("len(contract) > 1", "contract"),
        ("lower(agents) == model", "agents"),
        ("starts_with(model, 1)", "1"),
        ('ends_with(roles, "a")', "roles"),
        ('contains(labels, "a")', "labels"),
        ("matches(model, 1)", "1"),
        ('default(agents, "1") == 1', '"1"'),
    ],
)
def test_kinds_that_never_meet_are_a_fault_at_their_characters(text, at):
    found = of_checker(text, SCHEMA)
    assert (KIND, at) in [(fault.code, marked(text, fault)) for fault in found]


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("matches(model, model)", PATTERN, "model"),
        ("matches(model, body)", PATTERN, "body"),
        ('matches(model, "(")', PATTERN, '"("'),
        ('matches(model, "a" + "b")', PATTERN, '"a" + "b"'),
        ("has(1)", CALL, "1"),
        ("has(agents + 1)", CALL, "agents + 1"),
        ('has("labels.x")', CALL, '"labels.x"'),
        ("has(len(roles))", CALL, "len(roles)"),
        ("default(1, 2) == 2", CALL, "1"),
        ("default(agents, agents) == 2", CALL, "agents"),
        ("default(agents, 1 + 1) == 2", CALL, "1 + 1"),
    ],
)
def test_an_argument_of_the_wrong_form_is_a_fault(text, code, at):
    assert (code, at) in [(fault.code, marked(text, fault)) for fault in of_checker(text, SCHEMA)]


def test_a_pattern_is_blamed_with_the_character_inside_it():
    (fault,) = of_checker('matches(model, "ab[c")', SCHEMA)
    assert "character 3 of the pattern" in fault.message


def test_all_faults_of_an_expression_are_told_at_once():
    text = 'agnets > 1 and model > 2 and contract.raedable and "x" in model'
    assert [marked(text, fault) for fault in of_checker(text, SCHEMA)] == [
        "agnets",
        "model > 2",
        "contract.raedable",
        "model",
    ]


def test_the_error_of_a_check_holds_the_text_and_says_every_fault():
    with pytest.raises(ExpressionError) as caught:
        checker.checked("agnets > 1 and bdoy", SCHEMA)
    assert caught.value.text == "agnets > 1 and bdoy"
    assert str(caught.value) == (
        "unknown name `agnets` (did you mean `agents`?); unknown name `bdoy` (did you mean `body`?)"
    )


@pytest.mark.parametrize(
    "text", ["has(contract.size)", "default(contract.size, 1) == 1", "has(model.x)", "has(roles.x.y)"]
)
def test_inside_has_and_default_a_field_may_be_missing_where_names_are_open(text):
    assert of_checker(text, OPEN) == ()
    assert of_checker(text, SCHEMA) != ()


@pytest.mark.parametrize("text", ["has(agnets)", "has(labels[agnets])", "default(agnets.x, 1) == 1"])
def test_the_fact_itself_must_exist_even_where_names_are_open(text):
    (fault,) = of_checker(text, OPEN)
    assert marked(text, fault) == "agnets"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agents", "a number"),
        ("model", "text"),
        ("null", "null"),
        ("roles", "a list"),
        ("labels", "a map"),
        ("contract", "a record"),
        ("agents + 1", "a number"),
    ],
)
def test_an_answer_that_is_no_boolean_is_no_condition(text, words):
    tree, _ = checker.checked(f" {text} ", SCHEMA)
    fault = checker.condition_fault(f" {text} ", tree)
    assert (fault.code, marked(f" {text} ", fault)) == (KIND, text)
    assert words in fault.message


def test_a_text_as_a_condition_comes_with_the_comparison_that_was_meant():
    tree, _ = checker.checked("model", SCHEMA)
    assert '`model == "…"`' in checker.condition_fault("model", tree).hint


@pytest.mark.parametrize("text", ["approved", "body", "body.x", "agents > 1", "has(model)"])
def test_a_boolean_and_what_may_be_one_are_conditions(text):
    tree, _ = checker.checked(text, SCHEMA)
    assert checker.condition_fault(text, tree) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(labels).nope.x", "`(labels).nope` is text"),
        ("(agents + 1) * model > 1", None),
        ("(agents > 1).x", "`(agents > 1)` is a boolean"),
        ("(agents > 1) == model", "`agents > 1` is a boolean"),
        ("model == -(5)", "`-(5)` is a number"),
    ],
)
def test_what_a_message_quotes_has_its_brackets_in_pairs(text, shown):
    for fault in of_checker(text, SCHEMA):
        assert marked(text, fault).count("(") == marked(text, fault).count(")")
        assert shown is None or shown in fault.message


MANY = {f"field_{number:02}": TEXT for number in range(13)}


@pytest.mark.parametrize(
    ("name", "fields", "hint"),
    [
        ("contract", MANY, "its fields are " + ", ".join(f"`{field}`" for field in MANY)),
        ("params", {}, "declare it in the policy, under `params:`"),
        ("window", {}, ""),
    ],
)
def test_a_field_that_is_not_there_comes_with_all_that_are(name, fields, hint):
    (fault,) = of_checker(f"{name}.ceiling == 1", Schema(names={name: Type(Kind.RECORD, fields=fields)}))
    assert (fault.message, fault.hint) == (f"`{name}` has no field `ceiling`", hint)


def test_a_warning_is_no_fault_and_an_error_leaves_no_tree():
    tree, warnings = checker.checked('contract.note > "a"', SCHEMA)
    assert tree.type == BOOLEAN
    assert [warning.severity for warning in warnings] == [Severity.WARNING]
