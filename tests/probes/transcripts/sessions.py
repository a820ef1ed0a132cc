"""Sessions as agents write them, row by row, for tests."""

import json
from pathlib import Path

from gatewright.model.tiers import TierTable

NEWEST, CHEAP, DEAR = "claude-sonnet-5", "claude-haiku-4-5", "claude-opus-5"
TABLE = TierTable(
    version=2,
    index={DEAR: "top", "gpt-6-sol": "top", NEWEST: "mid", "gpt-5.5": "mid", CHEAP: "low", "gpt-6-luna": "low"},
    order=("top", "mid", "low"),
)
SESSION = "7c0f3f3e-0000-4000-8000-00000000beef"
TREE = "/yard/trees/blue"


def answer(model: object, answer_id: str | None = None, **more: object) -> dict:
    """An answer of Claude Code's, without an id where none is given."""
    message = {"role": "assistant", "model": model, "content": [{"type": "text", "text": "done"}]}
    if answer_id is not None:
        message["id"] = answer_id
    return {"type": "assistant", "sessionId": SESSION, "cwd": TREE, "isSidechain": False, "message": message, **more}


def answers(*models: object) -> list[dict]:
    """An answer a model, each with an id of its own."""
    return [answer(model, f"msg_{at}") for at, model in enumerate(models)]


def task(text: str = "go", *, at: str = "2026-11-20T08:00:00Z", cwd: str = TREE, **more: object) -> dict:
    """The row with which a session of Claude Code's begins."""
    message = {"role": "user", "content": text}
    return {"type": "user", "sessionId": SESSION, "cwd": cwd, "timestamp": at, "message": message, **more}


def meta(session: str = "s-1", *, at: str = "2026-11-20T08:00:00Z", cwd: str = TREE, **more: object) -> dict:
    """The header of a rollout."""
    payload = {"id": session, "timestamp": at, "cwd": cwd, "source": "cli", "model_provider": "openai", **more}
    return {"timestamp": at, "type": "session_meta", "payload": payload}


def turn(model: object, turn_id: str | None = None, *, at: str = "2026-11-20T08:00:05Z") -> dict:
    """A turn of a rollout."""
    payload = {"turn_id": turn_id, "cwd": TREE, "model": model}
    return {"timestamp": at, "type": "turn_context", "payload": payload}


def warning(text: str) -> dict:
    """A warning within a rollout."""
    return {"type": "event_msg", "payload": {"type": "warning", "message": text}}


def write(path: Path, *rows: object) -> str:
    """Write rows, or whole lines as bytes or text; the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (
        each if isinstance(each, bytes) else (each if isinstance(each, str) else json.dumps(each)).encode()
        for each in rows
    )
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return str(path)
