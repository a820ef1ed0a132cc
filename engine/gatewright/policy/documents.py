"""What a document is for, told by its keys, misspelt ones included."""

from collections.abc import Iterable, Mapping

from gatewright.policy import reader
from gatewright.policy.tree import Document, Tree
from gatewright.policy.tree import Mapping as MapTree
from gatewright.text import nearest


def read(data: bytes, file: str) -> Document:
    """The document in a file: JSON if its name ends so, else YAML. Raises PolicyError."""
    if file.lower().endswith(".json"):
        from gatewright.policy import json_reader

        return json_reader.read(data, file)
    return reader.read(data, file)


def kind_of(tree: Tree, kinds: Mapping[str, Iterable[str]]) -> str:
    """The kind whose keys the document's top level has most of; the first kind where none has more than another.

    A key that is right counts more than one that is nearly so: a policy with a slip in a key is still a policy.
    """
    names = list(tree.entries) if isinstance(tree, MapTree) else []
    scores = {kind: _score(names, list(keys)) for kind, keys in kinds.items()}
    return max(scores, key=lambda kind: scores[kind])


def may_be(tree: Tree, kinds: Mapping[str, Iterable[str]]) -> bool:
    """Whether a document may be of one of the kinds: a map none of whose keys is nearly one of theirs is not."""
    names = list(tree.entries) if isinstance(tree, MapTree) else []
    return not names or any(_score(names, list(keys)) for keys in kinds.values())


def _score(names: list[str], keys: list[str]) -> float:
    return sum(1.0 if name in keys else 0.5 if nearest(name, keys) is not None else 0.0 for name in names)
