"""Which facts a gate needs, in what order, and how each one is come by."""

import inspect
from collections.abc import Callable, Iterable, Mapping

from gatewright.catalog import Catalog
from gatewright.expressions.nodes import roots
from gatewright.model import REQUEST_REFUSED, Level
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.runner.admit import Unavailable, admit
from gatewright.spec import REQUIRED, Fact, FactSource, FactUnavailableError

Collectors = Mapping[str, Callable[..., object]]

#: What a decision reports about a request, where it can be had; the lack of it denies nothing by itself.
REPORTED = ("contract", "cost_proxy", "tier_policy")


def is_active(rule: PolicyRule) -> bool:
    """Whether any code of a rule can still find something."""
    return not rule.codes or any(rule.levels.get(code) is not Level.OFF for code in rule.codes)


def needed_by(rule: PolicyRule) -> list[str]:
    """The facts without which a rule cannot say anything, in the order in which it reads them."""
    names = roots(rule.when.tree) if rule.when is not None else []
    if rule.rule is not None:
        names += [wanted.name for wanted in rule.rule.wants]
    elif rule.condition is not None:
        names += roots(rule.condition.tree)
    return [name for name in dict.fromkeys(names) if name != "params"]


def also_read(policy: Policy, catalog: Catalog) -> list[str]:
    """Facts that messages, overrides, exceptions and reports read: their lack denies nothing by itself."""
    names = [name for rule in policy.rules for name in rule.overrides.values()]
    for rule in policy.rules:
        for path in rule.message.paths if rule.message is not None else ():
            names += roots(path.tree)
    for exception in policy.exceptions:
        names += roots(exception.when.tree) if exception.when is not None else []
    if policy.exceptions or policy.freeze is not None:
        names.append("now")
    known = catalog.facts_of(policy.stage)
    names += [name for name in REPORTED if name in known]
    return [name for name in dict.fromkeys(names) if name in known]


def readable(facts: Mapping[str, object], names: Iterable[str]) -> Mapping[str, object]:
    """The facts as a plain map. Where reading them fails, none of them can be had, not even one with a default."""
    try:
        return dict(facts)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a mapping of the caller's may raise anything
        why = f"the facts cannot be read: {type(error).__name__}"
    return dict.fromkeys(names, Unavailable(REQUEST_REFUSED, why))


class Resolver:
    """Comes by the facts of one decision, by each once: given ones are admitted, others computed or collected."""

    def __init__(self, facts: Mapping[str, Fact], given: Mapping[str, object], collectors: Collectors) -> None:
        self.facts, self.given, self.collectors = facts, given, collectors
        self.known: dict[str, object] = {}
        self.missing: dict[str, Unavailable] = {}
        self._under_way: set[str] = set()

    def resolve(self, name: str) -> None:
        """Come by one fact, and by those that it is made of."""
        if name in self.known or name in self.missing:
            return
        fact = self.facts[name]
        value = self._value(fact)
        if isinstance(value, Unavailable):
            self.missing[name] = value
        else:
            self.known[name] = value

    def _value(self, fact: Fact) -> object:
        if fact.name in self.given:
            given = self.given[fact.name]
            return given if type(given) is Unavailable else admit(fact, given)
        if fact.name in self._under_way:
            return Unavailable(fact.code, f"`{fact.name}` needs itself")
        self._under_way.add(fact.name)
        if fact.source is FactSource.DERIVED and fact.function is not None:
            return self._made(fact, fact.function, [wanted.name for wanted in fact.wants])
        collector = self.collectors.get(fact.name)
        if collector is not None:
            return self._collected(fact, collector)
        if fact.default is not REQUIRED:
            return admit(fact, fact.default)
        return Unavailable(fact.code, f"`{fact.name}` was not given")

    def _collected(self, fact: Fact, collector: Callable[..., object]) -> object:
        try:
            names = list(inspect.signature(collector).parameters)
        except (TypeError, ValueError):
            return Unavailable(fact.code, f"the collector of `{fact.name}` cannot be called")
        unknown = next((name for name in names if name not in self.facts), None)
        if unknown is not None:
            return Unavailable(fact.code, f"the collector of `{fact.name}` asks for `{unknown}`, which is no fact")
        return self._made(fact, collector, names)

    def _made(self, fact: Fact, function: Callable[..., object], names: list[str]) -> object:
        arguments: list[object] = []
        for name in names:
            self.resolve(name)
            if name in self.missing:
                return Unavailable(fact.code, f"`{fact.name}` needs `{name}`: {self.missing[name].why}", name)
            arguments.append(self.known[name])
        for wanted, value in zip(fact.wants, arguments, strict=False):
            if value is None and not wanted.type.optional:
                return Unavailable(fact.code, f"`{fact.name}` needs `{wanted.name}`, which is null", wanted.name)
            if is_unread(value):
                why = f"`{fact.name}` needs `{wanted.name}`, which could not be had"
                return Unavailable(fact.code, why, wanted.name)
        try:
            value = function(*arguments)
        except FactUnavailableError as error:
            return Unavailable(error.code or fact.code, str(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  a broken fact is a fact that cannot be had, and that denies
            return Unavailable(fact.code, f"`{fact.name}` failed: {type(error).__name__}")
        return admit(fact, value)


def is_unread(value: object) -> bool:
    """Whether a noun stands for something that could not be had: a contract not readable, a table not loaded."""
    field = getattr(type(value), "MISSING", None)
    return field is not None and not getattr(value, field)
