"""What Python itself hears of while code runs, in a process of its own, since an audit hook can never be taken away.

One left behind in a process of tests runs Python code in the middle of what its threads do, at places where Python
lets no other thread in otherwise: they then start without their trace function, or not at all.
"""

import json
import os
import subprocess
import sys

#: Before the first line of a script: it has `heard()`, a context in which events are kept, and `tell`, its answer.
HEARING = """
import contextlib, json, sys
_events, _hearing = [], []
sys.addaudithook(lambda event, found: _hearing and _events.append((event, str(found))))

@contextlib.contextmanager
def heard():
    _hearing.append(True)
    try:
        yield
    finally:
        _hearing.clear()

def tell(answer=None):
    print(json.dumps([answer, _events]))
"""


def audited(script: str) -> tuple[object, list[tuple[str, str]]]:
    """What a script tells, and the events heard meanwhile: kind of each and what it was about, in order."""
    path = os.pathsep.join(part for part in sys.path if part)
    command = [sys.executable, "-c", HEARING + script]
    done = subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, text=True, timeout=60, check=True)
    answer, events = json.loads(done.stdout)
    return answer, [(event, about) for event, about in events]
