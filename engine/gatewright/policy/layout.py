"""The one layout of policies, fixtures and tier tables: same meaning, same order, same comments, other blanks.

Maps are indented by two columns, lists by two under their key. There is one blank line at most, one blank in front of a
comment behind a value, and texts are in double quotes where that takes no escape. What stands in brackets stays in them
as long as it fits on its line and holds no comment.
"""

import json
import re

from gatewright.errors import PolicyError
from gatewright.policy import reader
from gatewright.policy.layout_parts import Group, Item, Leaf, Parts, Remark, parts_of
from gatewright.policy.tree import Tree, plain, problem

WIDTH = 120  #: columns that a value in brackets may reach
STEP = 2
_MAX_KEY = 1000  #: characters of a key that needs no `? ` in front; YAML's own limit is a little above
_BLOCK = ("|", ">")


def formatted(data: bytes, file: str) -> str:
    """The text of a YAML file, laid out anew.

    Raises PolicyError for a file with a mistake; nothing else, whatever the bytes.
    """
    document = reader.read(data, file)
    if document.problems:
        raise PolicyError(document.problems)
    text = "".join(f"{line}\n" for line in _document(parts_of(document.source.text.replace("\r\n", "\n"))))
    # INVARIANT: what is written is read as the same as what stood there.
    if not _means(text, document.tree):
        message = "laid out anew it would mean something else, so it stays as it is"
        raise PolicyError((problem(document.source, 1, 1, message, hint="please report this file", check="fmt"),))
    return text


def _means(text: str, tree: Tree) -> bool:
    try:
        again = reader.read(text.encode(), "")
    except PolicyError:
        return False
    return not again.problems and plain(again.tree) == plain(tree)


def _document(parts: Parts) -> list[str]:
    top = parts.top
    lines = [*_remarks(parts.head, 0), *["---"] * parts.marked, *_remarks(top.between, 0)]
    if isinstance(top.value, Group) and not _fits(top, 0):
        lines += [*_group(top.value, 0), *_remarks([top.behind] if top.behind else [], 0)]
    elif top.value is not None:
        lines += _ended(_whole(top.value, STEP), top.behind)
    return _begun([*lines, *_remarks(parts.tail, 0)])


def _begun(lines: list[str]) -> list[str]:
    """The same lines without a blank one in front."""
    return lines[1:] if lines and not lines[0] else lines


# -- comments ----------------------------------------------------------------------------------------------------------


def _remarks(remarks: list[Remark], indent: int) -> list[str]:
    """Comments on lines of their own."""
    return [line for each in remarks for line in (*[""] * each.blank, " " * indent + each.text)]


def _ended(lines: list[str], remark: Remark | None) -> list[str]:
    """The same lines with a comment behind the last."""
    return [*lines[:-1], f"{lines[-1]} {remark.text}"] if remark is not None else lines


# -- maps and lists ----------------------------------------------------------------------------------------------------


def _group(group: Group, indent: int) -> list[str]:
    lines: list[str] = []
    for item in group.items:
        lines += [*_remarks(item.before, indent), *[""] * item.blank, *_item(item, indent)]
    return _begun([*lines, *_remarks(group.tail, indent)])


def _item(item: Item, indent: int) -> list[str]:
    pad, value = " " * indent, item.value
    head = _head(item, indent)
    if isinstance(value, Group) and not _fits(item, indent):
        # A comment behind a closing bracket is about the whole, so it goes to the key.
        lines = _headed(pad + head, [*item.between, *([item.behind] if item.behind else [])], indent)
        below = _group(value, indent + STEP)
        if head == "-" and len(lines) == 1 and lines[0] == pad + head and not value.items[0].before:
            return [f"{pad}- {below[0].lstrip()}", *below[1:]]
        return [*lines, *below]
    if value is None:
        return _headed(pad + head, item.between, indent)
    first, *more = _ended(_whole(value, indent + STEP), item.behind)
    if item.between:
        return [*_headed(pad + head, item.between, indent), f"{pad}{' ' * STEP}{first}", *more]
    return [f"{pad}{head} {first}", *more]


def _head(item: Item, indent: int) -> str:
    if item.key is None:
        return "-"
    key = _line(item.key)
    return f"{key}:" if len(key) <= _MAX_KEY else f"? {key}\n{' ' * indent}:"


def _headed(head: str, remarks: list[Remark], indent: int) -> list[str]:
    """A key or dash by itself, the first comment that can stand behind it there, the others below."""
    behind = next((each for each in remarks if not each.own_line), None)
    below = [" " * (indent + STEP) + each.text for each in remarks if each is not behind]
    return [*_ended([head], behind), *below]


def _fits(item: Item, indent: int) -> bool:
    """Whether a value can stand in brackets on the line of its key."""
    assert isinstance(item.value, Group)
    line = _brackets(item.value)
    return line is not None and (not item.value.items or indent + len(_head(item, indent)) + 1 + len(line) <= WIDTH)


def _brackets(group: Group) -> str | None:
    """A map or list in brackets on one line; None for one that holds a comment, or was not written so."""
    if not group.flow or group.tail:
        return None
    parts: list[str] = []
    for item in group.items:
        value = _brackets(item.value) if isinstance(item.value, Group) else _line(item.value)
        key = _line(item.key) if item.key is not None else ""
        if value is None or item.before or item.between or item.behind or len(key) > _MAX_KEY:
            return None
        parts.append(f"{key}: {value}" if item.key is not None else value)
    if group.mapping:
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    return f"[{', '.join(parts)}]"


# -- single values -----------------------------------------------------------------------------------------------------


def _whole(value: Leaf | Group, indent: int) -> list[str]:
    """The lines of a value, the first without its indentation."""
    if isinstance(value, Group):
        return [str(_brackets(value))]
    return _block(value, indent) if value.style in _BLOCK else _lines(value, indent)


def _line(leaf: Leaf | None) -> str:
    """A value on one line, as it can stand in brackets or in front of a colon."""
    if leaf is None:
        return "null"
    if leaf.style in ("'", '"') and "\n" not in leaf.raw:
        return _quoted(leaf)
    plain_text = leaf.style == "" and "\n" not in leaf.value and not _MARKER.match(leaf.value)
    # In brackets a colon at the end would make a key of the text.
    return leaf.value if plain_text and not leaf.value.endswith(":") else _escaped(leaf)


#: What would divide documents at the start of a line.
_MARKER = re.compile(r"(?:---|\.\.\.)(?:\s|$)")


def _escaped(leaf: Leaf) -> str:
    return json.dumps(leaf.value, ensure_ascii=False)


def _quoted(leaf: Leaf) -> str:
    """A value as it was written, in double quotes if it was in single ones and needs no escape."""
    if leaf.style == "" and _MARKER.match(leaf.raw):
        return _escaped(leaf)
    if leaf.style == "'" and not re.search(r'["\\]', leaf.raw):
        return '"' + leaf.raw[1:-1].replace("''", "'") + '"'
    return leaf.raw


def _lines(leaf: Leaf, indent: int) -> list[str]:
    """A plain or quoted value, with the line breaks that it was written with."""
    first, *more = _quoted(leaf).split("\n")
    if not more:
        return [first]
    *middle, last = [line.lstrip(" \t") for line in more]
    inner = [_trimmed(first, leaf.style), *(_trimmed(line, leaf.style) for line in middle), last]
    return [inner[0], *(" " * indent + line if line else "" for line in inner[1:])]


def _trimmed(line: str, style: str) -> str:
    """A line of a value without the blanks at its end, which YAML drops; one that is escaped is kept."""
    found = line.rstrip(" \t")
    escaped = style == '"' and (len(found) - len(found.rstrip("\\"))) % 2
    return found + line[len(found) : len(found) + 1] if escaped else found


_HEADER = re.compile(r"(?P<style>[|>])(?P<signs>[-+1-9]*)[ \t]*(?P<comment>#.*)?")


def _block(leaf: Leaf, indent: int) -> list[str]:
    """A text below `|` or `>`, its lines as they are behind their indentation."""
    head, _, body = leaf.raw.partition("\n")
    match = _HEADER.match(head)
    assert match is not None
    digit, chomp = match["signs"].strip("+-"), match["signs"].strip("123456789")
    lines = body.split("\n")
    inner = max(leaf.outer, 1) - 1 + int(digit) if digit else _indentation(lines)
    lines = [line[max(inner, 0) :] for line in lines]
    if chomp != "+":
        while lines and not lines[-1]:
            lines.pop()
    elif not lines[-1]:
        lines.pop()
    if not leaf.value.endswith("\n"):
        chomp = "-"  # where the file ended within the text, a line feed behind it would be new
    first = next((line for line in lines if line), "")
    sign = match["style"] + (str(STEP) if first.startswith(" ") else "") + chomp
    comment = f" {match['comment'].rstrip()}" if match["comment"] else ""
    return [sign + comment, *(" " * indent + line if line else "" for line in lines)]


def _indentation(lines: list[str]) -> int:
    """The columns in front of a block's first line that is not blank."""
    written = [line for line in lines if line.strip(" ")]
    return len(written[0]) - len(written[0].lstrip(" ")) if written else max(len(line) for line in lines)
