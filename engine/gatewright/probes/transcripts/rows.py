"""A line of a transcript, and the few of its fields that tell of models; the rest is passed over unread.

What stands in a field is anybody's guess: formats differ, and a transcript is the worker's own file. So a field is
any value here, and is asked what it is where it is used.
"""

import json

import msgspec
from msgspec import Raw, Struct

_Odd = str | int | float | bool | list[Raw] | None
_AROUND = b"\x00\xef\xbb\xbf \t\r\n"  #: byte order mark, line ends, and NULs that a crash has left


class Part(Struct):
    """An object within a row: an answer, a payload, a tool's result."""

    id: object = None
    type: object = None
    role: object = None
    model: object = None
    cwd: object = None
    timestamp: object = None
    turn_id: object = None
    source: object = None
    thread_source: object = None
    forked_from_id: object = None
    from_model: object = None
    to_model: object = None
    agent_id: object = msgspec.field(name="agentId", default=None)
    resolved_model: object = msgspec.field(name="resolvedModel", default=None)
    message: "ErrorText | _Odd" = None
    error: "ErrorText | _Odd" = None


class ErrorText(Struct):
    """What an error says of itself."""

    codex_error_info: object = None


class Row(Struct, rename="camel"):
    """A row of any transcript."""

    type: object = None
    subtype: object = None
    role: object = None
    model: object = None
    is_sidechain: object = None
    agent_id: object = None
    session_id: object = None
    cwd: object = None
    timestamp: object = None
    requested_model: object = None
    is_api_error_message: object = None
    error: object = None
    trigger: object = None
    original_model: object = None
    fallback_model: object = None
    forked_from: object = None
    message: Part | _Odd = None
    item: Part | _Odd = None
    payload: Part | _Odd = None
    response: Part | _Odd = None
    tool_use_result: Part | _Odd = None


_DECODER = msgspec.json.Decoder(Row)


def row_in(line: bytes) -> Row | None:
    """The row in a line; None for a line that holds none."""
    try:
        return _DECODER.decode(line)  # several times as fast, and more particular
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _read_patiently(line)


def _read_patiently(line: bytes) -> Row | None:
    """The same with what leaves a row readable forgiven: broken bytes, lone surrogates, control characters."""
    found = whole(line)
    if found is None:
        return None
    try:
        return msgspec.convert(found, Row, strict=False)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def whole(line: bytes) -> dict[str, object] | None:
    """The whole object in a line; None for a line that holds none."""
    text = line.strip(_AROUND).decode("utf-8", "replace")
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text, strict=False, parse_int=_number)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


_DIGITS = 20  #: what a longer run of digits says is nothing that a row is asked for


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _DIGITS else float("inf")


def part(value: object) -> Part:
    """An object within a row; an empty one in the place of anything else."""
    return value if isinstance(value, Part) else Part()


def text(value: object) -> str | None:
    """A text that says something, without the blanks around it; None for anything else."""
    found = value.strip() if isinstance(value, str) else ""
    return found or None
