"""The front matter of a contract: YAML between two lines of `---` at its beginning; every mistake with its place."""

import re

from gatewright.errors import Place, PolicyError, Problem, Severity
from gatewright.model.terms import Demand, Terms
from gatewright.policy import front_matter, reader, surface
from gatewright.policy.form import Form, Key, Keys
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Sequence, Tree

CHECK = "contract"
KEYS: Keys = {
    "repository": Key("the repository that the work belongs to", required=True),
    "checkout": Key("the checkout that the worker stands in, such as a worktree's path or name", required=True),
    "allow": Key("patterns of the paths that may be edited", required=True),
    "forbid": Key("patterns of the paths that may not be edited, whatever `allow` says", required=True),
    "acceptance": Key("what the work is done by, a sentence each", required=True),
    "evidence": Key("commands that have to succeed, and files that have to be there", required=True),
    "commit": Key("whether the worker may commit; where it is left out it may not"),
    "push": Key("whether the worker may push; where it is left out it may not"),
    "branch": Key("a pattern of the branch that the work has to be on"),
    "model": Key("`verified`: a worker whose model was not verified is not accepted"),
    "exclusions": Key("what is known to be left out; `[]` for nothing", required=True),
}
DEMAND: Keys = {
    "run": Key("a line for the shell, which has to exit with 0 in the worktree"),
    "seconds": Key("the time limit of `run`; 600 where it is left out"),
    "file": Key("a path within the worktree, where a file has to be"),
    "name": Key("what it is called in reports; the line or the path where it is left out"),
}
NO_FRONT_MATTER, LEFT_OUT, ROOT_ONLY = "no-front-matter", "left-out", "root-only"
_CLOSE = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_OUTSIDE = "without front matter the gate lets a contract pass, and nobody can accept its work automatically"


def load(data: bytes, file: str) -> Terms:
    """What a contract says. Raises PolicyError with every mistake, also where it has no front matter."""
    terms, problems = _read(data, file)
    wrong = [each for each in problems if each.severity is Severity.ERROR]
    if terms is None or wrong:
        raise PolicyError(tuple(wrong or problems))
    return terms


def problems(data: bytes, file: str) -> tuple[Problem, ...]:
    """Everything that lint has to say of a contract."""
    try:
        return tuple(_read(data, file)[1])
    except PolicyError as error:
        return error.problems


def _read(data: bytes, file: str) -> tuple[Terms | None, list[Problem]]:
    opening = front_matter.opening(data)
    if opening is None:
        hint = "begin it with a line `---`, then " + ", ".join(f"`{name}`" for name in KEYS if KEYS[name].required)
        hint += ", and another line `---`"
        missing = Problem(
            place=Place(file, 1, 1), message=_OUTSIDE, hint=hint, severity=Severity.WARNING, check=NO_FRONT_MATTER
        )
        return None, [missing]
    closing = _CLOSE.search(data, opening.end())
    if closing is None:
        message, hint = "the front matter is never closed", "end it with a line `---`"
        raise PolicyError((Problem(place=Place(file, 1, 1), message=message, hint=hint, check=CHECK),))
    # The line that opens it starts a document in YAML as well, so that every place is that of the file.
    document = reader.read(data[: closing.start()], file)
    form = Form(document.source, check=CHECK, told=document.problems)
    terms = _terms(form, document.tree)
    found = [*document.problems, *form.problems]
    return terms, sorted(found, key=lambda each: (each.place.line, each.place.column))


def _terms(form: Form, tree: Tree) -> Terms | None:
    top = form.keyed(tree, "", "the front matter", KEYS)
    if top is None:
        return None
    model = top.get("model")
    return Terms(
        repository=form.text(top.get("repository"), "repository", "`repository`") or "",
        checkout=form.text(top.get("checkout"), "checkout", "`checkout`") or "",
        allow=_patterns(form, top, "allow"),
        forbid=_patterns(form, top, "forbid"),
        acceptance=tuple(form.texts(_filled(form, top, "acceptance"), "acceptance", "`acceptance`")),
        evidence=_evidence(form, top),
        commit=_leave(form, top, "commit"),
        push=_leave(form, top, "push"),
        branch=next(iter(_pattern(form, top.get("branch"), "branch")), None),
        model=form.choice(model, "model", "wish about the model", ("verified",)),
        exclusions=tuple(form.texts(top.get("exclusions"), "exclusions", "`exclusions`")),
    )


def _filled(form: Form, top: MapTree, name: str) -> Tree | None:
    """The value of a key, with a problem where it is a list without elements."""
    node = top.get(name)
    if isinstance(node, Sequence) and not node.items:
        form.report(node, name, f"`{name}` is an empty list", f"list {KEYS[name].doc}")
    return node


def _leave(form: Form, top: MapTree, name: str) -> bool:
    if name not in top.entries:
        message = f"`{name}` is left out, and so the worker may not {name}"
        form.report(top, name, message, f"write `{name}: false` to say so", severity=Severity.NOTE, check=LEFT_OUT)
    return form.boolean(top.get(name), name, f"`{name}`") is True


def _patterns(form: Form, top: MapTree, name: str) -> tuple[str, ...]:
    node = _filled(form, top, name) if name == "allow" else top.get(name)
    items = enumerate(form.items(node, name, f"`{name}`"))
    found = [pattern for at, item in items for pattern in _pattern(form, item, f"{name}[{at}]")]
    for item in node.items if name == "forbid" and isinstance(node, Sequence) else ():
        _tell_root_only(form, item)
    return tuple(found)


def _pattern(form: Form, node: Tree | None, path: str) -> tuple[str, ...]:
    pattern = form.text(node, path, "a pattern")
    if node is None or pattern is None:
        return ()
    mistake = surface.wrong(pattern)
    if mistake is not None:
        form.report(node, path, f"pattern `{pattern}`: {mistake[0]}", mistake[1])
    return (pattern,)


def _tell_root_only(form: Form, node: Tree) -> None:
    """Tell of a forbidden name that many would take for one at any depth."""
    pattern = getattr(node, "value", None)
    if isinstance(pattern, str) and pattern and "/" not in pattern and pattern != "**" and not surface.wrong(pattern):
        message = f"`{pattern}` forbids only what is called so at the root of the repository"
        hint = f"write `**/{pattern}` if it is meant at any depth"
        form.report(node, "forbid", message, hint, severity=Severity.NOTE, check=ROOT_ONLY)


def _evidence(form: Form, top: MapTree) -> tuple[Demand, ...]:
    node = _filled(form, top, "evidence")
    found: list[Demand] = []
    for at, item in enumerate(form.items(node, "evidence", "`evidence`")):
        demand = _demand(form, item, f"evidence[{at}]")
        if demand is not None and any(each.name == demand.name for each in found):
            form.report(item, f"evidence[{at}]", f"`{demand.name}` is asked for twice", "give one of the two a `name`")
        elif demand is not None:
            found.append(demand)
    return tuple(found)


def _demand(form: Form, node: Tree, path: str) -> Demand | None:
    top = form.keyed(node, path, "a piece of evidence", DEMAND)
    if top is None:
        return None
    if ("run" in top.entries) == ("file" in top.entries):
        form.report(top, path, "a piece of evidence is either `run` or `file`", "keep one of the two")
        return None
    run = form.text(top.get("run"), f"{path}.run", "`run`")
    file = form.text(top.get("file"), f"{path}.file", "`file`")
    mistake = surface.wrong(file) if file is not None else None
    if mistake is not None:
        form.report(top.entries["file"].value, f"{path}.file", f"file `{file}`: {mistake[0]}", mistake[1])
    name = form.text(top.get("name"), f"{path}.name", "`name`") or run or file
    seconds = form.integer(top.get("seconds"), f"{path}.seconds", "`seconds`", least=1)
    return None if name is None else Demand(name=name, run=run, file=file, seconds=seconds or 600)
