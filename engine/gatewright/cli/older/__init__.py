"""The commands of `dispatch-gate`, one module each."""
