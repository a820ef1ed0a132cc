"""Contract readable: a worker is started on a file that exists, and whose hash is known."""

from gatewright.model import CONTRACT_UNREADABLE, Contract, Findings, deny
from gatewright.spec import rule


@rule(codes=[CONTRACT_UNREADABLE], fires="not contract.readable", owns=["contract"])
def contract_readable(contract: Contract) -> Findings:
    """Deny a request whose contract cannot be read and hashed.

    What: looks at whether the contract's bytes were read.
    Why: the hash is what a registration is matched by; without it nothing can be proved later.
    Denies: `CONTRACT_UNREADABLE` when the file is missing, no plain file, or may not be read.
    """
    if not contract.readable:
        yield deny(
            CONTRACT_UNREADABLE,
            f"contract `{contract.path}` cannot be read: {contract.error or 'unknown reason'}",
            hint="check the path and the permissions",
        )
