"""Readers of screens for the tests of this room."""

from gatewright.model.screens import Pane
from gatewright.policy.markers import load
from gatewright.runtimes.screens.reading import Reader
from gatewright.shipped import shipped


def shipped_screens():
    """The screens that ship."""
    path = f"{shipped('policies')}/markers.yaml"
    with open(path, "rb") as file:
        return load(file.read(), path)


READER = Reader(shipped_screens())


def read(text: str, **more) -> Pane:
    """What a screen shows, by what ships."""
    return READER.read(text, **more)


def shown(pane: Pane) -> tuple[str, str | None]:
    """Class and kind of what was read."""
    return pane.pane_class.value, pane.gate_kind.value if pane.gate_kind is not None else None
