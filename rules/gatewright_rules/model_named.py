"""Model named: a worker starts on a model that somebody chose."""

from gatewright.model import NO_MODEL, Findings, deny
from gatewright.spec import rule
from gatewright.text import is_blank


# Text that sorts from `!` to `~` starts with visible ASCII, so it is not blank; anything else the function looks at.
@rule(codes=[NO_MODEL], fires='model is None or not "!" <= model <= "~"', owns=["model"])
def model_named(model: str | None) -> Findings:
    """Deny a request that names no model.

    What: looks at the model's id.
    Why: an unpinned worker inherits whatever model its host runs, often the most expensive.
    Denies: `NO_MODEL` when it is missing, empty or only white space.
    """
    if model is None or is_blank(model):
        what = "no model is given" if model is None else "the model's id is blank"
        yield deny(NO_MODEL, what, hint="name the model that the worker is to run, with --model")
