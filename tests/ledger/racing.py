"""Sixteen processes at one cap. Run as a program: one process, which checks when the others do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def race(folder: Path, name: str, processes: int, agents: int = 1) -> list[dict[str, object]]:
    """The decisions of so many processes that ask at one moment."""
    go = folder / "go"
    command = [sys.executable, "-m", "tests.ledger.racing", str(folder), name, str(agents)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("engine", "rules", "."))}
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) for _ in range(processes)]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    go.touch()
    answers = [json.loads(process.communicate(timeout=120)[0]) for process in started]
    go.unlink()
    return answers


def main(folder: str, name: str, agents: str) -> None:
    """Get ready, wait for the sign, check once, and tell the decision."""
    from gatewright.app import App, Options
    from gatewright.flows import recording
    from gatewright.flows.check import CheckRequest, Surroundings
    from gatewright.ledger.stores import open_ledger
    from gatewright.model import Stage

    place = Path(folder)
    gate = App(Options(), environ={}).gate(Stage.CHECK)
    ledger = open_ledger(name, str(place / "tickets"))
    request = CheckRequest(
        runtime="codex",
        contract=str(place / "job.md"),
        agents=int(agents),
        model="never-heard-of",
        completion_channel="orchestration",
    )
    surroundings = Surroundings(tier_policy=str(place / "tiers.json"), known_roots="")
    print("ready", flush=True)
    while not (place / "go").exists():
        time.sleep(0.001)
    decision = recording.check(gate, request, surroundings, ledger).decision
    print(json.dumps({"allow": decision.allow, "reason": decision.reason}))


if __name__ == "__main__":
    main(*sys.argv[1:])
