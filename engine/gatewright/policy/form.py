"""Reading a tree against what a document may hold: keys, kinds, and every mistake with its place and path."""

import re
from collections.abc import Callable, Container, Iterable, Mapping

from msgspec import Struct

from gatewright.errors import Fix, Place, Problem, Severity
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Sequence, Source, Tree, problem, respelt, rewritten
from gatewright.text import counted, did_you_mean, nearest, only_nearest, shown


class Key(Struct, frozen=True):
    """A key that a map of a document may have."""

    doc: str
    required: bool = False


Keys = Mapping[str, Key]
_BOOLEANS = {
    **dict.fromkeys(["true", "yes", "on", "y"], "true"),
    **dict.fromkeys(["false", "no", "off", "n"], "false"),
}
NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


class Form:
    """Collects the problems of one document while it is read."""

    def __init__(self, source: Source, *, check: str, told: Iterable[Problem] = ()) -> None:
        self.source, self.check = source, check
        self.problems: list[Problem] = []
        #: Places of single values that could not be read: what they would be is unknown, so no more is said of them.
        self.told = frozenset((problem.place.line, problem.place.column) for problem in told)

    def report(
        self,
        node: Tree,
        path: str,
        message: str,
        hint: str = "",
        *,
        severity: Severity = Severity.ERROR,
        check: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Note a problem at a node."""
        self.report_at(node.line, node.column, path, message, hint, severity=severity, check=check, fix=fix)

    def report_unknown(
        self,
        node: Tree,
        path: str,
        message: str,
        names: Iterable[str],
        otherwise: str = "",
        *,
        taken: Container[str] = (),
    ) -> None:
        """Note a name that is none of these, with the nearest one as a hint, and as a fix where no other is as near.

        otherwise: the hint where none is near.
        taken: names that stand there already, and so are no fix.
        """
        word = node.raw if isinstance(node, Scalar) else ""
        choices = list(names)
        meant = only_nearest(word, choices)
        fix = respelt(node, meant) if meant not in taken else None
        self.report(node, path, message, did_you_mean(word, choices) or otherwise, fix=fix)

    def report_at(  # noqa: PLR0913  a problem has this many sides
        self,
        line: int,
        column: int,
        path: str,
        message: str,
        hint: str = "",
        *,
        severity: Severity = Severity.ERROR,
        check: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Note a problem at a line and column."""
        found = problem(
            self.source,
            line,
            column,
            message,
            hint=hint,
            path=path,
            severity=severity,
            check=check or self.check,
            fix=fix,
        )
        if found not in self.problems and (line, column) not in self.told:
            # What many cases share is read for each, and told once.
            self.problems.append(found)

    def is_told(self, node: Tree) -> bool:
        """Whether a node is a value that could not be read."""
        return (node.line, node.column) in self.told

    def place(self, node: Tree) -> Place:
        """The place of a node."""
        return self.source.place(node.line, node.column)

    # -- maps ------------------------------------------------------------------------------------------------------

    def mapping(self, node: Tree, path: str, what: str, hint: str = "") -> MapTree | None:
        """The node as a map, or a problem."""
        if isinstance(node, MapTree):
            return node
        message = f"{what} is a map, and this is {described(node)}"
        self.report(node, path, message, hint or "write it as a mapping, one `key: value` a line")
        return None

    def keyed(
        self, node: Tree, path: str, what: str, keys: Keys, habits: Mapping[str, str] | None = None
    ) -> MapTree | None:
        """The node as a map with no other keys than these and all the required ones, or problems.

        habits: hints for keys that people bring along from elsewhere.
        """
        found = self.mapping(node, path, what)
        if found is None:
            return None
        unknown = [entry.key for entry in found if entry.key.raw not in keys]
        for key in unknown:
            if habits and key.raw in habits:
                self.report(key, path, f"unknown key `{key.raw}`", habits[key.raw])
                continue
            listed = f"{what} has the keys " + ", ".join(f"`{name}`" for name in keys)
            self.report_unknown(key, path, f"unknown key `{key.raw}`", keys, listed, taken=found.entries)
        self.required(found, path, keys, unknown)
        return found

    def required(self, found: MapTree, path: str, keys: Keys, unknown: list[Scalar]) -> None:
        """A problem for every required key that is missing, unless an unknown key was probably meant for it."""
        meant = {nearest(key.raw, keys) for key in unknown}
        for name, key in keys.items():
            if key.required and name not in found.entries and name not in meant:
                self.report(found, path, f"required key `{name}` is missing", f"add `{name}: …`: {key.doc}")

    # -- single values ---------------------------------------------------------------------------------------------

    def text(self, node: Tree | None, path: str, what: str, hint: str = "") -> str | None:
        """The node as a text that is not blank, or a problem. hint: in the place of one to quote another value."""
        if node is None:
            return None
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, str) or (isinstance(node, Scalar) and node.raw == ""):
            self.report(node, path, f"{what} is empty", "write a text")
            return None
        quoted = f'quote it: `"{node.raw}"`' if isinstance(node, Scalar) and value is not None else "write a text"
        hint = hint or quoted
        self.report(node, path, f"{what} is text, and this is {described(node)}", hint)
        return None

    def name(self, node: Tree | None, path: str, what: str) -> str | None:
        """The node as a name in lower case, or a problem."""
        name = self.text(node, path, what)
        if name is not None and node is not None and not NAME.fullmatch(name):
            self.report(node, path, f"{what} `{name}` is not in kebab case", kebab_hint(name))
        return name

    def boolean(self, node: Tree | None, path: str, what: str) -> bool | None:
        """The node as true or false, or a problem."""
        if node is None:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        hint = "write true or false"
        if isinstance(node, Scalar) and str(node.value).lower() in ("yes", "no", "on", "off", "y", "n"):
            hint = f"`{node.raw}` is text in YAML 1.2: write true or false"
        fix = rewritten(node, boolean_word(node.value) if isinstance(node, Scalar) else None)
        self.report(node, path, f"{what} is true or false, and this is {described(node)}", hint, fix=fix)
        return None

    def integer(self, node: Tree | None, path: str, what: str, *, least: int | None = None) -> int | None:
        """The node as a whole number, or a problem."""
        if node is None:
            return None
        value = node.value if isinstance(node, Scalar) else None
        if not isinstance(value, int) or isinstance(value, bool):
            hint = "write it without quotes" if isinstance(value, str) and value.lstrip("-").isdigit() else ""
            hint = "write a whole number" if isinstance(value, float) else hint
            fix = rewritten(node, whole_number(value))
            self.report(node, path, f"{what} is a whole number, and this is {described(node)}", hint, fix=fix)
            return None
        if least is not None and value < least:
            self.report(node, path, f"{what} is {value}, and the least is {least}", f"write {least} or more")
            return None
        return value

    def choice(
        self, node: Tree | None, path: str, what: str, choices: Iterable[str], habits: Mapping[str, str] | None = None
    ) -> str | None:
        """The node as one of these texts, or a problem with the one that is meant by a habit, else the nearest."""
        value = self.text(node, path, what)
        names = list(choices)
        if node is None or value is None or value in names:
            return value
        if habits and (meant := habits.get(value.lower())):
            self.report(node, path, f"unknown {what} `{value}`", f"did you mean `{meant}`?")
            return value
        self.report_unknown(node, path, f"unknown {what} `{value}`", names)
        return None

    # -- lists -----------------------------------------------------------------------------------------------------

    def items(self, node: Tree | None, path: str, what: str) -> list[Tree]:
        """The elements of the node as a list, or a problem and none."""
        if node is None:
            return []
        if isinstance(node, Sequence):
            return list(node.items)
        hint = "write it as `[…]`, or one `- …` a line"
        self.report(node, path, f"{what} is a list, and this is {described(node)}", hint)
        return []

    def texts(self, node: Tree | None, path: str, what: str) -> list[str]:
        """The node as a list of texts, or problems."""
        found = [
            self.text(item, f"{path}[{at}]", f"each of {what}") for at, item in enumerate(self.items(node, path, what))
        ]
        return [text for text in found if text is not None]

    def each(self, node: MapTree | None, read: Callable[[str, Tree, str], None], path: str) -> None:
        """Call `read` with name, value and path of every entry of a map."""
        for entry in node or ():
            read(entry.key.raw, entry.value, f"{path}.{entry.key.raw}")


def described(node: Tree) -> str:
    """What a node is, in words: `the text "8"`, `a list of 2 elements`, `empty`."""
    if isinstance(node, Sequence) and not node.items:
        return "an empty list"
    if isinstance(node, MapTree) and not node.entries:
        return "an empty map"
    if isinstance(node, Sequence):
        return f"a list of {counted(len(node.items), 'element')}"
    if isinstance(node, MapTree):
        return f"a map with {counted(len(node.entries), 'key')}"
    if node.value is None:
        return "empty" if node.raw == "" else "null"
    if isinstance(node.value, bool):
        return f"the boolean {node.raw}"
    if isinstance(node.value, str):
        return f"the text {shown(node.value, limit=40)}"
    return f"the number {node.raw}"


def boolean_word(value: object) -> str | None:
    """The boolean that a text such as `yes` stands for; None for anything else."""
    return _BOOLEANS.get(value.lower()) if isinstance(value, str) else None


def whole_number(value: object) -> str | None:
    """A text that is a whole number as it would stand without quotes; None for anything else."""
    return value if isinstance(value, str) and re.fullmatch(r"0|-?[1-9][0-9]{0,17}", value) else None


def capitals_hint(code: str) -> str:
    """A hint for what is written as a reason code and is not one: the nearest that is."""
    near = "_".join(re.findall(r"[A-Z0-9]+", code.upper()))
    return f"write `{near}`" if near and near[0].isalpha() else "write capitals and digits, with `_` between words"


def kebab_hint(name: str) -> str:
    """A hint for what is written as an id and is not one: the nearest that is."""
    near = "-".join(re.findall(r"[a-z0-9]+", name.lower()))
    return f"write `{near}`" if NAME.fullmatch(near) else "write lower-case letters and digits, with `-` between words"
