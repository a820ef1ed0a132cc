"""Rules by themselves: what one finds on given facts, and whether it is what a rule has to be."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gatewright.errors import PluginError
from gatewright.model import Finding
from gatewright.spec import REQUIRED, Fact, Rule
from gatewright.text import did_you_mean, printable


def findings_of(rule: Rule, **given: object) -> list[Finding]:
    """What a rule finds on these facts, in its order; options may be given too, else they have their defaults.

    Raises AssertionError for a name that the rule does not ask for, for a fact or option that it needs and that is not
    given, and for a finding with a code that it does not declare; TypeError for what is no rule.
    """
    _fail_for_what_is_none(rule)
    _fail_for(rule, [*_unknown(rule, given), *_missing(rule, given)])
    found = list(rule.function(**given))
    _fail_for(rule, list(_undeclared(rule, found)))
    return found


def codes_of(rule: Rule, **given: object) -> list[str]:
    """The codes that a rule gives on these facts and options, in its order. Raises as `findings_of` does."""
    return [finding.code for finding in findings_of(rule, **given)]


def check_rule_contract(rule: Rule, *examples: Mapping[str, object], facts: Iterable[Fact] = ()) -> None:
    """Hold a rule to what every rule has to be.

    It could be offered by a plugin: its facts exist with the types that it says, its options have defaults of their
    types, its codes are well-formed, it has a docstring. Its docstring names each code and each option. On each
    example, a map of facts and options, it gives none but its own codes, finds the same twice, changes nothing that
    it was given, and its plain form is true wherever it finds something.

    facts: the facts that its plugin brings along.

    Raises AssertionError with everything that is wrong, and TypeError for what is no rule.
    """
    _fail_for_what_is_none(rule)
    wrong = [*_refused(rule, facts), *_untold(rule)]
    for number, example in enumerate(examples, 1):
        wrong += [f"example {number}: {problem}" for problem in _misbehaved(rule, example)]
    _fail_for(rule, wrong)


def _fail_for_what_is_none(rule: object) -> None:
    if not isinstance(rule, Rule):
        named = getattr(rule, "__name__", None) or repr(rule)
        raise TypeError(f"`{printable(named)}` is no rule: give the function that `@rule` stands above")


def _fail_for(rule: Rule, wrong: Sequence[str]) -> None:
    if wrong:  # no `assert`, which pytest would explain with the list once more
        raise AssertionError("\n".join([f"rule `{rule.id}`:", *(f"- {problem}" for problem in wrong)]))


def _unknown(rule: Rule, given: Mapping[str, object]) -> Iterator[str]:
    known = [wanted.name for wanted in rule.wants] + [option.name for option in rule.options]
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known)
            yield f"it asks for no `{name}`" + (f" ({hint})" if hint else "")


def _missing(rule: Rule, given: Mapping[str, object]) -> Iterator[str]:
    needed = {wanted.name: "fact" for wanted in rule.wants}
    needed |= {option.name: "option" for option in rule.options if option.default is REQUIRED}
    yield from (f"{kind} `{name}` is not given" for name, kind in needed.items() if name not in given)


def _undeclared(rule: Rule, found: Iterable[object]) -> Iterator[str]:
    for finding in found:
        if not isinstance(finding, Finding):
            yield f"it yields {type(finding).__name__}, which is no finding"
        elif finding.code not in rule.codes:
            yield f"it gives `{finding.code}`, which it does not declare"


def _refused(rule: Rule, facts: Iterable[Fact]) -> Iterator[str]:
    """Why a catalog would not take the rule."""
    from gatewright import catalog, plugins
    from gatewright.catalog import Plugin
    from gatewright.model.reasons import REASONS

    reasons = {reason.code: reason.meaning for reason in REASONS}
    built_in = plugins.built_in()
    known = [] if rule in built_in.rules else [Plugin(name="under test", origin="a test", rules=(rule,))]
    brought = [Plugin(name="its facts", origin="a test", facts=tuple(facts))] if facts else []
    try:
        catalog.build([built_in, *brought, *known], reasons, verify_built_in=rule in built_in.rules)
    except PluginError as error:
        subject = "" if error.subject == f"rule `{rule.id}`" else f"{error.subject}: "
        yield f"{subject}{error.problem}" + (f" ({error.hint})" if error.hint else "")


def _untold(rule: Rule) -> Iterator[str]:
    if not rule.doc:
        return  # the catalog says so
    yield from (f"its docstring does not name `{code}`" for code in rule.codes if f"`{code}`" not in rule.doc)
    names = [option.name for option in rule.options]
    yield from (f"its docstring does not name option `{name}`" for name in names if f"`{name}`" not in rule.doc)


def _misbehaved(rule: Rule, example: Mapping[str, object]) -> Iterator[str]:
    wrong = [*_unknown(rule, example), *_missing(rule, example)]
    if wrong:
        yield from wrong
        return
    given = copy.deepcopy(dict(example))
    try:
        first, second = list(rule.function(**given)), list(rule.function(**given))
    except Exception as error:  # noqa: BLE001  whatever a rule raises is told
        yield f"it raises {type(error).__name__}: {error}"
        return
    yield from dict.fromkeys(_undeclared(rule, first))
    if first != second:
        yield "asked twice, it finds something else"
    if given != dict(example):
        yield "it changes what it was given"
    if first and rule.fires is not None and not _fires(rule, given):
        yield f"it finds `{first[0].code}` where its plain form `{rule.fires}` is not true"


def _fires(rule: Rule, given: Mapping[str, object]) -> bool:
    """Whether the rule would be asked: its plain form is true, or cannot be decided."""
    from gatewright.expressions.checker import checked
    from gatewright.expressions.schema import Schema
    from gatewright.expressions.tracer import trace

    assert rule.fires is not None
    names = {wanted.name: wanted.type for wanted in rule.wants}
    names |= {option.name: option.type for option in rule.options}
    tree, _ = checked(rule.fires, Schema(names=names))
    options = {option.name: option.default for option in rule.options if option.default is not REQUIRED}
    values = {name: list(value) if isinstance(value, tuple) else value for name, value in {**options, **given}.items()}
    traced = trace(tree, rule.fires, values, condition=True)
    return traced.fault is not None or traced.answer is True
