"""Contract terms: somebody should be able to tell by program whether the work is what was asked for."""

from gatewright.model import CONTRACT_WITHOUT_TERMS, Findings, warn
from gatewright.spec import rule


@rule(codes=[CONTRACT_WITHOUT_TERMS], stage="dispatch", fires="not front_matter")
def contract_terms(front_matter: bool) -> Findings:  # noqa: FBT001  a fact
    """Warn of a contract that does not say by program what its work is held to.

    What: looks at whether the contract begins with a front matter; what stands in it is for `gatewright contract lint`.
    Why: the work of such a contract can be done and cannot be accepted, which is better known before than after.
    Warns: `CONTRACT_WITHOUT_TERMS` when there is none.
    """
    if not front_matter:
        yield warn(
            CONTRACT_WITHOUT_TERMS,
            "the contract has no front matter, so that nobody can accept its work automatically",
            hint="run `gatewright contract lint` on it, which says what belongs there",
        )
