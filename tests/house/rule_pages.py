"""The pages of rules, each made of a rule's docstring, its signature and its place in the shipped policy."""

import inspect
import re
from pathlib import Path

from tests.house.pages import ROOT
from tests.house.parts import table

from gatewright.catalog import Catalog
from gatewright.model import Stage
from gatewright.policy.policies import Policy
from gatewright.report import inventory
from gatewright.spec import REQUIRED, Option, Rule

_WHOLE = "<!-- This page is generated: `python -m tests.docs_generated --write`. -->\n"


def whole(text: str) -> str:
    """A page that is generated as a whole, and says so."""
    return f"{_WHOLE}\n{text}"


def _anchor(code: str) -> str:
    return f"[`{code}`](../reason-codes.md)"


def rule_page(catalog: Catalog, rule: Rule, policy: Policy) -> str:
    """The page of a rule, from its docstring, its signature and the shipped policy."""
    first, *rest = re.split(r"\n\s*\n", rule.doc, maxsplit=1)
    parts = [f"# {rule.id}\n", f"{first}\n", *_doc_parts(rest[0] if rest else "")]
    facts = ", ".join(f"[`{wanted.name}`](../facts.md)" for wanted in rule.wants)
    source = inspect.getsourcefile(rule.function) or ""
    parts.append(
        table(
            ["", ""],
            [
                ["Stage", f"`{rule.stage.value}`"],
                ["Codes", ", ".join(_anchor(code) for code in rule.codes)],
                ["Facts", facts],
                ["Owns", ", ".join(f"`{name}`" for name in rule.owns) or "nothing"],
                ["Plain form", f"`{rule.fires}`" if rule.fires else "none"],
                ["From", f"{catalog.owner(rule.id).origin}, [`{Path(source).name}`](../../{_from_root(source)})"],
            ],
        )
    )
    if rule.options:
        parts.append("## Options\n")
        parts.append(table(["Option", "Kind", "Default"], (_option_row(option) for option in rule.options)))
    remark = "" if rule.stage is Stage.CHECK else f"<!-- stage: {rule.stage.value} -->\n"
    parts += ["## In a policy\n", f"{remark}```yaml\n{_use(rule)}```\n", *_overridden(rule, policy)]
    parts.append("The [policy language](../policy-language.md#registered-rules) says what else an entry may have.\n")
    return whole("\n".join(parts))


def _from_root(source: str) -> str:
    return Path(source).resolve().relative_to(ROOT).as_posix()


def _doc_parts(text: str) -> list[str]:
    """The `What:`, `Why:`, `Denies:` of a docstring as paragraphs."""
    found: list[str] = []
    for line in text.splitlines():
        head = re.match(r"(What|Why|Denies|Warns|Options): (.*)", line)
        if head is not None:
            found.append(f"**{head.group(1)}:** {head.group(2)}")
        else:
            found[-1] += f" {line.strip()}"
    return [f"{each}\n" for each in found]


def _plain(value: object) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, tuple) else str(value)


def _option_row(option: Option) -> list[str]:
    default = "required" if option.default is REQUIRED else f"`{_plain(option.default)}`"
    return [f"`{option.name}`", str(option.type), default]


def _use(rule: Rule) -> str:
    lines = [f"- use: {rule.id}\n"]
    if rule.options:
        lines.append("  with:\n")
        lines += [f"    {option.name}: {_plain(option.default)}\n" for option in rule.options]
    return "".join(lines)


def _overridden(rule: Rule, policy: Policy) -> list[str]:
    entry = next((each for each in policy.rules if each.rule is not None and each.rule.id == rule.id), None)
    if entry is None:
        return ["The shipped policy does not use it.\n"]
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(entry.overrides.values()))
    return [f"The shipped policy lets a request override its denials with {names}.\n"] if names else []


def rules_index(catalog: Catalog) -> str:
    """The list of rule pages, in the order of the shipped policy."""
    rows = (
        [
            f"[{rule.id}]({rule.id}.md)",
            ", ".join(f"`{code}`" for code in rule.codes),
            inventory.first_sentence(rule.doc),
        ]
        for rule in catalog.rules.values()
    )
    return whole(_RULES_HEAD + table(["Rule", "Codes", "What"], rows))


_RULES_HEAD = """# Built-in rules

One page a rule, in the order in which the shipped policies list them: first those of `check`, then those of `register`,
of `deliver` and of `accept`. On each page: *Facts* are what the rule looks at; *Owns* names the facts whose absence the
rule itself denies; the *plain form* is a condition that is true whenever the rule has something to say, and is what
`gatewright check` shows with values. [Write a rule](../plugins.md) of your own in the same way.

"""
