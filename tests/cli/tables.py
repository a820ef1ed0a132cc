"""Tier tables that tests of the commands share."""

from tests.cli.processes import Place

SMALL = """\
version: 2
tier_order: [top, efficient]
tiers:
  top: [gpt-5.5-pro, claude-opus-5]
  efficient: [gpt-5.5, claude-haiku-4-5]
fanout_caps: {CAPS}
"""
BY_MODEL = """\
version: 1
worker_allowed: [gpt-5.5]
worker_denied_tiers: [claude-opus-5]
unknown_model: UNKNOWN
"""


def small(place: Place, caps: str = "{}") -> str:
    """A version 2 table with two tiers and these caps; its name."""
    return place.write("tiers.yaml", SMALL.replace("{CAPS}", caps))


def by_model(place: Place, unknown: str = "deny") -> str:
    """A version 1 table; its name."""
    return place.write("models.yaml", BY_MODEL.replace("UNKNOWN", unknown))
