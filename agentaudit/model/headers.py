"""The header fields of an answer: pairs in the order in which they came, names in any case.

- A field that came twice is kept twice; whoever needs one value takes the first.
"""

from typing import TypeAlias

Headers: TypeAlias = tuple[tuple[str, str], ...]


def header(headers: Headers, name: str) -> str | None:
    """The text of the first field of that name (in lower case), without the white space round it; None without one.

    Source: RFC 9110, sections 5.1 and 5.5.
    """
    return next((text.strip() for key, text in headers if key.lower() == name), None)
