"""When the power fails, what was told is on disk, and the ledger opens."""

import random

import pytest
from tests.torture import power, shims
from tests.torture.shims import Kind, Step
from tests.torture.stations import NAMES

needs_shim = pytest.mark.skipif(bool(shims.missing()), reason=f"the disk cannot be watched: {shims.missing()}")


@needs_shim
@pytest.mark.acceptance("T17", "T22")
@pytest.mark.parametrize("kind", NAMES)
def test_no_told_row_is_lost_with_the_power_and_every_image_opens(kind):
    figures = power.rounds(kind, 40, seed=4)
    assert figures["faults"] == []
    assert figures["told rows"] > 40


@needs_shim
@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("how", power.CARELESS)
def test_a_ledger_that_syncs_too_little_or_answers_too_early_is_found(kind, how):
    assert power.rounds(kind, 20, seed=4, careless=how)["faults"]


def image_of(disk, place, share):
    chance = random.Random(1)
    chance.choice = lambda _: share
    disk.image(place, chance)
    return {path.name: path.read_bytes() for path in place.rglob("*") if path.is_file()}


def step(kind, path="", *, second="", data=b"", inode=0, offset=0):
    return Step(kind, path, second, data, inode, offset)


@pytest.mark.parametrize(
    ("synced", "surely"),
    [([], {}), (["/r/a"], {}), (["/r"], {"a": b""}), (["/r/a", "/r"], {"a": b"old"}), (["/r", "/r/a"], {"a": b"old"})],
)
def test_a_file_is_surely_there_when_its_folder_was_synced_and_as_far_as_it_was(tmp_path, synced, surely):
    disk = power.Disk("/r")
    disk.follow(step(Kind.CREATED, "/r/a", inode=5))
    disk.follow(step(Kind.WROTE, data=b"old", inode=5))
    for path in synced:
        disk.follow(step(Kind.SYNCED, path, inode=5 if path == "/r/a" else 1))
    disk.follow(step(Kind.WROTE, data=b"new", inode=5))
    disk.follow(step(Kind.RENAMED, "/r/a", second="/r/b", inode=5))
    assert image_of(disk, tmp_path / "least", 0.0) == surely
    assert image_of(disk, tmp_path / "most", 1.0) == {"b": b"new"}


def test_sectors_that_were_not_synced_are_there_one_by_one(tmp_path):
    disk = power.Disk("/r")
    disk.follow(step(Kind.CREATED, "/r/a", inode=5))
    disk.follow(step(Kind.WROTE, data=b"x" * 2048, inode=5))
    disk.follow(step(Kind.SYNCED, "/r/a", inode=5))
    disk.follow(step(Kind.SYNCED, "/r", inode=1))
    disk.follow(step(Kind.WROTE, data=b"y" * 2048, inode=5))
    found = image_of(disk, tmp_path / "image", 0.5)["a"]
    pieces = [found[at : at + 512] for at in range(0, 2048, 512)]
    assert set(pieces) == {b"x" * 512, b"y" * 512}
