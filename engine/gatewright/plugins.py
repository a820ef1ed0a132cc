"""Rules and facts from elsewhere: installed plugins, named modules, a project's own folder; nothing by chance."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import TypeVar

import pluggy

from gatewright.catalog import BUILT_IN, Plugin
from gatewright.errors import PluginError
from gatewright.spec import HOOKS, Fact, Hooks, Rule

GROUP = "gatewright"
Offered = TypeVar("Offered", Rule, Fact)


def built_in() -> Plugin:
    """The rules that ship with gatewright, taken through the same door as all others."""
    import gatewright_rules.plugin

    return gathered(gatewright_rules.plugin, "gatewright_rules", BUILT_IN)


def module(name: str) -> Plugin:
    """The plugin in a module that was named on the command line or in the project file.

    Raises PluginError when it cannot be imported or offers nothing.
    """
    with _strangers(name, "the module", "it cannot be imported", "check the name and PYTHONPATH"):
        found = importlib.import_module(name)
    return gathered(found, name, f"module {getattr(found, '__file__', None) or name}")


def folder(path: str) -> Plugin:
    """The rules and facts in the modules of a project's own folder: each value that is one, by being written down.

    Raises PluginError when a module cannot be imported, or the folder holds no rule and no fact.
    """
    rules: list[Rule] = []
    facts: list[Fact] = []
    if not os.path.isdir(path):
        raise PluginError(path, "the folder", "there is none", "mend `rules` in the project file")
    for file in sorted(name for name in os.listdir(path) if name.endswith(".py")):
        for value in vars(_imported(os.path.join(path, file))).values():
            if isinstance(value, Rule) and value not in rules:
                rules.append(value)
            elif isinstance(value, Fact) and value not in facts:
                facts.append(value)
    if not rules and not facts:
        raise PluginError(
            path, "the folder", "it holds no rule and no fact", "write one, or remove `rules` from the project"
        )
    return Plugin(
        name=os.path.basename(os.path.abspath(path)), origin=f"folder {path}", rules=tuple(rules), facts=tuple(facts)
    )


def _imported(file: str) -> ModuleType:
    import importlib.util

    name = f"gatewright_project_{os.path.basename(file).removesuffix('.py')}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError(file, "the module", "it cannot be imported")
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    with _strangers(file, "the module", "it cannot be imported"):
        spec.loader.exec_module(found)
    return found


@contextmanager
def _strangers(plugin: str, subject: str, problem: str, hint: str = "") -> Iterator[None]:
    """Run a stranger's code: whatever it raises becomes a sentence, and no compiled files are left in its folder."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    except KeyboardInterrupt:
        raise
    except PluginError as error:
        # The plugin has one name for its user, whichever of its modules is at fault.
        raise PluginError(plugin, error.subject, error.problem, error.hint) from error
    except BaseException as error:
        told = f"{problem}: {type(error).__name__}: {error}".rstrip(": ")
        if isinstance(error, ModuleNotFoundError) and error.name == plugin:
            told = "there is none of that name"
        raise PluginError(plugin, subject, told, hint) from error
    finally:
        sys.dont_write_bytecode = before


def installed() -> Iterator[Plugin]:
    """The plugins of installed distributions, by the entry point group `gatewright`, in the order of their names."""
    if not _any_installed(sys.path):
        return
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        with _strangers(entry.name, f"entry point `{entry.value}`", "it cannot be loaded"):
            found = entry.load()
        version = entry.dist.version if entry.dist is not None else ""
        origin = f"distribution {entry.dist.name} {version}" if entry.dist is not None else f"entry point {entry.value}"
        yield gathered(found, entry.name, origin, version)


def _any_installed(folders: Iterable[str]) -> bool:
    """Whether any distribution declares the group: a look at the files, a tenth of the cost of asking for them all."""
    for place in folders:
        if place and not os.path.isdir(place):
            if os.path.exists(place):
                return True  # an archive: let the standard library look into it
            continue
        try:
            names = [
                entry.path for entry in os.scandir(place or ".") if entry.name.endswith((".dist-info", ".egg-info"))
            ]
        except OSError:
            continue
        if any(_declares(os.path.join(name, "entry_points.txt")) for name in names):
            return True
    return False


def _declares(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return f"[{GROUP}]" in file.read().replace(" ", "")
    except OSError:
        return False


def gathered(found: object, name: str, origin: str, version: str = "") -> Plugin:
    """What a plugin's hooks offer. Raises PluginError when a hook is not one, or offers something else."""
    manager = pluggy.PluginManager(HOOKS)
    manager.add_hookspecs(Hooks)
    try:
        manager.register(found, name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        message = " ".join(str(error.args[0]).split())
        raise PluginError(name, "its hooks", message, "a hook has the signature of its specification") from None
    rules = _offered(manager, "gatewright_rules", name, Rule)
    facts = _offered(manager, "gatewright_facts", name, Fact)
    reasons: dict[str, str] = {}
    for hook in manager.hook.gatewright_reasons.get_hookimpls():
        with _strangers(name, "hook `gatewright_reasons`", "it failed"):
            reasons |= _reasons(hook.function(), name)
    orchestrators: dict[str, Callable[[Mapping[str, str]], object]] = {}
    for hook in manager.hook.gatewright_orchestrators.get_hookimpls():
        with _strangers(name, "hook `gatewright_orchestrators`", "it failed"):
            orchestrators |= _orchestrators(hook.function(), name)
    if not rules and not facts and not orchestrators:
        hint = "mark a function `gatewright_rules` with `hookimpl`, and return the rules"
        raise PluginError(name, "its hooks", "it offers no rule, no fact and no orchestrator", hint)
    return Plugin(
        name=name,
        origin=origin,
        rules=tuple(rules),
        facts=tuple(facts),
        reasons=reasons,
        orchestrators=orchestrators,
        version=version,
    )


def _offered(manager: pluggy.PluginManager, hook: str, name: str, kind: type[Offered]) -> list[Offered]:
    found: list[Offered] = []
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        with _strangers(name, f"hook `{hook}`", "it failed"):
            offered = list(implementation.function() or ())
        for value in offered:
            if not isinstance(value, kind):
                problem = f"it offers {type(value).__name__}, not a {kind.__name__.lower()}"
                raise PluginError(name, f"hook `{hook}`", problem, "decorate the function, and return what that makes")
            found.append(value)
    return found


def _orchestrators(found: object, name: str) -> Mapping[str, Callable[[Mapping[str, str]], object]]:
    if isinstance(found, dict) and all(isinstance(key, str) and callable(held) for key, held in found.items()):
        return found
    raise PluginError(name, "hook `gatewright_orchestrators`", "it offers no map of name to what makes one")


def _reasons(found: object, name: str) -> Mapping[str, str]:
    if isinstance(found, dict) and all(isinstance(key, str) and isinstance(held, str) for key, held in found.items()):
        return found
    raise PluginError(name, "hook `gatewright_reasons`", "it offers no map of code to meaning")
