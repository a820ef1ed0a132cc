"""The keys of a policy, a rule and an exception: one table for the loader, the docs and the editor's schema."""

from gatewright.policy.form import Key, Keys

POLICY: Keys = {
    "gatewright": Key("the version of the policy language, 1", required=True),
    "policy": Key("the policy's id, in kebab case", required=True),
    "stage": Key("the point at which it decides: check, register, select, deliver, settle or accept", required=True),
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
EFFECTS = ("deny", "warn", "require")
