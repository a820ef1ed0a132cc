"""What Python itself hears of while policies are loaded from bytes and requests decided: nothing from outside."""

from tests.audited import audited

SCRIPT = """
from tests.runner.gates import BUILT_IN, CHECK, HEAD, request
from gatewright.errors import PolicyError
from gatewright.policy.loader import load
from gatewright.runner import Gate
from gatewright.runner.explain import explain

with open(CHECK, "rb") as file:
    shipped = file.read()
NAME = "  - {id: a, deny: %s, message: '{agents} of {runtime}'}\\n"

def policies(round):
    yield shipped
    yield (HEAD + "rules:\\n" + NAME % f"agents > {round}").encode()
    yield (HEAD + "rules:\\n" + NAME % f'"matches(runtime, \\'^x{{{round}}}$\\')"').encode()
    yield (HEAD + "rules:\\n" + NAME % f"agnets > {round}").encode()
    yield b"a: !!python/object/apply:os.system [id]\\n"

def work(round):
    codes = []
    for text in policies(round):
        try:
            gate = Gate(load(text, "p.yaml", BUILT_IN), BUILT_IN)
        except PolicyError as error:
            codes.append(str(error) != "")
            continue
        for facts in (request(), request(agents=9), request(model=None), request(window=7), {}):
            decision = gate.decide(facts)
            explain(gate, gate.admit(facts)).to_dict()
            codes.append(decision.to_dict()["reason"])
    return codes

work(1)  # modules are imported and patterns compiled on first use
with heard():
    codes = work(2)
tell(codes)
"""

#: Looks at Python's own insides, of which it tells for completeness.
INSPECTION = {"builtins.id", "sys._getframe", "object.__getattr__"}
#: A policy is made one function, from source of ours.
OWN_CODE = {"compile": "def decide(facts):", "exec": 'file "<gatewright decide>"'}


def test_loading_and_deciding_touch_nothing_outside_and_run_no_code_but_ours():
    codes, seen = audited(SCRIPT)
    assert {"OK", "TIER_FANOUT_CAP", "NO_MODEL", "A", True} <= set(codes)
    foreign = [
        (event, args)
        for event, args in seen
        if event not in INSPECTION and not (event in OWN_CODE and OWN_CODE[event] in args)
    ]
    assert foreign == []
    assert {"compile", "exec"} <= {event for event, _ in seen}
