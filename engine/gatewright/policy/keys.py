"""The keys of a policy, a rule and an exception: one table for the loader, the docs and the editor's schema."""

from collections.abc import Container, Mapping

from gatewright.policy.form import Key, Keys
from gatewright.policy.tree import Scalar, Tree

POLICY: Keys = {
    "gatewright": Key("the version of the policy language, 1", required=True),
    "policy": Key("the policy's id, in kebab case", required=True),
    "stage": Key(
        "the point at which it decides: dispatch, check, register, select, deliver, settle or accept", required=True
    ),
    "description": Key("what the policy is for, in a sentence"),
    "params": Key("named constants, `params.NAME` in expressions"),
    "codes": Key("reason codes of the policy's own, each with its meaning"),
    "rules": Key("the rules, in the order in which denials are reported", required=True),
    "exceptions": Key("denials that are let through on purpose, until a day"),
    "freeze": Key("a time until which everything is denied, with the reason"),
}
COMMON: Keys = {
    "id": Key("the rule's id, in kebab case"),
    "when": Key("a condition; the rule does not apply unless it is true"),
    "level": Key("deny, warn, note or off, for all codes of the rule"),
    "levels": Key("deny, warn, note or off, code by code"),
    "override": Key("a text fact that, when it is not blank, turns the rule's denials into recorded overrides"),
    "overrides": Key("the same, code by code"),
    "locked": Key("true forbids overrides and exceptions of this rule"),
}
USE: Keys = {
    "use": Key("the name of a registered rule"),
    "with": Key("its options"),
    **COMMON,
}
EXPRESSION: Keys = {
    "deny": Key("a condition; where it is true the request is denied"),
    "warn": Key("a condition; where it is true a warning is given"),
    "require": Key("a condition; where it is not true the request is denied"),
    "code": Key("the reason code; by default the id in capitals"),
    "message": Key("what to tell, with `{fact}` for values"),
    "hint": Key("what to do about it"),
    **COMMON,
}
EXCEPTION: Keys = {
    "id": Key("the exception's id", required=True),
    "code": Key("the code of the denials that are let through", required=True),
    "until": Key("the last day on which it holds, in UTC, such as 2026-12-31", required=True),
    "reason": Key("why they are let through", required=True),
    "owner": Key("who answers for it", required=True),
    "when": Key("a condition on the request"),
}
FREEZE: Keys = {
    "until": Key("the time until which everything is denied, such as 2026-12-01T08:00:00Z", required=True),
    "reason": Key("why everything is denied", required=True),
}
#: Keys that other rule languages have, and what says the same here.
HABITS: Mapping[str, str] = {
    **dict.fromkeys(["if", "unless"], "`when` says when the rule applies, and may begin with `not`"),
    **dict.fromkeys(["then", "effect", "action", "decision"], "the effect is a key: `deny`, `warn` or `require`"),
    **dict.fromkeys(["condition", "expr", "match"], "the condition stands behind `deny`, `warn` or `require`"),
    **dict.fromkeys(["allow", "permit"], "nothing has to be allowed: write what a request needs as `require`"),
    **dict.fromkeys(["block", "forbid", "reject"], "write `deny`"),
    **dict.fromkeys(["assert", "must"], "write `require`"),
    "name": "write `id`, in kebab case",
    **dict.fromkeys(["msg", "text"], "write `message`"),
    **dict.fromkeys(["description", "comment", "note", "doc"], "write a comment, behind `#`"),
    **dict.fromkeys(["enabled", "disabled"], "a rule is silenced by `level: off`"),
    "severity": "write `level`: deny, warn, note or off",
    **dict.fromkeys(["options", "args", "params"], "options stand under `with`"),
    "rule": "write `use` for a registered rule",
}
#: Levels that other tools have, and ours.
LEVELS: Mapping[str, str] = {
    **dict.fromkeys(["error", "block", "fail", "critical", "fatal", "forbid"], "deny"),
    **dict.fromkeys(["warning", "medium"], "warn"),
    **dict.fromkeys(["info", "notice", "debug", "hint"], "note"),
    **dict.fromkeys(["no", "none", "ignore", "skip", "disabled", "disable", "silent"], "off"),
}
EFFECTS = ("deny", "warn", "require")


def rule_hint(node: Tree, registered: Container[str]) -> str:
    """What to write for a rule that is a text: its name alone, or a key without the space behind its colon."""
    value = node.value if isinstance(node, Scalar) else None
    if not isinstance(value, str):
        return ""
    if value in registered:
        return f"write `use: {value}`"
    key, colon, rest = value.partition(":")
    return f"a space follows `:`, as in `{key}: {rest}`" if colon and key in {**USE, **EXPRESSION} else ""


def wrong_use_key(name: str, options: Container[str]) -> tuple[str, str] | None:
    """Message and hint for a key that a registered rule with these options cannot have; None for a mere unknown one."""
    if name in EFFECTS:
        return f"a rule has `use` or `{name}`, not both", "write two rules; `when` narrows this one"
    if name in EXPRESSION:
        return f"a registered rule has no `{name}`", "it has its own codes, messages and hints"
    if name in options:
        return f"unknown key `{name}`", f"an option stands under `with`: `with: {{{name}: …}}`"
    return (f"unknown key `{name}`", HABITS[name]) if name in HABITS else None
