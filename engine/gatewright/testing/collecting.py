"""Fixture files as pytest sees them: a file of ours is a collector, a case is a test."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import chdir
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gatewright.errors import GatewrightError, PolicyError
from gatewright.probes.projects import near
from gatewright.report import problems
from gatewright.report import trials as report
from gatewright.report.decision import headline
from gatewright.report.trials import Result, Run
from gatewright.testing.gates import app_of
from gatewright.text import counted, printable
from gatewright.trials.collecting import cases_of, is_fixture
from gatewright.trials.fixtures import Case, Expectation
from gatewright.trials.runs import Runner
from gatewright.trials.telling import run_of

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

_SIGNS = "*?["  #: of patterns; what holds none is a path


class Collector:
    """Collects the fixture files of a project: those that it names, and that are fixtures."""

    def __init__(self, config: pytest.Config, wanted: Sequence[str]) -> None:
        self.config, self.root = config, config.rootpath
        self.wanted = tuple(wanted)
        self.app = app_of(config)
        self.found: Counter[str] = Counter()
        self.refused: set[str] = set()  #: files with a mistake in them
        self._runner: Runner | None = None
        self._words: set[str] = set()
        self._add_word("gatewright", "a case of a fixture file")
        for each in wanted:
            if not any(sign in each for sign in _SIGNS) and not (self.root / each).exists():
                raise pytest.UsageError(f"gatewright: there is no `{each}`, which is to hold fixtures")

    @property
    def runner(self) -> Runner:
        """Runs the cases; policies and tier tables are read once."""
        if self._runner is None:
            options = self.app.options
            tiers = self.app.tier_policy_path()
            self._runner = Runner(self.app.catalog, tiers, policy=options.policy, params=options.params)
        return self._runner

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> "FixtureFile | None":
        """The collector of a file that is one of ours; None for every other one."""
        if file_path.suffix not in (".yaml", ".yml") or not self._names(file_path) or not is_fixture(str(file_path)):
            return None
        found: FixtureFile = FixtureFile.from_parent(parent, path=file_path, collector=self)
        return found

    def pytest_report_collectionfinish(self) -> list[str]:
        """How many cases there are: none is told too, since no test fails for a folder that is never looked into."""
        if self.config.get_verbosity() < 0:
            return []
        files = counted(len(self.found) + len(self.refused), "fixture file")
        refused = f", {len(self.refused):,} of which could not be collected" if self.refused else ""
        return [f"gatewright: {counted(self.found.total(), 'case')} in {files}{refused}"]

    def words_of(self, case: Case) -> list[str]:
        """The words by which a case can be chosen: its tags, the codes that it expects, the rules behind, its stage."""
        codes = {code for expect in (case.expect, *(step.expect for step in case.steps)) for code in _codes(expect)}
        words = {
            "gatewright": "",
            **dict.fromkeys(case.tags, "a tag of fixtures"),
            **dict.fromkeys(sorted(codes), "a code"),
        }
        try:
            policy = self.runner.gate(case).policy
        except GatewrightError:
            pass  # which the case itself will tell
        else:
            words[policy.stage.value] = "a stage"
            words |= {rule.id: "a rule" for rule in policy.rules if codes.intersection(rule.codes)}
        for word, what in words.items():
            self._add_word(word, what)
        return list(words)

    def _add_word(self, word: str, what: str) -> None:
        """Let a word be a mark, which pytest may hold to those that it knows."""
        if word not in self._words:
            self._words.add(word)
            self.config.addinivalue_line("markers", f"{word}: {what}")

    def _names(self, file: Path) -> bool:
        """Whether the project names a file, by a folder above it or by a pattern."""
        try:
            name = file.relative_to(self.root)
        except ValueError:
            return False
        above = [folder for folder in name.parents if folder.name]
        if any((self.root / folder).is_symlink() for folder in above):
            return False  # as in the command: what a link leads to is collected where it stands
        paths = {name.as_posix(), ".", *(folder.as_posix() for folder in above)}
        patterns = {os.path.normpath(each) for each in self.wanted}
        patterns |= {each.replace("**/", "") for each in patterns}
        return any(each in paths or fnmatch(name.as_posix(), each) for each in patterns)


def _codes(expect: Expectation) -> Iterator[str]:
    for codes in (expect.deny, expect.warn, expect.note or (), expect.overridden, expect.excepted):
        yield from codes


class FixtureFile(pytest.File):
    """A fixture file."""

    def __init__(self, *, collector: Collector, **given: Any) -> None:
        super().__init__(**given)
        self.collector = collector

    def collect(self) -> Iterator["FixtureCase"]:
        """A test for each case."""
        try:
            cases = cases_of(near(str(self.path)), self.collector.app.catalog)
        except GatewrightError as error:
            self.collector.refused.add(str(self.path))
            told = problems.text(error.problems) if isinstance(error, PolicyError) else printable(str(error))
            raise self.CollectError(told) from None
        self.collector.found[str(self.path)] = len(cases)
        for case in cases:
            # A node id is split at `::`, so that a name which holds it could not be given on the command line.
            name = printable(case.name).replace("::", ": :")
            found: FixtureCase = FixtureCase.from_parent(self, name=name, case=case, collector=self.collector)
            yield found


class FixtureCase(pytest.Item):
    """A case of a fixture file, marked by its tags, the codes that it expects, the rules that give them, its stage."""

    def __init__(self, *, case: Case, collector: Collector, **given: Any) -> None:
        super().__init__(**given)
        self.case, self.collector = case, collector
        for word in dict.fromkeys(collector.words_of(case)):
            self.add_marker(word)
        if case.skip:
            self.add_marker(pytest.mark.skip(reason=printable(case.skip)))
        if case.xfail:
            self.add_marker(pytest.mark.xfail(reason=printable(case.xfail), strict=True, raises=UnexpectedError))

    def runtest(self) -> None:
        """Run the case; a decision that is not what was expected fails the test."""
        with chdir(self.config.invocation_params.dir):  # paths are from there, wherever another test has gone
            run = run_of(self.collector.runner.run(self.case))
        self.user_properties += _properties(run)
        if run.result is Result.ERROR:
            raise NotRunError(run)
        if run.result is Result.XFAIL or (run.result is Result.FAIL and not self.case.xfail):
            raise UnexpectedError(run)

    def repr_failure(self, excinfo: "ExceptionInfo[BaseException]", style: Any = None) -> "str | TerminalRepr":
        """What `gatewright test` tells of the case."""
        if isinstance(excinfo.value, CaseError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the case stands."""
        return self.path, self.case.place.line - 1, self.name


class CaseError(Exception):
    """A case that does not pass."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.run = run

    def __str__(self) -> str:
        # The first line is the one that a summary shows.
        return "\n".join(
            [*self.run.differences[:1], *printable(self.run.error).splitlines()[:1], report.told(self.run)]
        )


class UnexpectedError(CaseError):
    """A case that came out otherwise than expected."""


class NotRunError(CaseError):
    """A case that could not be run."""


def _properties(run: Run) -> Iterator[tuple[str, str]]:
    """What a report of tests says of a case beside how it went."""
    yield "expected", run.expected
    if run.decision is not None:
        policy = run.decision.policy
        yield "decision", headline(run.decision)
        yield from (("reason", code) for code in run.decision.reasons)
        yield "policy", printable(policy.path)
        yield "policy_digest", policy.digest
