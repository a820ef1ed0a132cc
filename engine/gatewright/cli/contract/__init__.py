"""The commands of `gatewright contract`, one module each."""
