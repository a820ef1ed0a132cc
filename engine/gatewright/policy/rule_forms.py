"""One entry under `rules:`, read and resolved against the registered rules and the facts of the stage."""

from collections.abc import Mapping

from gatewright.catalog import Catalog
from gatewright.errors import Severity
from gatewright.expressions import narrowing
from gatewright.expressions.kinds import Kind
from gatewright.expressions.schema import Schema
from gatewright.model import Level, Stage
from gatewright.model.codes import ENGINE_CODES, OK, wrong_code
from gatewright.policy import keys
from gatewright.policy.expressions import Known, condition, template, warn_of_cut_text
from gatewright.policy.form import NAME, Form, capitals_hint, kebab_hint
from gatewright.policy.policies import Expression, PolicyRule
from gatewright.policy.settings import Params, read_option
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Tree, respelt
from gatewright.spec import REQUIRED, Rule
from gatewright.text import nearest, only_nearest


class RuleForm:
    """Reads the rules of one policy, one after the other, and knows the ids that are taken."""

    def __init__(
        self,
        form: Form,
        catalog: Catalog,
        stage: Stage | None,
        schema: Schema,
        params: Params,
        reasons: Mapping[str, str],
    ) -> None:
        self.form, self.catalog, self.stage, self.schema, self.params = form, catalog, stage, schema, params
        self.codes = {*catalog.reasons, *reasons}
        self.registered = {name: each for name, each in catalog.rules.items() if stage is None or each.stage is stage}
        self.lines: dict[str, int] = {}
        self.mentioned: set[str] = set()  #: codes that expression rules give, be they read or not

    def rule(self, node: Tree, path: str) -> PolicyRule | None:
        """The rule in a node, or problems."""
        top = self.form.mapping(node, path, "a rule", keys.rule_hint(node, self.registered))
        if top is None:
            return None
        if "use" in top.entries:
            return self._use(top, path)
        effects = [name for name in keys.EFFECTS if name in top.entries]
        if effects or not self._is_misspelt_use(top, path):
            return self._expression(top, path, effects)
        return None

    def _is_misspelt_use(self, top: MapTree, path: str) -> bool:
        for entry in top:
            if nearest(entry.key.raw, [*keys.EFFECTS, "use"]) == "use":
                self.form.report_unknown(entry.key, path, f"unknown key `{entry.key.raw}`", ["use"])
                return True
        return False

    def _take_id(self, node: Tree | None, top: MapTree, path: str, fallback: str | None) -> str:
        name = self.form.text(node, f"{path}.id", "a rule's id") if node is not None else fallback
        where = node if node is not None else (top.get("use") or top)
        if name is None:
            if node is None and "use" not in top.entries:
                self.form.report(top, path, "required key `id` is missing", "add `id: …`, a name of the rule's own")
            return ""
        if not NAME.fullmatch(name) and (node is not None or name in self.registered):
            self.form.report(where, f"{path}.id", f"the rule's id `{name}` is not in kebab case", kebab_hint(name))
        if name in self.lines:
            message = f"a second rule has the id `{name}`, first on line {self.lines[name]}"
            self.form.report(where, f"{path}.id", message, "give one of the two another name, under `id`")
        else:
            self.lines[name] = where.line
        return name

    # -- registered rules ------------------------------------------------------------------------------------------

    def _use(self, top: MapTree, path: str) -> PolicyRule | None:
        form = self.form
        self._check_use_keys(top, path)
        use = top.entries["use"].value
        name = form.text(use, f"{path}.use", "the name of a rule")
        self._take_id(top.get("id"), top, path, name)
        if name is None:
            return None
        found = self.registered.get(name)
        if found is None:
            self._unknown_rule(use, f"{path}.use", name)
            return None
        when = self._when(top, path)
        options = self._options(top.get("with"), found, top, path)
        levels, overrides = self._levels(top, path, found.codes), self._overrides(top, path, found.codes)
        identifier = top.get("id")
        return PolicyRule(
            id=str(identifier.value) if isinstance(identifier, Scalar) else name,
            place=form.place(use),
            path=path,
            rule=found,
            options=options,
            when=when,
            levels=levels,
            overrides=overrides,
            locked=self._locked(top, path, levels, overrides, locked=found.locked),
        )

    def _check_use_keys(self, top: MapTree, path: str) -> None:
        """Report what a registered rule may not have: an expression rule's keys with the reason why."""
        use = top.get("use")
        rule = self.registered.get(str(use.value)) if isinstance(use, Scalar) else None
        options = [option.name for option in rule.options] if rule is not None else []
        for entry in top:
            name = entry.key.raw
            if name in keys.USE:
                continue
            if said := keys.wrong_use_key(name, options):
                self.form.report(entry.key, path, *said)
            else:
                self.form.report_unknown(entry.key, path, f"unknown key `{name}`", keys.USE, taken=top.entries)

    def _unknown_rule(self, node: Tree, path: str, name: str) -> None:
        elsewhere = self.catalog.rules.get(name)
        if elsewhere is not None and self.stage is not None:
            message = f"rule `{name}` is for stage `{elsewhere.stage.value}`, and this policy for `{self.stage.value}`"
            self.form.report(node, path, message, "move it to the policy of its stage")
            return
        listed = "`gatewright rules` lists the registered ones"
        self.form.report_unknown(node, path, f"unknown rule `{name}`", self.registered, listed)

    def _options(self, node: Tree | None, rule: Rule, top: MapTree, path: str) -> dict[str, object]:
        values: dict[str, object] = {
            option.name: option.default for option in rule.options if option.default is not REQUIRED
        }
        given = self.form.mapping(node, f"{path}.with", "`with`") if node is not None else None
        for entry in given or ():
            name, where = entry.key.raw, f"{path}.with.{entry.key.raw}"
            option = rule.option(name)
            if option is None:
                names = [each.name for each in rule.options]
                message = f"rule `{rule.id}` has no option" + (f" `{name}`" if names else "s")
                listed = f"`gatewright rules {rule.id}` lists its options" if names else "remove `with`"
                self.form.report_unknown(
                    entry.key, f"{path}.with", message, names, listed, taken=given.entries if given else ()
                )
                continue
            values[name] = read_option(self.form, entry.value, where, option, self.params)
        for option in rule.options:
            if option.name not in values:
                message = f"rule `{rule.id}` needs the option `{option.name}`"
                hint = f"add `{option.name}: …` under `with:`; it is {option.type.worded()}"
                self.form.report(node or top, f"{path}.with", message, hint)
        return values

    # -- expression rules ------------------------------------------------------------------------------------------

    def _expression(self, top: MapTree, path: str, effects: list[str]) -> PolicyRule | None:
        form = self.form
        form.keyed(top, path, "a rule", keys.EXPRESSION, keys.HABITS)
        name = self._take_id(top.get("id"), top, path, None)
        when = self._when(top, path)
        condition_ = self._condition(top, path, effects, when)
        code = self._code(top, f"{path}.code", name)
        self.mentioned.add(code)
        message_node, hint_node = top.get("message"), top.get("hint")
        message = template(form, message_node, f"{path}.message", self.schema) if message_node is not None else None
        hint = form.text(hint_node, f"{path}.hint", "a hint") or ""
        if hint_node is not None:
            warn_of_cut_text(form, hint_node, f"{path}.hint")
        levels, overrides = self._levels(top, path, (code,)), self._overrides(top, path, (code,))
        locked = self._locked(top, path, levels, overrides, locked=False)
        if condition_ is None:
            return None
        return PolicyRule(
            id=name,
            place=condition_.place(),
            path=path,
            effect=effects[0],
            condition=condition_,
            when=when,
            code=code,
            message=message,
            hint=hint,
            levels=levels,
            overrides=overrides,
            locked=locked,
        )

    def _condition(self, top: MapTree, path: str, effects: list[str], when: Expression | None) -> Expression | None:
        if not effects:
            near = [entry.key.raw for entry in top if entry.key.raw not in keys.EXPRESSION]
            if not any(nearest(name, keys.EFFECTS) for name in near):
                hint = "`when` says when a rule applies; add `deny`, `warn` or `require` with the condition itself"
                self.form.report(top, path, "a rule needs one of `deny`, `warn`, `require` or `use`", hint)
            return None
        for extra in effects[1:]:
            message = f"a rule has one effect, and this one has `{effects[0]}` and `{extra}`"
            self.form.report(top.entries[extra].key, path, message, "write two rules")
        known = narrowing.not_null(when.tree, when.text, truth=True) if when is not None else frozenset()
        return self._read(top, effects[0], path, known)

    def _when(self, top: MapTree, path: str) -> Expression | None:
        return self._read(top, "when", path, frozenset()) if "when" in top.entries else None

    def _read(self, top: MapTree, key: str, path: str, known: Known) -> Expression | None:
        entry = top.entries[key]
        return condition(self.form, entry.value, f"{path}.{key}", self.schema, known)

    def _code(self, top: MapTree, path: str, name: str) -> str:
        node = top.get("code")
        if node is None:
            code = name.upper().replace("-", "_") or "POLICY"
            if name and wrong_code(code) and NAME.fullmatch(name):
                message = f"the rule's code would be `{code}`: {wrong_code(code)}"
                self.form.report(top, path, message, "give the rule another `id`, or a `code`")
            return code
        code = self.form.text(node, path, "a reason code") or ""
        if not code:
            return "POLICY"
        if code in ENGINE_CODES or code == OK:
            self.form.report(node, path, wrong_code(code), "choose a code of your own")
        elif code in self.codes:
            return code
        elif (near := nearest(code, self.codes)) is not None:
            hint = f"did you mean `{near}`? declare a code of your own under `codes:`"
            fix = respelt(node, only_nearest(code, self.codes))
            self.form.report(node, path, f"unknown reason code `{code}`", hint, fix=fix)
        elif wrong_code(code):
            self.form.report(node, path, wrong_code(code), capitals_hint(code))
        else:
            hint = f"add `{code}: …` under `codes:`, so that `gatewright explain {code}` can tell it"
            message = f"nothing says what `{code}` means"
            self.form.report(node, path, message, hint, severity=Severity.NOTE, check="code-without-meaning")
        return code

    # -- what the policy makes of a rule's findings ----------------------------------------------------------------

    def _levels(self, top: MapTree, path: str, codes: tuple[str, ...]) -> dict[str, Level]:
        names = [level.value for level in Level]
        found: dict[str, Level] = {}
        level = self.form.choice(top.get("level"), f"{path}.level", "level", names, keys.LEVELS)
        if level in names:
            found = dict.fromkeys(codes, Level(level))
        for code, node, where in self._by_code(top, "levels", path, codes):
            level = self.form.choice(node, where, "level", names, keys.LEVELS)
            if level in names:
                found[code] = Level(level)
        return found

    def _overrides(self, top: MapTree, path: str, codes: tuple[str, ...]) -> dict[str, str]:
        found: dict[str, str] = {}
        fact = self._override(top.get("override"), f"{path}.override")
        if fact is not None:
            found = dict.fromkeys(codes, fact)
        for code, node, where in self._by_code(top, "overrides", path, codes):
            fact = self._override(node, where)
            if fact is not None:
                found[code] = fact
        return found

    def _by_code(self, top: MapTree, key: str, path: str, codes: tuple[str, ...]) -> list[tuple[str, Tree, str]]:
        node = top.get(key)
        found: list[tuple[str, Tree, str]] = []
        for entry in (self.form.mapping(node, f"{path}.{key}", f"`{key}`") if node is not None else None) or ():
            code, where = entry.key.raw, f"{path}.{key}.{entry.key.raw}"
            if code not in codes:
                self.form.report_unknown(entry.key, f"{path}.{key}", f"the rule does not give `{code}`", codes)
            else:
                found.append((code, entry.value, where))
        return found

    def _override(self, node: Tree | None, path: str) -> str | None:
        hint = "name a fact that holds the reason, such as `tier_override`"
        name = self.form.text(node, path, "an override", hint)
        if name is None or node is None:
            return None
        found = self.schema.names.get(name)
        texts = [each for each, kind in self.schema.names.items() if kind.kind is Kind.TEXT]
        if found is None:
            self.form.report_unknown(node, path, f"unknown fact `{name}`", texts, "`gatewright facts` lists the names")
            return None
        if found.kind is not Kind.TEXT:
            self.form.report(node, path, f"an override is a text fact, and `{name}` is {found.worded()}", hint)
            return None
        return name

    def _locked(
        self, top: MapTree, path: str, levels: dict[str, Level], overrides: dict[str, str], *, locked: bool
    ) -> bool:
        node = top.get("locked")
        said = self.form.boolean(node, f"{path}.locked", "`locked`")
        if locked and said is False and node is not None:
            self.form.report(node, f"{path}.locked", "the registered rule is locked by its author", "remove the key")
        if not (locked or said):
            return False
        lowered = any(level is not Level.DENY for level in levels.values())
        for key, wrong in (("level", lowered), ("levels", lowered), ("override", overrides), ("overrides", overrides)):
            entry = top.entries.get(key)
            if wrong and entry is not None:
                message = "the rule is locked, and its denials stand"
                self.form.report(entry.key, f"{path}.{key}", message, f"remove `{key}`")
        return True
