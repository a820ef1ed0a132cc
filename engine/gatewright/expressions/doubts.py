"""Texts that load and can hardly be what was meant: most of them make a rule that never fires, and says nothing."""

import re
from collections.abc import Callable, Iterator

from gatewright.expressions.kinds import Kind
from gatewright.expressions.nodes import Call, ListLiteral, Literal, Node
from gatewright.text import char_name, did_you_mean

Doubt = tuple[Node, str, str]  #: where, what stands there, what to write
Source = Callable[[Node], str]  #: the text of a node

_LOOKS_INTO = ("starts_with", "ends_with", "contains")
_WHOLE = ("==", "!=", "in", "not in")


_LETTERS = re.compile(r"[A-Za-z\u0370-\u03ff\u0400-\u04ff]+")


def of_letters(item: Literal) -> Iterator[Doubt]:
    """A Greek or Cyrillic letter within a word of plain ones, which looks like one of those."""
    if not isinstance(item.value, str) or item.value.isascii():
        return
    for word in _LETTERS.findall(item.value):
        odd = next((char for char in word if not char.isascii()), "")
        if odd and any(char.isascii() for char in word):
            yield item, f"`{odd}` ({char_name(odd)}) stands among plain letters", "write the word anew"
            return


def of_call(node: Call, source: Source) -> Iterator[Doubt]:
    """What is odd about the arguments of a function that looks into text."""
    if node.function not in _LOOKS_INTO:
        return
    text, part = node.args
    if isinstance(text, Literal) and not isinstance(part, Literal):
        message = f"`{node.function}` looks into {source(text)}, the same text for every request"
        yield text, message, f"the text comes first: write `{node.function}({source(part)}, {source(text)})`"
    if isinstance(part, Literal) and isinstance(part.value, str):
        yield from _capitals(text, part, part.value, source)
        yield from _signs(node.function, text, part, part.value, source)


def _signs(function: str, text: Node, part: Literal, value: str, source: Source) -> Iterator[Doubt]:
    """Signs of patterns at the ends of a text that is looked for as it is."""
    plain = value.removeprefix("^").removesuffix("$").strip("*")
    if plain and plain != value:
        sign = next(char for char in (value[0], value[-1]) if char in "^$*")
        yield part, f"`{sign}` stands for itself here", f'write `{function}({source(text)}, "{plain}")`'


def of_comparison(op: str, left: Node, right: Node, source: Source) -> Iterator[Doubt]:
    """What is odd about the texts that something is compared with."""
    for node, constant in ((left, right), (right, left)):
        if isinstance(node, Literal | ListLiteral):
            continue
        items = constant.items if isinstance(constant, ListLiteral) else [constant]
        for item in items:
            if isinstance(item, Literal) and isinstance(item.value, str):
                yield from _compared(op, node, item, item.value, source)


def _compared(op: str, node: Node, item: Literal, value: str, source: Source) -> Iterator[Doubt]:
    yield from _capitals(node, item, value, source)
    found = node.type
    if found.like:
        yield from _shape(op, node, item, value, source)
    if op not in _WHOLE or found.kind is not Kind.TEXT:
        return
    if found.among and value not in found.among:
        yield item, f"`{source(node)}` is never {source(item)}", did_you_mean(value, found.among)
    elif found.optional and value.lower() in ("null", "none"):
        yield item, f"{source(item)} in quotes is a text like any other", "write `null`, without quotes"
    elif (plain := value.strip("*")) and plain != value:
        function = "contains" if value[0] == value[-1] else "ends_with" if value[0] == "*" else "starts_with"
        hint = f'for a part of the text write `{function}({source(node)}, "{plain}")`'
        yield item, "whole texts are compared, and `*` stands for itself", hint


def _capitals(node: Node, item: Literal, value: str, source: Source) -> Iterator[Doubt]:
    if isinstance(node, Call) and node.function == "lower" and value != value.lower():
        yield item, f"`{source(node)}` has no capitals, and {source(item)} has", f'write `"{value.lower()}"`'


def _shape(op: str, node: Node, item: Literal, value: str, source: Source) -> Iterator[Doubt]:
    """A text that is ordered as text, such as a time, and is not written as those are."""
    like = node.type.like
    length = len(like) if op in _WHOLE else min(len(value), len(like))
    if len(value) <= len(like) and _digits(value) == _digits(like[:length]):
        return
    near = _padded(value, like)
    hint = f'write `"{near}"`' if near else ""
    yield item, f"`{source(node)}` is written as `{like}`, and is compared as text", hint


def _digits(text: str) -> str:
    return re.sub("[0-9]", "0", text)


def _padded(value: str, like: str) -> str:
    """The text with zeros in front of numbers that are short of digits; nothing where that does not help."""
    widths = [len(digits) for digits in re.findall("[0-9]+", like)]
    numbers = re.findall("[0-9]+", value)
    if len(numbers) > len(widths):
        return ""
    wide = iter([number.zfill(width) for number, width in zip(numbers, widths, strict=False)])
    near = re.sub("[0-9]+", lambda _: next(wide), value)
    return near if _digits(near) == _digits(like[: len(near)]) else ""
