"""The commands of `gatewright ledger`, one module each."""
