"""`projects."PATH".trust_level` in a configuration in TOML: set and taken out, and nothing else touched.

Every change is tried out before it counts: what a TOML parser reads afterwards has to be what it read before, but for
this one value. How a value is quoted tells later what was added with it: `"trusted"` stands in an entry that was added
whole, `'trusted'` was put into an entry that had been there.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence

from gatewright.runtimes.pretrust.outcomes import Edit, Status, TrustError
from gatewright.runtimes.pretrust.toml_spans import Header, Pair, Path, spans

PROJECTS, LEVEL = "projects", "trust_level"
TRUSTED, UNTRUSTED = "trusted", "untrusted"
_MARK = "\ufeff"
_WHOLE, _INTO = f'{LEVEL} = "{TRUSTED}"', f"{LEVEL} = '{TRUSTED}'"


def trust(data: bytes | None, keys: Sequence[str], file: str, *, flip: bool) -> Edit:
    """A configuration that trusts these keys.

    flip: whether one that is explicitly untrusted may be turned around.

    Raises TrustError when it is not valid, says something else of a key, or cannot be changed safely.
    """
    if data is None:
        # The empty line tells a file that was made from one that was there and empty.
        return Edit(Status.ADDED, None, f"\n{_all_of(keys, file)}".encode())
    mark, text = _decoded(data, file)
    levels = [_level(_read(text, file), key, file) for key in keys]
    refused = [key for key, level in zip(keys, levels, strict=True) if level == UNTRUSTED and not flip]
    if refused:
        raise TrustError(file, f"`{refused[0]}` is explicitly untrusted", "pass --flip-untrusted to turn that around")
    known = any(_has(_read(text, file), key) for key in keys)
    after = text
    for key, level in zip(keys, levels, strict=True):
        if level != TRUSTED:
            after = _with(after, key, file)
    if after == text:
        return Edit(Status.ALREADY, data, data)
    return Edit(Status.UPDATED if known else Status.ADDED, data, (mark + after).encode())


def distrust(data: bytes | None, keys: Sequence[str], file: str) -> Edit:
    """A configuration without the trust in these keys; what was added by `trust` leaves no trace.

    The first key is the worktree's. One behind it goes only where it follows directly, as it does when both were added
    together: else somebody has trusted it before.
    """
    if data is None:
        return Edit(Status.ABSENT, None, None)
    mark, text = _decoded(data, file)
    levels = {key: _level(_read(text, file), key, file) for key in keys}
    own = [key for key in keys if levels[key] == TRUSTED]
    if keys[0] not in own:
        return Edit(Status.ABSENT, data, data)
    after = text
    for key in [*(key for key in own[1:] if _follows(text, keys[0], key)), keys[0]]:
        after = _checked(text=after, changed=_without(after, key), key=key, level=None, file=file)
    made = not after and text.startswith("\n")
    return Edit(Status.REVOKED, data, None if made else (mark + after).encode())


def _all_of(keys: Sequence[str], file: str) -> str:
    text = ""
    for key in keys:
        text = _with(text, key, file)
    return text


def _decoded(data: bytes, file: str) -> tuple[str, str]:
    """The byte order mark, if there is one, and the text behind it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise TrustError(file, "it is no text in UTF-8") from None
    return (_MARK, text[1:]) if text.startswith(_MARK) else ("", text)


def _read(text: str, file: str) -> Mapping[str, object]:
    try:
        # Numbers keep their spelling: a text that differs in one is another, and `nan` equals nothing.
        return tomllib.loads(text, parse_float=lambda spelt: ("float", spelt))
    except (ValueError, RecursionError) as error:
        problem = (
            str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it is nested too deep or holds too much"
        )
        raise TrustError(file, f"it is not valid TOML: {_lowered(problem)}", "mend it first") from None


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _level(document: Mapping[str, object], key: str, file: str) -> str | None:
    """What is said of a key; None when nothing is."""
    projects = document.get(PROJECTS, {})
    if not isinstance(projects, Mapping):
        raise TrustError(file, f"`{PROJECTS}` is no table")
    entry = projects.get(key, {})
    if not isinstance(entry, Mapping):
        raise TrustError(file, f"the entry of `{key}` is no table")
    level = entry.get(LEVEL)
    if level is not None and level not in (TRUSTED, UNTRUSTED):
        raise TrustError(file, f"the trust level of `{key}` is neither `{TRUSTED}` nor `{UNTRUSTED}`", "mend it first")
    return level if isinstance(level, str) else None


def _has(document: Mapping[str, object], key: str) -> bool:
    projects = document.get(PROJECTS)
    return isinstance(projects, Mapping) and key in projects


def _with(text: str, key: str, file: str) -> str:
    """The text in which a key is trusted, in the first of the ways that is right for how the file is written."""
    for changed in _ways(text, key):
        try:
            return _checked(text=text, changed=changed, key=key, level=TRUSTED, file=file)
        except TrustError:
            continue
    raise TrustError(file, f"`{key}` cannot be added without changing something else", "add it by hand")


def _checked(*, text: str, changed: str, key: str, level: str | None, file: str) -> str:
    """A changed text. Raises TrustError when a parser finds anything else changed than the level of one key."""
    wanted, got = _plain(_read(text, file)), _plain(_read(changed, file))
    for document in (wanted, got):
        projects = document.setdefault(PROJECTS, {})
        assert isinstance(projects, dict)
        entry = projects.setdefault(key, {})
        if document is got and entry.get(LEVEL) != (str, level) and level is not None:
            raise TrustError(file, f"`{key}` cannot be changed safely", "change it by hand")
        entry.pop(LEVEL, None)
    if wanted != got:
        raise TrustError(file, f"`{key}` cannot be changed without changing something else", "change it by hand")
    return changed


def _plain(document: Mapping[str, object]) -> dict[str, object]:
    """The document with the kind of each value told, since 1, 1.0 and true are equal to each other."""
    return {name: _told(value) for name, value in document.items()}


def _told(value: object) -> object:
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_told(each) for each in value]
    return type(value), value


def _ways(text: str, key: str) -> Iterator[str]:
    """Each way to trust a key; which of them are right depends on how its table is written."""
    found, path = spans(text), (PROJECTS, key)
    for each in _pairs(found, (*path, LEVEL)):
        yield _put(text, each.value, each.value_end, f'"{TRUSTED}"')
    for each in _pairs(found, path):
        yield _into_braces(text, found, each, _INTO)
    for header in found:
        if isinstance(header, Header) and header.path == path:
            yield _line_after(text, header.end, _INTO)
    for each in reversed(_lines(found)):
        if each.path[:2] == path:
            yield _line_after(text, each.end, f"{_dotted((*path, LEVEL)[len(each.table) :])} = '{TRUSTED}'")
    for each in reversed(_lines(found)):
        if each.path[:1] == (PROJECTS,) and not each.table:
            yield _line_after(text, each.end, f'{_dotted((*path, LEVEL))} = "{TRUSTED}"')
    yield _block(text, key)
    for each in _pairs(found, (PROJECTS,)):
        yield _into_braces(text, found, each, f"{_quoted(key)} = {{{_WHOLE}}}")
        yield _into_braces(text, found, each, f"{_quoted(key)}.{_INTO}")


def _pairs(found: Sequence[Header | Pair], path: Path) -> list[Pair]:
    return [each for each in found if isinstance(each, Pair) and each.path == path]


def _lines(found: Sequence[Header | Pair]) -> list[Pair]:
    """The pairs that stand on lines of their own, in tables to which more lines may be added."""
    return [each for each in found if isinstance(each, Pair) and each.inside is None and len(each.table) < 2]  # noqa: PLR2004


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_after(text: str, at: int, line: str) -> str:
    """A line in front of the one at a place; at the end of a text without a last line end, it gets none either."""
    end = _newline(text)
    return _put(text, at, at, line + end if text[:at].endswith("\n") else end + line)


def _into_braces(text: str, found: Sequence[Header | Pair], braces: Pair, new: str) -> str:
    inside = braces.value + 1
    last = max((each.value_end for each in found if isinstance(each, Pair) and each.inside == inside), default=None)
    return _put(text, inside, inside, new) if last is None else _put(text, last, last, f", {new}")


def _block(text: str, key: str) -> str:
    """A table at the end, with a line between; where the text has no last line end, the table gets none either."""
    end = _newline(text)
    lines = f"[{PROJECTS}.{_quoted(key)}]{end}{_WHOLE}"
    if not text:
        return lines + end
    return text + end + lines + end if text.endswith("\n") else text + end + end + lines


def _dotted(path: Path) -> str:
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else _quoted(part) for part in path)


def _quoted(key: str) -> str:
    """A key as a basic string."""
    escapes = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(escapes.get(char) or _escaped(char) for char in key) + '"'


def _escaped(char: str) -> str:
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _follows(text: str, first: str, second: str) -> bool:
    """Whether the entry of one key stands directly behind that of another."""
    keys = [each.path[1] for each in spans(text) if each.path[:1] == (PROJECTS,) and len(each.path) > 1]
    return second in keys and first in keys and keys.index(second) > 0 and keys[keys.index(second) - 1] == first


def _without(text: str, key: str) -> str:
    """The text without the trust in a key, and without the entry that was added for it alone."""
    found = spans(text)
    pair = _pairs(found, (PROJECTS, key, LEVEL))[0]
    if pair.inside is not None:
        entry = next((each for each in _pairs(found, (PROJECTS, key)) if each.value + 1 == pair.inside), None)
        if entry is not None and entry.inside is not None and text[entry.value : entry.value_end] == f"{{{_WHOLE}}}":
            pair = entry
        return _out_of_braces(text, found, pair)
    start, end = pair.start, pair.end
    comment = text.find("#", pair.value_end, end)
    if comment >= 0:
        return _put(text, start, comment, "")
    headers = [each for each in found if isinstance(each, Header) and each.end == pair.start]
    block = f"[{PROJECTS}.{_quoted(key)}]{_newline(text)}{_WHOLE}"
    if headers and text[headers[0].start : end].rstrip("\r\n") == block and _stands_alone(found, pair):
        start = _without_line_end(text, headers[0].start)
    if end == len(text) and not text.endswith("\n"):
        start = _without_line_end(text, start)
    return _put(text, start, end, "")


def _stands_alone(found: Sequence[Header | Pair], pair: Pair) -> bool:
    """Whether a pair is the last one of its table."""
    behind = found[found.index(pair) + 1 :]
    return not behind or isinstance(behind[0], Header)


def _without_line_end(text: str, at: int) -> int:
    return at - len(re.search(r"(?:\r?\n)?\Z", text[:at]).group())  # type: ignore[union-attr]  # it matches nothing too


def _out_of_braces(text: str, found: Sequence[Header | Pair], pair: Pair) -> str:
    if pair.before is not None:
        return _put(text, pair.before, pair.value_end, "")
    behind = [
        each.start
        for each in found
        if isinstance(each, Pair) and each.inside == pair.inside and each.start > pair.start
    ]
    return _put(text, pair.start, min(behind, default=pair.value_end), "")
