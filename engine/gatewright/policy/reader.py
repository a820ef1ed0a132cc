"""YAML, read strictly: one document of plain maps, lists, text, JSON numbers, booleans and null, each with its place.

ruamel's pure parser makes the events; what they mean is decided here, so that no loader's habits get in: no tags, no
anchors, no merge keys, no directives, no numbers that another reader takes for something else.
"""

import re
from collections.abc import Iterator
from typing import NoReturn

from ruamel.yaml import YAML
from ruamel.yaml import events as yaml_events
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from gatewright.errors import PolicyError, Problem
from gatewright.policy import yaml_slips
from gatewright.policy.decoding import MAX_BYTES as MAX_BYTES
from gatewright.policy.decoding import beyond_unicode, decoded, hidden_escape, refuse
from gatewright.policy.scalars import plain_value
from gatewright.policy.tree import Document, Entry, Mapping, Scalar, Sequence, Source, Tree, problem
from gatewright.text import counted

MAX_DEPTH, MAX_EVENTS = 20, 100_000
CHECK = "yaml"


def read(data: bytes, file: str) -> Document:
    """The document in the bytes of a YAML file.

    Problems of single values are listed in the document; raises PolicyError for what cannot be read at all. Nothing
    else is ever raised, whatever the bytes.
    """
    source = decoded(data, file, CHECK)
    _refuse_directives(source)
    try:
        return _Builder(source).document()
    except PolicyError:
        raise
    except MarkedYAMLError as error:
        found = yaml_slips.of_parser(source, error)
    except (RecursionError, MemoryError):
        found = problem(source, 1, 1, "nested too deep to be read", check=CHECK)
    except (YAMLError, ValueError, AssertionError, IndexError, TypeError, AttributeError) as error:
        message = f"cannot be read as YAML: {type(error).__name__}"
        found = beyond_unicode(source, CHECK) or problem(source, 1, 1, message, check=CHECK)
    raise PolicyError((found,))


_DIRECTIVE = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*%")


def _refuse_directives(source: Source) -> None:
    match = _DIRECTIVE.match(source.text)
    if match is not None:
        refuse(source, match.end() - 1, "directives are not read", "delete the line; the language is YAML 1.2", CHECK)


class _Parser(YAML):
    """ruamel's pure parser, without the plug-ins that it would look for on the disk each time."""

    def __init__(self) -> None:
        super().__init__(typ="safe", pure=True)

    def official_plug_ins(self) -> list[str]:
        return []


class _Builder:
    """Builds the tree of one source from the parser's events."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.events: Iterator[yaml_events.Event] = iter(())
        self.depth = 0
        self.count = 0

    def document(self) -> Document:
        self._refuse_depth()
        self._start(self.source.text)
        tree = self._top()
        return Document(self.source, tree, self._in_order())

    def _in_order(self) -> tuple[Problem, ...]:
        return tuple(sorted(self.problems, key=lambda found: (found.place.line, found.place.column)))

    def _start(self, text: str) -> None:
        self.events = _Parser().parse(text)
        self.depth = self.count = 0
        self.problems = []

    def _refuse_depth(self) -> None:
        """Find nesting that the parser would take seconds for, by parsing only its beginning."""
        open_brackets = 0
        for match in re.finditer(r"[\[{\]}]", self.source.text):
            open_brackets += 1 if match.group() in "[{" else -1
            if open_brackets > 3 * MAX_DEPTH:
                self._start(self.source.text[: match.end()])
                try:
                    self._top()
                except YAMLError:
                    # Cut in the middle, so it cannot be whole; only its depth was asked for.
                    return
                return

    def refuse(self, mark: object, message: str, hint: str = "") -> NoReturn:
        line, column = _at(mark)
        raise PolicyError((*self._in_order(), problem(self.source, line, column, message, hint=hint, check=CHECK)))

    def report(self, mark: object, message: str, hint: str = "") -> None:
        line, column = _at(mark)
        self.problems.append(problem(self.source, line, column, message, hint=hint, check=CHECK))

    def next(self) -> yaml_events.Event:
        self.count += 1
        if self.count > MAX_EVENTS:
            refuse(self.source, 0, f"more than {counted(MAX_EVENTS, 'value')}", "split the file", CHECK)
        return next(self.events)

    def _top(self) -> Tree:
        tree: Tree | None = None
        while not isinstance(event := self.next(), yaml_events.StreamEndEvent):
            if isinstance(event, yaml_events.DocumentStartEvent):
                if tree is not None:
                    message = "a second document starts here"
                    self.refuse(event.start_mark, message, "keep one document a file")
                tree = self.value(self.next(), None)
        return tree if tree is not None else Scalar(value=None, raw="", line=1, column=1)

    def value(self, event: yaml_events.Event, key: Scalar | None) -> Tree:
        self._refuse_properties(event)
        if isinstance(event, yaml_events.ScalarEvent):
            return self._scalar(event, key)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(event.start_mark, f"nested more than {MAX_DEPTH} deep")
        line, column = _at(event.start_mark)
        if isinstance(event, yaml_events.SequenceStartEvent):
            items = []
            while not isinstance(inner := self.next(), yaml_events.SequenceEndEvent):
                items.append(self.value(inner, None))
            self._closed(event, inner)
            return Sequence(items=items, line=line, column=column)
        tree = Mapping(entries={}, line=line, column=column)
        while not isinstance(inner := self.next(), yaml_events.MappingEndEvent):
            self._entry(tree, inner)
        self._closed(event, inner)
        return tree

    def _closed(self, start: yaml_events.Event, end: yaml_events.Event) -> None:
        self.depth -= 1
        if getattr(start, "flow_style", False):
            self._check_comment(end)

    def _refuse_properties(self, event: yaml_events.Event) -> None:
        if isinstance(event, yaml_events.AliasEvent):
            message = f"`*{event.anchor}` refers to an anchor, and anchors are not read"
            self.refuse(event.start_mark, message, "write the value out")
        if getattr(event, "anchor", None):
            message = f"`&{event.anchor}` is an anchor, and anchors are not read"  # type: ignore[attr-defined]  # node events have one
            self.refuse(event.start_mark, message, "write the value out where it is used")
        tag = getattr(event, "tag", None)
        if tag:
            self.refuse(event.start_mark, *yaml_slips.of_tag(str(tag)))

    def _entry(self, tree: Mapping, event: yaml_events.Event) -> None:
        self._refuse_properties(event)
        if not isinstance(event, yaml_events.ScalarEvent):
            self.refuse(event.start_mark, *yaml_slips.complex_key(self.source.text, event.start_mark.index))
        key = self._scalar(event, None)
        value = self.value(self.next(), key)
        name = key.raw
        if key.style == "" and name == "<<":
            self.report(event.start_mark, "`<<` merges maps, and merge keys are not read", "write the keys out")
        elif not isinstance(key.value, str):
            message = f"a key is text, and `{name or 'nothing'}` is {_kind(key)}"
            self.report(event.start_mark, message, f'quote it: `"{name}":`')
        elif (before := tree.entries.get(name)) is not None:
            message = f"duplicate key `{name}`, first on line {before.key.line}"
            self.report(event.start_mark, message, "keep one of the two")
        else:
            tree.entries[name] = Entry(key, value)

    def _scalar(self, event: yaml_events.ScalarEvent, key: Scalar | None) -> Scalar:
        mark, style = event.start_mark, event.style or ""
        line, column = _at(mark)
        if style == "" and event.value == "" and key is not None:
            # An empty value has no place of its own; the parser puts it wherever the next token stands.
            return Scalar(value=None, raw="", line=key.line, column=key.column)
        found = Scalar(
            value=event.value,
            raw=event.value,
            style=style,
            line=line,
            column=column,
            start=mark.index,
            end=event.end_mark.index,
        )
        if style == "":
            found.value, wrong = plain_value(event.value)
            if wrong is not None:
                self.report(mark, *wrong)
            return found
        if style in ("'", '"'):
            self._check_comment(event)
        if style == '"' and "\\" in self.source.text[found.start : found.end]:
            wrong_escape = hidden_escape(self.source, found, CHECK)
            self.problems += [wrong_escape] if wrong_escape is not None else []
        return found

    def _check_comment(self, event: yaml_events.Event) -> None:
        """Report a `#` right behind a closing quote or bracket, which only some readers take for a comment."""
        at = event.end_mark.index
        if self.source.text[at : at + 1] == "#":
            self.report(event.end_mark, "a comment starts without a blank in front", "put a space before `#`")


def _at(mark: object) -> tuple[int, int]:
    return mark.line + 1, mark.column + 1  # type: ignore[attr-defined]  # ruamel's marks


def _kind(key: Scalar) -> str:
    if key.value is None:
        return "null"
    return "a boolean" if isinstance(key.value, bool) else "a number"
