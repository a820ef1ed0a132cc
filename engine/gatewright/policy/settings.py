"""Params of a policy and options of a rule: plain values, held to the kind that was declared."""

import re
from collections.abc import Mapping

from msgspec import Struct

from gatewright.errors import AdmissionError, Fix
from gatewright.expressions.admission import admitted
from gatewright.expressions.kinds import ANY, INTEGER, NUMBER, NUMERIC, TEXT, Kind, Type, fits, kind_of
from gatewright.policy.form import Form, boolean_word, described, whole_number
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Sequence, Tree, plain, respelt, rewritten
from gatewright.spec import Option
from gatewright.text import did_you_mean, distance, hidden, only_nearest, shown


class Params(Struct, frozen=True):
    """The params of a policy: their values, and their types for the checker."""

    values: Mapping[str, object]
    types: Mapping[str, Type]


def read_params(form: Form, node: Tree | None, given: Mapping[str, object]) -> Params:
    """The params under `params:`, with the given values in the place of the policy's own."""
    values: dict[str, object] = {}
    types: dict[str, Type] = {}
    for entry in (form.mapping(node, "params", "`params`") if node is not None else None) or ():
        name, path = entry.key.raw, f"params.{entry.key.raw}"
        if not name.isidentifier() or not name.isascii() or name.startswith("_"):
            form.report(entry.key, path, f"the param's name `{name}` is not in snake case", _snake_hint(name))
            continue
        found = _param_type(form, entry.value, path)
        if found is not None:
            values[name], types[name] = plain(entry.value), found
    for name, value in given.items():
        _replace(form, node, values, types, name, value)
    return Params(values, types)


def _param_type(form: Form, node: Tree, path: str) -> Type | None:
    if form.is_told(node):
        return ANY
    if isinstance(node, Scalar) and node.value is not None:
        return Type(kind_of(node.value))
    if isinstance(node, Sequence) and node.items:
        kinds = {kind_of(plain(item)) for item in node.items}
        if len(kinds) == 1 and kinds <= {Kind.TEXT, Kind.INTEGER, Kind.NUMBER}:
            return Type(Kind.LIST, of=Type(kinds.pop()))
    message = f"a param is text, a number, a boolean, or a list of one kind, and this is {described(node)}"
    hint = "write one param a value" if isinstance(node, MapTree) else "write a value, such as `8` or `[fable, opus]`"
    form.report(node, path, message, hint)
    return None


def _snake_hint(name: str) -> str:
    near = "_".join(re.findall(r"[a-z0-9]+", name.lower()))
    return f"write `{near}`" if near.isidentifier() else "write lower-case letters and digits, with `_` between words"


def _replace(
    form: Form, node: Tree | None, values: dict[str, object], types: dict[str, Type], name: str, value: object
) -> None:
    where = node if node is not None else Scalar(value=None, raw="", line=1, column=1)
    if name not in values:
        hint = did_you_mean(name, values) or ("" if values else "the policy has no params")
        form.report(where, "params", f"there is no param `{name}` to set", hint)
        return
    try:
        plain_value = admitted(value, name)
    except AdmissionError as error:
        message = f"the value given for param `{name}` is refused: {error.problem}"
        form.report(where, f"params.{name}", message, error.hint or "give a plain value")
        return
    if not _fits_param(plain_value, types[name]):
        message = f"param `{name}` is {types[name].worded()}, and {shown(value)} was given for it"
        form.report(where, f"params.{name}", message, "give a value of the same kind")
        return
    values[name] = plain_value
    if types[name].kind in NUMERIC:
        types[name] = INTEGER if kind_of(plain_value) is Kind.INTEGER else NUMBER


def _fits_param(value: object, wanted: Type) -> bool:
    if isinstance(value, list):
        element = wanted.of or TEXT
        return wanted.kind is Kind.LIST and all(_fits_param(each, element) for each in value)
    if isinstance(value, str) and hidden(value) is not None:
        return False
    kinds = {kind_of(value), wanted.kind}
    return len(kinds) == 1 or kinds <= NUMERIC


def read_option(form: Form, node: Tree, path: str, option: Option, params: Params) -> object:
    """The value of an option, from the policy or from a param that it names; None after a problem."""
    meant = _misspelt_param(node, params)
    if meant is not None:
        message = f"{described(node)} is no param, and reads like one"
        form.report(node, path, message, f"did you mean `{meant}`?", fix=respelt(node, meant))
        return None
    if isinstance(node, Scalar) and isinstance(node.value, str) and node.value.startswith("params."):
        name = node.value.removeprefix("params.")
        if name not in params.values:
            hint = did_you_mean(name, params.values) or f"add `{name}: …` under `params:`"
            near = only_nearest(name, params.values)
            fix = respelt(node, f"params.{near}" if near else None)
            form.report(node, path, f"there is no param `{name}`", hint, fix=fix)
            return None
        value: object = params.values[name]
    else:
        value = plain(node)
    if fits(value, option.type):
        return tuple(value) if isinstance(value, list) else value
    if value is not None and isinstance(node, Scalar) and value != node.value:
        message = f"option `{option.name}` is {option.type.worded()}, and `{node.raw}` is {shown(value, limit=40)}"
        form.report(node, path, message, "give the param a value of that kind, or write one here")
    elif not form.is_told(node):
        message = f"option `{option.name}` is {option.type.worded()}, and this is {described(node)}"
        form.report(node, path, message, _hint(node, option), fix=_fix(node, option))
    return None


def _misspelt_param(node: Tree, params: Params) -> str | None:
    """The param that a text is one slip from naming: taken as a text, it would mean something else without a word."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or node.value.startswith("params."):
        return None
    return next((f"params.{name}" for name in params.values if distance(node.value, f"params.{name}") == 1), None)


def _fix(node: Tree, option: Option) -> Fix | None:
    """A number out of its quotes, a yes or no as the boolean that it stands for."""
    if not isinstance(node, Scalar):
        return None
    if option.type.kind is Kind.BOOLEAN:
        return rewritten(node, boolean_word(node.value))
    return rewritten(node, whole_number(node.value)) if option.type.kind in NUMERIC else None


def _hint(node: Tree, option: Option) -> str:
    if option.type.kind is Kind.LIST and isinstance(node, Scalar):
        return f"write a list: `[{node.raw}]`"
    if option.type.kind in NUMERIC and isinstance(node, Scalar) and isinstance(node.value, str):
        return "a number stands without quotes"
    if option.type.kind is Kind.LIST and isinstance(node, Sequence) and option.type.of is not None:
        return f"each element is {option.type.of.worded()}"
    return ""
