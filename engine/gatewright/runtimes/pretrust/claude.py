"""Claude Code: `projects."PATH".hasTrustDialogAccepted` in `.claude.json`.

How blanks are set tells what was added: an entry that was added whole has them within its braces, the object around it
has none, and an answer that was put into an entry has one in front of its colon and none behind.
"""

import os
from collections.abc import Mapping

from gatewright.runtimes.pretrust import json_spans
from gatewright.runtimes.pretrust.homes import Homes
from gatewright.runtimes.pretrust.json_spans import Json, Member
from gatewright.runtimes.pretrust.outcomes import Edit, Status, TrustError
from gatewright.runtimes.pretrust.worktrees import Worktree

PROJECTS, ACCEPTED = "projects", "hasTrustDialogAccepted"
_ENTRY, _INTO = f'{{ "{ACCEPTED}": true }}', f'"{ACCEPTED}" :true'
_ALONE = f'{{"{ACCEPTED}": true}}'


def _whole(key: str) -> str:
    return f"{json_spans.quoted(PROJECTS)}: {{{json_spans.quoted(key)}: {_ALONE}}}"


def _new(key: str) -> bytes:
    """A file that says nothing else."""
    return f"{{ {_whole(key)}}}\n".encode()


def files(homes: Homes) -> list[str]:
    """The one file that Claude Code will look into."""
    return [os.path.join(homes.claude_config or homes.home, ".claude.json")]


def keys(worktree: Worktree) -> tuple[str, ...]:
    """The worktree itself: Claude Code looks it up before the repository."""
    return (worktree.path,)


def trust(data: bytes | None, key: str, file: str) -> Edit:
    """A file that says that the question was answered. Raises TrustError when it cannot be changed safely."""
    if data is None:
        return Edit(Status.ADDED, None, _new(key))
    found = json_spans.read(data, file)
    answer = _answer(found, key, file)
    if answer is True:
        return Edit(Status.ALREADY, data, data)
    entry, accepted = _entry(found, key), _accepted(found, key)
    if accepted is not None:
        status, after = Status.UPDATED, found.put(accepted.value, accepted.end, "true")
    elif entry is not None:
        status, after = Status.UPDATED, found.with_member(entry.value, _INTO)
    elif (projects := found.member(found.top, PROJECTS)) is not None:
        status, after = Status.ADDED, found.with_member(projects.value, f"{json_spans.quoted(key)}: {_ENTRY}")
    else:
        status, after = Status.ADDED, found.with_member(found.top, _whole(key))
    return _checked(found, data, after, key, file, status=status)


def distrust(data: bytes | None, key: str, file: str) -> Edit:
    """A file that says nothing of the question; what was added by `trust` leaves no trace."""
    if data is None or data == _new(key):
        return Edit(Status.ABSENT if data is None else Status.REVOKED, data, None)
    found = json_spans.read(data, file)
    if _answer(found, key, file) is not True:
        return Edit(Status.ABSENT, data, data)
    return _checked(found, data, _without(found, key), key, file, status=Status.REVOKED)


def _without(found: Json, key: str) -> str:
    projects, entry, accepted = found.member(found.top, PROJECTS), _entry(found, key), _accepted(found, key)
    assert projects is not None
    assert entry is not None
    assert accepted is not None
    text = found.text
    if text[projects.value : projects.end] == f"{{{json_spans.quoted(key)}: {_ALONE}}}":
        return found.without_member(found.top, projects)
    if text[entry.value : entry.end] == _ENTRY:
        return found.without_member(projects.value, entry)
    if text[accepted.start : accepted.end] == _INTO:
        return found.without_member(entry.value, accepted)
    return found.put(accepted.value, accepted.end, "false")


def _entry(found: Json, key: str) -> Member | None:
    projects = found.member(found.top, PROJECTS)
    return None if projects is None else found.member(projects.value, key)


def _accepted(found: Json, key: str) -> Member | None:
    entry = _entry(found, key)
    return None if entry is None else found.member(entry.value, ACCEPTED)


def _answer(found: Json, key: str, file: str) -> bool | None:
    """What the file says of a key. A `false` is what Claude Code writes before anybody has answered."""
    projects = found.document.get(PROJECTS, {})
    if not isinstance(projects, dict):
        raise TrustError(file, f"`{PROJECTS}` is no object")
    entry = projects.get(key, {})
    if not isinstance(entry, dict):
        raise TrustError(file, f"the entry of `{key}` is no object")
    answer = entry.get(ACCEPTED)
    if answer is not None and not isinstance(answer, bool):
        raise TrustError(file, f"`{ACCEPTED}` of `{key}` is neither true nor false")
    return answer


def _checked(found: Json, data: bytes, after: str, key: str, file: str, *, status: Status) -> Edit:
    """An edit after which a parser finds the one answer changed and nothing else. Raises TrustError for any other."""
    data_after = (found.mark + after).encode()
    changed = json_spans.read(data_after, file)
    trusted = _answer(changed, key, file) is True
    if _rest(changed.document, key) != _rest(found.document, key) or trusted is (status is Status.REVOKED):
        raise TrustError(file, f"`{key}` cannot be changed without changing something else", "change it by hand")
    return Edit(status, data, data_after)


def _rest(document: Mapping[str, object], key: str) -> dict[str, object]:
    """A document without the answer for a key."""
    projects = document.get(PROJECTS, {})
    assert isinstance(projects, dict)
    entry = {name: value for name, value in projects.get(key, {}).items() if name != ACCEPTED}
    return {**document, PROJECTS: {**projects, key: entry}}
