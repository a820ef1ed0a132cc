"""What every part of the checker has: the text, the names, the faults found so far."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from gatewright.errors import Fault, Fix, Severity
from gatewright.expressions import narrowing
from gatewright.expressions.doubts import Doubt
from gatewright.expressions.kinds import Kind, Type
from gatewright.expressions.lexer import fault
from gatewright.expressions.nodes import Node
from gatewright.expressions.operators import a
from gatewright.expressions.schema import Schema
from gatewright.text import only_nearest

NAME, KIND, CALL, PATTERN, MAYBE_NULL = "EXPR_NAME", "EXPR_KIND", "EXPR_CALL", "EXPR_PATTERN", "EXPR_NULL"
ODD_TEXT = "EXPR_TEXT"

Known = frozenset[str]


class CheckerBase(ABC):
    """Collects the faults of one expression."""

    def __init__(self, text: str, schema: Schema) -> None:
        self.text, self.schema = text, schema
        self.faults: list[Fault] = []

    @abstractmethod
    def check(self, node: Node, known: Known) -> Type:
        """The type of a node, written into it too."""

    def report(self, node: Node, code: str, message: str, hint: str = "", fix: Fix | None = None) -> None:
        """Note a fault at a node."""
        self.faults.append(fault(code, node.start, node.end, message, hint, fix=fix))

    def renamed(self, node: Node, name: str, names: Iterable[str]) -> Fix | None:
        """The fix that puts the nearest of these names in the place of the one that a node ends with."""
        meant = only_nearest(name, names)
        return Fix(node.end - len(name), node.end, meant) if meant else None

    def source(self, node: Node) -> str:
        """The text of a node."""
        return self.text[node.start : node.end]

    def not_null(self, node: Node, found: Type, known: Known, where: str) -> None:
        """Warn where null may stand and is not expected."""
        if found.kind is Kind.NULL:
            return
        if not found.optional or found.kind is Kind.ANY:
            return
        path = narrowing.key(node, self.text)
        if path is not None and path in known:
            return
        source = self.source(node)
        hint = f"guard it: `{source} is not None and …`, or `default({source}, …)`"
        message = f"`{source}` may be null, and {where} on null denies"
        self.faults.append(Fault(MAYBE_NULL, node.start, node.end, message, hint, Severity.WARNING))

    def doubt(self, doubts: Iterable[Doubt]) -> None:
        """Warn of texts that can hardly be what was meant."""
        for node, message, hint in doubts:
            self.faults.append(Fault(ODD_TEXT, node.start, node.end, message, hint, Severity.WARNING))

    def key_kind(self, node: Node, key: Type, wanted: set[Kind], message: str) -> None:
        """Note a key that is of no wanted kind."""
        if key.kind not in wanted | {Kind.ANY}:
            self.report(node, KIND, f"{message}, and `{self.source(node)}` is {a(key.kind)}")
