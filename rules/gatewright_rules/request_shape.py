"""Request shape: a request that contradicts itself is not judged any further."""

import re

from gatewright.model import INVALID_REQUEST, Findings, deny
from gatewright.spec import rule
from gatewright.text import is_blank

_RUNTIME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


@rule(
    codes=[INVALID_REQUEST],
    # Visible ASCII throughout is not padded, and text that sorts from `!` to `~` starts with it, so it is not blank.
    # Those are the usual cases; anything else the function looks at.
    fires=(
        '(model is not None and not matches(model, "^[!-~]+$"))'
        ' or (tier_override is not None and not "!" <= tier_override <= "~")'
        ' or not matches(runtime, "^[a-z0-9][a-z0-9_-]{0,31}$")'
        " or (est_chars is not None and est_chars < 0) or agents < 1"
    ),
    owns=["runtime", "agents", "est_chars", "tier_override"],
)
def request_shape(
    runtime: str, model: str | None, agents: int, est_chars: int | None, tier_override: str | None
) -> Findings:
    """Deny a request whose parts cannot be meant.

    What: looks at the spelling of runtime and model, the override's text, and the two counts.
    Why: a padded id matches no list, a blank reason is no reason, and a negative count would refund budget.
    Denies: `INVALID_REQUEST` for a model with white space around it, an override that is blank, a runtime that is not
    1 to 32 of `a-z 0-9 _ -` starting with a letter or digit, a negative size, fewer than 1 agent, and anything of
    another kind than it should be.
    """
    if model is not None and not is_blank(model) and model != model.strip():
        yield deny(INVALID_REQUEST, f"the model's id `{model}` has white space around it", hint="remove it")
    if tier_override is not None and is_blank(tier_override):
        yield deny(INVALID_REQUEST, "the tier override gives no reason", hint="say why, or leave it out")
    if not _RUNTIME.fullmatch(runtime):
        yield deny(
            INVALID_REQUEST,
            f"runtime `{runtime}` is no runtime's name",
            hint="1 to 32 of a-z, 0-9, _ and -, starting with a letter or digit",
        )
    if est_chars is not None and est_chars < 0:
        yield deny(INVALID_REQUEST, f"{est_chars} characters, and there are no fewer than 0", hint="give the size")
    if agents < 1:
        yield deny(INVALID_REQUEST, f"{agents} agents, and a request starts at least 1", hint="give --agents 1 or more")
