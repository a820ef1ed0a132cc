"""The words of the older command line, read as its scripts wrote them: the beginning of an option's name will do."""

import re
from collections.abc import Iterator, Mapping, Sequence

import click

_NUMBER = re.compile(r"-\d+|-\d*\.\d+")


class OlderCommand(click.Command):
    """A command of the older gate."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words, each option by its whole name."""
        return super().parse_args(ctx, spelt_out(self, ctx, args))


def spelt_out(command: click.Command, context: click.Context, words: Sequence[str]) -> list[str]:
    """The words up to the first that is no option, each option by its whole name; what is unclear stays as it is.

    Raises UsageError where an option stands in the place of a value: a dry run must not become the reason of an
    override, and be recorded.
    """
    named = {name: each for each in command.get_params(context) for name in each.opts if isinstance(each, click.Option)}
    found: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if not word.startswith("--") or word == "--":
            return [*found, word, *waiting]
        beginning, equals, value = word.partition("=")
        name = _whole(beginning, named)
        found.append(f"{name}{equals}{value}")
        if not equals and name in named and not named[name].is_flag:
            found += _value(name, waiting, context)
    return found


def _whole(beginning: str, named: Mapping[str, click.Option]) -> str:
    """The one option's name with that beginning; the beginning itself where there are none, or several."""
    fitting = [name for name in named if name.startswith(beginning)]
    return fitting[0] if len(fitting) == 1 and beginning not in named else beginning


def _value(name: str, waiting: Iterator[str], context: click.Context) -> list[str]:
    """The word behind an option that takes one; none where the words end."""
    value = next(waiting, None)
    if value is None:
        return []
    if value.startswith("-") and value != "-" and " " not in value and not _NUMBER.fullmatch(value):
        raise click.UsageError(f"option `{name}` has no value (if it is `{value}`, write `{name}={value}`)", context)
    return [value]
