"""Ledgers with rows of every kind in them, and what somebody may do to one behind its back."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from tests.ledger.desks import KINDS, FakeClock, Post

from gatewright.ledger import sources
from gatewright.ledger.chain import Frontier, head_of, leaf_of, stamp_of
from gatewright.ledger.checkpoints import Checkpoint
from gatewright.ledger.faults import Audit, Harm
from gatewright.ledger.jsonl import JsonLinesLedger
from gatewright.ledger.verifying import verify

FOREIGN = b'{"ts":1795953500,"decision":"ALLOW","n_agents":2,"model":"gpt-5.5","contract_sha":"aa","runtime":"codex"}'
ROWS = 14
BOOKS = ("sqlite", "jsonl")  #: the kinds of ledgers that are tables in a file


def filled(kind: str, folder: Path, gate: object) -> Post:
    """A ledger of fourteen rows: allowed and denied checks, registrations, and in a file lines of something else."""
    clock = FakeClock()
    post = Post(KINDS[kind](folder, clock), clock, folder, gate)
    for number in range(4):
        step(post, number)
    if kind == "jsonl":
        with (folder / "ledger.jsonl").open("ab") as file:
            file.write(FOREIGN + b"\n\n  \n{torn\n")
    else:
        take_up(post)
    for number in range(4, 8):
        step(post, number)
    return post


def again(kind: str, folder: Path, other: Post) -> Post:
    """A post on a copy of another's folder."""
    clock = FakeClock(other.clock.now, other.clock.name, other.clock.since_boot)
    post = Post(KINDS[kind](folder, clock), clock, folder, other.gate)
    post.contract.write_bytes(other.contract.read_bytes())
    return post


def step(post: Post, number: int) -> None:
    """A check of one contract, and from time to time a registration of it, or a denial."""
    post.clock.pass_(7)
    post.contract.write_text(f"# Job {number % 3}\n")
    decision = post.check(agents=1, actor=f"somebody {number}" if number % 2 else None)
    if number % 2 == 0:
        with post.ledger.writing() as session:
            row = {"decision": "ALLOW", "contract_sha": decision.contract_sha, "runtime": "codex", "ts": post.clock.now}
            session.append({**row, "job_id": f"job-{number}"}, {})


def take_up(post: Post) -> None:
    """Two rows that something else has written, as importing takes them up."""
    from gatewright.ledger.book import Kept
    from gatewright.ledger.rows import read_line

    with post.ledger.writing() as session:
        for line in (FOREIGN, b"{torn"):
            session.book.append(read_line(line), Kept(taken_up=True))


def audit(post: Post, *checkpoints: Checkpoint, chain_only: bool = False) -> Audit:
    """What going through the ledger finds."""
    with sources.opened(post.ledger) as source:
        return verify(source, checkpoints, chain_only=chain_only)


def found(post: Post, *checkpoints: Checkpoint) -> list[tuple[Harm, int | None]]:
    """What was done, and to which row first."""
    audited = audit(post, *checkpoints)
    return [(fault.harm, fault.row) for fault in audited.faults[:1]]


def checkpoint_of(post: Post, name: str = "monday") -> Checkpoint:
    """A checkpoint of a ledger as it is."""
    tally = audit(post).tally
    return Checkpoint(name=name, origin=tally.origin, size=tally.size, root=tally.root, head=tally.head)


def book_path(post: Post) -> str:
    """Where the tables are."""
    return post.ledger.proof_path if isinstance(post.ledger, JsonLinesLedger) else post.ledger.path


def sql(*statements: str) -> Callable[[Post], None]:
    """Somebody with a database shell."""

    def done(post: Post) -> None:
        connection = sqlite3.connect(book_path(post), isolation_level=None)
        connection.create_function("flipped", 1, flipped)
        connection.create_function("leaf", 1, leaf_of)
        connection.create_function("turned", 3, str.replace)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    return done


def flipped(line: bytes, at: int | None = None) -> bytes:
    """A line with one bit of one byte turned over."""
    at = len(line) // 2 if at is None else at
    return line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]


def renumbered(after: int, by: int) -> str:
    """Move the numbers of all rows behind one."""
    return f"UPDATE rows SET id = -id WHERE id > {after};UPDATE rows SET id = {by} - id WHERE id < 0"


def inserted(names: str, line: str, hashes: str) -> str:
    """Put a row before the one that has just made room for it, made of that."""
    columns = "at, ts, kind, decision, reason, agents, account, total, contract, runtime, nth"
    rest = f"{names}, settled_by, taken_up, {line}, start, length, more, {hashes}"
    return f"INSERT INTO rows SELECT {{0}}, {columns}, {rest} FROM rows WHERE id = {{0}} + 1"


def rewritten(row: int) -> Callable[[Post], None]:
    """Somebody who knows how it is done: a line changed, and all that depends on it computed anew."""

    def done(post: Post) -> None:
        connection = sqlite3.connect(book_path(post), isolation_level=None)
        line = connection.execute("SELECT line FROM rows WHERE id = ?", (row,)).fetchone()[0]
        data = json.loads(line)
        data["reason"] = "XX"
        line = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
        connection.execute("UPDATE rows SET line = ?, leaf = ?, reason = 'XX' WHERE id = ?", (line, leaf_of(line), row))
        chained(connection)

    return done


def chained(connection: sqlite3.Connection) -> None:
    """Compute chain and tree anew."""
    head, frontier = b"", Frontier()
    found = connection.execute("SELECT id, leaf, at, taken_up FROM rows ORDER BY id").fetchall()
    for number, (row, leaf, at, taken_up) in enumerate(found, 1):
        head = head_of(head, leaf, stamp_of(at, taken_up))
        frontier.add(leaf)
        connection.execute("UPDATE rows SET head = ?, id = ? WHERE id = ?", (head, number, row))
    values = (frontier.size, head, frontier.stored())
    connection.execute("UPDATE state SET size = ?, head = ?, frontier = ?", values)
    connection.close()


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Post], None]:
    """Somebody with an editor: the lines of the file, changed."""

    def done(post: Post) -> None:
        path = post.folder / "ledger.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in change(path.read_bytes().split(b"\n")[:-1])))

    return done
