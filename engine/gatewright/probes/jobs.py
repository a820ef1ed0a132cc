"""Proving a job: its id stands in what an operator's command prints, as a whole word."""

import os
import re
import shlex

from gatewright.model import Job
from gatewright.probes.commands import SECONDS, End, Ran, run
from gatewright.text import is_blank

#: Commands that print words of their own, or names of files: nothing that a job has left behind.
_PRINTS_NO_CONTENT = frozenset(
    ["echo", "printf", "ls", "dir", "find", "stat", "basename", "realpath", "readlink", "true"]
)
_BETWEEN_COMMANDS = frozenset([";", "&&", "||", "&"])


def prove(job_id: str, command: str, *, seconds: float = SECONDS) -> Job:
    """Run the probe of a job. Only its exit status and its standard output count, never what it says besides."""
    if is_blank(job_id):
        return Job(proven=False, problem="it has no id")
    ran = run(command, seconds=seconds)
    problem = _problem(ran, job_id, seconds)
    return Job(proven=problem is None, content=reads_content(command), problem=problem)


def _problem(ran: Ran, job_id: str, seconds: float) -> str | None:
    if ran.end is End.TIMED_OUT:
        return f"the probe was over its {seconds:g} s"
    if ran.end is End.NOT_STARTED:
        return f"the probe could not be started: {ran.problem}"
    if ran.status != 0:
        return f"the probe exited with {ran.status}"
    if not holds_word(ran.output, job_id):
        where = "the beginning and the end of what the probe printed" if ran.cut else "what the probe printed"
        return f"its id is no word of {where}"
    return None


def holds_word(text: str, word: str) -> bool:
    """Whether a word stands in a text as a whole: no letter, digit, `_` or `-` right before or behind it."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def reads_content(command: str) -> bool:
    """Whether a command prints content, as far as can be told from its words: the last pipeline's first command."""
    lexer = shlex.shlex(command.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return True  # the shell will say what is wrong with it
    first = ""
    for at, word in enumerate(words):
        starts = at == 0 or words[at - 1] in _BETWEEN_COMMANDS
        if starts and word not in _BETWEEN_COMMANDS:
            first = next((each for each in words[at:] if not re.match(r"\w+=", each)), "")
    reads = "$(" in command or "`" in command or "-exec" in words
    return reads or os.path.basename(first) not in _PRINTS_NO_CONTENT
