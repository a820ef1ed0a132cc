"""`gatewright fmt`: lay out policies, tier tables and fixtures."""

import difflib
import os
from collections.abc import Iterator, Sequence

import click
from msgspec import Struct

from gatewright.app import App, Options
from gatewright.cli import paths as files
from gatewright.cli.options import place_options
from gatewright.cli.streams import emit, say, standard_input
from gatewright.errors import FileError, PolicyError, UsageError
from gatewright.model.exits import ExitCode
from gatewright.policy import markers, reader, runtimes
from gatewright.policy.keys import POLICY
from gatewright.policy.layout import formatted
from gatewright.policy.tier_tables import V1, V2
from gatewright.policy.tree import Mapping
from gatewright.probes.files import read_file, replace_file
from gatewright.report import problems as report
from gatewright.text import counted, printable
from gatewright.trials import fixtures

STANDARD_INPUT = "-"


class Formatted(Struct, frozen=True):
    """A file with its text before and after."""

    file: str
    before: bytes
    after: bytes

    @property
    def changes(self) -> bool:
        """Whether the layout was another one."""
        return self.before != self.after


@click.command("fmt")
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...")
@click.option("--check", is_flag=True, help="Write nothing; list the files that would change, and exit 1 for any.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@place_options
def command(*, options: Options, paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Lay out policies, tier tables and fixtures: same meaning, same order, same comments, other blanks.

    Without paths: the policies, the tier table and the fixtures of the project file. `-` reads standard input and
    writes standard output. Of a folder, only files of these kinds are taken. A file with a mistake in its YAML
    stays as it is, and its mistakes are told. Exits 1 when there is one, 5 when there is no file.

    \b
    Example:
      gatewright fmt policies fixtures
      gatewright fmt --check --diff policies/check.yaml
    """
    if STANDARD_INPUT in paths and len(paths) > 1:
        raise UsageError("`-` stands alone", "name files, or `-` for standard input")
    wanted = list(_wanted(paths, options))
    if not wanted:
        say("gatewright", "no file was found")
        return ExitCode.NOTHING
    found = [each for each in map(_formatted, wanted) if each is not None]
    done = [each for each in found if check or diff or _written(each)]
    emit(_shown(done, check=check, diff=diff, as_text=wanted == [STANDARD_INPUT]))
    failed = len(done) < len(wanted) or (check and any(each.changes for each in done))
    return ExitCode.FAILED if failed else ExitCode.OK


def _wanted(paths: Sequence[str], options: Options) -> Iterator[str]:
    """The files to lay out. What lies in a folder may be somebody else's YAML, and is left alone then."""
    given = paths or _own(App(options))
    for path in given:
        if path == STANDARD_INPUT:
            yield path
        else:
            yield from files.named([path], _is_ours)


def _own(app: App) -> list[str]:
    """The policies, the tier table and the fixtures of a project that has a project file."""
    project = app.project
    if project.file is None:
        return []
    named = [*project.settings.policies.values(), *([project.settings.tiers] if project.settings.tiers else [])]
    own = [project.path(name) for name in named if name.endswith((".yaml", ".yml"))]
    return [*own, *([folder] if os.path.isdir(folder := project.path("fixtures")) else [])]


def _is_ours(file: str) -> bool:
    """Whether a file has what one of our kinds must have; one that cannot be read is told of."""
    try:
        tree = reader.read(read_file(file), file).tree
    except (FileError, PolicyError):
        return True
    names = tree.entries if isinstance(tree, Mapping) else {}
    kinds = (POLICY, V1, V2, fixtures.FILE, runtimes.FILE, markers.FILE)
    return any(all(name in names for name, key in keys.items() if key.required) for keys in kinds)


def _formatted(file: str) -> Formatted | None:
    """A file laid out anew; None for one with a mistake, which is told of."""
    name = "<stdin>" if file == STANDARD_INPUT else file
    if file.lower().endswith(".json"):
        say("gatewright", f"{file}: it is JSON, and only YAML is laid out (leave it out)")
        return None
    try:
        before = standard_input().read() if file == STANDARD_INPUT else read_file(file)
        return Formatted(file, before, formatted(before, name).encode())
    except PolicyError as error:
        say("gatewright", report.text(error.problems))
    except FileError as error:
        say("gatewright", str(error))
    return None


def _written(each: Formatted) -> bool:
    """Write a file if it changes; whether it is now laid out. One that cannot be written is told of."""
    if not each.changes or each.file == STANDARD_INPUT:
        return True
    try:
        replace_file(each.file, each.after)
    except FileError as error:
        say("gatewright", str(error))
        return False
    return True


def _shown(done: Sequence[Formatted], *, check: bool, diff: bool, as_text: bool) -> str:
    """What standard output gets. as_text: the text itself is wanted, and of one with a mistake there is none."""
    if diff:
        return "".join(_difference(each) for each in done if each.changes)
    if as_text and not check:
        return "".join(each.after.decode() for each in done)
    changed = [f"{printable(each.file)}\n" for each in done if each.changes]
    did = "would change" if check else "changed"
    return "".join(changed) + f"{counted(len(done), 'file')}: {len(changed) or 'none'} {did}\n"


def _difference(each: Formatted) -> str:
    before, after = (data.decode("utf-8").splitlines(keepends=True) for data in (each.before, each.after))
    name = printable(each.file)
    lines = difflib.unified_diff(before, after, name, f"{name} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ no newline at the end of the file\n" for line in lines)
