"""A policy's YAML into a `Policy`: everything resolved, every mistake of the file found in one pass."""

from collections.abc import Mapping

import msgspec

from gatewright.catalog import Catalog
from gatewright.digests import sha256_hex
from gatewright.errors import PolicyError, Problem, Severity
from gatewright.expressions.kinds import Kind, Type
from gatewright.expressions.schema import Schema
from gatewright.model import Stage
from gatewright.model.codes import ENGINE_CODES, OK, wrong_code
from gatewright.policy import keys, reader
from gatewright.policy.exceptions import ExceptionForm, read_freeze
from gatewright.policy.form import Form, capitals_hint, described
from gatewright.policy.policies import Policy, PolicyRule
from gatewright.policy.rule_forms import RuleForm
from gatewright.policy.settings import Params, read_params
from gatewright.policy.tree import Document, Scalar, Tree, rewritten
from gatewright.policy.tree import Mapping as MapTree

CHECK = "policy"


def load(data: bytes, file: str, catalog: Catalog, params: Mapping[str, object] | None = None) -> Policy:
    """The policy in the bytes of a file.

    params: values that take the place of the policy's own, of the same kind.

    Raises PolicyError with every mistake of the file, in its order; nothing else, whatever the bytes.
    """
    document = reader.read(data, file)
    loader = _Loader(document, catalog, params or {})
    policy = loader.policy(sha256_hex(data))
    problems = tuple(sorted([*document.problems, *loader.form.problems], key=_order))
    errors = tuple(problem for problem in problems if problem.severity is Severity.ERROR)
    if errors or policy is None:
        raise PolicyError(errors)
    return msgspec.structs.replace(policy, warnings=problems)


def _order(problem: Problem) -> tuple[int, int]:
    return problem.place.line, problem.place.column


class _Loader:
    """Reads one policy document."""

    def __init__(self, document: Document, catalog: Catalog, given: Mapping[str, object]) -> None:
        self.form = Form(document.source, check=CHECK, told=document.problems)
        self.tree = document.tree
        self.catalog, self.given = catalog, given

    def policy(self, sha256: str) -> Policy | None:
        form = self.form
        top = form.keyed(self.tree, "", "a policy", keys.POLICY)
        if top is None:
            return None
        self._version(top.get("gatewright"))
        name = form.name(top.get("policy"), "policy", "the policy's id")
        stage = self._stage(top.get("stage"))
        params = read_params(form, top.get("params"), self.given)
        reasons = self._own_codes(top.get("codes"))
        schema = self._schema(stage, params)
        rules, codes = self._rules(top, stage, schema, params, reasons)
        exceptions = ExceptionForm(form, schema, rules, codes).exceptions(top.get("exceptions"))
        freeze = read_freeze(form, top.get("freeze"), schema)
        if stage is None:
            return None
        description = top.get("description")
        return Policy(
            id=name or "",
            stage=stage,
            description=form.text(description, "description", "a description") or "",
            source=form.source,
            sha256=sha256,
            digest=self._digest(sha256, params),
            params=params.values,
            rules=tuple(rules),
            exceptions=tuple(exceptions),
            freeze=freeze,
            reasons=reasons,
        )

    def _version(self, node: Tree | None) -> None:
        if node is None:
            return
        if not isinstance(node, Scalar) or type(node.value) is not int or node.value != 1:
            hint = "write `gatewright: 1`, the version of the language"
            if isinstance(node, Scalar) and isinstance(node.value, float):
                hint = f"write `gatewright: 1`; text such as {node.raw} goes in quotes"
            message = f"the version is the number 1, and this is {described(node)}"
            if isinstance(node, Scalar) and type(node.value) is int:
                message = f"version {node.value} of the policy language is not known"
            fix = rewritten(node, "1") if isinstance(node, Scalar) and str(node.value) in ("1", "1.0") else None
            self.form.report(node, "gatewright", message, hint, fix=fix)

    def _stage(self, node: Tree | None) -> Stage | None:
        name = self.form.choice(node, "stage", "stage", [stage.value for stage in Stage])
        return Stage(name) if name in {stage.value for stage in Stage} else None

    def _schema(self, stage: Stage | None, params: Params) -> Schema:
        record = Type(Kind.RECORD, fields=params.types)
        if stage is None:
            # The names cannot be judged without a stage; all of them are taken, so that no false mistake is told.
            names = {name: fact.type for name, fact in self.catalog.facts.items()}
            return Schema(names={**names, "params": record})
        return self.catalog.schema(stage, record)

    def _own_codes(self, node: Tree | None) -> dict[str, str]:
        found: dict[str, str] = {}
        if node is None:
            return found
        for entry in self.form.mapping(node, "codes", "`codes`") or ():
            code, path = entry.key.raw, f"codes.{entry.key.raw}"
            if code in ENGINE_CODES or code == OK:
                self.form.report(entry.key, path, wrong_code(code), "choose a code of your own")
            elif wrong_code(code):
                self.form.report(entry.key, path, wrong_code(code), capitals_hint(code))
            elif code in self.catalog.reasons:
                hint = f"remove it, or choose a code of your own; `gatewright explain {code}` tells it"
                self.form.report(entry.key, path, f"`{code}` has a meaning already, which no policy changes", hint)
            found[code] = self.form.text(entry.value, path, "the meaning of a code") or ""
        return found

    # -- rules -----------------------------------------------------------------------------------------------------

    def _rules(
        self, top: MapTree, stage: Stage | None, schema: Schema, params: Params, reasons: Mapping[str, str]
    ) -> tuple[list[PolicyRule], set[str]]:
        node = top.get("rules")
        if node is None:
            return [], set()
        items = self.form.items(node, "rules", "`rules`")
        if not items and not self._reported(node):
            self.form.report(node, "rules", "a policy without a rule decides nothing", "add at least one rule")
        reading = RuleForm(self.form, self.catalog, stage, schema, params, reasons)
        read = [reading.rule(item, f"rules[{at}]") for at, item in enumerate(items)]
        rules = [rule for rule in read if rule is not None]
        codes = {code for rule in rules for code in rule.codes}
        if len(rules) < len(read):
            # A rule that could not be read may give any code that is known: one mistake is not told as two.
            codes |= {code for code in reading.mentioned | reading.codes if not wrong_code(code)}
        return rules, codes

    def _reported(self, node: Tree) -> bool:
        return any(
            (problem.place.line, problem.place.column) == (node.line, node.column) for problem in self.form.problems
        )

    def _digest(self, sha256: str, params: Params) -> str:
        used = {plugin.name: plugin.version for plugin in self.catalog.plugins if plugin.rules}
        parts = msgspec.json.encode([sha256, dict(params.values), used], order="sorted")
        return sha256_hex(parts)
