"""The commands of `gatewright tasks`, one module each."""
