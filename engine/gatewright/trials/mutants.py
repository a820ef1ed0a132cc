"""Mutants of a policy: what it would be with one thing in it slightly wrong."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gatewright.errors import Place
from gatewright.expressions.kinds import Kind, Type
from gatewright.expressions.nodes import reads_field
from gatewright.expressions.schema import Schema
from gatewright.model import Level
from gatewright.policy import reader
from gatewright.policy.policies import Expression, Policy, PolicyException, PolicyRule
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Tree, fix_in
from gatewright.text import shown
from gatewright.trials.expression_edits import Edit, Widening, edited, edits
from gatewright.trials.written import days_beside, item, lines, param_of, type_of, written

Values = Mapping[str, object]
Levels = Mapping[tuple[str, str], frozenset[Level]]  #: by rule and code, the levels at which cases saw it
Make = Callable[[Policy], Policy]
_MOST_ITEMS = 12  #: elements of one list that are taken out, one at a time


class Mutant(Struct, frozen=True, kw_only=True):
    """A policy with one slip in it. It has as many rules as the policy, and none but `rules` differs."""

    kind: str  #: threshold, operator, join, negation, list, guard, rule, level, override, exception, freeze
    subject: str  #: the id of the rule or exception, or the name of the param
    rules: tuple[int, ...]  #: the rules that it may decide otherwise; the first one is what it is about
    place: Place
    before: str  #: the lines of the policy that it changes
    after: str
    make: Make


class Mutants:
    """Makes the mutants of one policy.

    schema: the facts of its stage, and its params.
    levels: at which levels cases have seen the codes of registered rules, which say it from case to case.
    widening: for a rule and a path that it reads, a value that no list of the rule holds.
    """

    def __init__(
        self, policy: Policy, facts: Mapping[str, Type], levels: Levels, widening: Callable[[PolicyRule], Widening]
    ) -> None:
        self.policy, self.levels, self.widening = policy, levels, widening
        record = Type(Kind.RECORD, fields={name: type_of(value) for name, value in policy.params.items()})
        self.schema = Schema(names={**facts, "params": record})
        tree = reader.read(policy.source.text.encode(), policy.path).tree
        self.top = tree if isinstance(tree, MapTree) else MapTree(line=1, column=1, entries={})

    def all(self) -> Iterator[Mutant]:
        """Every mutant, in the order of the policy."""
        yield from self._params()
        for at, rule in enumerate(self.policy.rules):
            yield from self._of_rule(at, rule)
        for at, exception in enumerate(self.policy.exceptions):
            yield from self._of_exception(at, exception)
        if self.policy.freeze is not None:
            everything = tuple(range(len(self.policy.rules)))
            yield Mutant(
                kind="freeze",
                subject="freeze",
                rules=everything,
                place=self.policy.freeze.place,
                before=f"freeze: {self._text(self.top.get('freeze'))}",
                after="",
                make=lambda policy: replace(policy, freeze=None),
            )

    # -- rules -----------------------------------------------------------------------------------------------------

    def _of_rule(self, at: int, rule: PolicyRule) -> Iterator[Mutant]:
        for name in ("when", "condition"):
            expression = getattr(rule, name)
            if expression is not None:
                yield from self._expressions(at, rule, name, expression)
        yield from self._options(at, rule)
        if rule.when is not None:
            text = f"when: {self._text(self._node(at, 'when'))}"
            yield self._rule(at, "guard", rule.when.place(), text, "", lambda each: replace(each, when=None))
        yield from self._levels(at, rule)
        if rule.overrides:
            key = "override" if self._node(at, "override") is not None else "overrides"
            text = f"{key}: {self._text(self._node(at, key))}"
            yield self._rule(at, "override", rule.place, text, "", lambda each: replace(each, overrides={}))
        off = dict.fromkeys(rule.codes, Level.OFF)
        yield self._rule(at, "rule", rule.place, self._text(self._node(at)), "", lambda each: replace(each, levels=off))

    def _rule(
        self, at: int, kind: str, place: Place, before: str, after: str, change: Callable[[PolicyRule], PolicyRule]
    ) -> Mutant:
        def make(policy: Policy) -> Policy:
            rules = list(policy.rules)
            rules[at] = change(rules[at])
            return replace(policy, rules=tuple(rules))

        return Mutant(
            kind=kind,
            subject=self.policy.rules[at].id,
            rules=(at,),
            place=place,
            before=before,
            after=after,
            make=make,
        )

    def _expressions(self, at: int, rule: PolicyRule, name: str, expression: Expression) -> Iterator[Mutant]:
        guard = rule.when if name == "condition" else None
        for edit in edits(expression, self.widening(rule)):
            found = edited(expression, edit.fix, self.schema, guard)
            if found is None:
                continue
            before, after = self._changed(expression, edit)
            place = expression.place(edit.fix.start)

            def change(each: PolicyRule, found: Expression = found) -> PolicyRule:
                return replace(each, **{name: found})

            yield self._rule(at, edit.kind, place, before, after, change)

    def _levels(self, at: int, rule: PolicyRule) -> Iterator[Mutant]:
        if rule.locked:
            return
        for code in rule.codes:
            now = rule.levels.get(code) or {"": None, "warn": Level.WARN}.get(rule.effect, Level.DENY)
            seen = {now} if now is not None else self.levels.get((rule.id, code), frozenset()) or {Level.DENY}
            for level in sorted({_OTHER[each] for each in seen if each in _OTHER}, key=lambda each: each.value):
                said = "" if now is None or code not in rule.levels else f"{code}: {now.value}"
                changed = {**rule.levels, code: level}
                yield self._rule(
                    at, "level", rule.place, said, f"levels: {{{code}: {level.value}}}", _with_levels(changed)
                )

    def _options(self, at: int, rule: PolicyRule) -> Iterator[Mutant]:
        given = self._node(at, "with")
        for name, value in rule.options.items():
            node = given.get(name) if isinstance(given, MapTree) else None
            if param_of(node) is not None:
                continue  # a slip in the param is one for all that read it
            place = self._place(node) if node is not None else rule.place
            before = f"{name}: {shown(value)}" if node is not None else ""
            for kind, other in _values(value, self._beside(rule)):
                yield self._rule(at, kind, place, before, f"{name}: {shown(other)}", _with_option(name, value, other))

    def _beside(self, rule: PolicyRule) -> str | None:
        return self.widening(rule)("")

    # -- params, exceptions ----------------------------------------------------------------------------------------

    def _params(self) -> Iterator[Mutant]:
        params = self.top.get("params")
        for entry in params if isinstance(params, MapTree) else ():
            name, value = entry.key.raw, self.policy.params.get(entry.key.raw)
            used = [(at, option) for at in range(len(self.policy.rules)) for option in self._options_from(at, name)]
            rules = {at: None for at, _ in used} | dict.fromkeys(self._reading(name))
            beside = self._beside(self.policy.rules[used[0][0]]) if used else None
            for kind, other in _values(value, beside) if rules else ():
                yield Mutant(
                    kind=kind,
                    subject=f"params.{name}",
                    rules=tuple(rules),
                    place=self._place(entry.value),
                    before=f"{name}: {shown(value)}",
                    after=f"{name}: {shown(other)}",
                    make=_with_param(name, value, other, used),
                )

    def _options_from(self, at: int, name: str) -> Iterator[str]:
        given = self._node(at, "with")
        for entry in given if isinstance(given, MapTree) else ():
            if param_of(entry.value) == name:
                yield entry.key.raw

    def _reading(self, name: str) -> Iterator[int]:
        for at, rule in enumerate(self.policy.rules):
            trees = [each.tree for each in (rule.when, rule.condition) if each is not None]
            if any(reads_field(tree, "params", name) for tree in trees):
                yield at

    def _of_exception(self, at: int, exception: PolicyException) -> Iterator[Mutant]:
        node = item(self.top.get("exceptions"), at)
        rules = tuple(nth for nth, rule in enumerate(self.policy.rules) if exception.code in rule.codes)

        def mutant(kind: str, place: Place, before: str, after: str, other: PolicyException | None) -> Mutant:
            def make(policy: Policy) -> Policy:
                found = list(policy.exceptions)
                found[at : at + 1] = [other] if other is not None else []
                return replace(policy, exceptions=tuple(found))

            return Mutant(
                kind=kind, subject=exception.id, rules=rules, place=place, before=before, after=after, make=make
            )

        until = f"until: {exception.until.isoformat()}"
        where = self._place(node.entries["until"].value) if isinstance(node, MapTree) else exception.place
        for later in days_beside(exception.until):
            yield mutant("threshold", where, until, f"until: {later.isoformat()}", replace(exception, until=later))
        if exception.when is not None:
            text = f"when: {self._text(node.get('when') if isinstance(node, MapTree) else None)}"
            yield mutant("guard", exception.when.place(), text, "", replace(exception, when=None))
            for edit in edits(exception.when, lambda _: None):
                found = edited(exception.when, edit.fix, self.schema)
                if found is not None:
                    before, after = self._changed(exception.when, edit)
                    place = exception.when.place(edit.fix.start)
                    yield mutant(edit.kind, place, before, after, replace(exception, when=found))
        yield mutant("exception", exception.place, self._text(node), "", None)

    # -- the text --------------------------------------------------------------------------------------------------

    def _node(self, at: int, key: str | None = None) -> Tree | None:
        rule = item(self.top.get("rules"), at)
        return rule if key is None else rule.get(key) if isinstance(rule, MapTree) else None

    def _place(self, node: Tree) -> Place:
        return self.policy.source.place(node.line, node.column)

    def _text(self, node: Tree | None) -> str:
        return written(self.policy.source, node)

    def _changed(self, expression: Expression, edit: Edit) -> tuple[str, str]:
        """The lines that a change of an expression changes, before and after; the expression where it is folded."""
        source = expression.source
        fix = fix_in(source, expression.scalar, edit.fix)
        if fix is None:
            text = expression.text
            return text.strip(), (text[: edit.fix.start] + edit.fix.text + text[edit.fix.end :]).strip()
        return lines(source.text, fix)


_OTHER = {Level.DENY: Level.WARN, Level.WARN: Level.DENY, Level.NOTE: Level.WARN}


def _with_levels(levels: Mapping[str, Level]) -> Callable[[PolicyRule], PolicyRule]:
    return lambda each: replace(each, levels=levels)


def _with_option(name: str, value: object, other: object) -> Callable[[PolicyRule], PolicyRule]:
    def change(each: PolicyRule) -> PolicyRule:
        return replace(each, options={**each.options, name: other}) if each.options.get(name) == value else each

    return change


def _with_param(name: str, value: object, other: object, used: Sequence[tuple[int, str]]) -> Make:
    """The policy with another value of a param, unless it runs with one that somebody has given anyway."""

    def make(policy: Policy) -> Policy:
        if policy.params.get(name) != value:
            return policy
        rules = list(policy.rules)
        for at, option in used:
            held = tuple(other) if isinstance(other, list) else other
            rules[at] = replace(rules[at], options={**rules[at].options, option: held})
        return replace(policy, rules=tuple(rules), params={**policy.params, name: other})

    return make


def _values(value: object, beside: str | None) -> Iterator[tuple[str, object]]:
    """Values that are slightly wrong in the place of one."""
    if isinstance(value, bool):
        yield "threshold", not value
    elif isinstance(value, int | float):
        yield from (("threshold", value + step) for step in (1, -1))
    elif isinstance(value, list | tuple):
        for at in range(min(len(value), _MOST_ITEMS)):
            yield "list", type(value)([*value[:at], *value[at + 1 :]])
        if beside is not None and beside not in value and all(isinstance(each, str) for each in value):
            yield "list", type(value)([*value, beside])
