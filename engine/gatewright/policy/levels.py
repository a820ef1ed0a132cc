"""Another level for one rule, put into the text of its policy: every other character stays as it is."""

from collections.abc import Iterator

from msgspec import Struct

from gatewright.errors import UsageError
from gatewright.policy import reader
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.policy.tree import Entry, Mapping, Scalar, Sequence
from gatewright.text import did_you_mean

_MARK = b"\xef\xbb\xbf"
LOCKED = "locked"
#: What a rule may be promoted to, and the level that says so.
STEPS = {"observe": "note", "warn": "warn", "deny": "deny", LOCKED: "deny"}


class _Edit(Struct, frozen=True):
    """What to write in the place of the characters `start` to `end`."""

    start: int
    end: int
    text: str


def rule_of(policy: Policy, name: str) -> PolicyRule:
    """The rule of that id. Raises UsageError when there is none."""
    for rule in policy.rules:
        if rule.id == name:
            return rule
    raise UsageError(f"{policy.path} has no rule `{name}`", did_you_mean(name, [rule.id for rule in policy.rules]))


def promoted(data: bytes, file: str, rule: PolicyRule, step: str) -> bytes:
    """The policy with a rule at another step; the bytes as they are where it is there already."""
    source = reader.read(data, file)
    node = _node(source.tree, rule.path)
    edits = sorted(_edits(node, rule, step, source.source.text), key=lambda edit: edit.start)
    mark = _MARK if data.startswith(_MARK) else b""
    text = data.removeprefix(_MARK).decode()
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return mark + text.encode()


def _node(tree: object, path: str) -> Mapping:
    """The map of a rule; path: such as `rules[2]`."""
    assert isinstance(tree, Mapping)
    rules = tree.get("rules")
    assert isinstance(rules, Sequence)
    node = rules.items[int(path[len("rules[") : -1])]
    assert isinstance(node, Mapping)
    return node


def _edits(node: Mapping, rule: PolicyRule, step: str, text: str) -> Iterator[_Edit]:
    level = STEPS[step]
    single = node.get("levels")
    codes = set(rule.codes)
    if isinstance(single, Mapping):
        yield from (_written(entry.value, level) for entry in single)
        codes -= set(single.entries)
    whole = node.get("level")
    if whole is not None:
        yield _written(whole, level)
    said = whole is not None or not codes or (step == LOCKED and rule.effect in ("deny", "require"))
    lines = [] if said else [f"level: {level}"]
    locked = node.get("locked")
    if locked is not None:
        yield _written(locked, "true" if step == LOCKED else "false")
    elif step == LOCKED:
        lines.append("locked: true")
    if lines:
        yield _added(node, lines, text)


def _written(value: object, instead: str) -> _Edit:
    assert isinstance(value, Scalar)
    return _Edit(value.start, value.end, instead)


def _added(node: Mapping, lines: list[str], text: str) -> _Edit:
    """New keys behind the one that names the rule: on lines of their own, or within the braces of a map on one line."""
    entry: Entry = node.entries.get("use") or node.entries.get("id") or next(iter(node))
    value = entry.value
    assert isinstance(value, Scalar)
    if text[_start(text, node)] == "{":
        return _Edit(value.end, value.end, "".join(f", {line}" for line in lines))
    end = text.find("\n", value.end)
    end = len(text) if end < 0 else end - (text[end - 1] == "\r")
    line_end = "\r\n" if "\r\n" in text else "\n"
    return _Edit(end, end, "".join(f"{line_end}{' ' * (entry.key.column - 1)}{line}" for line in lines))


def _start(text: str, node: Mapping) -> int:
    """The first character of a map in a text."""
    start = 0
    for _ in range(node.line - 1):
        start = text.index("\n", start) + 1
    return start + node.column - 1
