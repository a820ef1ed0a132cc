"""Coverage of reason codes: for every rule and each code that it may give, how cases or rows have fared with it.

What is counted are outcomes, not lines: a code is shown when some case makes the rule give it, and when some other case
passes the rule narrowly, so that the smallest change would make it give it.
"""

from collections.abc import Iterable

from msgspec import Struct

from gatewright.errors import Place

POSITIVE, NEGATIVE = "positive", "negative"
_PERCENT = 100.0


class CodeUse(Struct, frozen=True, kw_only=True):
    """How one code of one rule has fared."""

    policy: str  #: path of the policy's file
    stage: str
    rule: str
    code: str
    where: Place  #: the rule in the policy
    level: str  #: what the policy makes of it: deny, warn, note or off; as the rule has it where both are empty
    fired: int = 0  #: decisions in which it was given, and counted
    missed: int | None = 0  #: decisions that passed narrowly; None where facts are not recorded
    not_applicable: int | None = 0  #: decisions in which the rule did not apply; None where that is not recorded
    excepted: int = 0
    overridden: int = 0
    errored: int = 0  #: decisions in which the rule met what it may not guess about
    fired_by: str = ""  #: the first case or row that was counted
    missed_by: str = ""
    lacking: tuple[str, ...] = ()  #: what is not shown, in words that start with `positive` or `negative`

    @property
    def wanted(self) -> int:
        """How many things are to be shown of it: none of a code that the policy has switched off."""
        return 0 if self.level == "off" else 1 if self.missed is None else 2

    @property
    def shown(self) -> int:
        """How many of them are shown."""
        return self.wanted - len(self.lacking)


class ExceptionShown(Struct, frozen=True, kw_only=True):
    """How one exception of a policy has fared."""

    policy: str
    exception: str
    code: str
    owner: str
    until: str
    where: Place
    used: int = 0  #: decisions in which it let a denial through


class Coverage(Struct, frozen=True, kw_only=True):
    """What cases, or the rows of a ledger, show of the policies that they were judged by."""

    source: str  #: `fixtures`, or the ledger's name
    decisions: int
    codes: tuple[CodeUse, ...]  #: in the order of the policies and their rules
    exceptions: tuple[ExceptionShown, ...] = ()

    @property
    def percent(self) -> float:
        """How much of what is to be shown is shown, in percent; all of nothing is 100."""
        return percent_of(self.codes)

    @property
    def uncovered(self) -> tuple[CodeUse, ...]:
        """The codes of which something is not shown."""
        return tuple(use for use in self.codes if use.lacking)


def percent_of(codes: Iterable[CodeUse]) -> float:
    """How much of what is to be shown of these codes is shown, in percent."""
    uses = tuple(codes)
    wanted = sum(use.wanted for use in uses)
    return _PERCENT * sum(use.shown for use in uses) / wanted if wanted else _PERCENT
