"""Exceptions and a freeze: denials let through until a day, everything denied until a time."""

import re
from datetime import date

from gatewright.expressions.schema import Schema
from gatewright.model import Moment
from gatewright.policy import keys
from gatewright.policy.expressions import condition
from gatewright.policy.form import Form
from gatewright.policy.policies import Freeze, PolicyException, PolicyRule
from gatewright.policy.tree import Mapping, Tree


class ExceptionForm:
    """Reads the exceptions of a policy. codes: those that its rules give, or may give where one could not be read."""

    def __init__(self, form: Form, schema: Schema, rules: list[PolicyRule], codes: set[str]) -> None:
        self.form, self.schema, self.rules, self.codes = form, schema, rules, codes

    def exceptions(self, node: Tree | None) -> list[PolicyException]:
        """The exceptions under `exceptions:`, or problems."""
        found: list[PolicyException] = []
        if node is not None:
            _needs_now(self.form, node, "exceptions", self.schema)
        for at, item in enumerate(self.form.items(node, "exceptions", "`exceptions`")):
            exception = self._exception(item, f"exceptions[{at}]")
            if exception is None:
                continue
            same = next((one for one in found if one.id == exception.id), None)
            if same is not None:
                message = f"a second exception has the id `{exception.id}`, first on line {same.place.line}"
                self.form.report(item, f"exceptions[{at}]", message, "give each its own id")
            found.append(exception)
        return found

    def _exception(self, item: Tree, path: str) -> PolicyException | None:
        form = self.form
        top = form.keyed(item, path, "an exception", keys.EXCEPTION)
        if top is None:
            return None
        name = form.name(top.get("id"), f"{path}.id", "the exception's id")
        code = self._code(top, f"{path}.code")
        until = self._day(top.get("until"), f"{path}.until")
        when_node = top.get("when")
        when = condition(form, when_node, f"{path}.when", self.schema) if when_node is not None else None
        reason = form.text(top.get("reason"), f"{path}.reason", "a reason")
        owner = form.text(top.get("owner"), f"{path}.owner", "an owner")
        if name is None or code is None or until is None or reason is None or owner is None:
            return None
        return PolicyException(
            id=name,
            code=code,
            until=until,
            reason=reason,
            owner=owner,
            place=form.place(item),
            when=when,
        )

    def _code(self, top: Mapping, path: str) -> str | None:
        node = top.get("code")
        code = self.form.text(node, path, "a reason code")
        if node is not None and code is not None and code not in self.codes:
            listed = f"`gatewright policies {self.form.source.file}` lists the codes"
            self.form.report_unknown(node, path, f"no rule of this policy gives `{code}`", self.codes, listed)
        giving = [rule for rule in self.rules if code in rule.codes]
        if node is not None and giving and all(rule.locked for rule in giving):
            message = f"rule `{giving[0].id}` is locked, and its denials stand"
            self.form.report(node, path, message, "remove the exception, or `locked` from the rule")
        return code

    def _day(self, node: Tree | None, path: str) -> date | None:
        text = self.form.text(node, path, "a day")
        if text is None or node is None:
            return None
        try:
            if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
                return date.fromisoformat(text)
        except ValueError:
            pass
        hint = "write a day that exists, as year, month and day: 2026-12-31"
        self.form.report(node, path, f"`{text}` is not a day", hint)
        return None


def read_freeze(form: Form, node: Tree | None, schema: Schema) -> Freeze | None:
    """The freeze under `freeze:`, or problems."""
    if node is None:
        return None
    _needs_now(form, node, "freeze", schema)
    top = form.keyed(node, "freeze", "`freeze`", keys.FREEZE)
    if top is None:
        return None
    until_node = top.get("until")
    text = form.text(until_node, "freeze.until", "a time")
    reason = form.text(top.get("reason"), "freeze.reason", "a reason")
    if text is None or until_node is None:
        return None
    try:
        until = Moment.parsed(text)
    except ValueError:
        hint = "write a time with its zone, such as 2026-12-01T08:00:00Z"
        form.report(until_node, "freeze.until", f"`{text}` is not a time", hint)
        return None
    return Freeze(until=until, reason=reason or "", place=form.place(node))


def _needs_now(form: Form, node: Tree, key: str, schema: Schema) -> None:
    if "now" not in schema.names:
        message = f"`{key}` needs the time of the decision, and this stage has no fact `now`"
        form.report(node, key, message, f"remove `{key}`")
