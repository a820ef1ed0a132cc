"""A YAML text as parts that can be laid out anew: groups of items, scalars as they were written, and every comment.

ruamel's round trip is not used: it loses comments inside brackets, leaves comments at the column where they stood, and
writes `null` as nothing. Its events say where each value stands, and what lies between them holds the comments.
"""

import re
from collections import deque
from collections.abc import Iterator

from msgspec import Struct
from ruamel.yaml import YAML
from ruamel.yaml import events as yaml_events

from gatewright.policy.tree import line_and_column

_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_COMMENT = re.compile(r"#[^\n]*")
_DASH = re.compile(r"(?:[ \t\n:]|#[^\n]*)*-")


class Remark(Struct):
    """A comment, from its `#` to the end of the line."""

    text: str
    start: int
    column: int
    own_line: bool  #: nothing but blanks stands in front
    blank: bool = False  #: a blank line stands in front


class Leaf(Struct):
    """A single value as it was written."""

    raw: str
    value: str
    style: str = ""  #: empty for plain, else the quote or block sign
    outer: int = 0  #: the column of the block around it, from which an indentation sign counts


class Item(Struct):
    """A key with its value, or an element of a list, with the comments in front, between and behind."""

    value: "Leaf | Group | None" = None
    key: Leaf | None = None
    blank: bool = False  #: a blank line stands in front
    before: list[Remark] = []
    between: list[Remark] = []  #: behind the key or dash, in front of the value
    behind: Remark | None = None  #: at the end of the value's line


class Group(Struct):
    """A map or a list."""

    mapping: bool
    flow: bool  #: in brackets
    items: list[Item] = []
    tail: list[Remark] = []  #: comments behind the last item


class Parts(Struct):
    """A whole document."""

    top: Item
    head: list[Remark] = []  #: comments in front of `---`
    tail: list[Remark] = []  #: comments behind the document
    marked: bool = False  #: whether it starts with `---`


def parts_of(text: str) -> Parts:
    """The parts of a text that the strict reader has read without a problem."""
    return _Reader(text).parts()


class _Reader:
    """Walks the events of one text, and takes up the comments on the way. Columns count from 1; 0 is the document."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.events: list[yaml_events.Event] = list(YAML(typ="safe", pure=True).parse(text))
        self.remarks = deque(self._found_remarks())
        self.at = 1  #: of the next event; the first says that the stream starts
        self.end = 0  #: where what was taken up last ends

    def _found_remarks(self) -> Iterator[Remark]:
        scalars = [event for event in self.events if isinstance(event, yaml_events.ScalarEvent) and _is_written(event)]
        at = 0
        for start, end in [*((_start(event), event.end_mark.index) for event in scalars), (len(self.text), 0)]:
            while (match := _COMMENT.search(self.text, at, start)) is not None:
                column = line_and_column(self.text, match.start())[1]
                own_line = not self.text[match.start() - column + 1 : match.start()].strip()
                yield Remark(text=match.group().rstrip(), start=match.start(), column=column, own_line=own_line)
                at = match.end()
            at = end

    # -- the next thing ------------------------------------------------------------------------------------------------

    def _peek(self) -> yaml_events.Event:
        return self.events[self.at]

    def _next(self) -> yaml_events.Event:
        self.at += 1
        return self.events[self.at - 1]

    def _blank(self, start: int) -> bool:
        return _BLANK_LINE.search(self.text, self.end, start) is not None

    def _take(self, before: int, *, own_line: bool = True, column: int = 0) -> list[Remark]:
        """The next comments in front of a character.

        own_line: whether those on lines of their own are wanted too.
        column: one further to the left is left, with all behind it.
        """
        found: list[Remark] = []
        while self.remarks and self.remarks[0].start < before:
            remark = self.remarks[0]
            if (remark.own_line and not own_line) or remark.column < column:
                break
            remark.blank = self._blank(remark.start)
            self.end = remark.start + len(remark.text)
            found.append(self.remarks.popleft())
        return found

    # -- parts ---------------------------------------------------------------------------------------------------------

    def parts(self) -> Parts:
        found = Parts(top=Item())
        start = self._next()
        if isinstance(start, yaml_events.DocumentStartEvent):
            if start.explicit:
                found.marked = True
                found.head = self._take(_start(start))
                self.end = start.end_mark.index
            self._value(found.top, 0, flow=False)
        found.tail = self._take(len(self.text))
        return found

    def _value(self, item: Item, outer: int, *, flow: bool) -> None:
        """Read the value of an item. outer: the column of the innermost block around it."""
        event = self._next()
        if isinstance(event, yaml_events.ScalarEvent) and not _is_written(event):
            item.between = self._take(_start(event), own_line=False)
            item.between += [] if flow else self._take(_start(event), column=outer + 1)
            return
        is_block = getattr(event, "flow_style", None) is False
        item.between = self._take(_start(event), own_line=not is_block)
        item.value = self._leaf(event, outer) if isinstance(event, yaml_events.ScalarEvent) else None
        if item.value is None:
            item.value = self._group(event, item, outer)
        if not is_block:
            line_end = self.text.find("\n", self.end)
            behind = self._take(min(_start(self._peek()), line_end if line_end >= 0 else len(self.text)))
            item.behind = behind[0] if behind else None

    def _leaf(self, event: yaml_events.ScalarEvent, outer: int) -> Leaf:
        raw = self.text[_start(event) : event.end_mark.index]
        leaf = Leaf(raw=raw, value=event.value, style=event.style or "", outer=outer)
        kept = leaf.style in ("|", ">") and "+" in raw.split("\n", 1)[0].split("#")[0]
        # The blank lines behind a block scalar are its own only where it keeps them.
        self.end = event.end_mark.index - 1 if kept else _start(event) + len(raw.rstrip())
        return leaf

    def _group(self, event: yaml_events.Event, owner: Item, outer: int) -> Group:
        found = Group(mapping=isinstance(event, yaml_events.MappingStartEvent), flow=bool(event.flow_style))  # type: ignore[attr-defined]  # it starts a map or list
        column = outer if found.flow else event.start_mark.column + 1
        ending = (yaml_events.MappingEndEvent, yaml_events.SequenceEndEvent)
        if found.flow:
            self.end = event.end_mark.index
            owner.between += self._take(_start(self._peek()), own_line=False)
        while not isinstance(self._peek(), ending):
            item = Item()
            self._begin(item, found, _start(event) if not found.items else -1)
            self._value(item, column, flow=found.flow)
            found.items.append(item)
        end = self._next()
        if found.flow or column > outer:
            found.tail = self._take(_start(end), column=0 if found.flow else column)
        if found.flow:
            self.end = end.end_mark.index
        if not found.items:  # nothing is left that a comment could stand below
            owner.between, found.tail = [*owner.between, *found.tail], []
        return found

    def _begin(self, item: Item, group: Group, dash: int) -> None:
        """Read what stands in front of a value: comments, and a key or a dash. dash: where it is, if that is known."""
        at = _start(self._peek())
        if not group.mapping and not group.flow:
            match = _DASH.match(self.text, self.end)
            at = dash if dash >= 0 or match is None else match.end() - 1
        item.before = self._take(at)
        item.blank = self._blank(at)
        if group.mapping:
            event = self._next()
            item.key = self._leaf(event, 0) if isinstance(event, yaml_events.ScalarEvent) else None
        else:
            self.end = at + (not group.flow)


def _is_written(event: yaml_events.ScalarEvent) -> bool:
    """Whether any character of the text stands for a scalar; an empty value has none."""
    return bool(event.style) or event.start_mark.index < event.end_mark.index


def _start(event: yaml_events.Event) -> int:
    index: int = event.start_mark.index
    return index
