"""Tables for auditors: which rules and facts there are, what policies are made of, what codes mean."""

from collections.abc import Iterable, Mapping

from gatewright.catalog import Catalog
from gatewright.expressions.kinds import Kind, descriptions
from gatewright.model import Level, Stage
from gatewright.model.decisions import Plain
from gatewright.model.reasons import Reason
from gatewright.policy.policies import Expression, Policy, PolicyRule
from gatewright.spec import REQUIRED, Fact, Rule
from gatewright.text import printable, shown

RULE_HEADERS = ("RULE", "STAGE", "CODES", "OPTIONS", "FACTS", "FROM", "WHAT")
FACT_HEADERS = ("FACT", "TYPE", "NULL", "SOURCE", "WHAT")
POLICY_HEADERS = ("POLICY", "STAGE", "RULES", "CODES", "EXCEPTIONS", "SHA256", "FILE")
ENTRY_HEADERS = ("RULE", "KIND", "CODES", "LEVELS", "OVERRIDE", "LOCKED", "WHERE", "WHAT")
PARAM_HEADERS = ("PARAM", "VALUE")
EXCEPTION_HEADERS = ("EXCEPTION", "CODE", "UNTIL", "OWNER", "WHEN", "REASON")


def first_sentence(doc: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(doc.split("\n\n", maxsplit=1)[0].split())


def rule_rows(catalog: Catalog, stage: Stage | None) -> list[list[str]]:
    """One row a registered rule."""
    return [
        [
            rule.id,
            rule.stage.value,
            " ".join(rule.codes),
            ", ".join(f"{option.name}={_default(option.default)}" for option in rule.options),
            ", ".join(wanted.name for wanted in rule.wants),
            catalog.owner(rule.id).origin,
            first_sentence(rule.doc),
        ]
        for rule in catalog.rules.values()
        if stage is None or rule.stage is stage
    ]


def _default(value: object) -> str:
    if value is REQUIRED:
        return "(required)"
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, tuple) else str(value)


def rule_plain(catalog: Catalog, rule: Rule) -> dict[str, Plain]:
    """A registered rule as plain data."""
    return {
        "id": rule.id,
        "stage": rule.stage.value,
        "codes": list(rule.codes),
        "options": [
            {
                "name": option.name,
                "type": str(option.type),
                "default": None if option.default is REQUIRED else _plain(option.default),
                "required": option.default is REQUIRED,
            }
            for option in rule.options
        ],
        "facts": [wanted.name for wanted in rule.wants],
        "owns": list(rule.owns),
        "locked": rule.locked,
        "fires": rule.fires,
        "from": catalog.owner(rule.id).origin,
        "doc": rule.doc,
    }


def _plain(value: object) -> Plain:
    return list(value) if isinstance(value, tuple) else value  # type: ignore[return-value]  # options are plain


def rule_page(catalog: Catalog, rule: Rule) -> str:
    """The page of a rule: its docstring, its options and facts, and where it comes from."""
    lines = [f"{rule.id}   stage {rule.stage.value}, from {catalog.owner(rule.id).origin}", "", rule.doc, ""]
    lines += [f"codes    {', '.join(rule.codes)}", f"facts    {', '.join(wanted.name for wanted in rule.wants)}"]
    lines += [f"option   {option.name}: {option.type} = {_default(option.default)}" for option in rule.options]
    if rule.fires:
        lines.append(f"fires    {rule.fires}")
    return _page(lines)


def _page(lines: Iterable[str]) -> str:
    """Lines of a page; the texts of plugins cannot draw on a terminal."""
    return "".join(f"{printable(each)}\n" for line in lines for each in (line.split("\n") if line else [""]))


def fact_rows(facts: Iterable[Fact]) -> list[list[str]]:
    """One row a fact, and one below it for each field of a structured one."""
    return [[row[0], row[1], row[2], row[3], row[4]] for fact in facts for row in _fact_rows(fact)]


def _fact_rows(fact: Fact) -> Iterable[tuple[str, str, str, str, str]]:
    null = "yes" if fact.type.optional else ""
    yield fact.name, _type(str(fact.type)), null, fact.source.value, first_sentence(fact.doc)
    if fact.type.noun is None:
        return
    words = descriptions(fact.type.noun)
    for name, field in (fact.type.fields or {}).items():
        optional = "yes" if field.optional else ""
        yield f"{fact.name}.{name}", _type(str(field)), optional, fact.source.value, words.get(name, "")
        if field.kind is Kind.RECORD and field.noun is not None:
            inner = descriptions(field.noun)
            for part, kind in (field.fields or {}).items():
                yield (
                    f"{fact.name}.{name}.{part}",
                    _type(str(kind)),
                    "yes" if kind.optional else "",
                    fact.source.value,
                    inner.get(part, ""),
                )


def _type(text: str) -> str:
    return text.rstrip("?")


def fact_plain(fact: Fact) -> list[Plain]:
    """A fact and its fields as plain data."""
    return [
        {"name": name, "type": kind, "null": bool(null), "source": source, "description": words}
        for name, kind, null, source, words in _fact_rows(fact)
    ]


def policy_row(policy: Policy) -> list[str]:
    """A policy in one row."""
    codes = sorted({code for rule in policy.rules for code in rule.codes})
    return [
        policy.id,
        policy.stage.value,
        str(len(policy.rules)),
        str(len(codes)),
        str(len(policy.exceptions)),
        policy.sha256[:12],
        policy.path,
    ]


def entry_rows(policy: Policy) -> list[list[str]]:
    """One row a rule of a policy."""
    return [
        [
            rule.id,
            kind_of_rule(rule),
            " ".join(rule.codes),
            _levels(rule.levels),
            ", ".join(sorted(set(rule.overrides.values()))),
            "yes" if rule.locked or (rule.rule is not None and rule.rule.locked) else "",
            f"{rule.place.line}:{rule.place.column}",
            what(rule) + (f", when {_condition(rule.when)}" if rule.when is not None else ""),
        ]
        for rule in policy.rules
    ]


def param_rows(policy: Policy) -> list[list[str]]:
    """One row a param, with the value that it has in this run."""
    return [[name, shown(value)] for name, value in policy.params.items()]


def exception_rows(policy: Policy) -> list[list[str]]:
    """One row an exception."""
    return [
        [each.id, each.code, each.until.isoformat(), each.owner, _condition(each.when), each.reason]
        for each in policy.exceptions
    ]


def _condition(expression: Expression | None) -> str:
    return " ".join(expression.text.split()) if expression is not None else ""


def kind_of_rule(rule: PolicyRule) -> str:
    """`use NAME` for a registered rule, else the effect of the expression."""
    return f"use {rule.rule.id}" if rule.rule is not None else rule.effect


def what(rule: PolicyRule) -> str:
    """What a rule is about: the first sentence of its page, or its condition."""
    if rule.rule is not None:
        return first_sentence(rule.rule.doc)
    return _condition(rule.condition)


def _levels(levels: Mapping[str, Level]) -> str:
    if len(set(levels.values())) == 1:
        return next(iter(levels.values())).value
    return ", ".join(f"{code}: {level.value}" for code, level in levels.items())


def policy_plain(policy: Policy) -> dict[str, Plain]:
    """A policy as plain data."""
    return {
        "id": policy.id,
        "stage": policy.stage.value,
        "path": policy.path,
        "sha256": policy.sha256,
        "digest": policy.digest,
        "description": policy.description,
        "params": {name: _plain(value) for name, value in policy.params.items()},
        "rules": [
            {
                "id": rule.id,
                "kind": kind_of_rule(rule),
                "codes": list(rule.codes),
                "levels": {code: level.value for code, level in rule.levels.items()},
                "overrides": dict(rule.overrides),
                "locked": rule.locked,
                "where": str(rule.place),
                "what": what(rule),
                "when": rule.when.text if rule.when is not None else None,
            }
            for rule in policy.rules
        ],
        "exceptions": [
            {
                "id": exception.id,
                "code": exception.code,
                "until": exception.until.isoformat(),
                "owner": exception.owner,
                "reason": exception.reason,
                "when": exception.when.text if exception.when is not None else None,
            }
            for exception in policy.exceptions
        ],
        "freeze": None
        if policy.freeze is None
        else {"until": policy.freeze.until.text, "reason": policy.freeze.reason},
    }


def reason_of_policy(code: str, policy: Policy) -> Reason | None:
    """What a code of a policy's own means there; None if no rule of it gives the code."""
    giver = next((rule for rule in policy.rules if code in rule.codes), None)
    if giver is None:
        return None
    level = giver.levels.get(code, Level.WARN if giver.effect == "warn" else Level.DENY)
    holds = "is not true" if giver.effect == "require" else "is true"
    meaning = policy.reasons.get(code) or f"rule `{giver.id}` of policy `{policy.id}` has something against the request"
    cause = f"{giver.place}: `{what(giver)}` {holds}" if giver.rule is None else what(giver)
    action = giver.hint or "look at the rule in the policy"
    return Reason(code, (policy.stage.value,), level.value, meaning, cause, action)


def reason_page(reason: Reason, givers: Iterable[str]) -> str:
    """What a reason code means, what leads to it, what to do, and which rules give it."""
    stages = ", ".join(reason.stages) if reason.stages else "any"
    lines = [
        f"{reason.code}   {reason.level}, stage {stages}",
        "",
        f"meaning  {reason.meaning}",
        f"cause    {reason.cause}",
        f"to do    {reason.action}",
    ]
    names = list(givers)
    lines.append(f"given by {', '.join(names) if names else 'the engine itself'}")
    return _page(lines)


def reason_plain(reason: Reason, givers: Iterable[str]) -> dict[str, Plain]:
    """The same as plain data."""
    return {
        "code": reason.code,
        "level": reason.level,
        "stages": list(reason.stages),
        "meaning": reason.meaning,
        "cause": reason.cause,
        "action": reason.action,
        "rules": list(givers),
    }
