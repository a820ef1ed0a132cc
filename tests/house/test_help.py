"""Every command tells what it does, what each of its options is for, and how it is called."""

import re

import click
import pytest
from tests.house.parts import PROGRAMS, WIDTH, help_of


def commands() -> list[tuple[str, str, click.Command]]:
    found = []
    for program, group in PROGRAMS.items():
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            found.append((program, name, command))
    return found


COMMANDS = commands()
IDS = [f"{program} {name}" for program, name, _ in COMMANDS]


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_a_command_says_in_a_sentence_what_it_does(program, name, command):
    assert re.match(r"[A-Z].+\.", command.help or "")


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_a_command_shows_an_example_call(program, name, command):
    calls = re.findall(rf"^ +(?:\$ )?{program} .*{name}\b.*$", help_of(PROGRAMS[program], program, name), re.MULTILINE)
    assert calls


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_every_option_of_a_command_says_what_it_is_for(program, name, command):
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.opts for option in options if not (option.help or "").strip()] == []


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_an_option_is_told_in_a_sentence(program, name, command):
    told = {option.opts[0]: option.help or "" for option in command.params if isinstance(option, click.Option)}
    assert [name for name, text in told.items() if not text.endswith(".")] == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_lists_each_of_its_commands_with_a_word_on_it(program):
    text = help_of(PROGRAMS[program], program)
    names = [name for owner, name, _ in COMMANDS if owner == program]
    assert [name for name in names if not re.search(rf"^ +{name} +\w", text, flags=re.MULTILINE)] == []


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_help_fits_its_width(program, name, command):
    text = help_of(PROGRAMS[program], program, name)
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []


@pytest.mark.parametrize(("program", "name", "command"), COMMANDS, ids=IDS)
def test_an_option_means_the_same_in_every_command_of_a_program(program, name, command):
    mine = {tuple(option.opts): option.help for option in command.params if isinstance(option, click.Option)}
    for owner, other, each in COMMANDS:
        theirs = {tuple(option.opts): option.help for option in each.params if isinstance(option, click.Option)}
        shared = (mine.keys() & theirs.keys()) - PER_COMMAND
        if owner == program:
            assert {opts: mine[opts] for opts in shared} == {opts: theirs[opts] for opts in shared}, other


#: `-f` lists the formats that a command has, `--stage` what it does with the stage.
PER_COMMAND = {("-f", "--format"), ("--stage",)}
