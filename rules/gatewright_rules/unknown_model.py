"""Unknown model: a model that the tier table does not know is seen, not punished."""

from gatewright.model import TIER_AMBIGUOUS_MODEL, TIER_UNKNOWN_MODEL, Findings, warn
from gatewright.spec import rule


@rule(codes=[TIER_UNKNOWN_MODEL, TIER_AMBIGUOUS_MODEL], fires='tier == "unknown" or tier_ambiguous')
def unknown_model(model: str | None, tier: str | None, tier_ambiguous: bool) -> Findings:  # noqa: FBT001  a fact
    """Warn of a model that is in no tier of the table, or in several.

    What: looks at the tier that the model was found in.
    Why: new models come out faster than tables are edited; they run under the cap of `unknown`, and somebody should
    know.
    Warns: `TIER_UNKNOWN_MODEL` for a model in no tier; `TIER_AMBIGUOUS_MODEL` where the id leads to listed models of
    several tiers, the most expensive of which counts.
    """
    if tier == "unknown":
        yield warn(TIER_UNKNOWN_MODEL, f"model `{model}` is in no tier", hint="add it to a tier of the table")
    if tier_ambiguous:
        strictest = "the strictest" if tier is None else f"`{tier}`, the most expensive,"
        message = f"model `{model}` leads to several tiers; {strictest} counts"
        yield warn(TIER_AMBIGUOUS_MODEL, message, hint="list the id as it is")
