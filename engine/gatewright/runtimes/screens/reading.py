"""What a screen shows: its class, by what stands at its bottom and is still in force.

A question counts while it owns the bottom. A notice counts while it belongs to the last turn, prompt or no prompt below
it. What somebody typed, what the agent says, and what has scrolled up count for nothing.
"""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from gatewright.model.screens import Form, GateKind, KnownScreens, Pane, PaneClass
from gatewright.runtimes.screens import answers, resets
from gatewright.runtimes.screens.lines import Line, LineKind, Prompts, key_of, lines_of
from gatewright.runtimes.screens.matching import Hit, Ready, hits, ready, status
from gatewright.runtimes.screens.terminal import MAX_COLUMNS, rows

BLOCK = 25  #: lines that a question may own
LAST = 8  #: lines below a notice, but for the prompt and what is drawn around it
ANYBODY = "any"  #: the product of what many show, and what tells less than a product's own words
_FRAMED = (">", "→")  #: signs that are prompts only within a frame
TASK = 12  #: characters from which a line is known as part of the task


class Bottom(Struct, frozen=True):
    """The lines at the bottom of a screen, and what is known of each."""

    lines: list[Line]
    composer: int | None  #: the line into which the next task is typed
    typed: frozenset[int]  #: lines that somebody typed
    said: frozenset[int]  #: lines that the agent says, but for the first of each saying
    running: int | None  #: the last line that says that a turn runs
    listed: frozenset[int] = frozenset()  #: answers without numbers


class Reader:
    """Reads screens by what is known of them."""

    def __init__(self, known: KnownScreens, product: str = "") -> None:
        """known: the screens; product: whose come first where two are alike."""
        own = sorted(known.by_name.values(), key=lambda each: each.product != product)
        self.known: list[Ready] = [ready(screen) for screen in own]
        self.prompts = _prompts(known)
        self.by_reason = {reason: each.screen for each in reversed(self.known) for reason in each.screen.reasons}
        self.marked = [each for each in self.known if each.screen.form in (Form.DIALOG, Form.NOTICE)]

    def read(
        self,
        text: str,
        *,
        task: str = "",
        now: datetime | None = None,
        columns: int | None = None,
        reason: str = "",
    ) -> Pane:
        """What a screen shows.

        text: what was written to the terminal, or what stands on it.
        task: what was typed in, whose words count for nothing.
        now: when the screen was read, for the times at which limits end.
        columns: how wide the terminal is, where that is known.
        reason: the orchestrator's own word for what the terminal waits at; one that is not known counts for nothing.
        """
        bottom = self._bottom(lines_of(rows(text, columns or MAX_COLUMNS), self.prompts), key_of(task))
        found = self._in_force(bottom)
        gate = self._gate(bottom, found, now)
        if gate is not None and gate.pane_class is PaneClass.HOOK_TRUST:
            return gate
        return self.told(reason) or gate or self._quiet(bottom, found)

    def told(self, reason: str) -> Pane | None:
        """What an orchestrator's word for a screen means; None for one that is not known."""
        screen = self.by_reason.get(reason)
        return None if screen is None else _pane(Hit(0, screen, reason))

    def _bottom(self, lines: list[Line], task: str) -> Bottom:
        running = [at for at, line in enumerate(lines) if line.running or status(line, self.known) is not None]
        known = hits(lines, self.marked, frozenset(range(len(lines))))
        sent = frozenset(at for at, line in enumerate(lines) if _is_of_task(line, task))
        lists = answers.lists(lines, (hit.at for hit in known if hit.screen.form is Form.DIALOG), sent)
        # Lines with a sign or bullet that is a cursor in a list of answers, not a prompt.
        choices = frozenset(lists) | {hit.at for hit in known if _is_all(lines[hit.at], hit.marker)}
        composer = _composer(lines, choices)
        typed = _typed(lines, choices, composer, task)
        listed = frozenset(at for whole in lists.values() for at in whole)
        return Bottom(lines, composer, typed, _said(lines, typed), running[-1] if running else None, listed)

    def _in_force(self, bottom: Bottom) -> list[Hit]:
        own = frozenset(range(len(bottom.lines))) - bottom.typed - bottom.said
        return [hit for hit in hits(bottom.lines, self.marked, own) if _is_in_force(bottom, hit)]

    def _gate(self, bottom: Bottom, found: Sequence[Hit], now: datetime | None) -> Pane | None:
        """The question or limit that stands on the screen; a question outranks a limit."""
        advised = any(hit.screen.gate_kind is GateKind.ADVISORY for hit in found)
        questions = [hit for hit in found if hit.screen.pane_class is PaneClass.HOOK_TRUST]
        telling = [hit for hit in questions if hit.screen.product != ANYBODY]
        limits = [hit for hit in found if hit.screen.pane_class is PaneClass.LIMIT]
        # The last line of a menu is like that of any question, and the menu says itself what it is.
        has_menu = any(hit.screen.form is Form.DIALOG for hit in limits)
        if telling or (questions and not advised and not has_menu):
            return _pane((telling or questions)[0])
        return _limit(bottom, limits, now) if limits else None

    def _quiet(self, bottom: Bottom, found: Sequence[Hit]) -> Pane:
        """What a screen shows on which no gate stands."""
        for kind in (GateKind.DEAD, GateKind.SERVICE):
            of_kind = [hit for hit in found if hit.screen.gate_kind is kind]
            if of_kind:
                return _pane(_lowest(of_kind))
        if bottom.lines and bottom.lines[-1].kind is LineKind.SHELL:
            return Pane(pane_class=PaneClass.UNKNOWN, gate_kind=GateKind.DEAD, marker=bottom.lines[-1].text)
        menu = None if found else _menu(bottom)
        if menu is not None:
            return Pane(pane_class=PaneClass.HOOK_TRUST, gate_kind=GateKind.START_MENU, marker=bottom.lines[menu].text)
        if bottom.running is not None and _is_last(bottom, bottom.running):
            line = bottom.lines[bottom.running]
            shown = status(line, self.known)
            return Pane(pane_class=PaneClass.BUSY, screen=shown.name if shown else None, marker=line.text)
        if bottom.composer is not None:
            return Pane(pane_class=PaneClass.PREPARED_PROMPT, marker=bottom.lines[bottom.composer].text)
        if found:
            return _pane(_lowest(found))
        return Pane(pane_class=PaneClass.UNKNOWN)


def _prompts(known: KnownScreens) -> Prompts:
    every = [mark for each in known.by_name.values() if each.form is Form.PROMPT for mark in each.markers]
    signs = tuple(mark for mark in every if " " not in mark)
    return Prompts(signs, tuple(key_of(mark) for mark in every if " " in mark))


def _pane(hit: Hit) -> Pane:
    screen = hit.screen
    return Pane(
        pane_class=screen.pane_class,
        gate_kind=screen.gate_kind,
        screen=screen.name,
        product=screen.product,
        marker=hit.marker,
    )


def _lowest(found: Sequence[Hit]) -> Hit:
    """What stands nearest to the bottom; of two in one line the product's own, which comes first."""
    return max(found, key=lambda hit: hit.at)


def _limit(bottom: Bottom, limits: Sequence[Hit], now: datetime | None) -> Pane:
    from msgspec.structs import replace

    lines = [line.text for line in bottom.lines]
    for hit in sorted(limits, key=lambda each: -each.at):
        told = resets.told(lines[hit.at : hit.at + resets.LINES])
        if told is not None:
            moment = resets.moment(told, now)
            return replace(_pane(hit), reset_text=told, reset_at=None if moment is None else resets.rfc3339(moment))
    return _pane(_lowest(limits))


def _is_all(line: Line, marker: str) -> bool:
    """Whether a line is a marker and hardly anything else, as an answer in a list is."""
    wanted = key_of(marker.strip("…"))
    return any(start.startswith(wanted) and len(start) <= len(wanted) + LAST for start in line.starts)


def _composer(lines: Sequence[Line], choices: frozenset[int]) -> int | None:
    """The line that the next task is typed into: the last with a prompt, where nothing but a foot stands below it."""
    signs = [at for at, line in enumerate(lines) if _is_prompt(lines, at) and at not in choices]
    if not signs:
        return None
    below = lines[answers.draft(lines, signs[-1]).stop :]
    foot = [line for line in below if line.kind not in (LineKind.BLANK, LineKind.RULE)]
    if len(foot) > LAST or any(line.kind in (LineKind.REPLY, LineKind.SHELL, LineKind.CHOICE) for line in foot):
        return None
    return None if any(line.text.startswith(("⎿", "■", "⚠")) or line.running for line in foot) else signs[-1]


def _is_prompt(lines: Sequence[Line], at: int) -> bool:
    line = lines[at]
    if line.kind not in (LineKind.TURN, LineKind.PROMPT):
        return len(answers.draft(lines, at)) > 1
    is_idle = line.kind is LineKind.PROMPT and len(line.key) > len(line.sign)
    return is_idle or line.sign not in _FRAMED or _is_framed(lines, at)


def _is_framed(lines: Sequence[Line], at: int) -> bool:
    rules = sum(line.kind is LineKind.RULE for line in lines[max(at - 1, 0) : at + 2])
    return lines[at].framed or rules > 1


def _menu(bottom: Bottom) -> int | None:
    """The answer that the cursor of a list of answers stands on; a list waits, though nobody knows its question."""
    if bottom.composer is not None:
        return None
    lines = bottom.lines
    own = frozenset(range(len(lines))) - bottom.typed - bottom.said
    choices = [at for at in sorted(own) if lines[at].kind is LineKind.CHOICE or at in bottom.listed]
    chosen = [at for at in choices if lines[at].sign]
    if not chosen or len(choices) <= 1 or len(lines) - chosen[-1] > BLOCK:
        return None
    below = range(chosen[-1] + 1, len(lines))
    return None if any(_ends_dialog(bottom, at) for at in below) else chosen[-1]


def _typed(lines: Sequence[Line], choices: frozenset[int], composer: int | None, task: str) -> frozenset[int]:
    """The lines that somebody typed: behind a sign, their further lines, and those that are part of the task."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        if line.kind is LineKind.TURN and at not in choices:
            found |= {at, *_further(lines, at)}
        elif _is_of_task(line, task):
            found.add(at)
    return frozenset(found if composer is None else found | set(answers.draft(lines, composer)))


def _is_of_task(line: Line, task: str) -> bool:
    key = key_of(line.typed) or line.key
    return len(key) >= TASK and key in task


def _said(lines: Sequence[Line], typed: frozenset[int]) -> frozenset[int]:
    """The further lines of what the agent says."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        if line.kind is LineKind.REPLY and at not in typed:
            found |= set(_further(lines, at))
    return frozenset(found)


def _further(lines: Sequence[Line], at: int) -> list[int]:
    found: list[int] = []
    for below in range(at + 1, len(lines)):
        if lines[below].kind is not LineKind.TEXT or lines[below].text.startswith(("⎿", "■", "⚠")):
            break
        found.append(below)
    return found


def _is_in_force(bottom: Bottom, hit: Hit) -> bool:
    """Whether what stands in a line has not been answered, passed by or left behind since."""
    below = range(hit.at + 1, len(bottom.lines))
    ends = _ends_dialog if hit.screen.form is Form.DIALOG else _ends_notice
    if any(ends(bottom, at) for at in below):
        return False
    if hit.screen.form is Form.DIALOG:
        return len(below) < BLOCK
    return sum(_weighs(bottom, at) for at in below) <= LAST


def _ends_dialog(bottom: Bottom, at: int) -> bool:
    line = bottom.lines[at]
    if line.kind is LineKind.SHELL:  # a question may show the command that it asks about
        return not any(below.kind is LineKind.CHOICE for below in bottom.lines[at:])
    return line.kind is LineKind.PROMPT or at in bottom.typed or _ends_turn(bottom, at)


def _ends_notice(bottom: Bottom, at: int) -> bool:
    line = bottom.lines[at]
    is_new_turn = line.kind is LineKind.TURN and at in bottom.typed and at != bottom.composer
    return is_new_turn or _ends_turn(bottom, at) or (line.opens_box and not _holds_prompt(bottom.lines, at))


def _ends_turn(bottom: Bottom, at: int) -> bool:
    line = bottom.lines[at]
    return at == bottom.running or line.running or line.kind is LineKind.REPLY


def _holds_prompt(lines: Sequence[Line], at: int) -> bool:
    return any(line.sign for line in lines[at + 1 : at + 3])


def _weighs(bottom: Bottom, at: int) -> bool:
    around = bottom.composer is not None and at >= bottom.composer
    return not around and bottom.lines[at].kind not in (LineKind.BLANK, LineKind.RULE)


def _is_last(bottom: Bottom, at: int) -> bool:
    """Whether nothing but the list below an indicator, a prompt and its foot stand below a line."""
    below = range(at + 1, len(bottom.lines))
    return not any(bottom.lines[each].kind in (LineKind.REPLY, LineKind.SHELL) for each in below)
