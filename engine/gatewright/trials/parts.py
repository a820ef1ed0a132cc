"""Parts of fixtures that are read the same way everywhere: earlier rows of the ledger, and what a case expects."""

import re
from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct

from gatewright.model import Moment
from gatewright.policy.form import Form, Key, Keys, described
from gatewright.policy.tree import Mapping as MapTree
from gatewright.policy.tree import Scalar, Source, Tree
from gatewright.text import did_you_mean

CHECK = "fixture"

ROW: Keys = {
    "at": Key("when, as a time or as so long before `now`: -23h, -90m, -1d", required=True),
    "model": Key("the model", required=True),
    "agents": Key("how many agents", required=True),
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
    """An earlier allowed check."""

    at: float  #: seconds since the epoch
    model: str
    agents: int


class Expectation(Struct, frozen=True, kw_only=True):
    """What a case expects: exactly these codes, and no others."""

    deny: frozenset[str] = frozenset()
    warn: frozenset[str] = frozenset()
    note: frozenset[str] | None = None  #: None where notes are not looked at
    overridden: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()


class PartsForm(Form):
    """Reads those parts of one fixture document."""

    def __init__(self, source: Source, codes: frozenset[str]) -> None:
        super().__init__(source, check=CHECK)
        self.codes = codes

    def ledger_rows(self, node: Tree | None, path: str, now: Moment) -> Iterator[LedgerRow]:
        """The rows under `ledger:`; their times may be told from `now`."""
        for at, item in enumerate(self.items(node, path, "`ledger`")):
            where = f"{path}[{at}]"
            row = self.keyed(item, where, "a row of the ledger", ROW)
            if row is None:
                continue
            when = self._when(row.get("at"), f"{where}.at", now)
            model = self.text(row.get("model"), f"{where}.model", "the model")
            agents = self.integer(row.get("agents"), f"{where}.agents", "`agents`", least=1)
            if when is not None and model is not None and agents is not None:
                yield LedgerRow(when, model, agents)

    def _when(self, node: Tree | None, path: str, now: Moment) -> float | None:
        text = self.text(node, path, "a time")
        if text is None or node is None:
            return None
        sign, span = text[0], duration(text[1:])
        if span is not None and sign in "-+":
            return now.epoch + (span if sign == "+" else -span)
        try:
            return Moment.parsed(text).epoch
        except ValueError:
            hint = "write a time such as 2026-11-29T12:00:00Z, or how long before `now`: -23h59m"
            self.report(node, path, f"`{text}` is no time", hint)
            return None

    def expectation(self, node: Tree | None, path: str) -> Expectation:
        """The expectation under `expect:`."""
        if node is None:
            return Expectation()
        if isinstance(node, Scalar):
            if node.value != "allow":
                hint = (
                    "list the codes: `expect: {deny: [CODE]}`" if node.value == "deny" else "write `allow` or the codes"
                )
                self.report(node, path, f"an expectation is `allow` or a map of codes, not {described(node)}", hint)
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
            self.report(found, path, "whether the request is allowed is not said", "add `allow: true`, or list `deny`")
        if allow is False and not denied:
            self.report(found, path, "a denial has a code", "list the codes under `deny`")

    def _codes(self, node: Tree | None, path: str) -> frozenset[str]:
        found = self.texts(node, path, f"`{path.rsplit('.', 1)[-1]}`")
        for code in found:
            if code not in self.codes and node is not None:
                self.report(node, path, f"unknown reason code `{code}`", did_you_mean(code, self.codes))
        return frozenset(found)


_SPAN = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?")


def duration(text: str) -> float | None:
    """Seconds of a span such as `23h59m59s` or `1d`; None for anything else."""
    match = _SPAN.fullmatch(text)
    if match is None or not text:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds).total_seconds()
