"""What became of a policy's mutants: which of them some case notices, and which none does."""

from enum import Enum

from msgspec import Struct

from gatewright.errors import Place

_PERCENT = 100.0


class Fate(Enum):
    """What became of one mutant."""

    KILLED = "killed"  #: a case came out otherwise
    SURVIVED = "survived"  #: no case did, and one is known that would
    UNDECIDED = "undecided"  #: no case did, and none that would was found
    EQUIVALENT = "equivalent"  #: it decides every request as the policy does


class Mutated(Struct, frozen=True, kw_only=True):
    """One mutant and its fate."""

    policy: str  #: path of the policy's file
    kind: str
    subject: str  #: the id of the rule or exception, or the name of the param
    place: Place
    before: str  #: what the policy says there, and what the mutant says
    after: str
    fate: Fate
    killed_by: str = ""  #: the id of the first case that noticed
    case: str = ""  #: a case that would, to be pasted under `cases:`
    file: str = ""  #: of a fixture that it fits into


class Mutation(Struct, frozen=True, kw_only=True):
    """The mutants of the policies that cases are judged by."""

    cases: int
    mutants: tuple[Mutated, ...]

    def count(self, fate: Fate) -> int:
        """How many mutants met a fate."""
        return sum(each.fate is fate for each in self.mutants)

    @property
    def alive(self) -> tuple[Mutated, ...]:
        """The mutants that no case notices, and that are not known to be equivalent."""
        return tuple(each for each in self.mutants if each.fate in (Fate.SURVIVED, Fate.UNDECIDED))

    @property
    def percent(self) -> float:
        """How many of those that could be noticed are, in percent; all of none is 100."""
        killed = self.count(Fate.KILLED)
        judged = killed + len(self.alive)
        return _PERCENT * killed / judged if judged else _PERCENT
