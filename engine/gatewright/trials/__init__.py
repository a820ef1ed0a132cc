"""Dry runs: fixtures are read, run against their policies, and every difference from what was expected is told."""
