"""The list of runtimes, from YAML or JSON; every mistake with its place."""

from gatewright.errors import PolicyError
from gatewright.model.runtimes import MODEL, Runtime, Runtimes
from gatewright.policy import documents
from gatewright.policy.form import Form, Key, Keys
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Sequence, Tree

CHECK = "runtimes"
FILE: Keys = {"runtimes": Key("runtimes by name", required=True)}
RUNTIME: Keys = {
    "launch": Key("the words that start it; `{model}` stands for the model's id", required=True),
    "vendors": Key("whose models it runs: claude, codex, gemini or grok; left out when any"),
    "pretrust": Key("whose trust files have to name the worktree: claude, codex or cursor"),
    "transcripts": Key("whose transcripts it writes: claude or codex"),
}
VENDORS = ("claude", "codex", "gemini", "grok")
PRETRUSTS = ("claude", "codex", "cursor")
TRANSCRIPTS = ("claude", "codex")


def load(data: bytes, file: str) -> Runtimes:
    """The runtimes in the bytes of a file. Raises PolicyError with every mistake, and nothing else."""
    document = documents.read(data, file)
    form = Form(document.source, check=CHECK, told=document.problems)
    found: dict[str, Runtime] = {}
    top = form.keyed(document.tree, "", "a list of runtimes", FILE)
    node = top.get("runtimes") if top is not None else None
    for entry in (form.mapping(node, "runtimes", "`runtimes`") if node is not None else None) or ():
        name = form.name(entry.key, "runtimes", "a runtime")
        runtime = _runtime(form, entry.key.raw, entry.value, f"runtimes.{entry.key.raw}")
        if name is not None and runtime is not None:
            found[name] = runtime
    problems = sorted([*document.problems, *form.problems], key=lambda each: (each.place.line, each.place.column))
    if problems:
        raise PolicyError(tuple(problems))
    return Runtimes(found)


def _runtime(form: Form, name: str, node: Tree, path: str) -> Runtime | None:
    top = form.keyed(node, path, f"runtime `{name}`", RUNTIME)
    if top is None:
        return None
    words = top.get("launch")
    launch = form.texts(words, f"{path}.launch", "`launch`")
    if isinstance(words, Sequence) and not launch:
        form.report(top.entries["launch"].key, f"{path}.launch", "there is no word to start it", f"write `[{name}]`")
    if launch and MODEL in launch[0]:
        form.report(top.entries["launch"].value, f"{path}.launch", "the first word is the program, not the model")
    return Runtime(
        name=name,
        launch=tuple(launch),
        vendors=_vendors(form, top, path),
        pretrust=form.choice(top.get("pretrust"), f"{path}.pretrust", "kind of trust files", PRETRUSTS),
        transcripts=form.choice(top.get("transcripts"), f"{path}.transcripts", "kind of transcripts", TRANSCRIPTS),
    )


def _vendors(form: Form, top: MapTree, path: str) -> tuple[str, ...] | None:
    node = top.get("vendors")
    if node is None:
        return None
    items = enumerate(form.items(node, f"{path}.vendors", "`vendors`"))
    found = [form.choice(item, f"{path}.vendors[{at}]", "vendor", VENDORS) for at, item in items]
    return tuple(vendor for vendor in found if vendor is not None)
