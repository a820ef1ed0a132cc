"""Habits of other languages: each is refused at its character, with what to write instead.

Where a table names no characters, any place in the slip will do.
"""

import pytest
from tests.expressions.faults import marked, of_checker, of_parser

from gatewright.expressions.kinds import BOOLEAN, INTEGER, TEXT, Kind, Type
from gatewright.expressions.schema import Schema

SCHEMA = Schema(
    names={
        "agents": INTEGER,
        "model": TEXT,
        "approved": BOOLEAN,
        "roles": Type(Kind.LIST, of=TEXT),
        "labels": Type(Kind.MAP, of=TEXT),
    }
)


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ('model = "x"', "=", "`==`"),
        ('model === "x"', "===", "`==`"),
        ('model !== "x"', "!==", "`!=`"),
        ('model <> "x"', "<>", "`!=`"),
        ('model <=> "x"', "<=>", "`==`"),
        ("agents => 2", "=>", "`>=`"),
        ("agents =< 2", "=<", "`<=`"),
        ('model =~ "x"', "=~", "matches("),
        ('model ~= "x"', "~=", "matches("),
        ('model !~ "x"', "!~", "not matches("),
        ("approved && approved", "&&", "`and`"),
        ("approved || approved", "||", "`or`"),
        ("approved & approved", "&", "`and`"),
        ("approved | approved", "|", "`or`"),
        ('model not_in ["x"]', "not_in", "`not in`"),
        ('model notIn ["x"]', "notIn", "`not in`"),
        ("model isnot null", "isnot", "`is not`"),
        ('model is not in ["x"]', "in", "`not in`"),
        ("model in [codex, claude]", "codex", '`"codex"`'),
        ("!approved", "!", "`not`"),
        ("~approved", "~", "`not`"),
        ("labels?.x", "?.", "has("),
        ('labels.x ?? "y"', "??", "default("),
        ("approved ? 1 : 2", "?", "has("),
        ("labels::x", "::", "`.`"),
        ("labels->x", "->", "`.`"),
        ("labels..x", "..", "`.`"),
        ("labels...x", "...", "one `.`"),
        ("agents: 2", ":", "`==`"),
        ("agents > 1; approved", ";", "`and`"),
        ("agents--1", "--", "`-`"),
        ("agents++1", "++", "`+`"),
        ("agents ** 2", "**", "product"),
        ("agents ^ 2", "^", "product"),
        ("agents % 2", "%", "numbers"),
        ("agents / 2", "/", "multiply"),
        ("agents // 2", "//", "multiply"),
        ("1 << 2", "<<", "number"),
        ("8 >> 2", ">>", "number"),
        ('model in {"x"}', "{", "`[`"),
        ("approved}", "}", "`[`"),
        ("@model", "@", "quotes"),
        ('$model == "x"', "$", "without `$`"),
        ("model == `x`", "`", '"'),
        ("approved \\\n and approved", "\\", "line break"),
        ("approved # and more", "#", "comment"),
        ('model := "x"', ":=", "`==`"),
        *(
            (f"agents {sign} 1", sign, "`==`")
            for sign in ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**=", "//=")
        ),
        *((f"agents {sign} 1", sign, "`==`") for sign in ("<<=", ">>=", "&&=", "||=")),
        ("agents =! 2", None, "`!=`"),
        ("agents >== 2", None, "`>=`"),
        ("agents > = 2", None, "write `>=` in one piece"),
        ("agents >= = 2", None, "write `>=` in one piece"),
        ("agents ! = 2", None, "write `!=` in one piece"),
        ("agents = = 2", None, "write `==` in one piece"),
        ("agents <== 2", None, "`<=`"),
    ],
)
def test_an_operator_of_another_language_is_named_with_ours(text, at, hint):
    fault = of_parser(text)
    assert at in (None, marked(text, fault))
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ("approved AND approved", "AND", "`and`"),
        ("approved Or approved", "Or", "`or`"),
        ("NOT approved", "NOT", "`not`"),
        ('model NOT IN ["x"]', "NOT", "`not`"),
        ('model IN ["x"]', "IN", "`in`"),
        ("model IS null", "IS", "`is`"),
        ("approved == TRUE", "TRUE", "`true`"),
        ("approved == FALSE", "FALSE", "`false`"),
        ("model == NULL", "NULL", "`null`"),
        ("model == Null", "Null", "`null`"),
        ("model == NONE", "NONE", "`null`"),
        ("model == nil", "nil", "`null`"),
        ("model == undefined", "undefined", "`null`"),
        ("model is undefined", "undefined", "`null`"),
        ("agents is 2", "is", "`==`"),
        ("agents is not 2", "is", "`!=`"),
        ('model matches "x"', "matches", "matches("),
        ('model contains "x"', "contains", "contains("),
        ('model startswith "x"', "startswith", "starts_with("),
        ('model starts_with "x"', "starts_with", "starts_with("),
        ('model regex "x"', "regex", "matches("),
        ("agents > 1 then deny", "then", "deny"),
        ("agents if approved else 2", "if", "two rules"),
        ("if approved then true", "if", "two rules"),
        ("agents for x in roles", "for", "`in`"),
        ("lambda", "lambda", "reads facts"),
        ("yield approved", "yield", "reads facts"),
        ("import os", "import", "condition"),
        ("return approved", "return", "condition"),
        ("agents while approved", "while", ""),
        ("approved == not approved", "not", "parentheses"),
        ('model eq "x"', "eq", "`==`"),
        ('model equals "x"', "equals", "`==`"),
        ('model ne "x"', "ne", "`!=`"),
        ("agents gt 2", "gt", "`>`"),
        ("agents gte 2", "gte", "`>=`"),
        ("agents ge 2", "ge", "`>=`"),
        ("agents lt 2", "lt", "`<`"),
        ("agents lte 2", "lte", "`<=`"),
        ("agents le 2", "le", "`<=`"),
        ('model like "x%"', "like", "matches("),
        ('model LIKE "x%"', "LIKE", "matches("),
        ("agents between 1 and 2", "between", "<="),
        ("approved xor approved", "xor", "`!=`"),
        ("agents not == 2", "not", "`!=`"),
        ("when agents > 1", None, "key"),
        ("if agents > 1: deny", None, "two rules"),
    ],
)
def test_a_word_of_another_language_is_named_with_ours(text, at, hint):
    fault = of_parser(text)
    assert at in (None, marked(text, fault))
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ("count(roles)", "count", "len("),
        ("size(roles)", "size", "len("),
        ("strlen(model)", "strlen", "len("),
        ("exists(model)", "exists", "has("),
        ("isset(model)", "isset", "has("),
        ("defined(model)", "defined", "has("),
        ('startsWith(model, "x")', "startsWith", "starts_with("),
        ('HasSuffix(model, "x")', "HasSuffix", "ends_with("),
        ("toLower(model)", "toLower", "lower("),
        ("upper(model)", "upper", "lower("),
        ('includes(model, "x")', "includes", "contains("),
        ('re_match(model, "x")', "re_match", "matches("),
        ('coalesce(model, "x")', "coalesce", "default("),
        ("leng(model)", "leng", "len("),
        ("is_null(model)", "is_null", "is null"),
        ("isEmpty(model)", "isEmpty", '== ""'),
        ("getattr(model)", "getattr", "`starts_with`"),
        ("request.f()", "(", "name(value)"),
        ('model.startsWith("x")', "(", "starts_with(model, …)"),
        ('model.ends_with("x")', "(", "ends_with(model, …)"),
        ("model.lower()", "(", "lower(model)"),
        ("roles.size()", "(", "len(roles)"),
        ("labels.x.exists()", "(", "has(labels.x)"),
        ('re.match("x", model)', "(", "matches(text"),
        ("model()", "model", "`starts_with`"),
        ("roles[0]()", "(", "without `(`"),
        ("5(1)", "(", "without `(`"),
        ("has(model, 1)", "has", "has(path)"),
        ("default(model)", "default", "default(path, literal)"),
        ("len()", "len", "len(value)"),
        ("lower(model, 1)", "lower", "lower(text)"),
        ("matches(model)", "matches", 'matches(text, "pattern")'),
        ("contains(model)", "contains", 'contains(text, "part")'),
        ("len", "len", "len(…)"),
        ("has model", "has", "has(…)"),
        ('starts-with(model, "x")', None, "starts_with("),
    ],
)
def test_a_call_that_is_none_of_ours_is_named_with_ours(text, at, hint):
    fault = of_parser(text)
    assert at in (None, marked(text, fault))
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("agents == 1,200", ",", "1200"),
        ("agents == 1,000", None, "1000"),
        ("agents == 1,000,000", None, "1000"),
        ("agents > 1 000", "000", "1000"),
        ("agents in [1,200] or agents > 017", "017", "leading zero"),
        ("agents > .5", ".", "0.5"),
        ("agents > -.5", ".", "0.5"),
        ("agents > 5.", "", "5.0"),
        ("model == 5.6.1", "1", "quotes"),
        ("roles.0", "0", "roles[0]"),
        ("roles[0:1]", ":", "one element"),
        ("roles[:1]", ":", "one element"),
        ("labels.class", "class", '["class"]'),
        ("labels._x", "_x", '["_x"]'),
        ("labels.__x", "__x", "never read"),
        ('labels["__x"]', '"__x"', "never read"),
        ("_model", "_model", "`_`"),
        ("labels.", "", "field's name"),
        ('labels."x"', '"x"', "field's name"),
        (".model", ".", "before `.`"),
        ('model == "a" "b"', '"b"', "comma"),
        ('model == "it"s"', '"', "quote"),
        ("agents 2", "2", "and"),
        ("model gpt", "gpt", "and"),
        ('model in "a", "b"', ",", "`[`"),
        ("approved, approved", ",", "`and`"),
        ("agents > 1\nagents < 9", "agents", "`and`"),
        ("model in [gpt-5, gpt-6]", "gpt-5", "quotes"),
        ("model in [model]", "model", "`or`"),
        ("matches(model, gpt.*)", "*", "quotes"),
        ("matches(model, /gpt/)", "/", "quotes"),
    ],
)
def test_a_slip_of_spelling_comes_with_what_was_meant(text, at, words):
    fault = of_parser(text)
    assert at in (None, marked(text, fault))
    assert words in f"{fault.message} {fault.hint}"


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("approved)", ")", "`)` closes nothing"),
        ("approved]", "]", "`]` closes nothing"),
        ("approved) or (approved", ")", "`)` closes nothing"),
        ("(approved", "", "`(` is never closed"),
        ("len(model", "", "`(` is never closed"),
        ("roles[0", "", "`[` is never closed"),
        ('model in ["a"', "", "`[` is never closed"),
        ("(approved]", "]", "`]` does not close `(`"),
        ("roles[0)", ")", "`)` does not close `[`"),
        ("len(model approved)", "approved", "an operator is missing before `approved`"),
        ("()", ")", "`()` holds nothing"),
        ("roles[]", "]", "a value is missing before `]`"),
        ("has(,)", ",", "a value is missing between `(` and `,`"),
        ("approved and", "", "the expression ends after `and`"),
        ("(", "", "the expression ends after `(`"),
        ("and approved", "and", "on the left of `and`"),
        ("approved and or approved", "or", "between `and` and `or`"),
        ("* 2", "*", "`*` has nothing on its left"),
        ("agents > * 2", "*", "between `>` and `*`"),
        ("1 < 2 > 1", ">", "form a chain"),
        ("1 == 1 == 1", "==", "form a chain"),
        ("1 < 2 in roles", "in", "form a chain"),
        ("model in [[1]]", "[1]", "literals only"),
    ],
)
def test_what_is_missing_or_too_much_is_said(text, at, words):
    fault = of_parser(text)
    assert at in (None, marked(text, fault))
    assert words in fault.message


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ('model in ("x")', '"x"', '`in ["x"]`'),
        ("roles.length > 1", "roles.length", "len(roles)"),
        ("labels.size > 1 and model.length > 1", "model.length", "len(model)"),
        ('contains(labels, "x")', "labels", '"x" in labels'),
        ('contains(roles, "x")', "roles", '`"x" in roles`'),
        ('model == "a" or "b"', '"b"', '`model in ["a", "b"]`'),
        ('model == ("a" or "b")', 'model == ("a" or "b")', 'in ["a", "b"]'),
        ("agents == 1 or 2", "2", "in [1, 2]"),
        ('model == ["a", "b"]', 'model == ["a", "b"]', "in ["),
        ('roles == "a"', 'roles == "a"', '`"a" in roles`'),
        ('agents == "2"', 'agents == "2"', "`2`"),
        ('approved == "true"', 'approved == "true"', "`true`"),
        ("approved == yes", "yes", "`true`"),
        ("agents < inf", "inf", "finite"),
        ("agents == NaN", "NaN", "finite"),
        ("model == gpt-5", "gpt", "quotes"),
        ('has("labels.x")', '"labels.x"', "`has(labels.x)`"),
        ('default("labels.x", "y")', '"labels.x"', "`default(labels.x, "),
    ],
)
def test_a_slip_of_kind_comes_with_what_was_meant(text, at, hint):
    faults = {marked(text, fault): fault for fault in of_checker(text, SCHEMA)}
    assert hint in f"{faults[at].message} {faults[at].hint}"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("not model", "`has(model)`"),
        ("approved or labels.x", '`labels.x == "…"`'),
        ("not roles", "`len(roles) > 0`"),
        ("not labels", "`len(labels) > 0`"),
        ("not agents", "compare it"),
        ('model[0] == "c"', "starts_with"),
        ("none == model", "`null`"),
        ("input.agents > 1", "leave `input.` out"),
        ("data.model == 1", "leave `data.` out"),
        ("model == codex", "in quotes"),
        ("model == modle", "did you mean `model`?"),
        ("codex == model", "did you mean `model`?"),
    ],
)
def test_a_value_that_was_taken_for_something_else_comes_with_what_was_meant(text, hint):
    assert hint in of_checker(text, SCHEMA)[0].hint


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ("agents in [1..8]", "..", "`low <= value <= high`"),
        ("labels == {}", "{", "`len(map) == 0`"),
        ("agents -gt 8", "8", "write `>`"),
        ('"x" in labels.keys()', "(", "write `… in labels`"),
        ("roles.all(r, r == 1)", "(", "no loops"),
        ("labels.items()", "(", "no loops"),
        ('labels.get("x")', "(", "`default(labels.name, …)`"),
        ("[x for x in roles]", "for", "`in` and `len`"),
    ],
)
def test_what_goes_through_many_values_elsewhere_is_said_in_our_words(text, at, hint):
    fault = of_parser(text)
    assert marked(text, fault) == at
    assert hint in fault.hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("model == 3", 'write `"3"`'),
        ("model < 2026-11-29", 'write `"2026-11-29"`'),
        ("model in [3]", 'write `"3"`'),
        ("model == true", 'write `"true"`'),
        ('labels.cost-center == "x"', '`labels["cost-center"]`'),
        ('matches("^gpt", model)', 'write `matches(model, "^gpt")`'),
    ],
)
def test_a_text_without_its_quotes_and_a_key_with_a_dash_are_told_as_they_are_written(text, hint):
    assert hint in of_checker(text, SCHEMA)[0].hint


@pytest.mark.parametrize("text", ["agents > = 2", "agents >= = 2", "agents ! = 2", "agents = = 2"])
def test_half_of_an_operator_is_not_mended_by_itself(text):
    assert of_parser(text).fix is None
