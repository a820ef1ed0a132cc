"""Register shape: what is to be registered is named in a way that can be meant."""

import re

from gatewright.model import INVALID_REQUEST, Findings, deny
from gatewright.spec import rule

_RUNTIME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_SHA = re.compile(r"[0-9a-f]{12,64}")


@rule(
    codes=[INVALID_REQUEST],
    stage="register",
    # What is spelt in capitals or with white space around it is looked at by the function.
    fires=(
        '(runtime is not None and not matches(runtime, "^[a-z0-9][a-z0-9_-]{0,31}$"))'
        ' or (contract_sha is not None and not matches(contract_sha, "^[0-9a-f]{12,64}$"))'
    ),
    owns=["runtime", "contract_sha"],
)
def register_shape(runtime: str | None, contract_sha: str | None) -> Findings:
    """Deny a registration that names no possible runtime or contract.

    What: looks at the spelling of the runtime and of the contract's hash, where they are given; letter case and white
    space around them do not matter.
    Why: the beginning of a hash that is too short fits contracts that nobody meant, and an empty one fits all.
    Denies: `INVALID_REQUEST` for a runtime that is not 1 to 32 of `a-z 0-9 _ -` starting with a letter or digit, and
    for a hash that is not 12 to 64 hex digits.
    """
    if runtime is not None and not _RUNTIME.fullmatch(runtime.strip().lower()):
        hint = "1 to 32 of a-z, 0-9, _ and -, starting with a letter or digit"
        yield deny(INVALID_REQUEST, f"runtime `{runtime}` is no runtime's name", hint=hint)
    if contract_sha is not None and not _SHA.fullmatch(contract_sha.strip().lower()):
        hint = "give 12 to 64 hex digits of the `contract_sha` that check printed"
        yield deny(INVALID_REQUEST, f"`{contract_sha}` is no beginning of a contract's hash", hint=hint)
