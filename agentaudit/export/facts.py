"""Any frozen value as pairs of a dotted key and a text: how an export tells of what it does not know by name.

- Keys in the order of the canonical encoding; texts as they are, everything else as JSON writes it.
- Without names only what cannot be a name is told: numbers, truth values, digests, instants, numbers of exhibits
  and sessions, and the coded words under keys that hold nothing else.
"""

import re
from collections.abc import Iterator

from agentaudit.encoding.canonical import encode
from agentaudit.encoding.foreign import Json, decode, mapping
from agentaudit.export.lines import Facts
from agentaudit.model.base import Frozen

_NAMELESS = re.compile(
    r"(?:sha256:[0-9a-f]{64}|[0-9-]{10}T[0-9:.]+Z|-?\d+|true|false|null|s\d{6,9}|EX-\d{4,9})\Z", re.ASCII
)
_CODED = frozenset({
    "access_time_kept", "adapter", "agent", "authenticity", "category", "change", "decision", "format", "found",
    "integrity", "kind", "outcome", "purpose", "role", "rule", "transcript",
})  # fmt: skip


def facts_of(row: Frozen, *, skip: frozenset[str] = frozenset(), names: bool = True) -> Facts:
    """The value as pairs, top-level keys of `skip` left out; nested keys are joined by dots, places are numbers."""
    members = mapping(decode(encode(row))) or {}
    kept: Json = {key: item for key, item in members.items() if key not in skip}
    return tuple(pair for pair in _flat("", kept) if names or _is_nameless(*pair))


def _flat(key: str, item: Json) -> Iterator[tuple[str, str]]:
    match item:
        case dict():
            for name, inner in item.items():
                yield from _flat(f"{key}.{name}".removeprefix("."), inner)
        case list():
            yield from _listed(key, item)
        case bool():
            yield key, str(item).lower()
        case None:
            yield key, "null"
        case _:
            yield key, str(item)


def _listed(key: str, items: list[Json]) -> Iterator[tuple[str, str]]:
    """Texts alone are one text; a pair of texts, as headers are, is a name and what stands under it; else by place."""
    if items and all(isinstance(inner, str) for inner in items):
        yield key, ", ".join(str(inner) for inner in items)
        return
    for place, inner in enumerate(items):
        match inner:
            case [str(name), str(text)]:
                yield f"{key}.{name}", text
            case _:
                yield from _flat(f"{key}.{place}", inner)


def _is_nameless(key: str, text: str) -> bool:
    return key.rpartition(".")[2] in _CODED or _NAMELESS.match(text) is not None
