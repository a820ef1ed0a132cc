"""The list of known screens, from YAML or JSON; every mistake with its place."""

from gatewright.errors import PolicyError
from gatewright.model.screens import Form as ScreenForm
from gatewright.model.screens import GateKind, KnownScreen, KnownScreens, PaneClass
from gatewright.policy import documents
from gatewright.policy.form import Form, Key, Keys
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Tree
from gatewright.text import counted

CHECK = "markers"
GAP = "…"
FILE: Keys = {"screens": Key("known screens by name", required=True)}
SCREEN: Keys = {
    "product": Key("whose screen it is, such as codex; `any` for everybody's", required=True),
    "class": Key("what it shows: hook-trust, limit, busy, prepared-prompt or unknown", required=True),
    "markers": Key("the words that it is known by, any of them; `…` stands for at most 60 characters"),
    "reasons": Key("the words that an orchestrator has for it, such as Orca's `blockedReason`; they will do alone"),
    "gate_kind": Key("what exactly it shows, such as trust, login, approval or service"),
    "form": Key("dialog, notice, status or prompt; left out, what is usual for the class"),
    "least": Key("how many of the markers have to be there; left out, 1"),
    "versions": Key("the versions that show it"),
    "source": Key("where its words are from"),
}
USUAL = {
    PaneClass.HOOK_TRUST: ScreenForm.DIALOG,
    PaneClass.LIMIT: ScreenForm.NOTICE,
    PaneClass.BUSY: ScreenForm.STATUS,
    PaneClass.PREPARED_PROMPT: ScreenForm.PROMPT,
    PaneClass.UNKNOWN: ScreenForm.NOTICE,
}


def load(data: bytes, file: str) -> KnownScreens:
    """The screens in the bytes of a file. Raises PolicyError with every mistake, and nothing else."""
    document = documents.read(data, file)
    form = Form(document.source, check=CHECK, told=document.problems)
    found: dict[str, KnownScreen] = {}
    top = form.keyed(document.tree, "", "a list of screens", FILE)
    node = top.get("screens") if top is not None else None
    for entry in (form.mapping(node, "screens", "`screens`") if node is not None else None) or ():
        name = form.name(entry.key, "screens", "a screen")
        screen = _screen(form, entry.key.raw, entry.value)
        if name is not None and screen is not None:
            found[name] = screen
    problems = sorted([*document.problems, *form.problems], key=lambda each: (each.place.line, each.place.column))
    if problems:
        raise PolicyError(tuple(problems))
    return KnownScreens(found)


def _screen(form: Form, name: str, node: Tree) -> KnownScreen | None:
    path = f"screens.{name}"
    top = form.keyed(node, path, f"screen `{name}`", SCREEN)
    if top is None:
        return None
    product = form.name(top.get("product"), f"{path}.product", "a product")
    shows = form.choice(top.get("class"), f"{path}.class", "class", [each.value for each in PaneClass])
    kind = form.choice(top.get("gate_kind"), f"{path}.gate_kind", "gate kind", [each.value for each in GateKind])
    stands = form.choice(top.get("form"), f"{path}.form", "form", [each.value for each in ScreenForm])
    markers, reasons = _words(form, top, path, "marker"), _words(form, top, path, "reason")
    least = form.integer(top.get("least"), f"{path}.least", "`least`", least=1)
    if least is not None and markers and least > len(markers):
        message = f"`least` is {least}, and there are {counted(len(markers), 'marker')}"
        form.report(top.entries["least"].value, f"{path}.least", message, "add markers, or lower it")
    if not (markers or reasons or top.get("markers") or top.get("reasons")):
        form.report(node, path, "required key `markers` is missing", "write the words on it, or `reasons`")
    if product is None or shows is None or not (markers or reasons):
        return None
    return KnownScreen(
        name=name,
        product=product,
        pane_class=PaneClass(shows),
        form=ScreenForm(stands) if stands is not None else USUAL[PaneClass(shows)],
        markers=markers,
        reasons=reasons,
        least=least or 1,
        gate_kind=GateKind(kind) if kind is not None else None,
        versions=form.text(top.get("versions"), f"{path}.versions", "`versions`") or "",
        source=form.text(top.get("source"), f"{path}.source", "`source`") or "",
    )


def _words(form: Form, top: MapTree, path: str, what: str) -> tuple[str, ...]:
    """The markers or the reasons of a screen."""
    key, node = f"{what}s", top.get(f"{what}s")
    items = form.items(node, f"{path}.{key}", f"`{key}`")
    if node is not None and not items and not form.problems:
        form.report(node, f"{path}.{key}", f"there is no {what}", "write the words that the screen is known by")
    found: list[str] = []
    for at, item in enumerate(items):
        word = form.text(item, f"{path}.{key}[{at}]", f"a {what}")
        if word is not None and not word.replace(GAP, "").strip():
            form.report(item, f"{path}.{key}[{at}]", f"the {what} has no words", "write some beside `…`")
        elif word is not None:
            found.append(word)
    return tuple(found)
