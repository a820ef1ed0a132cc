"""Tiers: which model costs what, and how a model's id is found in a table without guessing.

A listed id matches whatever its letter case. Failing that, a fixed list of suffixes and prefixes that name the same
model elsewhere is taken off, one at a time, and each result is looked up exactly. Never a substring, never a prefix:
`gpt-5.4-mini` is not `gpt-5.4`.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

UNKNOWN = "unknown"
DAY_SECONDS = 86_400


class TierMatch(Struct, frozen=True, kw_only=True):
    """How a model was found: its tier, the listed id that it matched, and what was taken off to get there."""

    tier: str
    matched: str | None = None
    steps: tuple[str, ...] = ()
    ambiguous: bool = False  #: several listed ids of different tiers could be reached; the most expensive was taken


class TierTable(Struct, frozen=True, kw_only=True):
    """A tier table of version 1 (by model) or 2 (by tier and fan-out), already checked."""

    version: int
    index: Mapping[str, str]  #: listed id, casefolded -> tier, or for version 1 `allowed` or `denied`
    order: tuple[str, ...] = ()  #: tiers, most expensive first
    caps: Mapping[str, int] = {}  #: agents a window, by tier; a tier without an entry has no cap
    window_seconds: int = DAY_SECONDS
    unknown_model: str = "deny"  #: version 1: what an unlisted model gets, `deny` or `warn`
    unknown_measured: str = "warn"  #: version 2: what a measured model in no tier gets at registration

    def match(self, model: str) -> TierMatch:
        """The tier of a model, `unknown` if it is in none."""
        exact = self.index.get(model.casefold())
        if exact is not None:
            return TierMatch(tier=exact, matched=model.casefold())
        found = [(self.rank(self.index[name]), steps, name) for name, steps in _stripped(model) if name in self.index]
        if not found:
            return TierMatch(tier=UNKNOWN)
        _, steps, name = min(found, key=lambda each: (each[0], len(each[1]), each[2]))
        tiers = {self.index[name] for _, _, name in found}
        return TierMatch(tier=self.index[name], matched=name, steps=steps, ambiguous=len(tiers) > 1)

    def rank(self, tier: str) -> int:
        """A tier's place from the most expensive, 0; tiers without a place come last."""
        if self.version == 1:
            return 0 if tier == "denied" else 1
        return self.order.index(tier) if tier in self.order else len(self.order)


def is_declared(measured: str, declared: str) -> bool:
    """Whether a measured model is the declared one, letter case and white space around them aside.

    A context size in brackets is a word to the program, which does not send it, so no answer can name it.
    """
    wanted = declared.strip().casefold()
    return measured.strip().casefold() in (wanted, re.sub(r"(?:\[[0-9]+[km]\])+$", "", wanted))


def vendor_of(model: str) -> str:
    """Who makes a model, by the start of its id: `claude`, `codex`, `grok`, `gemini`, else `unknown`."""
    name = model.casefold()
    names = [name, *(plain for plain, _ in _stripped(model))]
    for start, vendor in _VENDORS:
        if any(each.startswith(start) for each in names):
            return vendor
    return UNKNOWN


_VENDORS = (
    ("claude-", "claude"),
    ("gpt-", "codex"),
    ("o3", "codex"),
    ("o4", "codex"),
    ("codex-", "codex"),
    ("grok-", "grok"),
    ("gemini-", "gemini"),
)
VENDORS = (*dict.fromkeys(vendor for _, vendor in _VENDORS), UNKNOWN)

_MAX_ID = 200  #: characters; no model is called by a longer id, and such a one is in no tier
_MAX_STEPS = 8

_EFFORTS = "(?:none|minimal|low|medium|high|xhigh)"
_FAMILIES = "(?:[a-z0-9-]+[./])*(?:gpt|o3|o4|codex|claude|gemini|grok|composer|cursor)"

#: What may be taken off: the name that the ledger keeps, the pattern, what stays. `re` compiles and keeps a pattern on
#: its first use; most requests name a listed id and need none.
_STEPS: tuple[tuple[str, str, str], ...] = (
    ("provider", r"^(?:anthropic|openai|google|x-ai|xai|vertex_ai|bedrock|azure|openrouter)/", ""),
    ("provider", r"^(?:anthropic|openai)\.", ""),
    ("region", r"^(?:us|eu|apac|jp|au|ca|us-gov|global)\.(?=[a-z]+\.)", ""),
    ("context", r"\[[0-9]+[km]\]$", ""),
    ("latest", r"-latest$", ""),
    ("date", r"-20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])$", ""),
    ("date", r"@20[0-9]{6}$", ""),
    ("revision", r"^((?:[a-z-]+\.)*claude-.+)-v[0-9]+(?::[0-9]+)?(?=$|\[)", r"\1"),
    ("effort", rf"^({_FAMILIES}.*)(?:-{_EFFORTS}| {_EFFORTS}| \({_EFFORTS}\))$", r"\1"),
    ("spelling", r"^(claude-(?:[a-z]+-)+[0-9]+)\.(?=[0-9])", r"\1-"),
)


def _stripped(model: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every id that the steps lead to, with the steps, shortest ways first."""
    start = model.casefold()
    if len(start) > _MAX_ID:
        return
    seen = {start}
    waiting: list[tuple[str, tuple[str, ...]]] = [(start, ())]
    for name, steps in waiting:
        if len(steps) >= _MAX_STEPS:
            return
        for label, pattern, instead in _STEPS:
            shorter = re.sub(pattern, instead, name, count=1)
            if shorter and shorter not in seen:
                seen.add(shorter)
                waiting.append((shorter, (*steps, label)))
                yield shorter, (*steps, label)
