"""Why an entry of a store is denied, and the form in which names are compared with those of secrets."""

import unicodedata
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Secret:
    """Why an entry is denied: by its `location` or its `name`; and what it holds."""

    by: Literal["location", "name"]
    holds: Literal["token", "config"]


def folded(part: bytes) -> str:
    """The name as a file system that ignores case and compatibility would compare it."""
    if part.isascii():
        return part.decode("ascii").lower().rstrip(". ")
    text = unicodedata.normalize("NFKC", part.decode("utf-8", "replace")).casefold()
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf").rstrip(". ")
