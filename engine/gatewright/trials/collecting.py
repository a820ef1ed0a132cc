"""Collecting: which files are fixtures, and the cases in them, with the codes that their own policies bring."""

import os
from collections.abc import Iterator

from gatewright.catalog import Catalog
from gatewright.errors import FileError, PolicyError
from gatewright.policy import documents, reader
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.policy.tree import Mapping, Tree, plain
from gatewright.probes.files import read_file
from gatewright.trials import fixtures
from gatewright.trials.fixtures import Case


def is_fixture(file: str) -> bool:
    """Whether a file found in a folder is a fixture; one that cannot be read is taken for one, and is told of."""
    try:
        tree = documents.read(read_file(file), file).tree
    except (FileError, PolicyError):
        return True
    return documents.kind_of(tree, {"fixture": fixtures.FILE, **fixtures.KINDS}) == "fixture"


def cases_of(file: str, catalog: Catalog) -> tuple[Case, ...]:
    """The cases of a fixture file. Raises PolicyError with every mistake in it, FileError when it cannot be read."""
    data = read_file(file)
    return fixtures.load(data, file, codes_for(data, file, catalog), frozenset(catalog.facts)).cases


def codes_for(data: bytes, file: str, catalog: Catalog) -> frozenset[str] | None:
    """The codes that a fixture may name: those of its policy, and all that have a meaning.

    None where its policy does not load: which codes it has is unknown, and running the cases tells why.
    """
    policies = policies_of(data, file, catalog)
    if policies is None:
        return None
    found = frozenset(catalog.reasons)
    return found.union(
        *(policy.reasons for policy in policies), *(rule.codes for each in policies for rule in each.rules)
    )


def policies_of(data: bytes, file: str, catalog: Catalog) -> list[Policy] | None:
    """The policies that a fixture names, its own first; None where one of them does not load."""
    try:
        tree = reader.read(data, file).tree
        return [load(read_file(path), path, catalog) for path in _policies(tree, file)]
    except (FileError, PolicyError):
        return None


def _policies(tree: Tree, file: str) -> Iterator[str]:
    """The paths of the policies that a fixture names, its own and those of other stages."""
    if not isinstance(tree, Mapping):
        return
    named, others = tree.get("policy"), tree.get("policies")
    nodes = [named, *(entry.value for entry in others)] if isinstance(others, Mapping) else [named]
    for node in nodes:
        yield os.path.join(os.path.dirname(file), str(plain(node)) if node is not None else "")
