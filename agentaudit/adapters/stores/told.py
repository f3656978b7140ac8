"""Members of a foreign record as pairs of words, for a working copy.

- Words and numbers stand as they are up to `WORD_MAX` characters; what is longer, or has an inside, is named by size.
"""

from agentaudit.encoding.foreign import Json
from agentaudit.model.text import SourceText, display, source_text

WORD_MAX = 300

Facts = tuple[tuple[str, SourceText], ...]


def told(name: str, item: Json) -> list[tuple[str, SourceText]]:
    """A member as pairs: a word, or its size; an object by its own members, one level deep."""
    if isinstance(item, dict):
        return [(_key(f"{name}.{key}"), _word(inner)) for key, inner in item.items()]
    return [(_key(name), _word(item))]


def _key(name: str) -> str:
    """The name of a member, readable also where UTF-8 has none for it."""
    return display(source_text(name))


def _word(item: Json) -> SourceText:
    match item:
        case bool():
            return str(item).lower()
        case None:
            return "null"
        case str():
            return source_text(item) if len(item) <= WORD_MAX else f"{len(item):,} characters, in the raw bytes"
        case int() | float():
            return str(item)
        case list():
            return f"a list of {len(item):,}, in the raw bytes"
        case _:
            return "not shown, in the raw bytes"
