"""Functions: their arguments, and the paths that `has` and `default` look at."""

from msgspec.structs import replace

from gatewright.errors import Fault, Severity
from gatewright.expressions import doubts, patterns
from gatewright.expressions.checker_base import CALL, KIND, NAME, PATTERN, CheckerBase, Known
from gatewright.expressions.kinds import ANY, BOOLEAN, INTEGER, TEXT, Kind, Type, comparable
from gatewright.expressions.nodes import Call, ListLiteral, Literal, Node, path_root
from gatewright.expressions.operators import a


class Calls(CheckerBase):
    """Checks calls of the language's functions."""

    def call(self, node: Call, known: Known) -> Type:
        """The type of a call."""
        if node.function in ("has", "default"):
            return self._path_call(node, known)
        found = [self.check(arg, known) for arg in node.args]
        for arg, kind in zip(node.args, found, strict=True):
            self.not_null(arg, kind, known, f"`{node.function}`")
        if node.function == "len":
            self._argument(node, node.args[0], {Kind.TEXT, Kind.LIST, Kind.MAP}, "text, a list or a map")
            return INTEGER
        for arg in node.args:
            self._argument(node, arg, {Kind.TEXT}, "text")
        if node.function == "matches":
            self._pattern(node)
        self.doubt(doubts.of_call(node, self.source))
        return TEXT if node.function == "lower" else BOOLEAN

    def _argument(self, node: Call, arg: Node, wanted: set[Kind], words: str) -> None:
        if arg.type.kind in wanted | {Kind.ANY}:
            return
        hint = ""
        if node.function == "contains" and arg.type.kind in (Kind.LIST, Kind.MAP):
            hint = f"write `{self.source(node.args[1])} in {self.source(arg)}`"
        message = f"`{node.function}` needs {words}, and `{self.source(arg)}` is {a(arg.type.kind)}"
        self.report(arg, KIND, message, hint)

    def _pattern(self, call: Call) -> None:
        text, node = call.args
        if not (isinstance(node, Literal) and isinstance(node.value, str)):
            if node.type.kind in (Kind.TEXT, Kind.ANY):
                shape = f"{self.source(node)}, {self.source(text)}" if isinstance(text, Literal) else 'text, "pattern"'
                self.report(node, PATTERN, "a pattern is a literal text", f"write `matches({shape})`")
            return
        try:
            patterns.matcher(node.value)
        except patterns.PatternError as error:
            self.report(node, PATTERN, f"{error.message} (character {error.at + 1} of the pattern)", error.hint)

    def _path_call(self, node: Call, known: Known) -> Type:
        path = node.args[0]
        if path_root(path) is None:
            self._no_path(node, path)
            return ANY
        outer = self.faults
        self.faults = []
        found = self.check(path, known)
        inner, self.faults = self.faults, outer
        self.faults.extend(one for one in inner if self._counts_in_path(one))
        if node.function == "has":
            return BOOLEAN
        return self._default(node, found, known)

    def _counts_in_path(self, found: Fault) -> bool:
        """Inside `has` and `default` null is expected; a missing field is too, where the names are not closed."""
        if found.severity is not Severity.ERROR:
            return False
        # A name, be it the path's own or that of a key within it, has to exist; a field need not.
        is_name = self.text[found.start : found.end].isidentifier()
        return is_name or self.schema.closed or found.code not in (NAME, KIND)

    def _no_path(self, node: Call, path: Node) -> None:
        hint = f"write `{node.function}(fact.field)`"
        if isinstance(path, Literal) and isinstance(path.value, str):
            rest = f", {self.source(node.args[1])}" if node.function == "default" else ""
            hint = f"write `{node.function}({path.value}{rest})`, without quotes around the path"
        self.report(path, CALL, f"`{node.function}` looks at a path, and `{self.source(path)}` is none", hint)

    def _default(self, node: Call, found: Type, known: Known) -> Type:
        fallback = node.args[1]
        given = self.check(fallback, known)
        if not isinstance(fallback, Literal | ListLiteral):
            self.report(fallback, CALL, "the second argument of `default` is a literal", "write a value")
            return ANY
        if not comparable(found, given):
            source = self.source(node.args[0])
            message = f"`{source}` is {a(found.kind)} and its default is {a(given.kind)}"
            self.report(fallback, KIND, message, "give both one kind")
        if Kind.ANY in (found.kind, given.kind):
            return Type(Kind.ANY, optional=given.kind is Kind.NULL)
        return replace(found, optional=given.kind is Kind.NULL)
