"""Comparisons: whether the two sides can ever compare, and what was meant where they cannot."""

import re

from gatewright.expressions import doubts
from gatewright.expressions.checker_base import KIND, CheckerBase, Known
from gatewright.expressions.kinds import BOOLEAN, NUMERIC, Kind, Type, comparable
from gatewright.expressions.nodes import Arith, Bool, Compare, ListLiteral, Literal, Node
from gatewright.expressions.operators import a


class Comparisons(CheckerBase):
    """Checks `==`, the orderings and `in`."""

    def compare(self, node: Compare, known: Known) -> Type:
        """The type of a comparison or a chain of them."""
        left_node, left = node.first, self.check(node.first, known)
        for op, right_node in zip(node.ops, node.rest, strict=True):
            if self._choice(node, op, left_node, right_node):
                return BOOLEAN
            right = self.check(right_node, known)
            if op in ("in", "not in"):
                self._membership(node, left, right_node, right, known)
            elif op in ("==", "!="):
                self._equality(node, left_node, left, right_node, right)
            elif op not in ("is", "is not"):
                if left_node is node.first:  # a middle operand has been looked at on the other side
                    self._ordering(op, left_node, left, known)
                self._ordering(op, right_node, right, known)
                self._same_order(node, left_node, left, right_node, right)
            self.doubt(doubts.of_comparison(op, left_node, right_node, self.source))
            left_node, left = right_node, right
        return BOOLEAN

    def _choice(self, node: Compare, op: str, left_node: Node, right_node: Node) -> bool:
        """`model == ("a" or "b")`: a choice of values, which `in` makes."""
        if op not in ("==", "!=") or not isinstance(right_node, Bool):
            return False
        values = [part for part in right_node.parts if isinstance(part, Literal) and not isinstance(part.value, bool)]
        if len(values) < len(right_node.parts):
            return False
        listed = ", ".join(self.source(value) for value in values)
        hint = f"write `{self.source(left_node)} {'in' if op == '==' else 'not in'} [{listed}]`"
        self.report(node, KIND, f"`{right_node.op}` joins conditions, not values", hint)
        return True

    def _equality(self, node: Compare, left_node: Node, left: Type, right_node: Node, right: Type) -> None:
        if Kind.RECORD in (left.kind, right.kind) and Kind.NULL not in (left.kind, right.kind):
            record = left_node if left.kind is Kind.RECORD else right_node
            self.report(node, KIND, f"`{self.source(record)}` is a record", "compare one of its fields")
            return
        if comparable(left, right):
            return
        self._mismatch(node, left_node, left, right_node, right)

    def _mismatch(self, node: Compare, left_node: Node, left: Type, right_node: Node, right: Type) -> None:
        message = f"`{self.source(left_node)}` is {a(left.kind)} and `{self.source(right_node)}` is {a(right.kind)}"
        self.report(node, KIND, f"{message}: they never compare", self._mismatch_hint(left_node, right_node))

    def _mismatch_hint(self, left: Node, right: Node) -> str:
        for one, other in ((left, right), (right, left)):
            if one.type.kind is Kind.LIST and (isinstance(other, Literal) or isinstance(one, ListLiteral)):
                return f"write `{self.source(other)} in {self.source(one)}`"
            if isinstance(one, Literal) and isinstance(one.value, str):
                if other.type.kind in NUMERIC and one.value.replace(".", "", 1).lstrip("-").isdigit():
                    return f"a number stands without quotes: write `{one.value}`"
                if other.type.kind is Kind.BOOLEAN and one.value.lower() in ("true", "false"):
                    return f"a boolean stands without quotes: write `{one.value.lower()}`"
            if isinstance(other, Literal | Arith) and one.type.kind is Kind.TEXT and _in_digits(self.source(other)):
                return f'a text stands in quotes: write `"{self.source(other)}"`'
        return "compare values of one kind"

    def _ordering(self, op: str, node: Node, found: Type, known: Known) -> None:
        if found.kind in NUMERIC | {Kind.TEXT, Kind.ANY}:
            self.not_null(node, found, known, f"`{op}`")
            return
        fields = [name for name, field in (found.fields or {}).items() if field.kind in NUMERIC | {Kind.TEXT}]
        hint = "compare one of its fields: " + ", ".join(f"`{name}`" for name in fields) if fields else ""
        self.report(node, KIND, f"`{op}` orders numbers or texts, and `{self.source(node)}` is {a(found.kind)}", hint)

    def _same_order(self, node: Compare, left_node: Node, left: Type, right_node: Node, right: Type) -> None:
        sides = NUMERIC | {Kind.TEXT}
        if left.kind in sides and right.kind in sides and not comparable(left, right):
            self._mismatch(node, left_node, left, right_node, right)

    def _membership(self, node: Compare, left: Type, right_node: Node, right: Type, known: Known) -> None:
        if right.kind is Kind.TEXT:
            self._in_text(node, right_node)
            return
        if isinstance(right_node, ListLiteral):
            self._in_literals(node, left, right_node)
            return
        self.not_null(right_node, right, known, "`in`")
        if right.kind is Kind.MAP:
            self.key_kind(node.first, left, {Kind.TEXT}, "the keys of a map are text")
        elif right.kind is Kind.LIST:
            if right.of is not None and not comparable(left, right.of):
                message = f"`{self.source(right_node)}` is a list of {right.of.kind.value}"
                self.report(node, KIND, f"{message}, and `{self.source(node.first)}` is {a(left.kind)}")
        elif right.kind is not Kind.ANY:
            message = f"`in` needs a list or a map, and `{self.source(right_node)}` is {a(right.kind)}"
            self.report(right_node, KIND, message, f"write `in [{self.source(right_node)}]`")

    def _in_text(self, node: Compare, right_node: Node) -> None:
        left, right = self.source(node.first), self.source(right_node)
        message = f"`in` looks into lists and maps, and `{right}` is text"
        if isinstance(right_node, Literal):
            self.report(right_node, KIND, message, f"write `in [{right}]`, or `contains({right}, {left})` for a part")
        else:
            self.report(right_node, KIND, message, f"write `contains({right}, {left})`")

    def _in_literals(self, node: Compare, left: Type, right: ListLiteral) -> None:
        if not right.items:
            self.report(right, KIND, "nothing is in `[]`", "list the values, or leave the condition out")
            return
        for item in right.items:
            if not comparable(left, item.type):
                message = f"`{self.source(node.first)}` is {a(left.kind)} and `{self.source(item)}` is"
                hint = self._mismatch_hint(node.first, item)
                self.report(item, KIND, f"{message} {a(item.type.kind)}: they never compare", hint)
                return


def _in_digits(source: str) -> bool:
    """Whether a number, or what reads as a subtraction, may be a text without its quotes: `3`, `2026-11-29`."""
    return bool(re.fullmatch(r"[0-9]+(?:[.-][0-9]+)*|true|false", source))
