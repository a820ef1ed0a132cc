"""The commands of `gatewright probe`, one module each."""
