"""The wall clock: the one place where the time is read."""

import time
from datetime import date

from gatewright.model import Moment


def now() -> Moment:
    """This moment, in UTC."""
    return Moment.at(time.time())


def today() -> date:
    """This day, in UTC."""
    return date.fromisoformat(now().date)
