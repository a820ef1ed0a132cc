"""The generated parts of the docs: `python -m tests.docs_generated` checks them, `--write` writes them anew.

`--examples` writes into the pages what their console examples show now. They are claims, so read the difference.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; pages of rules are generated as a
whole. What is said in them comes from the code: docstrings, key tables, reason codes, facts, help texts.
"""

import re
import sys
import tempfile
from pathlib import Path

from tests.house import pages
from tests.house.pages import DOCS, ROOT
from tests.house.parts import PARTS
from tests.house.rule_pages import rule_page, rules_index

from gatewright.app import catalog_of
from gatewright.catalog import Catalog
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy

_MARK = re.compile(r"(<!-- generated: (.+?) -->\n).*?(<!-- end of \2 -->\n)", re.DOTALL)


def _filled(text: str) -> str:
    return _MARK.sub(lambda mark: f"{mark.group(1)}\n{PARTS[mark.group(2)]()}\n{mark.group(3)}", text)


def wanted() -> dict[Path, str | None]:
    """What each page with a generated part should hold; None for a page that should not be there."""
    found: dict[Path, str | None] = dict.fromkeys((DOCS / "rules").glob("*.md"))
    for page in pages.pages():
        if page not in found and _MARK.search(text := page.read_text(encoding="utf-8")):
            found[page] = _filled(text)
    catalog = catalog_of()
    policies = {stage: _shipped(stage.value, catalog) for stage in {rule.stage for rule in catalog.rules.values()}}
    for rule in catalog.rules.values():
        found[DOCS / "rules" / f"{rule.id}.md"] = rule_page(catalog, rule, policies[rule.stage])
    found[DOCS / "rules" / "README.md"] = rules_index(catalog)
    return found


def _shipped(name: str, catalog: Catalog) -> Policy:
    path = f"policies/{name}.yaml"
    return load((ROOT / path).read_bytes(), path, catalog)


def used_parts() -> set[str]:
    """The names of the generated parts that stand in some page."""
    texts = [page.read_text(encoding="utf-8") for page in pages.pages()]
    return {mark.group(2) for text in texts for mark in _MARK.finditer(text)}


def stale() -> list[Path]:
    """The pages that are not what they should be."""
    return [page for page, text in wanted().items() if (page.read_text("utf-8") if page.is_file() else None) != text]


def write() -> None:
    """Write all pages with generated parts anew."""
    for page, text in wanted().items():
        if text is None:
            page.unlink()
        else:
            page.write_text(text, encoding="utf-8")


def write_examples() -> None:
    """Write what the console examples show now into their pages."""
    for page in pages.pages():
        with tempfile.TemporaryDirectory() as folder:
            text = pages.refreshed(page, pages.workshop(Path(folder)))
        page.write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Check or write; 1 when a page is out of date."""
    if arguments == ["--write"]:
        write()
    elif arguments == ["--examples"]:
        write_examples()
    elif arguments:
        print("usage: python -m tests.docs_generated [--write | --examples]", file=sys.stderr)
        return 64
    found = stale()
    for page in found:
        print(f"{page.relative_to(ROOT)}: out of date; `make docs` writes it anew", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
