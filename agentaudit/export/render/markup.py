"""Foreign text in HTML and SVG: visible, escaped, never markup.

- Every text of a document passes through here, ours too.
"""

from html import escape

from agentaudit.export.visible import visible


def attribute(text: str) -> str:
    """The text as it may stand in an element or in a quoted attribute."""
    return escape(visible(text), quote=True)


def isolated(text: str) -> str:
    """The text in an element that keeps its direction to itself, so that it cannot reorder what stands beside it."""
    return attribute(text) if text.isascii() else f"<bdi>{attribute(text)}</bdi>"


def cut(text: str, most: int) -> str:
    """The text in at most so many characters, its end marked where it was cut."""
    shown = visible(text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}\N{HORIZONTAL ELLIPSIS}"
