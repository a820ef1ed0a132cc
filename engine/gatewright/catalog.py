"""The set of rules and facts that policies may use, checked as a whole, with who brought what."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from gatewright.errors import ExpressionError, PluginError
from gatewright.expressions.checker import checked, condition_fault
from gatewright.expressions.kinds import Type, fits
from gatewright.expressions.schema import Schema
from gatewright.model import Stage
from gatewright.model.codes import wrong_code
from gatewright.spec import REQUIRED, Fact, FactSource, Rule, Wanted
from gatewright.text import did_you_mean

BUILT_IN = "built in"
Named = TypeVar("Named", Rule, Fact)


class Plugin(Struct, frozen=True, kw_only=True):
    """What one plugin brought, and where it was loaded from."""

    name: str
    origin: str  #: `built in`, a distribution, a module or a file
    rules: tuple[Rule, ...] = ()
    facts: tuple[Fact, ...] = ()
    reasons: Mapping[str, str] = {}  #: what its own codes mean
    orchestrators: Mapping[str, Callable[[Mapping[str, str]], object]] = {}  #: how each is made, by name
    version: str = ""


class Catalog(Struct, frozen=True, kw_only=True):
    """All rules and facts by name."""

    plugins: tuple[Plugin, ...]
    rules: Mapping[str, Rule]
    facts: Mapping[str, Fact]  #: where stages have different facts of one name, that of the earliest stage
    staged: Mapping[Stage, Mapping[str, Fact]]
    reasons: Mapping[str, str]  #: every known reason code, with its meaning

    def facts_of(self, stage: Stage) -> dict[str, Fact]:
        """The facts that rules of a stage may read."""
        return dict(self.staged.get(stage, {}))

    def schema(self, stage: Stage, params: Type | None = None) -> Schema:
        """The names that expressions of a stage may read."""
        names = {name: fact.type for name, fact in self.facts_of(stage).items()}
        if params is not None:
            names["params"] = params
        return Schema(names=names)

    def owner(self, rule: str) -> Plugin:
        """The plugin that brought a rule."""
        return next(plugin for plugin in self.plugins if any(each.id == rule for each in plugin.rules))


def build(plugins: Iterable[Plugin], reasons: Mapping[str, str], *, verify_built_in: bool = False) -> Catalog:
    """The catalog of these plugins, in their order; `reasons` are the codes of gatewright itself.

    verify_built_in: whether to check the built-in rules too. They are checked once, by a test, not at every start.

    Raises PluginError for a rule or fact that two plugins bring, a fact that nobody brings, a fact of another type
    than its user thinks, a code that a rule may not give, or a plain form that is no condition.
    """
    plugins = tuple(plugins)
    known = dict(reasons)
    rules: dict[str, Rule] = {}
    staged: dict[Stage, dict[str, Fact]] = {stage: {} for stage in Stage}
    for plugin in plugins:
        _add_reasons(known, plugin)
        for fact in plugin.facts:
            for stage in fact.stages:
                _add(staged[stage], fact.name, fact, plugin, "fact", plugins)
        for rule in plugin.rules:
            _add(rules, rule.id, rule, plugin, "rule", plugins)
    facts: dict[str, Fact] = {}
    for each in staged.values():
        facts = {**each, **facts}
    catalog = Catalog(plugins=plugins, rules=rules, facts=facts, staged=staged, reasons=known)
    for plugin in plugins:
        if plugin.origin != BUILT_IN or verify_built_in:
            _check(catalog, plugin)
    return catalog


def _check(catalog: Catalog, plugin: Plugin) -> None:
    for fact in plugin.facts:
        if fact.name == "params":
            raise PluginError(plugin.name, "fact `params`", "the name is taken by a policy's params", "rename it")
        for stage in fact.stages:
            _check_wants(catalog, plugin.name, f"fact `{fact.name}`", stage, fact.wants)
    for rule in plugin.rules:
        _check_rule(catalog, plugin.name, rule)


def _add_reasons(known: dict[str, str], plugin: Plugin) -> None:
    for code, meaning in plugin.reasons.items():
        if wrong_code(code):
            raise PluginError(plugin.name, "its reasons", wrong_code(code), "write it in CAPITALS_WITH_LINES")
        known.setdefault(code, meaning)


def _add(
    names: dict[str, Named], name: str, value: Named, plugin: Plugin, what: str, plugins: tuple[Plugin, ...]
) -> None:
    if name in names:
        other = next(each.name for each in plugins if name in _names(each, what))
        raise PluginError(plugin.name, f"{what} `{name}`", f"plugin `{other}` has a {what} of that name already")
    names[name] = value


def _names(plugin: Plugin, what: str) -> list[str]:
    return [rule.id for rule in plugin.rules] if what == "rule" else [fact.name for fact in plugin.facts]


def _check_wants(catalog: Catalog, plugin: str, subject: str, stage: Stage, wants: tuple[Wanted, ...]) -> None:
    facts = catalog.facts_of(stage)
    for wanted in wants:
        fact = facts.get(wanted.name)
        if fact is None:
            hint = did_you_mean(wanted.name, facts)
            raise PluginError(plugin, subject, f"there is no fact `{wanted.name}` at stage `{stage.value}`", hint)
        if wanted.type.bare() != fact.type.bare():
            problem = f"fact `{wanted.name}` is {fact.type}, and the parameter says {wanted.type}"
            raise PluginError(plugin, subject, problem, "give the parameter the fact's type")


def _check_rule(catalog: Catalog, plugin: str, rule: Rule) -> None:
    subject = f"rule `{rule.id}`"
    if not rule.codes:
        raise PluginError(plugin, subject, "it declares no reason code", "name the codes it may give")
    for code in rule.codes:
        wrong = wrong_code(code)
        if wrong:
            raise PluginError(plugin, subject, wrong, "use a code of its own, in CAPITALS_WITH_LINES")
    if not rule.doc:
        raise PluginError(plugin, subject, "it has no docstring", "say in a sentence what it denies")
    _check_wants(catalog, plugin, subject, rule.stage, rule.wants)
    facts = catalog.facts_of(rule.stage)
    wanted = [each.name for each in rule.wants]
    for name in rule.owns:
        if name not in wanted:
            hint = did_you_mean(name, wanted) or f"add `{name}` to its parameters"
            raise PluginError(plugin, subject, f"it owns `{name}`, which it does not ask for", hint)
    for option in rule.options:
        if option.default is not REQUIRED and not fits(option.default, option.type):
            problem = f"the default of option `{option.name}` is no {option.type}"
            raise PluginError(plugin, subject, problem, "give a default of the option's type")
        if option.name in facts or option.name == "params":
            raise PluginError(plugin, subject, f"option `{option.name}` has the name of a fact", "rename the option")
    _check_plain_form(plugin, subject, rule)


def _check_plain_form(plugin: str, subject: str, rule: Rule) -> None:
    if rule.fires is None:
        return
    names = {wanted.name: wanted.type for wanted in rule.wants}
    names |= {option.name: option.type for option in rule.options}
    try:
        tree, _ = checked(rule.fires, Schema(names=names))
    except ExpressionError as error:
        raise PluginError(plugin, subject, f"its plain form is refused: {error}") from None
    found = condition_fault(rule.fires, tree)
    if found is not None:
        raise PluginError(plugin, subject, f"its plain form is refused: {found.message}")


def sources(facts: Mapping[str, Fact], name: str) -> tuple[str, ...]:
    """Those behind a fact, itself included: what it is derived from, down to what is given or collected."""
    found = [name]
    for each in found:
        fact = facts.get(each)
        if fact is not None and fact.source is FactSource.DERIVED:
            found.extend(wanted.name for wanted in fact.wants if wanted.name not in found)
    return tuple(found)
