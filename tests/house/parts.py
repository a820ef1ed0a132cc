"""What the code says of itself, as Markdown: the generated parts of the docs, by name."""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum

import click

import gatewright
from gatewright.app import catalog_of
from gatewright.cli import gatewright as gatewright_command
from gatewright.cli.contract_command import command as contract_command
from gatewright.cli.drop_in import dispatch_gate as dispatch_gate_command
from gatewright.cli.ledger_command import command as ledger_command
from gatewright.cli.probe_command import command as probe_command
from gatewright.cli.tasks_command import command as tasks_command
from gatewright.expressions import admission, lexer, mistakes, operators, parser, parser_atoms, pattern_subset, patterns
from gatewright.model import Stage, exits
from gatewright.model.reasons import REASONS
from gatewright.model.tiers import TierTable
from gatewright.policy import checks, contracts, keys, markers, reader, tier_tables
from gatewright.policy.form import Keys
from gatewright.report import inventory
from gatewright.spec import Hooks
from gatewright.trials import fixtures

WIDTH = 100  #: of help texts, whatever the terminal
PROGRAMS: Mapping[str, click.Group] = {
    "gatewright": gatewright_command,
    "gatewright contract": contract_command,
    "gatewright ledger": ledger_command,
    "gatewright probe": probe_command,
    "gatewright tasks": tasks_command,
    "dispatch-gate": dispatch_gate_command,
}

Part = Callable[[], str]


def table(headers: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heads = list(headers)
    lines = [heads, ["---"] * len(heads), *([_cell(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def sentence(text: str) -> str:
    """Words of the code, which start in lower case and end without a full stop, as they stand in a cell."""
    return text[:1].upper() + text[1:]


# -- keys --------------------------------------------------------------------------------------------------------------


def key_table(found: Keys) -> str:
    """A table of the keys of a map."""
    rows = ([f"`{name}`", "yes" if key.required else "", sentence(key.doc)] for name, key in found.items())
    return table(["Key", "Required", "What"], rows)


KEYS: Mapping[str, Keys] = {
    "keys of a policy": keys.POLICY,
    "keys of a registered rule": keys.USE,
    "keys of an expression rule": keys.EXPRESSION,
    "keys of an exception": keys.EXCEPTION,
    "keys of freeze": keys.FREEZE,
    "keys of a fixture": fixtures.FILE,
    "keys of a case": fixtures.CASE,
    "keys of a contract": contracts.KEYS,
    "keys of a piece of evidence": contracts.DEMAND,
    "keys of a ledger row": fixtures.ROW,
    "keys of an expectation": fixtures.EXPECT,
    "keys of a step": fixtures.STEP,
    "keys of a list of screens": markers.FILE,
    "keys of a screen": markers.SCREEN,
    "keys of a version 1 table": tier_tables.V1,
    "keys of a version 2 table": tier_tables.V2,
}


def figures() -> str:
    """A table of the figures that a step may expect of a report."""
    return table(["Figure", "What"], ([f"`{name}`", sentence(doc)] for name, doc in fixtures.FIGURES.items()))


# -- the language ------------------------------------------------------------------------------------------------------

_FUNCTION_WORDS = {
    "has": "whether the path exists and is not null",
    "default": "the value at the path, or the literal where the path does not exist or is null",
    "matches": "whether the pattern, a literal, is found anywhere in the text",
    "len": operators.length.__doc__,
    "lower": operators.lower.__doc__,
    "starts_with": operators.starts_with.__doc__,
    "ends_with": operators.ends_with.__doc__,
    "contains": operators.contains.__doc__,
}


def grammar() -> str:
    """The grammar of expressions, as the parser states it."""
    rules = re.findall(r"^\w+ +:= .+$", str(parser.__doc__), flags=re.MULTILINE)
    return "```text\n" + "".join(f"{rule}\n" for rule in rules) + "```\n"


def functions() -> str:
    """A table of the functions, in the shapes that the parser's own hints give."""
    rows = []
    for name, count in parser.FUNCTIONS.items():
        shape = mistakes.wrong_count(name, count, 0)[1].removeprefix("write ")
        words = re.sub(r"^`\w+`: ", "", str(_FUNCTION_WORDS[name])).rstrip(".")
        rows.append([shape, sentence(words)])
    return table(["Function", "Answer"], rows)


def limits() -> str:
    """A table of everything that is bounded."""
    rows: list[tuple[str, int, str]] = [
        ("Characters of an expression", lexer.MAX_CHARACTERS, "`EXPR_LIMIT` at load"),
        ("Operations in an expression", parser_atoms.MAX_NODES, "`EXPR_LIMIT` at load; a list counts as one"),
        ("Depth of an expression", parser_atoms.MAX_DEPTH, "`EXPR_LIMIT` at load"),
        ("Characters of a pattern", patterns.MAX_PATTERN, "`EXPR_PATTERN` at load"),
        ("Repeats in a pattern, `{n}`", pattern_subset.MAX_REPEAT, "`EXPR_PATTERN` at load"),
        ("Characters that `matches` reads", patterns.MAX_MATCHED, "`EVAL_RANGE`, unless the pattern starts with `^`"),
        ("Depth of a fact", admission.MAX_DEPTH, "the fact cannot be had"),
        ("Values in a fact", admission.MAX_VALUES, "the fact cannot be had"),
        ("Characters of text in a fact", admission.MAX_CHARACTERS, "the fact cannot be had"),
        ("Bytes of a policy, table or fixture", reader.MAX_BYTES, "the file does not load"),
        ("Depth of a policy, table or fixture", reader.MAX_DEPTH, "the file does not load"),
        ("Values in a policy, table or fixture", reader.MAX_EVENTS, "the file does not load"),
    ]
    return table(["What", "At most", "Beyond it"], ([what, f"{number:,}", beyond] for what, number, beyond in rows))


# -- facts and reason codes --------------------------------------------------------------------------------------------


def facts() -> str:
    """A table of the facts of each stage that has any."""
    catalog = catalog_of()
    parts: list[str] = []
    for stage in Stage:
        found = list(catalog.facts_of(stage).values())
        if found:
            rows = (
                [f"`{name}`", kind, null, source, words]
                for name, kind, null, source, words in inventory.fact_rows(found)
            )
            parts.append(
                f"## Stage `{stage.value}`\n\n" + table(["Fact", "Kind", "May be null", "Source", "What"], rows)
            )
    return "\n".join(parts)


def reason_codes() -> str:
    """A table of all reason codes."""
    rows = (
        [
            f"`{reason.code}`",
            reason.level,
            ", ".join(reason.stages) or "any",
            reason.meaning,
            reason.cause,
            reason.action,
        ]
        for reason in REASONS
    )
    return table(["Code", "Level", "Stage", "Meaning", "Cause", "What to do"], rows)


# -- commands ----------------------------------------------------------------------------------------------------------


def help_of(group: click.Group, program: str, name: str | None = None) -> str:
    """The help of a program or of one of its commands, at a fixed width."""
    settings = {"terminal_width": WIDTH, "max_content_width": WIDTH, "help_option_names": ["-h", "--help"]}
    context = click.Context(group, info_name=program, **settings)
    if name is None:
        return group.get_help(context)
    command = group.get_command(context, name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=name, parent=context, **settings))


def help_texts(program: str) -> str:
    """The help of a program and of each of its commands, under a heading each."""
    group = PROGRAMS[program]
    names = [None, *group.list_commands(click.Context(group))]
    return "\n".join(
        f"## {program}{f' {name}' if name else ''}\n\n```text\n{help_of(group, program, name)}\n```\n" for name in names
    )


def exit_codes(family: type[IntEnum] = exits.ExitCode) -> str:
    """A table of the exit statuses of a family, with the words that stand beside them in the code."""
    words = dict(re.findall(r"(\w+) = \d+  #: (.+)", inspect.getsource(family)))
    return table(["Status", "Name", "What it says"], ([str(int(e)), e.name, sentence(words[e.name])] for e in family))


# -- for authors of plugins and users of the Python API ----------------------------------------------------------------


def hooks() -> str:
    """A table of the hooks."""
    found = [(name, hook) for name, hook in vars(Hooks).items() if name.startswith("gatewright_")]
    rows = ([f"`{name}`", str(hook.__annotations__["return"]), inspect.getdoc(hook) or ""] for name, hook in found)
    return table(["Hook", "Returns", "What"], ([name, _annotation(kind), words] for name, kind, words in rows))


def _annotation(text: str) -> str:
    return f"`{re.sub(r'[a-z_.]+[.](?=[A-Z])', '', text)}`".replace("<class '", "").replace("'>", "")


_DOOR_WORDS = {
    "Findings": "What a rule returns: an iterator of findings.",
    "hookimpl": "Marks a function as a plugin's hook.",
}


def front_door_names() -> list[str]:
    """The public names of `gatewright`, as its source lists them."""
    tree = ast.parse(inspect.getsource(gatewright))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    return sorted({alias.asname for node in imports for alias in node.names if alias.asname is not None})


def front_door() -> str:
    """A table of the public names."""
    rows = []
    for name in front_door_names():
        doc = _DOOR_WORDS.get(name) or inspect.getdoc(getattr(gatewright, name)) or ""
        rows.append([f"`{name}`", inventory.first_sentence(doc)])
    return table(["Name", "What"], rows)


def strip_steps() -> str:
    """A table of what is taken off a model's id: each step's name, and an id that it is taken off of."""
    table_of_one = TierTable(version=2, index={"claude-opus-4-8": "top", "gpt-5.5": "top"})
    examples = [
        "anthropic/claude-opus-4-8",
        "us.anthropic.claude-opus-4-8",
        "claude-opus-4-8[1m]",
        "claude-opus-4-8-latest",
        "claude-opus-4-8-20260201",
        "claude-opus-4-8@20260201",
        "claude-opus-4-8-v1:0",
        "gpt-5.5-high",
        "gpt-5.5 (high)",
        "claude-opus-4.8",
    ]
    matches = {name: table_of_one.match(name) for name in examples}
    rows = ([f"`{name}`", f"`{found.matched}`", ", ".join(found.steps)] for name, found in matches.items())
    return table(["Id", "Listed id that it matches", "Steps"], rows)


def lint_checks() -> str:
    """What lint finds that does not stop a file from loading."""
    rows = ([f"`{name}`", f"`{severity.value}`", sentence(what)] for name, (severity, what) in checks.CHECKS.items())
    return table(["Check", "Level", "What it finds"], rows)


PARTS: Mapping[str, Part] = {
    "figures of a report": figures,
    **{name: (lambda found=found: key_table(found)) for name, found in KEYS.items()},
    "grammar": grammar,
    "functions": functions,
    "limits": limits,
    "facts": facts,
    "reason codes": reason_codes,
    "help of gatewright": lambda: help_texts("gatewright"),
    "help of gatewright contract": lambda: help_texts("gatewright contract"),
    "help of gatewright ledger": lambda: help_texts("gatewright ledger"),
    "help of gatewright probe": lambda: help_texts("gatewright probe"),
    "help of gatewright tasks": lambda: help_texts("gatewright tasks"),
    "help of dispatch-gate": lambda: help_texts("dispatch-gate"),
    "exit codes": exit_codes,
    "exit codes of dispatch": lambda: exit_codes(exits.DispatchCode),
    "exit codes of watch": lambda: exit_codes(exits.WatchCode),
    "exit codes of probe model": lambda: exit_codes(exits.ProbeCode),
    "hooks": hooks,
    "front door": front_door,
    "strip steps": strip_steps,
    "checks of lint": lint_checks,
}
