"""Where the shipped policies and fixtures are: inside the installed package, or beside the checkout."""

import os

_HERE = os.path.dirname(os.path.abspath(__file__))


def shipped(kind: str) -> str:
    """The folder of shipped `policies` or `fixtures`."""
    packed = os.path.join(_HERE, "_data", kind)
    return packed if os.path.isdir(packed) else os.path.join(os.path.dirname(os.path.dirname(_HERE)), kind)
