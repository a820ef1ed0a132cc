"""Facts that rows keep together in one text, in SQL: what the reader of rows makes of them, or that SQL cannot tell.

Rows of our own spell them in one way, which is known by a pattern; what is spelled in any other is compared as it is.
"""

from collections.abc import Iterable, Mapping

from gatewright.expressions.sql import literal

_TEXT = r'"[^"\\\x00-\x1f]*"'
_TEXTS = rf"{_TEXT}(?:,{_TEXT})*"


def _keys(patterns: Mapping[str, str]) -> str:
    """The inside of an object that has any of these keys, in this order."""
    told = [f'"{name}":{pattern}' for name, pattern in patterns.items()]
    ways = [each + "".join(f"(?:,{later})?" for later in told[at:]) for at, each in enumerate(told, 1)]
    return f"(?:{'|'.join(ways)})?"


_MENTIONS = {"mcp": "true", "paths": rf"\[{_TEXTS}\]", "trust": "true", "worktree_as_root": "true"}
_CONTRACT = {
    "chars": "(?:0|[1-9][0-9]{0,17})",
    "mentions": rf"\{{{_keys(_MENTIONS)}\}}",
    "path": _TEXT,
}
_PATTERN = rf'\{{"contract":\{{{_keys(_CONTRACT)}\}}(?:,"known_roots":\[(?:{_TEXTS})?\])?\}}'
#: Whether all that is kept is understood, or nothing is kept.
UNDERSTOOD = f'("facts" IS NULL OR regexp_full_match("facts", \'{_PATTERN}\'))'
_SAID = '("contract_sha" IS NOT NULL AND contains("facts", \'{}\'))'  # nothing is known of what could not be read
#: What contract lint found, where what is kept is understood.
MENTIONED = {
    f"contract.mentions.{name}": _SAID.format(f'"{name}":true') for name in ("mcp", "trust", "worktree_as_root")
}


def outside_known_roots(home_roots: Iterable[str]) -> str:
    """Whether a path under a home folder may lie outside of all known roots, where what is kept is understood.

    Paths that are not spelled in the plainest way are taken to lie outside.
    """
    tests = [f"starts_with(path, {literal(home.rstrip('/') + '/')})" for home in home_roots]
    homes = " OR ".join(tests) or "FALSE"
    listed = 'string_split(regexp_extract("facts", \'"{}":\\["([^\\]]*)"\\]\', 1), \'","\')'
    roots, paths = listed.format("known_roots"), listed.format("paths")
    below = "starts_with(root, '/') AND starts_with(path, root || '/')"
    plain = "NOT contains(path, '//') AND NOT contains(path, '/.')"
    inside = f"{plain} AND list_bool_or(list_transform({roots}, lambda root: {below}))"
    outside = f"list_bool_or(list_transform({paths}, lambda path: path = '' OR (({homes}) AND NOT ({inside}))))"
    there = " AND ".join(_SAID.format(name) for name in ('"paths":[', '"known_roots":["'))
    return f"CASE WHEN {there} THEN {outside} ELSE FALSE END"
