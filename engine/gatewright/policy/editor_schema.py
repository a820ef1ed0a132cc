"""JSON Schemas of our files, for editors: made from the key tables and the registered rules.

Draft 7, since that is what the YAML language server reads. The schema helps while typing; what counts is `lint`.
"""

from collections.abc import Iterable, Mapping

from gatewright.catalog import Catalog
from gatewright.expressions.kinds import Kind, Type
from gatewright.model import Level, Stage, screens
from gatewright.model.codes import ENGINE_CODES
from gatewright.policy import keys, markers
from gatewright.policy.form import Keys
from gatewright.policy.tier_tables import V1, V2
from gatewright.spec import REQUIRED, Option, Rule

Schema = dict[str, object]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_TEXT: Schema = {"type": "string"}
_CONDITION: Schema = {"type": "string", "minLength": 1}
_NAME: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9]*([-_][a-z0-9]+)*$"}
_CODE: Schema = {"type": "string", "pattern": "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"}
_DAY: Schema = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_LEVEL: Schema = {"enum": [level.value for level in Level]}
_MODELS: Schema = {"type": "array", "items": {"type": "string", "minLength": 1}}


def policy_schema(catalog: Catalog) -> Schema:
    """The schema of a policy, with every registered rule, its options, and every known code."""
    rule_keys = {**keys.USE, **keys.EXPRESSION}
    rule: Schema = {
        **object_of(rule_keys, _rule_types(catalog)),
        "oneOf": [{"required": [name]} for name in ("use", *keys.EFFECTS)],
        "allOf": [_when_used(each) for each in catalog.rules.values()],
    }
    types: dict[str, Schema] = {
        "gatewright": {"const": 1},
        "policy": _NAME,
        "stage": {"enum": [stage.value for stage in Stage]},
        "description": _TEXT,
        "params": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean", "array"]}},
        "codes": {"type": "object", "propertyNames": _CODE, "additionalProperties": _TEXT},
        "rules": {"type": "array", "minItems": 1, "items": rule},
        "exceptions": {"type": "array", "items": object_of(keys.EXCEPTION, _EXCEPTION_TYPES)},
        "freeze": object_of(keys.FREEZE, {"until": _TEXT, "reason": _TEXT}),
    }
    return document_of("gatewright policy", keys.POLICY, types)


def tier_schema() -> Schema:
    """The schema of a tier table of either version."""
    types: dict[str, Schema] = {
        "version": {"enum": [1, 2]},
        "worker_allowed": _MODELS,
        "worker_denied_tiers": _MODELS,
        "unknown_model": {"enum": ["deny", "warn"]},
        "tiers": {"type": "object", "minProperties": 1, "additionalProperties": _MODELS},
        "fanout_caps": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        "window_seconds": {"type": "integer", "minimum": 1},
        "tier_order": {"type": "array", "items": _TEXT, "uniqueItems": True},
        "unknown_measured": {"enum": ["deny", "warn"]},
    }
    one = {**object_of(V1, types), "properties": {**_properties(V1, types), "version": {"const": 1}}}
    two = {**object_of(V2, types), "properties": {**_properties(V2, types), "version": {"const": 2}}}
    for each in (one, two):
        each["patternProperties"] = {"^_": {}, "^(agents|consent)$": {}}
    return {
        "$schema": _DRAFT,
        "title": "gatewright tier table",
        "type": "object",
        "if": {"properties": {"version": {"const": 1}}},
        "then": one,
        "else": two,
    }


def markers_schema() -> Schema:
    """The schema of a list of screens."""
    types: dict[str, Schema] = {
        **dict.fromkeys(("versions", "source"), _TEXT),
        "product": _NAME,
        "class": {"enum": [each.value for each in screens.PaneClass]},
        "gate_kind": {"enum": [each.value for each in screens.GateKind]},
        "form": {"enum": [each.value for each in screens.Form]},
        "markers": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
        "reasons": {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}},
        "least": {"type": "integer", "minimum": 1},
    }
    every: Schema = {"type": "object", "propertyNames": _NAME, "additionalProperties": object_of(markers.SCREEN, types)}
    return document_of("gatewright list of screens", markers.FILE, {"screens": every})


def fixture_schema(
    catalog: Catalog, file: Keys, case: Keys, row: Keys, expect: Keys, step: Keys, figures: Iterable[str]
) -> Schema:
    """The schema of a fixture file, with every fact and every known code."""
    described: Schema = {name: {"description": fact.doc} for name, fact in catalog.facts.items()}
    facts: Schema = {"type": "object", "additionalProperties": False, "properties": described}
    codes: Schema = {"type": "array", "items": _CODE}
    expectation: Schema = {
        "oneOf": [
            {"const": "allow"},
            object_of(expect, {name: {"type": "boolean"} if name == "allow" else codes for name in expect}),
        ]
    }
    held: dict[str, Schema] = {"at": _TEXT, "model": _TEXT, "agents": {"type": "integer"}, "row": {"type": "object"}}
    rows: Schema = {"type": "array", "items": object_of(row, held)}
    each: Schema = {"type": "object", "additionalProperties": {"type": "array", "minItems": 1}}
    shared: dict[str, Schema] = {
        **dict.fromkeys(("policy", "description", "tiers", "contract", "name", "now", "skip", "xfail"), _TEXT),
        "params": {"type": "object"},
        "known_roots": {"type": "array", "items": _TEXT},
        "defaults": facts,
        "facts": facts,
        "request": facts,
        "each": each,
        "ledger": rows,
        "tags": {"type": "array", "items": _TEXT},
        "expect": expectation,
    }
    steps = _steps(step, shared, figures)
    cases: Schema = {"type": "array", "minItems": 1, "items": object_of(case, {**shared, "steps": steps})}
    by_stage = _of_names((stage.value for stage in Stage), _TEXT)
    return document_of("gatewright fixture", file, {**shared, "cases": cases, "timeline": steps, "policies": by_stage})


def _steps(step: Keys, shared: Mapping[str, Schema], figures: Iterable[str]) -> Schema:
    types: dict[str, Schema] = {
        **{name: shared[name] for name in ("request", "facts", "contract", "expect")},
        "at": _TEXT,
        "stage": {"enum": [stage.value for stage in Stage]},
        "times": {"type": "integer", "minimum": 1},
        "report": _of_names(figures, {"type": "integer", "minimum": 0}),
    }
    return {"type": "array", "minItems": 1, "items": object_of(step, types)}


def _of_names(names: Iterable[str], kind: Schema) -> Schema:
    """A map that has no other names than these."""
    return {"type": "object", "additionalProperties": False, "properties": dict.fromkeys(names, kind)}


# -- parts -------------------------------------------------------------------------------------------------------------

_EXCEPTION_TYPES: dict[str, Schema] = {
    "id": _NAME,
    "code": _CODE,
    "until": _DAY,
    "reason": _TEXT,
    "owner": _TEXT,
    "when": _CONDITION,
}


def _rule_types(catalog: Catalog) -> dict[str, Schema]:
    known = sorted(set(catalog.reasons) - ENGINE_CODES)
    levels: Schema = {"type": "object", "propertyNames": _CODE, "additionalProperties": _LEVEL}
    return {
        "use": {"enum": sorted(catalog.rules)},
        "with": {"type": "object"},
        "id": _NAME,
        "when": _CONDITION,
        "level": _LEVEL,
        "levels": levels,
        "override": _TEXT,
        "overrides": {"type": "object", "propertyNames": _CODE, "additionalProperties": _TEXT},
        "locked": {"type": "boolean"},
        "deny": _CONDITION,
        "warn": _CONDITION,
        "require": _CONDITION,
        "code": {"anyOf": [{"enum": known}, _CODE]},
        "message": _TEXT,
        "hint": _TEXT,
    }


def _when_used(rule: Rule) -> Schema:
    """What `with` and `levels` may hold where this rule is used, and the rule's own page for the editor."""
    options: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": {option.name: _option(option) for option in rule.options},
        "required": [option.name for option in rule.options if option.default is REQUIRED],
    }
    codes: Schema = {"enum": list(rule.codes)}
    used: Schema = {"properties": {"use": {"const": rule.id}}, "required": ["use"]}
    then: Schema = {
        "properties": {
            "use": {"const": rule.id, "description": rule.doc},
            "with": options,
            "levels": {"propertyNames": codes},
            "overrides": {"propertyNames": codes},
        }
    }
    return {"if": used, "then": then}


def _option(option: Option) -> Schema:
    schema: Schema = {"anyOf": [_kind(option.type), {"type": "string", "pattern": r"^params\."}]}
    if option.default is not REQUIRED:
        schema["default"] = list(option.default) if isinstance(option.default, tuple) else option.default
    return schema


def _kind(found: Type) -> Schema:
    plain = {Kind.TEXT: "string", Kind.INTEGER: "integer", Kind.NUMBER: "number", Kind.BOOLEAN: "boolean"}
    if found.kind in plain:
        return {"type": plain[found.kind]}
    if found.kind is Kind.LIST:
        return {"type": "array", "items": _kind(found.of) if found.of is not None else {}}
    return {"type": "object"} if found.kind is Kind.MAP else {}


def _properties(known: Keys, types: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: {**types[name], "description": key.doc} for name, key in known.items()}


def object_of(known: Keys, types: Mapping[str, Schema]) -> Schema:
    """The schema of a map with these keys and no other."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": _properties(known, types),
        "required": [name for name, key in known.items() if key.required],
    }


def document_of(title: str, known: Keys, types: Mapping[str, Schema]) -> Schema:
    """The schema of a whole document."""
    return {"$schema": _DRAFT, "title": title, **object_of(known, types)}
