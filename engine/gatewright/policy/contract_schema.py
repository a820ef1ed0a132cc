"""JSON Schema of the front matter of a contract, for editors."""

from gatewright.policy.contracts import DEMAND, KEYS
from gatewright.policy.editor_schema import Schema, document_of, object_of

_TEXT: Schema = {"type": "string", "minLength": 1}


def schema() -> Schema:
    """The schema, from the tables of keys that the reader goes by."""
    demand: Schema = {
        **object_of(DEMAND, {"run": _TEXT, "seconds": {"type": "integer", "minimum": 1}, "file": _TEXT, "name": _TEXT}),
        "oneOf": [{"required": ["run"]}, {"required": ["file"]}],
    }
    leave: Schema = {"type": "boolean"}
    types: dict[str, Schema] = {
        "repository": _TEXT,
        "checkout": _TEXT,
        "allow": _list(_TEXT, least=1),
        "forbid": _list(_TEXT),
        "acceptance": _list(_TEXT, least=1),
        "evidence": _list(demand, least=1),
        "commit": leave,
        "push": leave,
        "branch": _TEXT,
        "model": {"const": "verified"},
        "exclusions": _list(_TEXT),
    }
    return document_of("gatewright contract", KEYS, types)


def _list(items: Schema, *, least: int = 0) -> Schema:
    return {"type": "array", "minItems": least, "items": items}
