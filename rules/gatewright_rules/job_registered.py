"""Job registered: what is accepted was allowed, by this very contract."""

from gatewright.model import NO_REGISTRATION, ContractTerms, Findings, Registration, deny
from gatewright.spec import rule


@rule(
    codes=[NO_REGISTRATION],
    stage="accept",
    fires="not registration.found or registration.contract_sha != terms.sha256",
    owns=["job_id", "registration"],
)
def job_registered(job_id: str, registration: Registration, terms: ContractTerms) -> Findings:
    """Deny work of a job that was never registered, or was registered for another contract.

    What: looks for the job in the ledger, and compares the hash that it was registered with with the contract's.
    Why: a contract that was changed meanwhile could allow what nobody has checked.
    Denies: `NO_REGISTRATION` when there is no registration, or its hash is another one.
    """
    if not registration.found:
        yield deny(
            NO_REGISTRATION, f"job `{job_id}` is not registered", hint="give the job's id as `register` was given it"
        )
    elif registration.contract_sha != terms.sha256:
        yield deny(
            NO_REGISTRATION,
            f"job `{job_id}` is registered for contract {(registration.contract_sha or 'none')[:12]}, "
            f"and this one is {(terms.sha256 or 'none')[:12]}",
            hint="give the contract as it was when it was checked",
        )
