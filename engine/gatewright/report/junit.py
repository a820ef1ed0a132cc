"""Test reports in the XML that CI servers read as JUnit's, without time and host: the same run, the same bytes."""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from gatewright.text import printable


class Case(Struct, frozen=True, kw_only=True):
    """One case; it passes where it has neither a failure nor an error, and was not skipped."""

    name: str
    group: str = ""  #: what it is about, such as a rule; its suite where it says nothing
    failure: str = ""  #: what was found in the place of what was expected
    kind: str = ""  #: of the failure, such as a reason code
    error: str = ""  #: why the case could not be run
    skipped: str = ""  #: why it does not count
    output: str = ""


class Suite(Struct, frozen=True):
    """The cases of a file."""

    name: str
    cases: tuple[Case, ...]
    properties: Mapping[str, str] = {}


def report(suites: Sequence[Suite]) -> str:
    """The suites as one document."""
    total = [case for suite in suites for case in suite.cases]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{_counts(total)}>"]
    for suite in suites:
        skipped = sum(bool(case.skipped) for case in suite.cases)
        counts = _counts(suite.cases) + (f' skipped="{skipped}"' if skipped else "")
        lines.append(f"  <testsuite{_attribute('name', suite.name)}{counts}>")
        lines += _properties(suite.properties)
        lines += [line for case in suite.cases for line in _case(case, suite.name)]
        lines.append("  </testsuite>")
    return "".join(f"{line}\n" for line in [*lines, "</testsuites>"])


def _counts(cases: Sequence[Case]) -> str:
    failures, errors = sum(bool(case.failure) for case in cases), sum(bool(case.error) for case in cases)
    return f' tests="{len(cases)}" failures="{failures}" errors="{errors}"'


def _properties(properties: Mapping[str, str]) -> Iterator[str]:
    if properties:
        yield "    <properties>"
        for name, value in properties.items():
            yield f"      <property{_attribute('name', name)}{_attribute('value', value)}/>"
        yield "    </properties>"


def _case(case: Case, suite: str) -> list[str]:
    names = _attribute("name", case.name) + _attribute("classname", case.group or suite)
    inside = [f"      <skipped{_attribute('message', case.skipped)}/>"] if case.skipped else []
    inside += [
        f"      <{tag}{_attribute('message', text.splitlines()[0])}{kind}>{_text(text)}</{tag}>"
        for tag, text in (("failure", case.failure), ("error", case.error))
        if text
        for kind in [_attribute("type", case.kind) if case.kind else ""]
    ]
    if case.output:
        inside.append(f"      <system-out>{_text(case.output)}</system-out>")
    return [f"    <testcase{names}>", *inside, "    </testcase>"] if inside else [f"    <testcase{names}/>"]


def _attribute(name: str, value: str) -> str:
    return f" {name}={quoteattr(printable(value))}"


def _text(text: str) -> str:
    """A text as XML can hold it: without the characters that it cannot."""
    return "\n".join(escape(printable(line)) for line in text.splitlines())
