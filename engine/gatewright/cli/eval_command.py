"""`gatewright eval`: evaluate an expression."""

from collections.abc import Iterator, Mapping

import click

from gatewright.app import App, Options
from gatewright.cli.options import Output, output_options, place_options
from gatewright.cli.streams import emit, standard_input
from gatewright.errors import AdmissionError, Fault, UsageError
from gatewright.expressions import plain_json
from gatewright.expressions.evaluating import REQUEST_REFUSED, Evaluation, evaluate
from gatewright.expressions.kinds import Type
from gatewright.model.exits import ExitCode
from gatewright.policy.tree import line_and_column
from gatewright.probes.files import read_file
from gatewright.report.formats import Format, as_json
from gatewright.text import caret, printable, shown

FORMATS = ("table", "json")


@click.command("eval")
@click.argument("expression", required=False)
@click.option("--facts", "facts_file", metavar="FILE", help="JSON with the names that the expression may read.")
@click.option("--batch", metavar="FILE", help="JSON lines with `expr` and `context`; `-` is standard input.")
@click.option("--value", "any_kind", is_flag=True, help="Take an answer of any kind, not only true and false.")
@place_options
@output_options(*FORMATS, styled=False)
def command(
    *,
    options: Options,
    output: Output,
    expression: str | None,
    facts_file: str | None,
    batch: str | None,
    any_kind: bool,
) -> int:
    """Evaluate an expression on facts, as a policy would.

    With --batch, each line `{"expr": …, "context": {…}}` gives one line `{"result": …}` or `{"error": {…}}`. Exits 1
    when any expression has no answer.

    \b
    Example:
      gatewright eval 'agents > 8' --facts facts.json
    """
    if (expression is None) is (batch is None):
        raise UsageError("give one expression, or --batch FILE", 'gatewright eval "agents > 8" --facts facts.json')
    app = App(options)
    known = {name: fact.type for name, fact in app.catalog.facts.items()}
    if batch is not None:
        if facts_file is not None or any(each.file for each in output.formats):
            raise UsageError("--batch takes its facts from its lines and writes JSON lines", "give it alone")
        return _batch(batch, known, condition=not any_kind)
    found = _one(str(expression), _facts(facts_file), known, condition=not any_kind)
    output.deliver(lambda each: _rendered(each, found))
    return ExitCode.FAILED if found.faults else ExitCode.OK


def _facts(path: str | None) -> object:
    if path is None:
        return {}
    data = standard_input().read() if path == "-" else read_file(path)
    try:
        return plain_json.read(data, path)
    except AdmissionError as error:
        return error


def _one(text: str, facts: object, known: Mapping[str, Type], *, condition: bool) -> Evaluation:
    if isinstance(facts, AdmissionError):
        return Evaluation(text=text, faults=(_refused(facts),))
    if not isinstance(facts, dict):
        message = "facts are a JSON object of names, and this is something else"
        return Evaluation(text=text, faults=(Fault(REQUEST_REFUSED, 0, 1, message),))
    return evaluate(text, facts, known, condition=condition)


def _refused(error: AdmissionError) -> Fault:
    return Fault(REQUEST_REFUSED, 0, 1, f"{error.path}: {error.problem}", error.hint)


def _batch(path: str, known: Mapping[str, Type], *, condition: bool) -> int:
    failed = judged = False
    for line in _lines(path):
        found = _of_line(line, known, condition=condition)
        failed = failed or bool(found.faults)
        judged = True
        emit(as_json(_plain(found)))
    if not judged:
        return ExitCode.NOTHING
    return ExitCode.FAILED if failed else ExitCode.OK


def _lines(path: str) -> Iterator[bytes]:
    if path == "-":
        yield from standard_input()
        return
    yield from read_file(path).splitlines(keepends=True)


def _of_line(line: bytes, known: Mapping[str, Type], *, condition: bool) -> Evaluation:
    try:
        row = plain_json.read(line, "line")
    except AdmissionError as error:
        return Evaluation(text="", faults=(_refused(error),))
    text = row.get("expr") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(text, str):
        message = "a line is a JSON object with `expr` (text) and `context` (an object)"
        return Evaluation(text="", faults=(Fault(REQUEST_REFUSED, 0, 1, message),))
    return _one(text, row.get("context", {}), known, condition=condition)


def _plain(found: Evaluation) -> dict[str, object]:
    if not found.faults:
        return {"result": found.answer}
    fault = found.faults[0]
    line, column = line_and_column(found.text, fault.start)
    error = {
        "code": fault.code,
        "line": line,
        "column": column,
        "message": fault.message,
        "hint": fault.hint,
    }
    return {"error": error}


def _rendered(wanted: Format, found: Evaluation) -> str:
    if wanted.name == "json":
        return as_json(_plain(found))
    if not found.faults:
        return shown(found.answer, limit=2000) + "\n"
    lines: list[str] = []
    for fault in found.faults:
        line, column = line_and_column(found.text, fault.start)
        hint = f" ({fault.hint})" if fault.hint else ""
        lines.append(printable(f"{line}:{column}: {fault.code}: {fault.message}{hint}"))
        if found.text:
            lines.append(caret(found.text.split("\n")[line - 1], column))
    return "\n".join(lines) + "\n"
