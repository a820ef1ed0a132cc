"""Lines of a screen as markers are looked for in them: without frames, in one case, without blanks."""

import re
import unicodedata
from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

MAX_WIDTH = 1_000  #: characters of a line
MAX_LINES = 60  #: of the bottom of a screen; questions own at most 25 of them

_FRAMES = "".join(chr(code) for code in range(0x2500, 0x25A0)) + "|"
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‛": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
#: What may be quoted, and so says that the words behind it are somebody's, not the program's.
_OPENING = "\"'`([{</"
_NUMBERED = re.compile(r"(?:\[[a-z0-9]\]|\(?[0-9]{1,2}[.)])(?=\S)")
#: Signs that stand for much else too, and are prompts only with a blank behind them.
_COMMON = ">"
_BULLETS = "●•⏺"
_RUNNING = re.compile(r"[✻✽✶✳✢·∗*]\w[^…]{0,60}(?:…|\.\.\.)")
_HOST = r"[\w.-]{1,80}@[^ ]{1,200} ?"
_PLACE = r"[~/][^ ]{0,200} ?|[A-Za-z][\w.-]{0,80}:[^ ]{0,200} ?|\[[^\]]{1,80}\]|\([\w.-]{1,40}\) ?[^ ]{0,200} ?"
_PROGRAM = r"(?:ba|z|da|k)?sh-[0-9.]{1,10}|[A-Za-z][\w.-]{0,40}"
_SHELL = re.compile(rf"\$(?: .*)?|[#%]|(?:{_HOST}|{_PLACE}|{_PROGRAM})[$#%](?: .*)?|➜ +\S.*")
#: A command that a program shows; what a shell was given begins in the first column.
_SHOWN = re.compile(r"\$ ")


class LineKind(Enum):
    """What a line is, as far as one can tell by the line alone."""

    BLANK = "blank"
    RULE = "rule"  #: nothing but a frame
    CHOICE = "choice"  #: a numbered answer
    TURN = "turn"  #: a sign with words behind it: what somebody typed
    PROMPT = "prompt"  #: a sign alone
    REPLY = "reply"  #: a bullet with words: what the agent says
    SHELL = "shell"  #: a shell's prompt
    TEXT = "text"


class Line(Struct, frozen=True, kw_only=True):
    """One line of a screen."""

    text: str  #: within its frame
    key: str  #: without blanks and case
    starts: tuple[str, ...]  #: the same from behind bullets and numbers
    kind: LineKind
    framed: bool = False
    opens_box: bool = False
    running: bool = False
    sign: str = ""
    typed: str = ""  #: what stands behind the sign
    column: int = 0  #: where the text begins


def key_of(text: str) -> str:
    """A text as it is compared: quotes straight, in one case, without blanks and characters that show nothing."""
    straight = text.translate(_QUOTES).replace("…", "...").casefold()
    return "".join(char for char in straight if not char.isspace() and unicodedata.category(char) != "Cf")


class Prompts(Struct, frozen=True):
    """How prompts begin."""

    signs: tuple[str, ...]  #: what comes behind them is typed in
    idle: tuple[str, ...]  #: keys of what stands in a prompt into which nothing is typed


def lines_of(rows: Iterable[str], prompts: Prompts) -> list[Line]:
    """The lines at the bottom of a screen; blank ones at its end are left out, many in a row count as one."""
    kept: list[Line] = []
    for row in reversed(list(rows)):
        line = line_of(row, prompts)
        if line.kind is LineKind.BLANK and (not kept or kept[-1].kind is LineKind.BLANK):
            continue
        kept.append(line)
        if len(kept) == MAX_LINES:
            break
    return kept[::-1]


def line_of(row: str, prompts: Prompts) -> Line:
    """A row as a line."""
    plain = row[:MAX_WIDTH].replace("\u00a0", " ")
    bare = plain.strip()
    text = bare.strip(_FRAMES + " ")
    key = key_of(text)
    sign, typed = _signed(text, key, prompts)
    column = plain.find(text)
    return Line(
        text=text,
        key=key,
        starts=_starts(key),
        kind=LineKind.TEXT if column and _SHOWN.match(text) else _kind(bare, text, key, sign, typed),
        framed=bare != text and bool(text),
        opens_box=bare[:1] in ("╭", "┌", "╔", "┏"),
        running=_RUNNING.match(key) is not None,
        sign=sign,
        typed=typed,
        column=column,
    )


def _starts(key: str) -> tuple[str, ...]:
    found = [key]
    plain = _without_bullet(key)
    numbered = _NUMBERED.match(plain)
    for start in (plain, plain[numbered.end() :] if numbered is not None else plain):
        if start and start not in found:
            found.append(start)
    return tuple(found)


def _without_bullet(key: str) -> str:
    for at, char in enumerate(key):
        if char.isalnum() or char in _OPENING:
            return key[at:]
    return ""


def _signed(text: str, key: str, prompts: Prompts) -> tuple[str, str]:
    """The sign that a line starts with, and what is typed behind it."""
    idle = next((each for each in prompts.idle if key.startswith(each)), None)
    if idle is not None:
        return text[0], ""
    for sign in prompts.signs:
        rest = text[len(sign) :]
        if text.startswith(sign) and (not sign.endswith(_COMMON) or rest[:1] in ("", " ")):
            return sign, rest.strip()
    return "", ""


def _kind(bare: str, text: str, key: str, sign: str, typed: str) -> LineKind:
    if not bare:
        return LineKind.BLANK
    if not text:
        return LineKind.RULE
    if _NUMBERED.match(_without_bullet(key)) is not None and (sign or not key[0].isalpha()):
        return LineKind.CHOICE
    if sign and not typed:
        return LineKind.PROMPT
    if _SHELL.fullmatch(text) is not None:
        return LineKind.SHELL
    if sign:
        return LineKind.TURN
    return LineKind.REPLY if text[0] in _BULLETS else LineKind.TEXT
