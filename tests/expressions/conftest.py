"""The hypothesis profile of this room; see `fuzzing` for what it stands for."""

import os

from hypothesis import settings
from tests.expressions import fuzzing  # noqa: F401  registers the profiles

settings.load_profile("long" if os.environ.get("GATEWRIGHT_FUZZ") == "long" else "short")
