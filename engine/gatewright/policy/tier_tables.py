"""Tier tables, version 1 (by model) and 2 (by tier and fan-out), from YAML or JSON; every mistake with its place."""

import re
from collections.abc import Iterator

from msgspec import Struct

from gatewright.digests import sha256_hex
from gatewright.errors import PolicyError, Problem, Severity
from gatewright.model.tiers import DAY_SECONDS, UNKNOWN, TierTable
from gatewright.policy import documents
from gatewright.policy.form import Form, Key, Keys, described
from gatewright.policy.tree import Document, Entry, Scalar, Tree, rewritten
from gatewright.policy.tree import Mapping as MapTree
from gatewright.text import nearest

CHECK = "tiers"
#: Kept for people and other tools; the gate does not read them.
IGNORED = frozenset({"agents", "consent"})

_VERSION = Key("1 or 2", required=True)
V1: Keys = {
    "version": _VERSION,
    "worker_allowed": Key("ids of models that workers may run", required=True),
    "worker_denied_tiers": Key("ids of models that workers may not run", required=True),
    "unknown_model": Key("what a model on neither list gets: deny or warn", required=True),
}
V2: Keys = {
    "version": _VERSION,
    "tiers": Key("tier names, each with the ids of its models", required=True),
    "fanout_caps": Key("agents that a tier may start within the window; may be empty", required=True),
    "window_seconds": Key("length of the window, 86400 by default"),
    "tier_order": Key("tier names, most expensive first; by default the order of `tiers`"),
    "unknown_measured": Key("what a measured model in no tier gets at registration: deny or warn"),
}


class LoadedTable(Struct, frozen=True):
    """A tier table that may be used, the hash of its file, and what lint has to say about it."""

    table: TierTable
    sha256: str
    warnings: tuple[Problem, ...] = ()


def load(data: bytes, file: str) -> LoadedTable:
    """The tier table in the bytes of a file: JSON if its name ends so, else YAML.

    Raises PolicyError with every mistake; nothing else, whatever the bytes.
    """
    document = documents.read(data, file)
    form = Form(document.source, check=CHECK, told=document.problems)
    table = _table(form, document)
    problems = [*document.problems, *form.problems]
    problems.sort(key=lambda each: (each.place.line, each.place.column))
    errors = tuple(each for each in problems if each.severity is Severity.ERROR)
    if errors or table is None:
        raise PolicyError(errors)
    return LoadedTable(table, sha256_hex(data), tuple(problems))


def _table(form: Form, document: Document) -> TierTable | None:
    top = form.mapping(document.tree, "", "a tier table")
    if top is None:
        return None
    node = top.get("version")
    version = node.value if isinstance(node, Scalar) else None
    if version not in (1, 2) or isinstance(version, bool | float):
        where = node if node is not None else top
        message = "required key `version` is missing" if node is None else f"version {_raw(node)} is not known"
        hint = "write `version: 2` for a table by tier, `version: 1` for one by model"
        form.report(where, "version", message, hint)
        return None
    keys = V1 if version == 1 else V2
    _check_keys(form, top, keys)
    return _version_1(form, top) if version == 1 else _version_2(form, top)


def _raw(node: Tree) -> str:
    return node.raw if isinstance(node, Scalar) else "as a list or map"


def _check_keys(form: Form, top: MapTree, keys: Keys) -> None:
    other = V2 if keys is V1 else V1
    taken = IGNORED.union(keys)
    unknown = [entry.key for entry in top if entry.key.raw not in taken and not entry.key.raw.startswith("_")]
    for key in unknown:
        message = f"unknown key `{key.raw}`"
        if key.raw in other:
            form.report(key, "", message, f"it belongs to version {2 if other is V2 else 1}")
        else:
            form.report_unknown(key, "", message, keys, taken=top.entries)
    form.required(top, "", keys, unknown)


def _models(form: Form, node: Tree | None, path: str) -> Iterator[tuple[str, Scalar]]:
    """The ids of a list, casefolded, with their places; what is no id is a problem."""
    if node is not None and isinstance(node, Scalar) and node.value is None:
        form.report(node, path, f"`{path}` is empty", "list the ids, or write `[]` for none")
        return
    for at, item in enumerate(form.items(node, path, f"`{path}`")):
        where = f"{path}[{at}]"
        text = form.text(item, where, "the id of a model")
        if text is None or not isinstance(item, Scalar):
            continue
        if text != text.strip():
            form.report(item, where, f"the id `{text}` has white space around it", "remove the white space")
            continue
        yield text.casefold(), item


def _version_1(form: Form, top: MapTree) -> TierTable:
    index: dict[str, str] = {}
    places: dict[str, Scalar] = {}
    for key, listing in (("worker_allowed", "allowed"), ("worker_denied_tiers", "denied")):
        for name, item in _models(form, top.get(key), key):
            if index.get(name, listing) != listing:
                message = f"model `{item.raw}` is on both lists, first on line {places[name].line}"
                form.report(item, key, message, "letter case makes no difference; keep one of the two")
            index[name] = listing
            places.setdefault(name, item)
    unknown = form.choice(top.get("unknown_model"), "unknown_model", "value", ["deny", "warn"])
    return TierTable(version=1, index=index, unknown_model=unknown or "deny")


def _version_2(form: Form, top: MapTree) -> TierTable:
    tiers = form.mapping(node, "tiers", "`tiers`") if (node := top.get("tiers")) is not None else None
    if tiers is not None and not tiers.entries:
        form.report(tiers, "tiers", "there is no tier", "add at least one, with the ids of its models")
    index: dict[str, str] = {}
    places: dict[str, tuple[str, Scalar]] = {}
    for entry in tiers or ():
        _check_tier_name(form, entry)
        for name, item in _models(form, entry.value, f"tiers.{entry.key.raw}"):
            tier, first = places.setdefault(name, (entry.key.raw, item))
            if tier != entry.key.raw:
                message = f"model `{item.raw}` is in tier `{tier}` too, on line {first.line}"
                hint = "letter case makes no difference; a model is in one tier"
                form.report(item, f"tiers.{entry.key.raw}", message, hint)
            index[name] = tier
    names = list(tiers.entries) if tiers is not None else []
    return TierTable(
        version=2,
        index=index,
        order=_order(form, top, names),
        caps=_caps(form, top.get("fanout_caps"), names),
        window_seconds=_window(form, top.get("window_seconds")),
        unknown_measured=form.choice(top.get("unknown_measured"), "unknown_measured", "value", ["deny", "warn"])
        or "warn",
    )


def _check_tier_name(form: Form, entry: Entry) -> None:
    name = entry.key.raw
    if not name.strip() or name != name.strip():
        form.report(entry.key, "tiers", f"the tier's name `{name}` is empty or padded", "write it without white space")
    elif name == UNKNOWN:
        message = "`unknown` is the tier of models that no tier lists"
        form.report(entry.key, "tiers.unknown", message, "choose another name; its cap goes under `fanout_caps`")


def _caps(form: Form, node: Tree | None, names: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in (form.mapping(node, "fanout_caps", "`fanout_caps`") if node is not None else None) or ():
        name, path = entry.key.raw, f"fanout_caps.{entry.key.raw}"
        if name != UNKNOWN and name not in names:
            form.report_unknown(entry.key, path, f"there is no tier `{name}`", [*names, UNKNOWN])
        cap = form.integer(entry.value, path, f"the cap of `{name}`", least=0)
        if cap is not None:
            found[name] = cap
    return found


_SPAN = re.compile(r"\s*(\d{1,6})\s*([smhdw])[a-z]*\s*")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": DAY_SECONDS, "w": 7 * DAY_SECONDS}


def _window(form: Form, node: Tree | None) -> int:
    span = _SPAN.fullmatch(node.value.lower()) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    if span is not None and node is not None:
        meant = str(int(span[1]) * _UNITS[span[2]])
        message = f"`window_seconds` is a number of seconds, and this is {described(node)}"
        form.report(node, "window_seconds", message, f"write {meant}", fix=rewritten(node, meant))
        return DAY_SECONDS
    seconds = form.integer(node, "window_seconds", "`window_seconds`", least=1)
    return seconds if seconds is not None else DAY_SECONDS


def _order(form: Form, top: MapTree, names: list[str]) -> tuple[str, ...]:
    node = top.get("tier_order")
    if node is None:
        tiers = top.get("tiers")
        if len(names) > 1 and tiers is not None:
            message = "without `tier_order` the first tier of `tiers` counts as the most expensive"
            hint = f"add `tier_order: [{', '.join(names)}]`, most expensive first"
            form.report(tiers, "tiers", message, hint, severity=Severity.WARNING, check="tier-order")
        return tuple(names)
    order: dict[str, None] = {}
    meant: set[str | None] = set()  #: tiers that a misspelt name was probably meant for
    for at, item in enumerate(form.items(node, "tier_order", "`tier_order`")):
        name = form.text(item, where := f"tier_order[{at}]", "the name of a tier")
        if name is not None and name not in names:
            form.report_unknown(item, where, f"there is no tier `{name}`", names)
            meant.add(nearest(name, names))
        elif name in order:
            form.report(item, where, f"tier `{name}` stands in the order twice", "name each tier once")
        elif name is not None:
            order[name] = None
    lacking = [name for name in names if name not in order and name not in meant]
    if lacking:
        form.report(node, "tier_order", f"tier `{lacking[0]}` is missing from the order", "name every tier")
    return tuple(order)
