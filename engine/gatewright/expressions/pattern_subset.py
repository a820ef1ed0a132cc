"""The simple subset of patterns: read, spelt for `re`, and shown to take linear time."""

import re

from msgspec import Struct

from gatewright.expressions.pattern_classes import (
    ALL,
    CLASSES,
    OTHERS,
    SIMPLE,
    Charset,
    OutsideError,
    PatternError,
    class_end,
    class_members,
    single,
)

MAX_REPEAT = 1000
_MAX_WAYS = 1000
_MAX_GROUPS = 20  #: RE2 itself has been seen to run out of memory on deep groups
_MAX_STEPS = 64  #: characters that one starting place may cost a way of a pattern that is not tied to the start
_MAX_STEPS_IN_ALL = 1000  #: and all ways of it together
_MAX_RUNS = 200  #: ways from each of which a repeat without end may run to the end of the text


class _Item(Struct):
    """One thing to match, how often: an unbounded repeat has `most` None."""

    chars: Charset
    least: int = 1
    most: int | None = 1


class _Group(Struct):
    """Alternatives, each a sequence."""

    branches: "list[list[_Item | _Group]]"
    anchored: bool = False


def subset(pattern: str) -> tuple[str, bool]:
    """The pattern in the spelling of `re`, and whether it is tied to the start of the text and reads any length of it.

    Raises OutsideError for what RE2 alone may decide, PatternError for what nothing decides.
    """
    reader = _Reader(pattern)
    group = reader.alternatives()
    if reader.at < len(pattern):
        raise PatternError(reader.at, "the pattern closes a group that is not open", "escape the bracket: `\\)`")
    return "".join(reader.out), _check_linear(group) and group.anchored


class _Reader:
    """One pass over a pattern: builds the tree that is judged, and the same pattern in the spelling of `re`."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.depth = pattern, 0, 0
        self.out: list[str] = []

    def alternatives(self) -> _Group:
        branches: list[list[_Item | _Group]] = []
        anchors: list[bool] = []
        while True:
            items, anchored = self.sequence()
            branches.append(items)
            anchors.append(anchored)
            if not self.taken("|"):
                return _Group(branches, all(anchors))
            self.out.append("|")

    def taken(self, char: str) -> bool:
        if self.pattern.startswith(char, self.at):
            self.at += len(char)
            return True
        return False

    def sequence(self) -> tuple[list[_Item | _Group], bool]:
        items: list[_Item | _Group] = []
        anchored = False
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if self.pattern[self.at] == "^":
                anchored = anchored or not items
                self._anchor("\\A", 1)
            elif self.pattern[self.at] == "$":
                self._anchor("\\Z", 1)
            elif self.pattern.startswith("\\b", self.at):
                self._anchor("\\b", 2)
            elif self.pattern.startswith("\\B", self.at):
                # Whether the empty text has such a place, Python's engine has answered both ways.
                raise OutsideError(self.at, "the pattern uses `\\B`, which is not simple")
            else:
                items.append(self.repeated(self.one()))
        if items and isinstance(items[0], _Group):
            anchored = anchored or items[0].anchored
        return items, anchored

    def _anchor(self, spelling: str, width: int) -> None:
        self.at += width
        self.out.append(spelling)
        if self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            raise PatternError(self.at, "the pattern repeats a place, not a character")

    def one(self) -> _Item | _Group:
        char, start = self.pattern[self.at], self.at
        if char == "(":
            return self.group()
        if char == "[":
            return self.charset()
        if char == "\\":
            return _Item(self.escape())
        if char in "*+?":
            raise PatternError(start, f"the pattern has nothing to repeat before `{char}`", f"escape it: `\\{char}`")
        self.at += 1
        self.out.append(char if char != "{" else "\\{")
        return _Item(ALL - {10} if char == "." else single(char))

    def group(self) -> _Group:
        start = self.at
        self.depth += 1
        if self.depth > _MAX_GROUPS:  # `re` itself runs out of memory on deep groups
            raise PatternError(start, "the pattern nests groups more than 20 deep")
        self.at += 1
        if self.taken("?"):
            if not self.taken(":"):
                raise OutsideError(start, f"the pattern uses `{self.pattern[start : start + 4]}`, which is not simple")
            self.out.append("(?:")
        else:
            self.out.append("(?:")
        group = self.alternatives()
        if not self.taken(")"):
            raise PatternError(start, "the pattern opens a group and never closes it", "escape the bracket: `\\(`")
        self.depth -= 1
        self.out.append(")")
        return group

    def escape(self) -> Charset:
        start = self.at
        char = self.pattern[start + 1 : start + 2]
        self.at += 2
        if not char:
            raise PatternError(start, "the pattern ends in a backslash", "double it")
        self.out.append("\\" + char)
        if char in CLASSES:
            self._spell_class(char)
            return CLASSES[char]
        if char in SIMPLE:
            return frozenset([SIMPLE[char]])
        if char.isdigit():
            message = f"the pattern refers back with `\\{char}`, and no linear engine can"
            raise PatternError(start, message, "write the part out again")
        if char.isalpha():
            raise OutsideError(start, f"the pattern uses `\\{char}`, which is not simple")
        return single(char)

    def _spell_class(self, char: str) -> None:
        # `re` counts \v and the separators \x1c-\x1f as space, RE2 does not: spell the class out.
        if char in "sS":
            self.out[-1] = "[\\t\\n\\f\\r ]" if char == "s" else "[^\\t\\n\\f\\r ]"

    def charset(self) -> _Item:
        start = self.at
        end = class_end(self.pattern, start)
        body = self.pattern[start + 1 : end]
        self.at = end + 1
        negated = body.startswith("^")
        chars, spelled = class_members(body[1:] if negated else body, start + 1 + negated)
        self.out.append(f"[{'^' if negated else ''}{spelled}]")
        # OTHERS stands for many characters: a class that names some of them leaves the rest to its complement.
        return _Item((ALL - chars) | {OTHERS} if negated else chars)

    def repeated(self, item: "_Item | _Group") -> "_Item | _Group":
        start = self.at
        least, most, spelled = self._quantifier()
        if not spelled:
            return item
        if self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            raise OutsideError(self.at, "the pattern repeats a repeat")
        if isinstance(item, _Group):
            if (least, most) != (0, 1):
                raise OutsideError(start, "the pattern repeats a group")
            item.branches.append([])
            item.anchored = False
        else:
            item.least, item.most = least, most
        self.out.append(spelled)
        return item

    def _quantifier(self) -> tuple[int, int | None, str]:
        for char, least, most in (("*", 0, None), ("+", 1, None), ("?", 0, 1)):
            if self.taken(char):
                return least, most, char
        match = re.compile(r"\{([0-9]+)(,([0-9]*))?\}").match(self.pattern, self.at)
        if match is None:
            return 1, 1, ""
        least = int(match.group(1))
        most = least if match.group(2) is None else (int(match.group(3)) if match.group(3) else None)
        if least > MAX_REPEAT or (most or 0) > MAX_REPEAT or (most is not None and most < least):
            raise PatternError(self.at, f"the pattern repeats `{match.group()}`; at most {MAX_REPEAT} times, in order")
        self.at = match.end()
        return least, most, match.group()


def _check_linear(group: _Group) -> bool:
    """Refuse what a backtracking engine could take more than linear time for; whether a text of any length is cheap.

    Linear here: from one starting place there is one way to go on. An unbounded repeat may not be followed by something
    that it could itself match; unless the pattern is tied to the start of the text, no unbounded repeat may match what
    the pattern starts with (else each character of a run starts the same run again); and the product of all bounded
    choices stays small.
    """
    ways = steps = runs = 0
    for branch in _flattened(group, 1):
        found, length = _ways(branch, anchored=group.anchored)
        ways, steps = ways + found, steps + found * length
        runs += found if any(item.most is None for item in branch) else 0
    if ways > _MAX_WAYS or runs > _MAX_RUNS or (not group.anchored and steps > _MAX_STEPS_IN_ALL):
        raise OutsideError(0, "the pattern has too many choices", "start it with `^`, and offer fewer")
    return runs <= 1  # each way to a repeat without end may run to the end of the text once more


def _flattened(group: _Group, ways: int) -> list[list[_Item]]:
    """Every way through the alternatives, as plain sequences."""
    done: list[list[_Item]] = []
    for branch in group.branches:
        paths: list[list[_Item]] = [[]]
        for item in branch:
            tails = [[item]] if isinstance(item, _Item) else _flattened(item, ways * len(paths))
            paths = [path + tail for path in paths for tail in tails]
            if len(paths) * ways > _MAX_WAYS:
                raise OutsideError(0, "the pattern has too many alternatives")
        done.extend(paths)
    return done


def _ways(items: list[_Item], *, anchored: bool) -> tuple[int, int]:
    """How many ways there are to go through a sequence, and the characters of the longest, repeats without end aside.

    Raises OutsideError for a repeat that may run into the next.
    """
    ways = 1
    length = 0
    for at, item in enumerate(items):
        if item.most is not None:
            ways *= item.most - item.least + 1
            length += item.most
            continue
        following = _first(items[at + 1 :])
        if following & item.chars:
            raise OutsideError(0, "the pattern repeats without end what may also follow")
        if not anchored and at == 0:
            raise OutsideError(
                0, "the pattern starts with a repeat without end", "start it with `^`, or use `contains`"
            )
        if not anchored and _first(items) & item.chars:
            raise OutsideError(0, "the pattern repeats without end what it starts with", "start it with `^`")
    if not anchored and ways * length > _MAX_STEPS:
        raise OutsideError(0, "the pattern has too many choices of length", "start it with `^`")
    return ways, length


def _first(items: list[_Item]) -> Charset:
    """The characters with which a match of these items may start."""
    chars: set[int] = set()
    for item in items:
        chars |= item.chars
        if item.least > 0:
            break
    return frozenset(chars)
