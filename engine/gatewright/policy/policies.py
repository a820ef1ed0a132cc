"""A policy, read and checked: what the runner compiles and the auditors' tables show."""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from gatewright.errors import Fault, Place, Problem
from gatewright.expressions.nodes import Node
from gatewright.model import Level, Moment, Stage
from gatewright.policy.tree import Scalar, Source, place_in
from gatewright.spec import Rule


class Expression(Struct, frozen=True, kw_only=True):
    """A checked expression of a policy, with the scalar that it was written in."""

    text: str
    tree: Node
    source: Source
    scalar: Scalar
    warnings: tuple[Fault, ...] = ()

    def place(self, offset: int = 0) -> Place:
        """The place in the file of a character of the expression."""
        return self.source.place(*place_in(self.source, self.scalar, offset))


class Template(Struct, frozen=True):
    """A message: plain pieces, and paths of facts in between, first a piece and then by turns."""

    pieces: tuple[str, ...]
    paths: tuple[Expression, ...]


class PolicyRule(Struct, frozen=True, kw_only=True):
    """One entry under `rules:`: a registered rule with its options, or an expression with its code."""

    id: str
    place: Place
    path: str
    rule: Rule | None = None
    options: Mapping[str, object] = {}
    effect: str = ""  #: `deny`, `warn` or `require`; empty for a registered rule
    condition: Expression | None = None
    when: Expression | None = None
    code: str = ""
    message: Template | None = None
    hint: str = ""
    levels: Mapping[str, Level] = {}  #: by code, only where the policy says so
    overrides: Mapping[str, str] = {}  #: the fact whose text lets a denial through, by code
    locked: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that the rule may give."""
        return self.rule.codes if self.rule is not None else (self.code,)


class PolicyException(Struct, frozen=True, kw_only=True):
    """A denial that is let through on purpose, until the end of a day."""

    id: str
    code: str
    until: date  #: the last day, in UTC, on which it holds
    reason: str
    owner: str
    place: Place
    when: Expression | None = None


class Freeze(Struct, frozen=True, kw_only=True):
    """A time until which the policy denies everything."""

    until: Moment
    reason: str
    place: Place


class Policy(Struct, frozen=True, kw_only=True):
    """A policy file, read, with everything in it resolved."""

    id: str
    stage: Stage
    description: str
    source: Source
    sha256: str  #: of the file's bytes
    digest: str  #: of the file, the params it runs with, and the rule packages
    params: Mapping[str, object]
    rules: tuple[PolicyRule, ...]
    exceptions: tuple[PolicyException, ...] = ()
    freeze: Freeze | None = None
    reasons: Mapping[str, str] = {}  #: the policy's own codes, with their meaning
    warnings: tuple[Problem, ...] = ()

    @property
    def path(self) -> str:
        """The file's path as it was given."""
        return self.source.file
