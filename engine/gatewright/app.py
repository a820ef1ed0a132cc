"""The only wiring: environment, plugins and files are put together here into gates, and nowhere else."""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from gatewright import catalog, plugins
from gatewright.catalog import Catalog
from gatewright.errors import FileError
from gatewright.ledger.protocol import Ledger
from gatewright.ledger.stores import NoLedger, is_missing, open_ledger, tasks_path
from gatewright.model import Orchestration, Stage
from gatewright.model.reasons import REASONS
from gatewright.model.screens import KnownScreens
from gatewright.policy import markers
from gatewright.policy.loader import load
from gatewright.policy.policies import Policy
from gatewright.probes import projects
from gatewright.probes.files import read_file
from gatewright.probes.homes import home_of
from gatewright.probes.projects import Project
from gatewright.runner.facts import Facts
from gatewright.runner.gate import NO_COLLECTORS
from gatewright.runner.gate import Gate as CompiledGate
from gatewright.runner.plan import Collectors
from gatewright.shipped import shipped

if TYPE_CHECKING:
    from gatewright.model.departures import Host
    from gatewright.model.explanations import Explanation
    from gatewright.model.runtimes import Runtimes
    from gatewright.orchestrators.protocol import Orchestrator
    from gatewright.probes.transcripts.places import Sought


class Options(Struct, frozen=True, kw_only=True):
    """What a command line may say about where things are."""

    policy: str | None = None
    project: str | None = None
    plugins: tuple[str, ...] = ()
    params: Mapping[str, object] = {}
    tier_policy: str | None = None
    known_roots: str | None = None
    ledger: str | None = None
    markers: str | None = None
    exceptions: bool = True  #: whether the exceptions of policies hold


class Gate(CompiledGate):
    """A policy made ready to decide.

    >>> gate = Gate.from_policy("policies/check.yaml")  # doctest: +SKIP
    >>> gate.decide({"runtime": "codex", ...}).allow  # doctest: +SKIP
    """

    @classmethod
    def from_policy(cls, path: "str | os.PathLike[str]", **params: object) -> "Gate":
        """The gate of a policy file, with the built-in rules and those of installed plugins.

        path: the policy's YAML.
        params: values in the place of the policy's own params, of the same kind.

        Raises PolicyError with every mistake of the file, FileError when it cannot be read, PluginError for a plugin
        that cannot be used.
        """
        found = catalog_of(plugins.installed())
        return cls(load(read_file(str(path)), str(path), found, params), found)

    def explain(
        self, facts: Mapping[str, object] | Facts, collectors: Collectors = NO_COLLECTORS, *, quiet: bool = True
    ) -> "Explanation":
        """The same decision as `decide`, with the trace of every rule: its condition, operands, places and ways out.

        quiet: whether the conditions of rules that passed are traced too.
        """
        from gatewright.runner.explain import explain

        own = facts if isinstance(facts, Facts) and facts.gate is self else None
        return explain(self, own or self._admitted(facts, collectors), quiet=quiet)


def catalog_of(more: Iterable[catalog.Plugin] = ()) -> Catalog:
    """The catalog of the built-in rules and these plugins."""
    return catalog.build([plugins.built_in(), *more], {reason.code: reason.meaning for reason in REASONS})


class App:
    """Everything that one command needs, found on first use."""

    def __init__(self, options: Options, environ: Mapping[str, str] | None = None, folder: str | None = None) -> None:
        self.options = options
        self.environ = os.environ if environ is None else environ
        self.folder = folder if folder is not None else os.getcwd()
        self._project: Project | None = None
        self._catalog: Catalog | None = None

    @property
    def project(self) -> Project:
        """The project that the command runs in, trusted or not."""
        if self._project is None:
            self._project = projects.find(self.options.project, self.folder)
        return self._project

    @property
    def catalog(self) -> Catalog:
        """Built-in rules, installed plugins, those named on the command line and those of a trusted project."""
        if self._catalog is None:
            settings = self.project.settings
            named = [plugins.module(name) for name in (*settings.plugins, *self.options.plugins)]
            folder = [plugins.folder(self.project.path(settings.rules))] if settings.rules else []
            self._catalog = catalog_of([*plugins.installed(), *named, *folder])
        return self._catalog

    def policy_path(self, stage: Stage) -> str:
        """Where the policy of a stage is: the flag, $GATEWRIGHT_POLICY, the project file, else the shipped one."""
        named = self.options.policy
        if named is None:
            named = self.environ.get("GATEWRIGHT_POLICY") or None
        if named is not None:
            return named
        configured = self.project.settings.policies.get(stage.value)
        return self.project.path(configured) if configured else shipped_path(f"{stage.value}.yaml")

    def policy(self, stage: Stage) -> Policy:
        """The policy of a stage. Raises PolicyError, PluginError, or FileError, also for one of another stage."""
        path = self.policy_path(stage)
        found = load(read_file(path), path, self.catalog, self.options.params)
        if found.stage is not stage:
            # Stages share facts, so a policy of another stage would load, and let pass what it says nothing of.
            problem = f"it is a policy of stage `{found.stage.value}`, and one of stage `{stage.value}` is due"
            raise FileError(path, problem, "name the policies of several stages in the project file")
        return found if self.options.exceptions else structs.replace(found, exceptions=())

    def gate(self, stage: Stage) -> Gate:
        """The gate of a stage. Raises FileError, PolicyError or PluginError."""
        return Gate(self.policy(stage), self.catalog)

    def tier_policy_path(self) -> str:
        """Where the tier table is; one that was named is not replaced by another when it is missing."""
        named = self.options.tier_policy
        if named is None:
            named = self.environ.get("DISPATCH_TIER_POLICY") or None
        if named is not None:
            return named
        if self.project.settings.tiers:
            return self.project.path(self.project.settings.tiers)
        for candidate in ("config/model-tier-policy.json", "master-ops/model-tier-policy.json"):
            path = self.project.path(candidate)
            if self.project.trusted and projects.is_file(path):
                return path
        return shipped_path("tiers.yaml")

    def screens(self) -> KnownScreens:
        """The screens that are known: those that ship, with the project's and the flag's own in front of them.

        Raises FileError or PolicyError for a file that cannot be used.
        """
        configured = self.project.settings.markers
        own = [self.project.path(configured)] if configured else []
        named = [self.options.markers] if self.options.markers else []
        found = KnownScreens({})
        for path in [shipped_path("markers.yaml"), *own, *named]:
            found = found.merged(markers.load(read_file(path), path))
        return found

    def known_roots_path(self) -> str:
        """Where the known-roots file is."""
        if self.options.known_roots:
            return self.options.known_roots
        if self.project.settings.known_roots:
            return self.project.path(self.project.settings.known_roots)
        return os.path.join(home_of(self.environ), ".mogui", "known-roots.json")

    def ledger_name(self) -> str:
        """The ledger: the flag, $GATEWRIGHT_LEDGER, the project file, else SQLite in the project's state folder."""
        if self.options.ledger is not None:
            return self.options.ledger
        return self.environ.get("GATEWRIGHT_LEDGER") or self.project.ledger or self._state("ledger.db")

    def ledger(self, *, to_read: bool = False) -> Ledger:
        """The ledger in force; to read only, one that is not there is an empty one.

        Raises LedgerError for a name that is none.
        """
        return self._ledger(self.ledger_name(), older=False, to_read=to_read)

    def older_ledger(self, *, to_read: bool = False) -> Ledger:
        """The same for the older program: its own variable, and a file in the working directory."""
        path = self.environ.get("DISPATCH_GATE_LEDGER") or os.path.join(self.folder, ".dispatch-gate-ledger.jsonl")
        return self._ledger(path if self.options.ledger is None else self.options.ledger, older=True, to_read=to_read)

    def _ledger(self, name: str, *, older: bool, to_read: bool) -> Ledger:
        if to_read and name and is_missing(name):
            return NoLedger(name)
        return open_ledger(name, os.path.join(home_of(self.environ), ".mogui", "dispatch-tickets"), older=older)

    def orchestrator(self, name: str | None = None) -> "Orchestrator":
        """The orchestrator of a name; else of $GATEWRIGHT_ORCHESTRATOR, the project file, or what is there.

        Raises UsageError for a name that is none.
        """
        from gatewright.orchestrators import choice

        offered = {each: make for plugin in self.catalog.plugins for each, make in plugin.orchestrators.items()}
        place = choice.Place(
            environ=self.environ, folder=self._state("terminals"), tasks=self.tasks_path(), offered=offered
        )
        named = self._orchestrator_name(name)
        return choice.orchestrator(choice.default_name(self.environ) if named is None else named, place)

    def tasks_path(self) -> str:
        """The database of tasks, dispatches and handled events of this machine."""
        return tasks_path(self.ledger_name(), self._state("tasks.db"))

    def look_up(self, name: str | None = None) -> "Callable[[str, str], Orchestration]":
        """How a registration asks for a task and its job: as `orchestrator` says, but Orca where none is named."""
        from gatewright.orchestrators.looking import look_up

        return partial(look_up, lambda: self.orchestrator(self._orchestrator_name(name, "orca")))

    def _orchestrator_name(self, name: str | None, default: str | None = None) -> str | None:
        named = self.environ.get("GATEWRIGHT_ORCHESTRATOR") or self.project.settings.orchestrator or default
        return named if name is None else name

    def runtimes(self) -> "Runtimes":
        """The runtimes that ship with gatewright, with those of the project in their place.

        Raises FileError or PolicyError for a list that cannot be read.
        """
        from gatewright.policy import runtimes

        own = self.project.settings.runtimes
        paths = [shipped_path("runtimes.yaml"), *([self.project.path(own)] if own else [])]
        first, *others = [runtimes.load(read_file(path), path) for path in paths]
        return first.merged(others[0]) if others else first

    def sought(
        self,
        transcript: str | None,
        pattern: str | None,
        *,
        worktree: str | None,
        since: float | None,
        runtime: str | None,
    ) -> "Sought":
        """Which transcript is meant: the named one, a pattern's, or where the runtime keeps those of the worktree.

        Without any of these, $MOGUI_TRANSCRIPT_GLOB and the instance configuration give the pattern. Raises FileError
        or PolicyError for a configuration or a list of runtimes that cannot be used.
        """
        from gatewright.probes.instance import transcript_glob
        from gatewright.probes.transcripts.places import Sought

        writes = self.runtimes().get(runtime).transcripts if runtime is not None else None
        by = "named" if transcript is not None else "caller glob" if pattern is not None else ""
        if not by and worktree is not None and (runtime is None or writes is not None):
            by = "worktree"
        if not by:
            pattern, by = transcript_glob(self.environ, self.project, runtime)
        return Sought(
            transcript=transcript,
            glob=pattern,
            found_by=by,
            worktree=worktree.removeprefix("path:") if worktree is not None else None,
            since=since,
            runtime=runtime,
            writes=writes,
            homes={
                "claude": self.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home_of(self.environ), ".claude"),
                "codex": self.environ.get("CODEX_HOME") or os.path.join(home_of(self.environ), ".codex"),
            },
        )

    def host(self, runtimes: "Runtimes") -> "Host":
        """The master's runtime, and the runtimes that are installed.

        Raises FileError for an instance configuration that cannot be used.
        """
        from gatewright.flows.dispatching.departing import host_of

        return host_of(self.environ, self.project, runtimes)

    def expected_model(self, named: str | None) -> str | None:
        """The model that is expected: the named one, else $MODEL_IDENTITY_EXPECT."""
        return named if named is not None else self.environ.get("MODEL_IDENTITY_EXPECT")

    def _state(self, name: str) -> str:
        return os.path.join(projects.state_root(self.project, self.folder), projects.STATE, name)


def shipped_path(name: str) -> str:
    """The path of a shipped policy or table. Raises FileError when there is none of that name."""
    path = os.path.join(shipped("policies"), name)
    if not projects.is_file(path):
        raise FileError(path, "gatewright ships no such policy", "name one with --policy")
    return projects.near(path)
