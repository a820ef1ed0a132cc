"""`gatewright contract lint`: find what is missing or wrong in contracts."""

import os
from collections.abc import Iterator, Sequence

import click

from gatewright.cli.lint_command import FORMATS, Linted, rendered
from gatewright.cli.options import Output, output_options
from gatewright.cli.streams import kept_clean, say
from gatewright.errors import FileError, Place, Problem, Severity, UsageError
from gatewright.model.exits import ExitCode
from gatewright.policy import contracts
from gatewright.probes.files import read_file

FOLDER = "contracts"


@click.command("lint")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@output_options(*FORMATS, styled=False)
def command(*, output: Output, paths: tuple[str, ...], strict: bool) -> int:
    """Find what is missing or wrong in the front matter of contracts, all of it at once, each with its place.

    Of a folder every `.md` below it. Without paths: the folder `contracts`. A contract without front matter is warned
    of: the gate lets it pass, and its work cannot be accepted automatically. Exits 1 when there is an error, 5 when
    there is no file.

    \b
    Example:
      gatewright contract lint contracts/job-17.md
    """
    with kept_clean():
        files = tuple(_named(paths or ([FOLDER] if os.path.isdir(FOLDER) else [])))
        if not files:
            say("gatewright", f"no contract was found (give a file, or keep contracts in `{FOLDER}`)")
            return ExitCode.NOTHING
        found = tuple(problem for file in files for problem in _problems(file))
        failing = frozenset({Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR})
        linted = Linted(files, (), found, failing)
        output.deliver(lambda each: rendered(each, linted))
    return ExitCode.FAILED if linted.failed else ExitCode.OK


def _problems(file: str) -> Sequence[Problem]:
    try:
        return contracts.problems(read_file(file), file)
    except FileError as error:
        return [Problem(place=Place(file, 1, 1), message=str(error), check="file")]


def _named(paths: Sequence[str]) -> Iterator[str]:
    """The files as they are, and of folders the Markdown below them in the order of their paths."""
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))
        elif os.path.lexists(path):
            yield path
        else:
            raise UsageError(f"there is no `{path}`", "give files or folders")
