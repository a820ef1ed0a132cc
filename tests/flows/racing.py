"""Processes that register at one moment. Run as a program: one of them."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def race(folder: Path, name: str, processes: int) -> list[dict[str, object]]:
    """The decisions of so many processes that each register a job of their own at one moment."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("engine", "rules", "."))}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.flows.racing", str(folder), name, f"job_{number}"],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        for number in range(processes)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    (folder / "go").touch()
    return [json.loads(process.communicate(timeout=120)[0]) for process in started]


def main(folder: str, name: str, job: str) -> None:
    """Get ready, wait for the sign, register once, and tell the decision."""
    from gatewright.app import App, Options
    from gatewright.flows.registering import Means, register
    from gatewright.flows.registrations import RegisterRequest
    from gatewright.ledger.stores import open_ledger
    from gatewright.model import Stage

    place = Path(folder)
    gate = App(Options(), environ={}).gate(Stage.REGISTER)
    ledger = open_ledger(name, str(place / "tickets"))
    request = RegisterRequest(job_id=job, probe_cmd=f"echo {job}")
    means = Means(tier_policy=str(place / "tiers.json"), look_up=App(Options(), environ={}).look_up())
    print("ready", flush=True)
    while not (place / "go").exists():
        time.sleep(0.001)
    decision = register(gate, request, means, ledger).decision
    print(json.dumps({"allow": decision.allow, "reason": decision.reason}))


if __name__ == "__main__":
    main(*sys.argv[1:])
