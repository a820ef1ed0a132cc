"""Evidence made: what the contract asks to be shown was shown, again and by the master."""

from collections.abc import Mapping

from gatewright.model import EVIDENCE_FAILED, EVIDENCE_MISSING, ContractTerms, Findings, deny
from gatewright.spec import rule


@rule(codes=[EVIDENCE_FAILED, EVIDENCE_MISSING], stage="accept", fires="terms.readable")
def evidence_made(evidence: Mapping[str, str], terms: ContractTerms) -> Findings:
    """Deny work whose evidence fails or is not there.

    What: looks at how each command of the contract ended when it was run again, and whether each file is there.
    Why: that the work is done is what its worker says; what cannot be verified is not accepted.
    Denies: `EVIDENCE_FAILED` when a command failed or was over its time, `EVIDENCE_MISSING` when a file is not there or
    a command was not run.
    """
    if not terms.readable:
        return
    failed = [name for name, state in evidence.items() if state == "failed"]
    if failed:
        yield deny(EVIDENCE_FAILED, f"failed: {', '.join(f'`{name}`' for name in failed)}", hint="run it by hand")
    missing = [f"`{name}` ({state})" for name, state in evidence.items() if state not in ("passed", "failed")]
    if missing or not evidence:
        hint = "have it made, and accept again"
        yield deny(EVIDENCE_MISSING, f"not shown: {', '.join(missing) or 'anything at all'}", hint=hint)
