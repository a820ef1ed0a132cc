"""README and docs say what is: generated parts are current, examples run, names are told, links lead somewhere."""

import json
import os
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests import docs_generated
from tests.house import pages, parts
from tests.house.pages import DOCS, ROOT, Block

from gatewright.app import App, Options, catalog_of
from gatewright.cli import COMMANDS, status
from gatewright.cli import gatewright as gatewright_command
from gatewright.cli.drop_in import OlderCommands
from gatewright.errors import PolicyError, Problem
from gatewright.expressions.parser import FUNCTIONS
from gatewright.model import FindingStatus, Level, Outcome, Stage, codes
from gatewright.model.exits import ExitCode
from gatewright.policy import documents, markers, runtimes, tier_tables
from gatewright.policy.loader import load
from gatewright.probes import projects
from gatewright.spec import Hooks
from gatewright.trials import fixtures
from gatewright.trials.fixtures import KINDS

PAGES = pages.pages()
FRAGMENTS = sorted(page for page in (DOCS / "changelog").iterdir() if page.name != "README.md")
WHOLE = [page for page in PAGES if page not in FRAGMENTS]  #: pages that stand by themselves


def page_id(page: Path) -> str:
    return pages.name_of(page)


# -- generated parts ---------------------------------------------------------------------------------------------------


def test_the_generated_parts_are_what_the_code_says():
    assert [pages.name_of(page) for page in docs_generated.stale()] == []


def test_every_generated_part_has_a_place_in_some_page():
    assert docs_generated.used_parts() == set(parts.PARTS)


def test_the_list_of_functions_leaves_none_out():
    assert set(parts._FUNCTION_WORDS) == set(FUNCTIONS)


def test_a_page_that_is_out_of_date_fails_the_check(monkeypatch, capsys):
    monkeypatch.setitem(parts.PARTS, "exit codes", lambda: "something else\n")
    assert docs_generated.main([]) == 1
    assert "docs/exit-codes.md: out of date" in capsys.readouterr().err


# -- examples ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    folder = pages.workshop(tmp_path)
    for name in ("GATEWRIGHT_POLICY", "GATEWRIGHT_LEDGER", "DISPATCH_TIER_POLICY", "DISPATCH_GATE_LEDGER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(folder)
    return folder


def with_examples() -> list[Path]:
    return [page for page in PAGES if pages.blocks(page)]


@pytest.mark.parametrize("page", with_examples(), ids=page_id)
def test_the_examples_of_a_page_hold(page, checkout, capsys):
    names: dict[str, object] = {"__name__": "example"}
    for block in pages.blocks(page):
        if "file" in block.remarks:
            whole = (
                pages.completed(block.text, block.remarks.get("stage", "check"))
                if block.language == "yaml"
                else block.text
            )
            pages.write(block._replace(text=whole), checkout)
        if is_there(block.remarks.get("needs", "")):
            run(block, checkout, names)


def is_there(module: str) -> bool:
    """Whether a module that an example needs is installed; where everything has to be, one that is not is an error."""
    return not module or find_spec(module) is not None or "REQUIRE_SERVICES" in os.environ


def run(block: Block, checkout: Path, names: dict[str, object]) -> None:
    if block.language == "console":
        run_console(block, checkout)
    elif block.language == "python" and "file" not in block.remarks:
        exec(compile("\n" * block.line + block.text, str(block.page), "exec"), names)
    elif block.language == "yaml":
        run_yaml(block)
    elif block.language == "toml":
        tomllib.loads(block.text)
        if block.remarks.get("file") == projects.FILE:
            projects.read_settings(projects.FILE)
    elif block.language == "json":
        json.loads(block.text)


def run_console(block: Block, checkout: Path) -> None:
    steps = pages.steps(block)
    for step, got in zip(steps, pages.shown([step.command for step in steps], checkout), strict=True):
        if not pages.fits(step.shown, got):
            assert "\n".join(got) == "\n".join(step.shown), f"{block.place}: $ {step.command}"


def run_yaml(block: Block) -> None:
    file = block.remarks.get("file", "example.yaml")
    text = pages.completed(block.text, block.remarks.get("stage", "check"))
    refused = block.remarks.get("refused")
    if refused is None and kind_of(text, file) == "fixture":
        Path(file).write_text(text, encoding="utf-8")
        assert status(gatewright_command, "gatewright", ["test", file]) == ExitCode.OK, block.place
        return
    found = problems(text, file)
    if refused is None:
        assert [str(problem) for problem in found] == [], block.place
        return
    where, _, said = refused.partition(" ")
    lines_before = text[: text.index(block.text)].count("\n")
    told = {f"{each.place.line - lines_before}:{each.place.column}": f"{each.message} ({each.hint})" for each in found}
    assert said in told.get(where, ""), f"{block.place}: {told}"


def kind_of(text: str, file: str) -> str:
    return documents.kind_of(documents.read(text.encode(), file).tree, KINDS)


def problems(text: str, file: str) -> tuple[Problem, ...]:
    """The mistakes of a document, by what it is."""
    data, catalog = text.encode(), App(Options(), environ={}).catalog
    try:
        kind = kind_of(text, file)
        if kind == "tier table":
            tier_tables.load(data, file)
        elif kind in ("markers", "runtimes"):
            (markers if kind == "markers" else runtimes).load(data, file)
        elif kind == "fixture":
            fixtures.load(data, file, frozenset(catalog.reasons), frozenset(catalog.facts))
        else:
            load(data, file, catalog)
    except PolicyError as error:
        return error.problems
    return ()


def test_the_examples_of_the_readme_begin_with_a_denial_that_explains_itself():
    first = pages.blocks(ROOT / "README.md")[0]
    assert first.language == "console"
    assert re.search(r"^DENY [A-Z_]+  [a-z-]+  policies/check\.yaml:\d+:\d+$", first.text, flags=re.MULTILINE)


def test_the_denial_of_the_readme_is_the_one_of_make_demo():
    command = pages.steps(pages.blocks(ROOT / "README.md")[0])[0].command
    assert " ".join(command.replace("\\\n", " ").split()) in (ROOT / "Makefile").read_text(encoding="utf-8")


# -- nothing is left out -----------------------------------------------------------------------------------------------


def code_constants() -> set[str]:
    return {name for name in vars(codes) if name.isupper() and name not in ("OK", "ENGINE_CODES")}


@pytest.mark.acceptance("G18")
def test_the_reason_codes_of_the_docs_are_those_of_the_code():
    rows = list(pages.tables(DOCS / "reason-codes.md", "Code", "Level", "Stage", "Meaning", "Cause", "What to do"))
    documented = [pages.bare(row[0]) for row in rows]
    given = {code for rule in catalog_of().rules.values() for code in rule.codes}
    assert sorted(documented) == sorted(code_constants())
    assert given <= set(documented)


def test_every_fact_and_every_field_of_one_is_in_the_docs():
    rows = pages.tables(DOCS / "facts.md", "Fact", "Kind", "May be null", "Source", "What")
    documented = {pages.bare(row[0]) for row in rows}
    wanted = set()
    for stage in Stage:
        for name, fact in catalog_of().facts_of(stage).items():
            wanted |= {name, *(f"{name}.{field}" for field in fact.type.fields or {})}
    assert wanted <= documented


@pytest.mark.parametrize("rule", catalog_of().rules.values(), ids=lambda rule: rule.id)
def test_every_rule_has_a_page_with_its_codes_options_and_facts(rule):
    text = (DOCS / "rules" / f"{rule.id}.md").read_text(encoding="utf-8")
    names = [*rule.codes, *(option.name for option in rule.options), *(wanted.name for wanted in rule.wants)]
    assert [name for name in names if f"`{name}`" not in text] == []


@pytest.mark.parametrize("hook", [name for name in vars(Hooks) if name.startswith("gatewright_")])
def test_every_hook_is_shown_in_use(hook):
    examples = [block.text for block in pages.blocks(DOCS / "plugins.md") if block.language == "python"]
    assert any(f"def {hook}(" in text for text in examples)


@pytest.mark.parametrize(
    ("program", "command"),
    [*(("gatewright", name) for name in COMMANDS), *(("dispatch-gate", name) for name in OlderCommands.names)],
)
def test_every_command_has_its_help_and_a_run_example(program, command):
    assert f"Usage: {program} {command} " in (DOCS / "cli.md").read_text(encoding="utf-8")
    commands = [step.command for page in PAGES for block in pages.blocks(page) for step in console_steps(block)]
    assert any(f"{program} {command}" in each for each in commands)


def test_the_readme_names_every_command_that_there_is():
    text = pages.prose(ROOT / "README.md")
    assert [name for name in COMMANDS if not re.search(rf"`(?:gatewright )?{name}`", text)] == []


def console_steps(block: Block) -> list[pages.Step]:
    return pages.steps(block) if block.language == "console" else []


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("policy-language.md", [f"`{level.value}`" for level in Level]),
        ("policy-language.md", [f"`{stage.value}`" for stage in Stage]),
        ("python-api.md", [f"`{outcome.value}`" for outcome in Outcome]),
        ("python-api.md", [f"`{each.value}`" for each in FindingStatus]),
        ("cli.md", [f"`{key}`" for key in projects._KEYS]),
        ("cli.md", ["`GATEWRIGHT_POLICY`", "`GATEWRIGHT_LEDGER`", "`DISPATCH_TIER_POLICY`", "`DISPATCH_GATE_LEDGER`"]),
    ],
    ids=["levels", "stages", "outcomes", "statuses", "project keys", "variables"],
)
def test_every_word_of_a_closed_set_is_told(page, words):
    text = (DOCS / page).read_text(encoding="utf-8")
    assert [word for word in words if word not in text] == []


def test_the_rooms_of_the_docs_are_those_of_the_import_contract_from_top_to_bottom():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    rooms = [room.strip() for layer in layers for room in layer.split("|")]
    documented = " ".join(row[0] for row in pages.tables(DOCS / "architecture.md", "Room", "What it does"))
    assert re.findall(r"`(\w+)`", documented) == rooms


def test_every_kind_of_key_is_shown_in_an_example():
    found = [
        block
        for page in ("policy-language.md", "fixtures.md", "contracts.md", "delivery.md")
        for block in pages.blocks(DOCS / page)
    ]
    shown = "".join(block.text for block in found if block.language in ("yaml", "markdown"))
    names = {name for part, keys in parts.KEYS.items() if "table" not in part for name in keys}
    assert [name for name in sorted(names) if not re.search(rf"\b{name}:", shown)] == []


# -- links -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_link_of_a_page_leads_somewhere(page):
    broken = []
    for target in pages.links(page):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        known = file.exists() and (not anchor or anchor in pages.anchors(file))
        if not known:
            broken.append(target)
    assert broken == []


def test_every_page_can_be_reached_from_the_readme():
    reached = {ROOT / "README.md"}
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        targets = {(page.parent / target.partition("#")[0]).resolve() for target in pages.links(page)}
        new = {target for target in targets if target.suffix == ".md" and target.is_file()} - reached
        reached |= new
        waiting += new
    assert [pages.name_of(page) for page in WHOLE if page not in reached] == []


@pytest.mark.parametrize("page", WHOLE, ids=page_id)
def test_a_page_has_one_title_and_it_comes_first(page):
    headings = re.findall(r"^(#+) ", pages.prose(page), flags=re.MULTILINE)
    assert headings[0] == "#"
    assert headings.count("#") == 1


# -- changelog ---------------------------------------------------------------------------------------------------------

TYPES = ("added", "changed", "deprecated", "removed", "fixed", "security")


def test_a_fragment_of_the_changelog_is_named_by_number_and_type():
    names = [page.name for page in FRAGMENTS]
    assert [name for name in names if not re.fullmatch(rf"[1-9]\d*\.({'|'.join(TYPES)})\.md", name)] == []


def test_the_types_of_the_changelog_are_told():
    text = (DOCS / "changelog" / "README.md").read_text(encoding="utf-8")
    assert [word for word in TYPES if f"`{word}`" not in text] == []
