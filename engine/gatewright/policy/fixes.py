"""Fixes put into the text of a file: only those with one right answer, and only where they do what they promise.

Everything but the characters of a fix stays as it is. A fix counts when the problem is gone, and the file holds the
same values as before but for those that were fixed; any other is left to people.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from gatewright.errors import Fix, PolicyError, Problem
from gatewright.policy import documents
from gatewright.policy.tree import Mapping, Scalar, Tree
from gatewright.policy.tree import Sequence as ListTree

_ROUNDS = 20  #: a fix may uncover the next mistake of the same expression
_MARK = b"\xef\xbb\xbf"

Lint = Callable[[bytes], Sequence[Problem]]


class Mended(Struct, frozen=True):
    """A file's bytes after its fixes, the problems that they took away, and those that are left."""

    data: bytes
    fixed: tuple[Problem, ...]
    left: tuple[Problem, ...]


def mended(data: bytes, file: str, lint: Lint) -> Mended:
    """A file with everything fixed that can be. lint: tells all problems of such bytes."""
    fixed: list[Problem] = []
    left = tuple(lint(data))
    for _ in range(_ROUNDS):
        done, data = _fixed(data, file, _apart(left), lint)
        if not done:
            break
        fixed += done
        left = tuple(lint(data))
    return Mended(data, tuple(fixed), left)


def _apart(problems: Sequence[Problem]) -> list[Problem]:
    """Those that have a fix, in the order of the file, without any that overlaps the one before."""
    found: list[Problem] = []
    for problem in sorted(problems, key=lambda each: each.fix.start if each.fix else 0):
        if problem.fix is not None and (not found or problem.fix.start >= _fix(found[-1]).end):
            found.append(problem)
    return found


def _fix(problem: Problem) -> Fix:
    assert problem.fix is not None
    return problem.fix


def _fixed(data: bytes, file: str, problems: list[Problem], lint: Lint) -> tuple[list[Problem], bytes]:
    """The problems whose fixes hold, and the bytes with them: all at once, or each half by itself."""
    if not problems:
        return [], data
    after = _applied(data, problems)
    if _holds(data, after, file, problems, lint):
        return problems, after
    if len(problems) == 1:
        return [], data
    half = len(problems) // 2
    # The later half first: it moves no character of the earlier one.
    later, data = _fixed(data, file, problems[half:], lint)
    earlier, data = _fixed(data, file, problems[:half], lint)
    return [*earlier, *later], data


def _applied(data: bytes, problems: list[Problem]) -> bytes:
    mark = _MARK if data.startswith(_MARK) else b""
    text = data.removeprefix(_MARK).decode()
    for problem in reversed(problems):
        fix = _fix(problem)
        text = text[: fix.start] + fix.text + text[fix.end :]
    return mark + text.encode()


def _holds(before: bytes, after: bytes, file: str, problems: list[Problem], lint: Lint) -> bool:
    """Whether the problems are gone, and no more values differ than were fixed."""
    found = {_told(problem) for problem in lint(after)}
    if any(_told(problem) in found for problem in problems):
        return False
    values = _values(before, file)
    return values is None or _differences(values, _values(after, file)) <= len(problems)


def _told(problem: Problem) -> tuple[object, ...]:
    return problem.place, problem.path, problem.message


def _values(data: bytes, file: str) -> list[object] | None:
    """Every key and value of a file, and where each map and list starts; None for one that cannot be read."""
    try:
        return list(_walked(documents.read(data, file).tree))
    except PolicyError:
        return None


def _walked(tree: Tree) -> Iterator[object]:
    if isinstance(tree, Scalar):
        yield repr(tree.value)
    elif isinstance(tree, ListTree):
        yield "["
        for item in tree.items:
            yield from _walked(item)
        yield "]"
    elif isinstance(tree, Mapping):
        yield "{"
        for entry in tree:
            yield entry.key.raw
            yield from _walked(entry.value)
        yield "}"


def _differences(before: list[object], after: list[object] | None) -> float:
    if after is None or len(after) != len(before):
        return float("inf")
    return sum(one != other for one, other in zip(before, after, strict=True))
