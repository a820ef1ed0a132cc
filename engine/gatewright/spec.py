"""What a rule, a fact and a plugin are.

A rule and a fact are functions. Their parameters name the facts they want, as pytest fixtures are named; keyword-only
parameters of a rule are the options that a policy may set. A decorator returns a value and registers nothing.
"""

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

import pluggy
from msgspec import Struct
from msgspec.structs import replace

from gatewright.errors import PluginError
from gatewright.expressions.kinds import Type, of_annotation
from gatewright.model import FACT_UNAVAILABLE, Findings, Stage
from gatewright.text import did_you_mean

HOOKS = "gatewright"
hookspec = pluggy.HookspecMarker(HOOKS)
hookimpl = pluggy.HookimplMarker(HOOKS)


class _Required(Enum):
    """Says that a request must give a fact, or a policy an option."""

    REQUIRED = "required"


REQUIRED = _Required.REQUIRED


class FactUnavailableError(Exception):
    """Raised by the function or collector of a fact that cannot be had: why, and the code if it is not the fact's."""

    def __init__(self, why: str, code: str = "") -> None:
        super().__init__(why)
        self.code = code


class FactSource(Enum):
    """Where a fact comes from."""

    REQUEST = "request"  #: given by who asks
    DERIVED = "derived"  #: computed from other facts
    COLLECTED = "collected"  #: looked up outside, when a rule needs it and it was not given


class Wanted(Struct, frozen=True):
    """A fact that a function asks for."""

    name: str
    annotation: object
    type: Type


class Option(Struct, frozen=True):
    """An option of a rule, which a policy may set under `with:`."""

    name: str
    annotation: object
    type: Type
    default: object  #: `REQUIRED` where the policy must give it


class Fact(Struct, frozen=True, kw_only=True):
    """Something that rules may know about a request, by name."""

    name: str
    annotation: object
    type: Type
    doc: str
    source: FactSource
    stages: tuple[Stage, ...]
    wants: tuple[Wanted, ...] = ()
    function: Callable[..., object] | None = None  #: of a derived fact
    default: object = REQUIRED  #: of a request fact that need not be given
    code: str = FACT_UNAVAILABLE  #: what a denial says when the fact cannot be had
    secret: bool = False  #: shown as `<text, 14 chars>`, never as it is


class Rule(Struct, frozen=True, kw_only=True):
    """One gate check: which facts it wants, which options it has, which codes it may give."""

    id: str
    function: Callable[..., Findings]
    codes: tuple[str, ...]
    stage: Stage
    doc: str
    wants: tuple[Wanted, ...]
    options: tuple[Option, ...]
    fires: str | None = None  #: an expression that is true whenever the rule has something to say
    owns: tuple[str, ...] = ()  #: facts whose absence this rule denies
    locked: bool = False  #: its denials cannot be lowered, overridden or excepted

    def option(self, name: str) -> Option | None:
        """The option of that name."""
        return next((option for option in self.options if option.name == name), None)


RuleFunction = Callable[..., Findings]


def rule(
    *,
    codes: Sequence[str],
    stage: str = "check",
    id: str | None = None,  # noqa: A002  the word that policies use
    fires: str | None = None,
    owns: Sequence[str] = (),
    locked: bool = False,
) -> Callable[[RuleFunction], Rule]:
    """Make a rule of a function that yields findings.

    codes: the reason codes that it may give, no others.
    stage: the stage at which it can be used.
    id: its name in policies; by default the function's, in kebab case.
    fires: its plain form, an expression that is true whenever it yields something; else the function is not called.
    owns: facts whose absence it denies, with the code that the fact carries.
    locked: whether policies may not lower, override or except its denials.

    Raises PluginError when the signature is not one that a rule can have.
    """
    if isinstance(codes, str):
        raise PluginError("", "rule", f"`codes={codes!r}` is a text", f"write `codes=[{codes!r}]`")

    def decorate(function: RuleFunction) -> Rule:
        name = id or function.__name__.replace("_", "-")
        wants, options = _signature(function, f"rule `{name}`")
        return Rule(
            id=name,
            function=function,
            codes=tuple(codes),
            stage=_stage(stage, function.__module__, f"rule `{name}`"),
            doc=inspect.cleandoc(function.__doc__ or ""),
            wants=wants,
            options=options,
            fires=fires,
            owns=tuple(owns),
            locked=locked,
        )

    return decorate


def derived(*, stages: Sequence[str], code: str = FACT_UNAVAILABLE) -> Callable[[Callable[..., object]], Fact]:
    """Make a fact of a pure function of other facts; its name and docstring are the fact's.

    Raises PluginError when the signature is not one that a fact can have.
    """

    def decorate(function: Callable[..., object]) -> Fact:
        subject = f"fact `{function.__name__}`"
        wants, options = _signature(function, subject)
        if options:
            raise PluginError(function.__module__, subject, f"`{options[0].name}` is keyword-only, and facts have none")
        returned = _hints(function, subject).get("return", object)
        return Fact(
            name=function.__name__,
            annotation=returned,
            type=_type(returned, function.__module__, subject),
            doc=inspect.cleandoc(function.__doc__ or ""),
            source=FactSource.DERIVED,
            stages=tuple(_stage(stage, function.__module__, subject) for stage in stages),
            wants=wants,
            function=function,
            code=code,
        )

    return decorate


def given(
    name: str,
    annotation: object,
    doc: str,
    *,
    stages: Sequence[str],
    default: object = REQUIRED,
    code: str = FACT_UNAVAILABLE,
    secret: bool = False,
) -> Fact:
    """A fact that the request gives."""
    fact = _fact(name, annotation, doc, FactSource.REQUEST, stages)
    return replace(fact, default=default, code=code, secret=secret)


def collected(
    name: str,
    annotation: object,
    doc: str,
    *,
    stages: Sequence[str],
    code: str = FACT_UNAVAILABLE,
    secret: bool = False,
) -> Fact:
    """A fact that a probe looks up when a rule needs it; which probe is bound where the gate is put together."""
    fact = _fact(name, annotation, doc, FactSource.COLLECTED, stages)
    return replace(fact, code=code, secret=secret)


def _fact(name: str, annotation: object, doc: str, source: FactSource, stages: Sequence[str]) -> Fact:
    subject = f"fact `{name}`"
    return Fact(
        name=name,
        annotation=annotation,
        type=_type(annotation, "", subject),
        doc=doc,
        source=source,
        stages=tuple(_stage(stage, "", subject) for stage in stages),
    )


class Hooks:
    """What a plugin may offer. Each hook is called once, when the rules are gathered, never during a decision."""

    @hookspec
    def gatewright_rules(self) -> Iterable[Rule]:
        """The rules that the plugin offers."""
        return ()

    @hookspec
    def gatewright_facts(self) -> Iterable[Fact]:
        """The facts that the plugin offers."""
        return ()

    @hookspec
    def gatewright_reasons(self) -> Mapping[str, str]:
        """What the plugin's own reason codes mean, a sentence a code."""
        return {}

    @hookspec
    def gatewright_orchestrators(self) -> Mapping[str, Callable[[Mapping[str, str]], object]]:
        """The orchestrators that the plugin offers, by name: each is made from the environment's variables."""
        return {}


def _stage(name: str, plugin: str, subject: str) -> Stage:
    try:
        return Stage(name)
    except ValueError:
        hint = did_you_mean(name, [stage.value for stage in Stage])
        raise PluginError(plugin, subject, f"there is no stage `{name}`", hint) from None


def _type(annotation: object, plugin: str, subject: str) -> Type:
    try:
        return of_annotation(annotation)
    except TypeError as error:
        raise PluginError(plugin, subject, str(error), "use text, numbers, booleans, lists, maps or nouns") from None


def _hints(function: Callable[..., object], subject: str) -> dict[str, object]:
    hints: dict[str, object] = function.__annotations__
    if not any(isinstance(hint, str) for hint in hints.values()):
        return hints
    try:
        return typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise PluginError(function.__module__, subject, f"its annotations cannot be read: {error}") from None


def _signature(function: Callable[..., object], subject: str) -> tuple[tuple[Wanted, ...], tuple[Option, ...]]:
    plugin = function.__module__
    hints = _hints(function, subject)
    wants: list[Wanted] = []
    options: list[Option] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise PluginError(plugin, subject, f"`*{name}` takes whatever comes", "name each fact and option")
        if name not in hints:
            raise PluginError(plugin, subject, f"parameter `{name}` has no annotation", "write its type")
        found = _type(hints[name], plugin, f"{subject}, parameter `{name}`")
        if parameter.kind is parameter.KEYWORD_ONLY:
            default = REQUIRED if parameter.default is parameter.empty else parameter.default
            options.append(Option(name, hints[name], found, default))
        elif parameter.default is not parameter.empty:
            raise PluginError(plugin, subject, f"fact `{name}` has a default", "put options behind `*`")
        else:
            wants.append(Wanted(name, hints[name], found))
    return tuple(wants), tuple(options)
