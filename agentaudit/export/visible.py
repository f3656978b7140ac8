r"""Foreign text in derived documents: nothing hides, nothing steers.

- Control, bidi, invisible, private and unassigned characters are written out (`\x1b`, `\u202e`).
- What it gives is one line, encodes as UTF-8, and can be shown to a person, a terminal or a browser.
"""

import unicodedata
from collections.abc import Iterator

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str, keep: str = "") -> str:
    """The text with every character that is not seen as itself written as an escape; those of `keep` stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if c not in keep and unicodedata.category(c) in _UNSEEN else c for c in text)


def visible_lines(text: str) -> Iterator[str]:
    """Each line of a longer text, tabs kept; a line ends where any reader might end it (str.splitlines)."""
    for line in text.splitlines():
        yield visible(line, keep="\t")


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
