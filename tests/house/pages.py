"""README and docs as data: their pages, fenced blocks, tables and links, and how an example is run.

Conventions of an example, which every fenced block of these languages follows:

- `console`: lines `$ command`, continued by `> ` lines, then exactly what the terminal shows; a line `...` stands for
  lines that are left out.
- `python`: runs and asserts; the blocks of a page share their names.
- `yaml`: a policy, a part of one, a tier table or a fixture. It loads; a fixture passes.
- `toml`: reads; as `gatewright.toml` it is a project file.

A comment in front of a block says more: `<!-- file: NAME -->` writes it to a file for the blocks that follow, and
`<!-- refused: LINE:COLUMN text -->` says where it is refused and a part of what is told; `<!-- stage: NAME -->` is the
stage of a part of a policy, where it is another than `check`; `<!-- needs: MODULE -->` says what has to be installed
for it to run, beyond what gatewright itself needs.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gatewright.policy.keys import POLICY

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"```(\w*)\s*")
_REMARK = re.compile(r"<!-- (file|refused|stage|needs): (.+) -->")


class Block(NamedTuple):
    """A fenced block: where it starts, its language, its text and what the comment in front says."""

    page: Path
    line: int
    language: str
    text: str
    remarks: dict[str, str]

    @property
    def place(self) -> str:
        """Page and line, for messages."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """README and every page of the docs; the files that examples read are none."""
    return [ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "examples")]


def name_of(page: Path) -> str:
    """A page's path from the top of the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in their order."""
    return list(_blocks(page))


def _blocks(page: Path) -> Iterator[Block]:
    remarks: dict[str, str] = {}
    inside: list[str] | None = None
    language, start = "", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = _FENCE.fullmatch(line)
        if inside is not None:
            if line == "```":
                yield Block(page, start, language, "".join(f"{each}\n" for each in inside), remarks)
                inside, remarks = None, {}
            else:
                inside.append(line)
        elif fence is not None:
            inside, language, start = [], fence.group(1), number
        elif (remark := _REMARK.fullmatch(line)) is not None:
            remarks[remark.group(1)] = remark.group(2)
        elif line.strip():
            remarks = {}


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def tables(page: Path, *headers: str) -> Iterator[list[str]]:
    """The rows of every table of a page that has these headers; `\\|` in a cell is a plain `|`."""
    reading = False
    for line in prose(page).splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells == list(headers):
            reading = True
        elif not cells:
            reading = False
        elif reading and not re.fullmatch(r"[ :-]+", "".join(cells)):
            yield cells


def links(page: Path) -> list[str]:
    """The targets of a page's links."""
    return re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", prose(page))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), flags=re.MULTILINE):
        found.add(re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-"))
    return found


def bare(cell: str) -> str:
    """A cell of a table without the backticks around it."""
    return cell[1:-1] if cell.startswith("`") else cell


HEAD = "gatewright: 1\npolicy: example\nstage: {}\n"
RULES = "rules:\n  - use: request-shape\n"


def completed(text: str, stage: str = "check") -> str:
    """A part of a policy, such as a rule or its `exceptions`, as a whole policy; a whole document as it is."""
    head = HEAD.format(stage)
    if text.startswith("- "):
        return head + "rules:\n" + text
    keys = re.findall(r"^(\w+):", text, flags=re.MULTILINE)
    if "gatewright" in keys or not set(keys) <= set(POLICY):
        return text
    return head + text + ("" if "rules" in keys else RULES)


# -- running -----------------------------------------------------------------------------------------------------------


def workshop(folder: Path) -> Path:
    """A small checkout to run examples in: shipped policies and the docs' example files, with the engine linked in."""
    folder = folder.resolve()  # the engine compares with the working directory, which has no links in it
    checkout = folder / "checkout"
    shutil.copytree(DOCS / "examples", checkout / "docs" / "examples")
    shutil.copytree(ROOT / "policies", checkout / "policies")
    (checkout / "engine").symlink_to(ROOT / "engine")
    (folder / "home").mkdir()
    return checkout


def environment(checkout: Path) -> dict[str, str]:
    """The environment of an example: nothing of the caller's but the programs, and the checkout's engine first."""
    return {
        "HOME": str(checkout.parent / "home"),
        "LANG": "C.UTF-8",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": f"{checkout / 'engine'}:{ROOT / 'rules'}",
        "PYTHONWARNINGS": "error",
        # Examples see the plugin of pytest that is shown here, and no other one that happens to be installed.
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p gatewright.testing.plugin -p no:cacheprovider",
    }


def write(block: Block, checkout: Path) -> None:
    """Write a block to the file that the comment in front names."""
    file = checkout / block.remarks["file"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(block.text, encoding="utf-8")


class Step(NamedTuple):
    """A command of a console block and what it should show."""

    command: str
    shown: list[str]


def steps(block: Block) -> list[Step]:
    """The commands of a console block, each with the lines below it."""
    found: list[Step] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], []))
        elif line.startswith("> ") and found and not found[-1].shown:
            found[-1] = Step(f"{found[-1].command}\n{line[2:]}", [])
        else:
            found[-1].shown.append(line)
    return found


_END = "\x1e"


def shown(commands: list[str], checkout: Path) -> list[list[str]]:
    """What a terminal shows for each of these commands, run one after the other in one shell."""
    script = "".join(f"{{ {command}\n}} 2>&1; __status=$?; printf '{_END}'; (exit $__status)\n" for command in commands)
    run = subprocess.run(
        ["bash", "-c", script], cwd=checkout, env=environment(checkout), capture_output=True, timeout=60, check=False
    )
    assert not run.stderr, run.stderr.decode()
    return [part.splitlines() for part in run.stdout.decode().split(_END)[:-1]]


def fits(expected: list[str], got: list[str]) -> bool:
    """Whether lines are the expected ones, where `...` stands for any number of lines."""
    if "..." not in expected:
        return [line.rstrip() for line in got] == [line.rstrip() for line in expected]
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line.rstrip()) + r"[ ]*\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in got)) is not None


def refreshed(page: Path, checkout: Path) -> str:
    """The page with what its console examples show now; blocks with a `...` are left as they are."""
    lines = page.read_text(encoding="utf-8").splitlines()
    changes: list[tuple[int, int, list[str]]] = []
    for block in blocks(page):
        if "file" in block.remarks:
            write(block, checkout)
        if block.language == "console":
            length = len(block.text.splitlines())
            changes.append((block.line, block.line + length, _refreshed(block, checkout)))
    for first, last, new in reversed(changes):
        lines[first:last] = new
    return "".join(f"{line}\n" for line in lines)


def _refreshed(block: Block, checkout: Path) -> list[str]:
    found: list[str] = []
    planned = steps(block)
    for step, got in zip(planned, shown([step.command for step in planned], checkout), strict=True):
        first, *more = step.command.split("\n")
        found += [f"$ {first}", *(f"> {line}" for line in more)]
        found += step.shown if "..." in step.shown else [line.rstrip() for line in got]
    return found
