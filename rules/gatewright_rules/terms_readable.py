"""Terms readable: work is accepted by what a contract says, and by nothing else."""

from gatewright.model import CONTRACT_UNREADABLE, ContractTerms, Findings, deny
from gatewright.spec import rule


@rule(codes=[CONTRACT_UNREADABLE], stage="accept", fires="not terms.readable", owns=["terms"])
def terms_readable(terms: ContractTerms) -> Findings:
    """Deny work whose contract does not say by program what it is held to.

    What: looks at whether the contract's front matter could be read and has no mistakes.
    Why: what may be edited and what has to be shown cannot be guessed from prose.
    Denies: `CONTRACT_UNREADABLE` when the file cannot be read, has no front matter, or has mistakes in it.
    """
    if not terms.readable:
        yield deny(
            CONTRACT_UNREADABLE,
            f"contract `{terms.path}` cannot be accepted by: {terms.error or 'unknown reason'}",
            hint="run `gatewright contract lint` on it",
        )
