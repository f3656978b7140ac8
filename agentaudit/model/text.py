"""Foreign text, as it may be written to a canonical tag file.

- A source's word is kept verbatim where it can be UTF-8.
- A string that cannot be UTF-8 (a lone surrogate) is kept as hex beside a display form.
- Nothing here is printed before the console has made it safe.
"""

from agentaudit.model.base import Frozen


class Unencodable(Frozen, frozen=True, kw_only=True):
    """A string that is not UTF-8: its code units in hex (UTF-8 with surrogates passed through), and a display form."""

    hex: str
    display: str


SourceText = str | Unencodable


def source_text(word: str) -> SourceText:
    """The word itself, or its `Unencodable` form when UTF-8 has none (evidence format, section 3)."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return Unencodable(
            hex=word.encode("utf-8", "surrogatepass").hex(),
            display=word.encode("utf-8", "replace").decode(),
        )
    return word


def display(word: SourceText) -> str:
    """A readable form; not yet safe for a terminal."""
    return word.display if isinstance(word, Unencodable) else word
