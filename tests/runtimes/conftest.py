"""A home, and a worktree, for agents that are not there."""

import pytest

from gatewright.model import Moment
from gatewright.runtimes.pretrust import pretrust
from gatewright.runtimes.pretrust.homes import find

NOW = Moment.parsed("2026-01-02T03:04:05.678Z")


class Desk:
    """A home of an operator, a worktree, and what becomes of them."""

    def __init__(self, folder):
        self.home, self.worktree = folder / "home", folder / "wt"
        self.home.mkdir()
        self.worktree.mkdir()

    def write(self, name, data):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def pretrust(self, runtime, worktree=None, **more):
        homes = find({}, home=str(self.home), platform="linux")
        return pretrust(runtime, str(self.worktree if worktree is None else worktree), homes, NOW, **more)

    def statuses(self, runtime, worktree=None, **more):
        return [entry.status.value for entry in self.pretrust(runtime, worktree, **more).entries]


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)
