"""How many examples a property is tried on: a few on every run, a hundred times more with GATEWRIGHT_FUZZ=long."""

import os

from hypothesis import HealthCheck, settings

_SHARED = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}

# The short profile tries the same examples each time, so that a run that passed passes again.
settings.register_profile("short", max_examples=100, derandomize=True, **_SHARED)
settings.register_profile("long", max_examples=10_000, **_SHARED)
PROFILE = settings.get_profile("long" if os.environ.get("GATEWRIGHT_FUZZ") == "long" else "short")


def examples(number: int) -> settings:
    """Settings for a property that is tried on `number` examples in the short profile."""
    return settings(PROFILE, max_examples=number * PROFILE.max_examples // 100)
