"""A policy made ready to decide, again and again, from any number of threads."""

from collections.abc import Mapping

from gatewright.catalog import Catalog
from gatewright.model import GateDecision, Outcome, PolicyRef, RuleRow
from gatewright.model.decisions import Verdict
from gatewright.policy.policies import Policy
from gatewright.runner import fuse, plan
from gatewright.runner.facts import Facts
from gatewright.runner.plan import Collectors

NO_COLLECTORS: Collectors = {}
_MAX_REMEMBERED = 1024  #: ways not to be applicable; a policy has a handful


class Gate:
    """One policy with the rules and facts that it uses.

    `decide` is a pure function of the facts: it reads no clock, no file and no environment. Facts that are not given
    are derived, or come from the collectors that are passed in; a fact that cannot be had denies.
    """

    def __init__(self, policy: Policy, catalog: Catalog) -> None:
        self.policy, self.catalog = policy, catalog
        self.ref = PolicyRef(policy.id, policy.path, policy.sha256, policy.digest)
        facts = catalog.facts_of(policy.stage)
        active = [rule for rule in policy.rules if plan.is_active(rule)]
        needed = dict.fromkeys(name for rule in active for name in plan.needed_by(rule))
        if policy.freeze is not None:
            needed["now"] = None
        self.needed: tuple[str, ...] = tuple(needed)
        self.also = tuple(name for name in plan.also_read(policy, catalog) if name not in needed)
        self.facts = facts
        self._secrets = frozenset(name for name, fact in facts.items() if fact.secret)
        types = {name: fact.type for name, fact in facts.items()}
        self._fused, self.bits = fuse.fused(policy, policy.rules, self.needed, types)
        self._verdicts: dict[int, Verdict] = {}

    def admit(self, facts: Mapping[str, object], collectors: Collectors = NO_COLLECTORS) -> Facts:
        """Take in the facts that the policy reads: held to their types, copied, completed by derived ones.

        Never raises for what a fact is: one that does not fit is one that cannot be had, and `decide` denies.
        """
        facts = facts if type(facts) is dict else plan.readable(facts, self.facts)
        resolver = plan.Resolver(self.facts, facts, collectors)
        for name in self.needed:
            resolver.resolve(name)
        for name in self.also:
            resolver.resolve(name)
        known = resolver.known
        values = None
        if all(name in known for name in self.needed):
            values = tuple(known[name] for name in self.needed)
        known["params"] = self.policy.params
        return Facts(self, values, known, resolver.missing, self._secrets, facts, collectors)

    def decide(self, facts: Mapping[str, object] | Facts, collectors: Collectors = NO_COLLECTORS) -> GateDecision:
        """Decide on one request.

        facts: by name, as plain data or nouns; or what `admit` of this very gate returned.
        collectors: functions for facts that are not given, by the fact's name; their parameters name other facts.

        Never raises for what the facts are: what cannot be decided is denied with a code.
        """
        if type(facts) is not Facts or facts.gate is not self:
            facts = self._admitted(facts, collectors)
        values = facts.values
        said = self.bits.everything if values is None else self._fused(values)
        return GateDecision(self._verdicts.get(said) or self._verdict(said, facts), facts.known)

    def _admitted(self, facts: Mapping[str, object] | Facts, collectors: Collectors) -> Facts:
        if isinstance(facts, Facts):
            # Another gate's facts are those that it reads; this one admits anew what was given.
            return self.admit(facts.given, collectors or facts.collectors)
        return self.admit(facts, collectors)

    def _verdict(self, said: int, facts: Facts) -> Verdict:
        if said >= self.bits.asked(0):
            # Imported when a rule has something to say: most decisions of a short-lived process never need it.
            from gatewright.runner.asking import verdict

            return verdict(self, said, facts)
        # No rule was asked, so the bits are all that the verdict depends on.
        rows = tuple(self.quiet_row(at, said) for at in range(len(self.policy.rules)))
        quiet = Verdict(self.policy.stage, self.ref, (), rows, (), ())
        if len(self._verdicts) < _MAX_REMEMBERED:
            self._verdicts[said] = quiet
        return quiet

    def quiet_row(self, at: int, said: int) -> RuleRow:
        """The row of a rule that has nothing to say: off, not applicable, or passed."""
        rule = self.policy.rules[at]
        if not plan.is_active(rule):
            return RuleRow(rule.id, Outcome.OFF, (), rule.place)
        if said & self.bits.skipped(at):
            return RuleRow(rule.id, Outcome.NOT_APPLICABLE, (), rule.place, "`when` is false")
        return RuleRow(rule.id, Outcome.PASSED, (), rule.place)
