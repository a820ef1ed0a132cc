"""Expressions and messages inside a policy: checked, with the place of every fault in the file."""

import re

import msgspec

from gatewright.errors import ExpressionError, Fault, Fix, Severity
from gatewright.expressions.checker import checked, condition_fault
from gatewright.expressions.folding import constant
from gatewright.expressions.kinds import Kind
from gatewright.expressions.nodes import Field, Name, Node
from gatewright.expressions.schema import Schema
from gatewright.policy.form import Form, described
from gatewright.policy.policies import Expression, Template
from gatewright.policy.tree import Mapping, Scalar, Sequence, Tree, fix_in, line_and_column, place_in
from gatewright.text import printable

Known = frozenset[str]
_NOTHING: Known = frozenset()


def condition(form: Form, node: Tree, path: str, schema: Schema, known: Known = _NOTHING) -> Expression | None:
    """The condition in a scalar, or problems: faults of the expression, and one that is always the same."""
    if not _is_expression(form, node, path):
        return None
    assert isinstance(node, Scalar)
    text = str(node.value)
    if not text.strip() and node.style in (">", "|"):
        message = f"`{node.style}` begins a text on the lines below, and there is none"
        form.report(node, path, message, "put a condition that starts with a sign in quotes")
        return None
    try:
        tree, warnings = checked(text, schema, known)
    except ExpressionError as error:
        for found in error.faults:
            report(form, node, path, _cut_by_comment(form, node, found))
        return None
    wrong = condition_fault(text, tree) or _constant_fault(tree)
    if wrong is not None:
        report(form, node, path, wrong)
        return None
    for found in warnings:
        report(form, node, path, found)
    _warn_of_comment(form, node, path)
    return Expression(text=text, tree=tree, source=form.source, scalar=node, warnings=warnings)


def report(form: Form, node: Scalar, path: str, found: Fault) -> None:
    """Note a fault of an expression at its character in the file."""
    line, column = place_in(form.source, node, found.start)
    fix = fix_in(form.source, node, found.fix)
    form.report_at(line, column, path, found.message, found.hint, severity=found.severity, check=found.code, fix=fix)


def _is_expression(form: Form, node: Tree, path: str) -> bool:
    key = path.rsplit(".", 1)[-1]
    if isinstance(node, Scalar) and isinstance(node.value, str):
        kind = _date_or_time(node.value.strip())
        if kind:
            message = f"`{key}` is a condition, and this is a {kind}"
            form.report(node, path, message, f"compare it: a {kind} goes in quotes")
            return False
        return True
    hint = "write a condition, such as `agents > 8`"
    if isinstance(node, Sequence) and node.items:
        hint = "all of them or any of them? join the conditions with `and` or `or`"
    elif isinstance(node, Scalar) and node.value is None:
        hint = "the key is empty: write a condition, or leave the key out"
    elif isinstance(node, Scalar) and isinstance(node.value, bool):
        hint = f"it would always be {node.raw}: leave the key out, or write a condition"
    elif isinstance(node, Mapping) and node.entries:
        hint = "put the whole condition in quotes"
    form.report(node, path, f"`{key}` is a condition, and this is {described(node)}", hint)
    return False


def _date_or_time(text: str) -> str:
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return "date"
    date, clock = r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ])?", r"[0-9]{1,2}(?::[0-9]{2}){1,2}(?:\.[0-9]+)?"
    return "time" if re.fullmatch(rf"{date}{clock}(?:[Zz]|[+-][0-9]{{2}}:?[0-9]{{2}})?", text) else ""


def _constant_fault(tree: Node) -> Fault | None:
    value = constant(tree)
    if value is None:
        return None
    word = "true" if value else "false"
    return Fault("EXPR_CONSTANT", tree.start, tree.end, f"the condition is always {word}", "compare with a fact")


_COMMENT = re.compile(r"[ \t]*#(?P<text>[^\r\n]*)")
_PART = re.compile(r"\b(?:and|or|not|in)\b|[<>=]=?|^\S", re.ASCII)


def _comment_behind(form: Form, node: Scalar) -> re.Match[str] | None:
    return _COMMENT.match(form.source.text, node.end) if node.style == "" else None


def _cut_by_comment(form: Form, node: Scalar, found: Fault) -> Fault:
    """The fault of a condition that goes on behind ` #`, where YAML has begun a comment, with that as its hint."""
    unfinished = "never closed" in found.message or "ends after" in found.message
    if not unfinished or _comment_behind(form, node) is None:
        return found
    return msgspec.structs.replace(found, hint="` #` starts a comment in YAML: put the whole condition in quotes")


def _warn_of_comment(form: Form, node: Scalar, path: str) -> None:
    """A YAML comment right behind a condition, which was perhaps meant as a part of it."""
    match = _comment_behind(form, node)
    if match is None or not _PART.search(match.group("text")):
        return
    line, column = line_and_column(form.source.text, match.start("text") - 1)
    message = "`#` starts a comment here, and what follows reads like a part of the condition"
    hint = "quote the whole condition, or move the comment to its own line"
    form.report_at(line, column, path, message, hint, severity=Severity.WARNING, check="comment-after-condition")


def warn_of_cut_text(form: Form, node: Tree, path: str) -> None:
    """A YAML comment right behind a text, which begins as no comment does: `see #42`."""
    match = _comment_behind(form, node) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    if match is None or not re.match("[^\\s#]", match.group("text")):
        return
    line, column = line_and_column(form.source.text, match.start("text") - 1)
    message = "`#` starts a comment here, and what follows reads like a part of the text"
    hint = "quote the whole text, or put a space behind `#`"
    form.report_at(line, column, path, message, hint, severity=Severity.WARNING, check="comment-after-condition")


_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def template(form: Form, node: Tree, path: str, schema: Schema) -> Template | None:
    """The message in a scalar, or problems: it may hold dotted names of facts in braces, and nothing else."""
    text = form.text(node, path, "a message")
    if text is None:
        return None
    assert isinstance(node, Scalar)
    warn_of_cut_text(form, node, path)
    pieces, paths = [""], []
    at = 0
    for match in _PIECE.finditer(text):
        pieces[-1] += text[at : match.start()]
        at = match.end()
        if match.group() in ("{{", "}}"):
            pieces[-1] += match.group()[0]
        elif (found := _template_path(form, node, path, match, schema)) is not None:
            paths.append(found)
            pieces.append("")
    pieces[-1] += text[at:]
    return Template(tuple(pieces), tuple(paths))


def _template_path(form: Form, node: Scalar, path: str, match: re.Match[str], schema: Schema) -> Expression | None:
    inner = match.group(1)
    start = match.start() + 1
    if inner is None:
        fault = Fault("EXPR_SYNTAX", match.start(), match.end(), f"`{match.group()}` stands alone", "double it")
        report(form, node, path, fault)
        return None
    try:
        tree, _ = checked(inner, schema)
    except ExpressionError as error:
        for found in error.faults:
            report(form, node, path, _moved(_of_message(found, inner), start))
        return None
    if not _is_dotted(tree):
        fault = Fault(
            "EXPR_SYNTAX", start, match.end(), f"`{{{inner}}}` is no name of a fact", "a message holds names only"
        )
        report(form, node, path, fault)
        return None
    if tree.type.kind is Kind.RECORD:
        fault = Fault("EXPR_KIND", start, match.end(), f"`{inner}` is a record", "name one of its fields")
        report(form, node, path, fault)
        return None
    return Expression(text=inner, tree=tree, source=form.source, scalar=node)


def _of_message(found: Fault, inner: str) -> Fault:
    """A fault of grammar in braces: formats and conversions of other languages, which stand for nothing here."""
    if found.code not in ("EXPR_SYNTAX", "EXPR_CHARACTER"):
        return found
    name = re.match(r"\s*\$?([A-Za-z]\w*(?:\.\w+)*)", inner)
    hint = f"a message holds names only: `{{{name.group(1)}}}`" if name else "a message holds names only"
    message = f"`{{{printable(inner)}}}` is no name of a fact"
    return Fault(found.code, found.start, found.end, message, hint)


def _moved(found: Fault, by: int) -> Fault:
    fix = found.fix and Fix(found.fix.start + by, found.fix.end + by, found.fix.text)
    return msgspec.structs.replace(found, start=found.start + by, end=found.end + by, fix=fix)


def _is_dotted(tree: Node) -> bool:
    while isinstance(tree, Field):
        tree = tree.base
    return isinstance(tree, Name)
