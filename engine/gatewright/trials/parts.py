"""Parts of fixtures that are read the same way everywhere: earlier rows of the ledger, and what a case expects."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from msgspec import Struct

from gatewright.errors import Problem
from gatewright.model import Moment
from gatewright.policy.form import Form, Key, Keys, described
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Source, Tree, plain
from gatewright.text import is_blank, nearest

CHECK = "fixture"
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_NO_TAGS = ("and", "or", "not", "True", "False", "None", "skip", "xfail")

ROW: Keys = {
    "at": Key("when, as a time or as so long before `now`: -23h, -90m, -1d", required=True),
    "model": Key("the model of an allowed check"),
    "agents": Key("how many agents it started"),
    "row": Key("the row itself, as another program may have written it, in the place of these two"),
}
EXPECT: Keys = {
    "allow": Key("true where no denial is expected"),
    "deny": Key("the codes of all denials"),
    "warn": Key("the codes of all warnings"),
    "note": Key("the codes of all notes"),
    "overridden": Key("the codes of denials that an override lets through"),
    "excepted": Key("the codes of denials that an exception lets through"),
}


class LedgerRow(Struct, frozen=True):
    """An earlier row of the ledger."""

    data: Mapping[str, object]


class Expectation(Struct, frozen=True, kw_only=True):
    """What a case expects: exactly these codes, and no others."""

    deny: frozenset[str] = frozenset()
    warn: frozenset[str] = frozenset()
    note: frozenset[str] | None = None  #: None where notes are not looked at
    overridden: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()


class PartsForm(Form):
    """Reads those parts of one fixture document."""

    def __init__(self, source: Source, codes: frozenset[str] | None, told: Iterable[Problem] = ()) -> None:
        super().__init__(source, check=CHECK, told=told)
        self.codes = codes

    def tags(self, node: Tree | None, path: str) -> Iterator[str]:
        """The words under `tags:`."""
        for at, item in enumerate(self.items(node, path, "`tags`")):
            tag = self.text(item, where := f"{path}[{at}]", "a tag")
            if tag is not None and (not _TAG.fullmatch(tag) or tag in _NO_TAGS):
                hint = "use letters, digits, `_` and `-`, a letter first, and no word that means something by itself"
                self.report(item, where, f"`{tag}` is no tag", hint)
            if tag is not None:
                yield tag

    def reason(self, case: MapTree, key: str, path: str) -> str:
        """Why a case is marked so, for people to read: one that is blank tells nothing."""
        node = case.get(key)
        found = self.text(node, f"{path}.{key}", "a reason")
        if node is not None and found is not None and is_blank(found):
            self.report(node, f"{path}.{key}", "the reason is blank", "say why")
        return found or ""

    def ledger_rows(self, node: Tree | None, path: str, now: Moment) -> Iterator[LedgerRow]:
        """The rows under `ledger:`; their times may be told from `now`."""
        for at, item in enumerate(self.items(node, path, "`ledger`")):
            where = f"{path}[{at}]"
            row = self.keyed(item, where, "a row of the ledger", ROW)
            if row is None:
                continue
            when = self.moment(row.get("at"), f"{where}.at", now)
            data = self._foreign(row, where) if "row" in row.entries else self._allowed(row, where)
            if when is not None and data is not None:
                yield LedgerRow({"ts": when, **data})

    def _allowed(self, row: MapTree, path: str) -> dict[str, object] | None:
        """The row of an allowed check, made of what is said of it."""
        for name in ("model", "agents"):
            if name not in row.entries:
                self.report(row, path, f"required key `{name}` is missing", f"add `{name}: …`: {ROW[name].doc}")
        model = self.text(row.get("model"), f"{path}.model", "the model")
        agents = self.integer(row.get("agents"), f"{path}.agents", "`agents`", least=1)
        if model is None or agents is None:
            return None
        return {"decision": "ALLOW", "reason": "OK", "model": model, "n_agents": agents}

    def _foreign(self, row: MapTree, path: str) -> dict[str, object] | None:
        """A row as it is; its own time, where it has one, stands."""
        for name in ("model", "agents"):
            if name in row.entries:
                message = f"a row as it is has no `{name}` beside it"
                self.report(row.entries[name].key, f"{path}.{name}", message, "put it into the row")
        found = row.get("row")
        held = self.mapping(found, f"{path}.row", "`row`") if found is not None else None
        return {entry.key.raw: plain(entry.value) for entry in held} if held is not None else None

    def moment(self, node: Tree | None, path: str, now: Moment, *, onward: bool = False) -> float | None:
        """A time, or so long before or after `now`.

        onward: whether a span without a sign is meant to go on from there.
        """
        text = self.text(node, path, "a time")
        if text is None or node is None:
            return None
        signed = f"+{text}" if onward and text[:1].isdigit() else text
        sign, span = signed[0], duration(signed[1:])
        try:
            if span is not None and sign in "-+":
                return Moment.at(now.epoch + (span if sign == "+" else -span)).epoch
            return Moment.parsed(text).epoch
        except ValueError:
            hint = "write a time such as 2026-11-29T12:00:00Z, or how long before `now`: -23h59m"
            if onward:
                hint = "write how long after `now`, such as 23h59m59s, or a time such as 2026-11-29T12:00:00Z"
            self.report(node, path, f"`{text}` is not a time", hint)
            return None

    def expectation(self, node: Tree | None, path: str) -> Expectation:
        """The expectation under `expect:`."""
        if node is None:
            return Expectation()
        if isinstance(node, Scalar):
            if node.value != "allow":
                message = f"an expectation is `allow` or a map of codes, and this is {described(node)}"
                self.report(node, path, message, _expectation_hint(node))
            return Expectation()
        found = self.keyed(node, path, "an expectation", EXPECT)
        if found is None:
            return Expectation()
        lists = {name: self._codes(found.get(name), f"{path}.{name}") for name in EXPECT if name != "allow"}
        self._check_allow(found, path, lists["deny"])
        return Expectation(
            deny=lists["deny"],
            warn=lists["warn"],
            note=lists["note"] if "note" in found.entries else None,
            overridden=lists["overridden"],
            excepted=lists["excepted"],
        )

    def _check_allow(self, found: MapTree, path: str, denied: frozenset[str]) -> None:
        allow = self.boolean(found.get("allow"), f"{path}.allow", "`allow`")
        if allow is True and denied:
            self.report(found, path, "a request that is allowed has no denials", "remove `allow` or `deny`")
        if allow is None and not denied:
            hint = "add `allow: true`, or list the codes under `deny`"
            self.report(found, path, "whether the request is allowed is not said", hint)
        if allow is False and not denied:
            self.report(found, path, "a request that is denied has at least one denial", "list the codes under `deny`")

    def _codes(self, node: Tree | None, path: str) -> frozenset[str]:
        name = path.rsplit(".", 1)[-1]
        found: list[str] = []
        for at, item in enumerate(self.items(node, path, f"`{name}`")):
            code = self.text(item, where := f"{path}[{at}]", "a reason code")
            if code is not None and self.codes is not None and code not in self.codes:
                listed = "`gatewright policies FILE` lists the codes of a policy"
                self.report_unknown(item, where, f"unknown reason code `{code}`", self.codes, listed)
            found += [code] if code is not None else []
        return frozenset(found)


def _expectation_hint(node: Scalar) -> str:
    if isinstance(node.value, str) and nearest(node.value, ["allow", "deny"]) == "allow":
        return "write `allow`"
    if isinstance(node.value, str) and node.value.isupper():
        return f"list it: `expect: {{deny: [{node.value}]}}`"
    return "write `allow`, or list the codes: `expect: {deny: [CODE]}`"


_SPAN = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?")


def duration(text: str) -> float | None:
    """Seconds of a span such as `23h59m59s` or `1d`; None for anything else."""
    match = _SPAN.fullmatch(text)
    if match is None or not text:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    try:
        return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds).total_seconds()
    except OverflowError:
        return None
