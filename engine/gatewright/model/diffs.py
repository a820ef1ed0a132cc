"""What a change of policy means, rule by rule, with a request that shows it."""

from enum import Enum

from msgspec import Struct

from gatewright.errors import Place
from gatewright.model.backtests import Backtest
from gatewright.model.decisions import PolicyRef


class Meaning(Enum):
    """What became of a rule."""

    ADDED = "added"
    DROPPED = "dropped"
    LOOSENED = "loosened"  #: it lets through what it denied
    TIGHTENED = "tightened"  #: it denies what it let through
    BOTH = "changed both ways"
    WORDS = "message or level only"  #: what it denies is the same
    TOLD = "other warnings"  #: it denies the same, and warns of others or notes others
    ALIKE = "written differently"  #: no request was found that tells the two apart


class Shown(Struct, frozen=True, kw_only=True):
    """A request that shows a change, with what the two policies say of it."""

    request: str  #: in words: what of it is not as usual
    before: str  #: `allow`, or `deny` and the codes, and what else only one of the two says
    after: str
    whole: bool  #: whether the verdict itself differs, and not only what this rule says
    fixture: str  #: a case to paste, which the old policy passes and the new one fails; empty where there is none


class RuleChange(Struct, frozen=True, kw_only=True):
    """One rule, exception or freeze that is not what it was."""

    what: str  #: `rule agents-cap`, `exception pilot`, `freeze`
    meaning: Meaning
    before: Place | None = None
    after: Place | None = None
    parts: tuple[str, ...] = ()  #: which of its keys differ
    loosened: Shown | None = None
    tightened: Shown | None = None
    told: Shown | None = None  #: where neither is so: by what it warns of or notes
    tried: int = 0  #: requests that were tried on both


class PolicyDiff(Struct, frozen=True, kw_only=True):
    """All that a change of policy means."""

    old: PolicyRef
    new: PolicyRef
    changes: tuple[RuleChange, ...] = ()
    moved: bool = False  #: whether rules stand in another order, so that another reason may come first
    recorded: Backtest | None = None  #: recorded checks under both

    @property
    def differs(self) -> bool:
        """Whether anything is to be told."""
        return bool(self.changes) or self.moved or (self.recorded is not None and self.recorded.differs)

    @property
    def loosens(self) -> bool:
        """Whether something is let through that was denied."""
        return any(change.loosened is not None for change in self.changes)
