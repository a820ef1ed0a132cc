"""Whether somebody else is at work in the same place: the scopes of contracts, and which of them are unfinished.

It is a word of warning. It stops nothing, and a fault on the way to it is none of the dispatch's.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from gatewright.digests import sha256_hex
from gatewright.errors import GatewrightError
from gatewright.flows.dispatching.desk import Desk
from gatewright.ledger.rows import RowKind
from gatewright.model import Contract
from gatewright.orchestrators.protocol import Orchestrator
from gatewright.policy import contracts
from gatewright.policy.surface import covers
from gatewright.probes.files import read_file

_DAYS = 30 * 86_400.0  #: how far back registrations are looked for
_MAX_FILES, _MAX_BYTES = 200, 1 << 20
_CLAUSE = re.compile(r"(?i)^(?P<indent>[ \t]*)[-*+][ \t]+(?:\*\*)?scope(?:\*\*)?[ \t]*:(?:\*\*)?(?P<text>.*)$")
_QUOTED = re.compile(r"`([^`\s]+)`")
_WORD = re.compile(r"[^\s,;()\[\]\"'`]+")
_GLOB = re.compile(r"[*?\[]")


class Collision(Struct, frozen=True, kw_only=True):
    """Unfinished work on the same paths."""

    contract: str
    task: str
    shared: tuple[str, ...] = ()  #: the scopes of this contract that overlap; none where it is this very contract


def collisions(contract: Contract, desk: Desk, orchestrator: Orchestrator) -> tuple[Collision, ...]:
    """Unfinished work of this very contract, and of those in its folder that have a scope in common with it."""
    try:
        return tuple(_collisions(contract, desk, orchestrator))
    except (GatewrightError, OSError, ValueError, RecursionError):
        return ()


def _collisions(contract: Contract, desk: Desk, orchestrator: Orchestrator) -> Iterator[Collision]:
    own = scope_of(read_file(contract.path))
    near = dict(_overlapping(contract, own)) if own else {}
    if contract.sha256 is not None:
        near[contract.sha256] = (contract.path, ())
    since = desk.now().epoch - _DAYS
    tasks: dict[str, set[str]] = {}
    for entry in desk.ledger(to_read=True).rows(since):
        task = entry.row.data.get("orchestration_task")
        known = entry.row.kind is RowKind.REGISTRATION and entry.row.decision == "ALLOW"
        if known and entry.row.contract_sha in near and isinstance(task, str):
            tasks.setdefault(entry.row.contract_sha, set()).add(task)
    for sha, (path, shared) in near.items():
        for task in sorted(tasks.get(sha, ())):
            dispatch = orchestrator.dispatch_of(task)
            if dispatch is not None and dispatch.status.is_active:
                yield Collision(contract=path, task=task, shared=shared)


def _overlapping(contract: Contract, own: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """Other contracts of the folder by their hash, each with its path and what of the scope it shares."""
    folder = os.path.dirname(os.path.abspath(contract.path))
    names = sorted(name for name in os.listdir(folder) if name.endswith((".md", ".markdown")))
    for name in names[:_MAX_FILES]:
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or os.path.getsize(path) > _MAX_BYTES:
            continue
        data = read_file(path)
        sha = sha256_hex(data)
        theirs = scope_of(data) if sha != contract.sha256 else ()
        shared = tuple(each for each in own if any(overlap(each, other) for other in theirs))
        if shared:
            yield sha, (os.path.join(os.path.dirname(contract.path), name), shared)


def scope_of(data: bytes) -> tuple[str, ...]:
    """The paths and patterns that a contract is about: its `- Scope:` clause, and what its front matter allows."""
    found = dict.fromkeys(_clause(data.decode("utf-8", "replace").splitlines()))
    with suppress(GatewrightError):  # one that cannot be gone by
        found |= dict.fromkeys(map(_plain, contracts.load(data, "contract").allow))
    return tuple(each for each in found if each)


def _clause(lines: list[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        match = _CLAUSE.match(line)
        if match is None:
            continue
        indent = len(match["indent"].expandtabs())
        yield from _tokens(match["text"])
        for more in lines[at + 1 :]:
            if not more.strip() or len(more.expandtabs()) - len(more.expandtabs().lstrip()) <= indent:
                break
            yield from _tokens(more)


def _tokens(text: str) -> Iterator[str]:
    """What is in back quotes, and of the rest what looks like a path."""
    yield from map(_plain, _QUOTED.findall(text))
    for word in _WORD.findall(_QUOTED.sub(" ", text)):
        if ("/" in word and "://" not in word) or _GLOB.search(word) or re.search(r"\w\.\w+$", word):
            yield _plain(word.rstrip(".:"))


def _plain(path: str) -> str:
    """A pattern without what makes no difference: `./` in front, and what says `all that is below`."""
    path = path.removeprefix("./")
    return re.sub(r"(?:/\*{0,2})+$", "", path) or ("**" if path.startswith(("*", ".", "/")) else "")


def overlap(one: str, other: str) -> bool:
    """Whether two patterns may name the same path. Where both hold stars, what differs at their ends is looked at."""
    if "**" in (one, other) or covers([one], other) or covers([other], one):
        return True
    first, second = _fixed(one), _fixed(other)
    if not (_GLOB.search(one) or _GLOB.search(other)):
        return False
    nested = (
        first == second or first.startswith(second + "/") or second.startswith(first + "/") or "" in (first, second)
    )
    return nested and _ends_alike(one, other)


def _fixed(pattern: str) -> str:
    """The folders in front of the first part with a star."""
    parts = pattern.split("/")
    stars = next((at for at, part in enumerate(parts) if _GLOB.search(part)), len(parts))
    return "/".join(parts[:stars])


def _ends_alike(one: str, other: str) -> bool:
    ends = [_GLOB.split(pattern.rsplit("/", 1)[-1])[-1] for pattern in (one, other)]
    return ends[0].endswith(ends[1]) or ends[1].endswith(ends[0])
