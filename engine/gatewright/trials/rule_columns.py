"""What became of a rule, as columns in SQL: nothing to say, fired, not applicable.

Where SQL cannot tell, everything that the rule reads takes its place: there are more kinds of checks then, and never a
wrong one.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from gatewright.expressions.checker import checked
from gatewright.expressions.nodes import Field, Node, walk
from gatewright.expressions.schema import Schema
from gatewright.expressions.sql import SqlEmitter, Term, UncompilableError, literal
from gatewright.policy.policies import Freeze, PolicyException, PolicyRule
from gatewright.runner import Gate
from gatewright.spec import Rule
from gatewright.trials import kept
from gatewright.trials.views import any_of

#: Rules with one finding, which they give whenever their plain form is true; of others the facts are looked at.
WHENEVER = frozenset(
    f"gatewright_rules.{name}"
    for name in (
        *("contract_size", "completion_channel", "tier_policy_loaded", "fan_out_cap", "contract_readable"),
        *("dispatch_budget", "ledger_clock", "ticket_confined", "mcp_trust", "worktree_root"),
    )
)
#: Columns of what a request gives, and what each is.
GIVEN = {"runtime": "runtime", "model": "model", "agents": "n_agents", "est_chars": "est_chars"}
GIVEN |= {"completion_channel": "completion_channel"}
BY_MODEL = ("tier", "tier_ambiguous", "model_listing", "vendor")
#: What every verdict depends on beside what rows share: which facts are null or not told.
BITS = (
    *(f'"{name}" IS NULL' for name in ("contract_sha", "est_chars", "policy_path", "facts", "tier_override")),
    'contains("facts", \'"known_roots":[\')',
)
_APART = ("top_approved", "actor", "labels")  #: facts with a column of their own, whose values are compared
_KEPT = frozenset(["contract", "known_roots"])  #: facts that are read of what rows keep in one text
KEPT = ("contract_sha", "facts")  #: the columns that tell them
_KNOWN_ROOTS = "gatewright_rules.known_roots"
_NOW = frozenset(["now"])
_SEE_TEXT = 3  #: in the place of what became of a rule: everything that it reads is told


#: A time of a day may be rounded up to the next second; and calendars differ long ago, and in times to come.
_NO_DAY = '("ts" NOT BETWEEN 0 AND 4000000000 OR "ts" - floor("ts") > 0.999999)'
_SECOND = 'make_timestamp(floor("ts")::BIGINT * 1000000)'
#: The moment of a check.
MOMENT = {
    "now.epoch": Term('"ts"::DOUBLE', _NO_DAY),
    "now.text": Term(f"strftime({_SECOND}, '%Y-%m-%dT%H:%M:%SZ')", _NO_DAY),
    "now.date": Term(f"strftime({_SECOND}, '%Y-%m-%d')", _NO_DAY),
    "now.time": Term(f"strftime({_SECOND}, '%H:%M')", _NO_DAY),
    "now.weekday": Term(f"lower(strftime({_SECOND}, '%a'))", _NO_DAY),
}


class Columns(Struct, kw_only=True):
    """What is asked of each row of a history, for one policy or two."""

    tests: dict[str, str] = field(default_factory=dict)  #: by their SQL, names of tests that are asked more than once
    bits: list[str] = field(default_factory=lambda: list(BITS))  #: tests, which become one number
    apart: set[str] = field(default_factory=set)  #: columns whose values are compared
    loud: list[str] = field(default_factory=list)  #: tests: where one is true, what is kept of facts is compared

    def once(self, test: str) -> str:
        """The column of a test that is made once for each row."""
        return self.tests.setdefault(test, f"test{len(self.tests)}")

    def bit(self, test: str) -> str:
        """Whether a test was true, as it is asked of the rows that are kept."""
        if test not in self.bits:
            self.bits.append(test)
        return f'("bits" & {1 << self.bits.index(test)} <> 0)'

    def told_apart(self) -> dict[str, str]:
        """The columns whose values are compared, by name, each in SQL."""
        found = {name: f'"{name}"' for name in sorted(self.apart)}
        loud = any_of(self.loud)
        kept_of = {name: f'CASE WHEN {loud} THEN "{name}" END' for name in KEPT} if self.loud else {}
        return {**kept_of, **found}


def accessors(number: int) -> dict[str, str]:
    """What stands for each fact in SQL, for the side of that number."""
    found = {name: f'"{column}"' for name, column in GIVEN.items()}
    found |= {name: f"m{number}.of_{name}" for name in BY_MODEL}
    found["cost_proxy"] = 'TRY_CAST("n_agents"::HUGEINT * "est_chars"::HUGEINT AS BIGINT)'
    found["contract.readable"] = '("bits" & 1 = 0)'
    found["ticket_path.inside"] = "TRUE"
    found["tier_policy.loaded"] = "TRUE"
    return found


class RuleColumns:
    """Makes columns of rules: of each a number of two bits, or a text, or both."""

    def __init__(self, gate: Gate, number: int, asked: Columns) -> None:
        self.gate, self.asked = gate, asked
        self.numbers: list[str] = []
        self.texts: list[str] = []
        # A row with an override is odd.
        self._accessors: dict[str, str | Term] = {**accessors(number), **MOMENT, "tier_override": "NULL::VARCHAR"}

    def add(self, rule: PolicyRule, closure: frozenset[str]) -> None:
        """Add what became of a rule, and all that it reads where SQL cannot tell."""
        try:
            when, speaks, certain = self._terms(rule)
        except UncompilableError:
            self.texts.append(self._everything(closure))
            return
        branches = [(when.fails, _SEE_TEXT), (f"NOT {when.value}", 2) if rule.when is not None else ("", 0)]
        branches += [(speaks.fails, _SEE_TEXT), (f"coalesce({speaks.value}, FALSE)", 1 if certain else _SEE_TEXT)]
        told = self._everything(closure, self._loud(rule)) if when.fails or speaks.fails or not certain else ""
        self._put(branches, told)

    def add_exception(self, exception: PolicyException, closure: frozenset[str]) -> None:
        """Add whether an exception is for a check, and whether it still held then."""
        today = MOMENT["now.date"]
        self._add_test(Term(f"({today.value} <= {literal(exception.until.isoformat())})", today.fails), _NOW)
        if exception.when is None:
            return
        try:
            self._add_test(self._term(exception.when.tree, {}, trusted=False), closure)
        except UncompilableError:
            self.texts.append(self._everything(closure))

    def add_freeze(self, freeze: Freeze) -> None:
        """Add whether a policy denied everything then."""
        now = MOMENT["now.epoch"]
        self._add_test(Term(f"({now.value} < {literal(freeze.until.epoch)})", now.fails), _NOW)

    def _add_test(self, test: Term, closure: frozenset[str]) -> None:
        branches = [(test.fails, _SEE_TEXT), (f"coalesce({test.value}, FALSE)", 1)]
        self._put(branches, self._everything(closure) if test.fails else "")

    def _put(self, branches: Sequence[tuple[str, int]], told: str) -> None:
        """Put what comes of a case into a number, and what is told where that refers to it into a text."""
        cases = " ".join(f"WHEN {test} THEN {found}" for test, found in branches if test)
        number = f"CASE {cases} ELSE 0 END"
        self.numbers.append(number)
        if told:
            self.texts.append(f"CASE WHEN ({number}) = {_SEE_TEXT} THEN {told} END")

    def _terms(self, rule: PolicyRule, *, trusted: bool = False) -> tuple[Term, Term, bool]:
        """When a rule applies, when it has something to say, and whether that is always the same.

        trusted: as if what is kept of facts could be relied on in all rows.
        """
        when = self._term(rule.when.tree, {}, trusted=trusted) if rule.when is not None else Term("TRUE")
        if rule.rule is None:
            assert rule.condition is not None
            found = self._term(rule.condition.tree, {}, trusted=trusted)
            return when, Term(f"(NOT {found.value})", found.fails) if rule.effect == "require" else found, True
        module = rule.rule.function.__module__
        if module == _KNOWN_ROOTS:
            return when, self._kept(self.asked.once(_outside(rule)), trusted=trusted), False
        if rule.rule.fires is None:
            raise UncompilableError
        return when, self._term(plain_form(rule.rule), rule.options, trusted=trusted), module in WHENEVER

    def _term(self, tree: Node, options: Mapping[str, object], *, trusted: bool) -> Term:
        values = {"params": dict(self.gate.policy.params), **options}
        fields = {node.name for node in walk(tree) if isinstance(node, Field)}
        mentioned: dict[str, str | Term] = {
            path: self._kept(test, trusted=trusted)
            for path, test in kept.MENTIONED.items()
            if path.rpartition(".")[2] in fields
        }
        return SqlEmitter({**self._accessors, **mentioned}, values).condition(tree)

    def _kept(self, test: str, *, trusted: bool) -> Term:
        """A test of what is kept of facts."""
        return Term(
            self.asked.bit(test), "" if trusted else f"(NOT {self.asked.bit(self.asked.once(kept.UNDERSTOOD))})"
        )

    def _loud(self, rule: PolicyRule) -> list[str]:
        """Tests of which one is true for each row for which all that a rule reads is told; none if there are none."""
        when, speaks, certain = self._terms(rule, trusted=True)
        outside = [_outside(rule)] if rule.rule is not None and rule.rule.function.__module__ == _KNOWN_ROOTS else []
        told = [f"NOT {self.asked.once(kept.UNDERSTOOD)}", *(self.asked.once(test) for test in outside)]
        return told if not (when.fails or speaks.fails) and (certain or outside) else []

    def _everything(self, closure: frozenset[str], loud: Sequence[str] = ()) -> str:
        """All that a rule reads and that rows do not share, as one text."""
        apart = ["request_id"] if "request_id" in closure else []
        apart += [name for name in _APART if name in closure]
        facts = list(KEPT) if closure & _KEPT else []
        if loud and facts:
            self.asked.loud += [test for test in loud if test not in self.asked.loud]
        self.asked.apart.update(apart if loud else [*apart, *facts])
        columns = [*(GIVEN[name] for name in ("agents", "est_chars") if name in closure), *apart, *facts]
        columns += ["ts"] if "now" in closure else []
        texts = ", ".join(f'"{column}"::VARCHAR' for column in columns)
        return f"to_json([{texts}])::VARCHAR" if columns else "''"


def _outside(rule: PolicyRule) -> str:
    """Whether a path of a contract may lie outside of the known roots. Raises UncompilableError."""
    homes = rule.options["home_roots"]
    if not isinstance(homes, list | tuple):
        raise UncompilableError
    return kept.outside_known_roots(str(home) for home in homes)


def plain_form(rule: Rule) -> Node:
    """The tree of a rule's plain form."""
    names = {wanted.name: wanted.type for wanted in rule.wants}
    names |= {option.name: option.type for option in rule.options}
    assert rule.fires is not None
    return checked(rule.fires, Schema(names=names))[0]
