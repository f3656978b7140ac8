"""Which names every system reads alike, and which look alike (FORMAT.md, section 2.6).

- Portable: printable ASCII letters, digits, `.`, `_`, `-`; no device name; bounded length.
- Two names are twins when they are equal after Unicode normalisation and case folding.
"""

import re
import unicodedata

from agentaudit.format.layout import COMPONENT_MAX, PATH_MAX

_COMPONENT = re.compile(r"\.?[A-Za-z0-9_][A-Za-z0-9._-]*\Z")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?\Z", re.IGNORECASE)


def is_portable(path: str) -> bool:
    """True when every component of the path is a name that every system and checker reads alike."""
    return len(path) <= PATH_MAX and all(_is_portable_component(part) for part in path.split("/"))


def _is_portable_component(part: str) -> bool:
    return (
        len(part) <= COMPONENT_MAX
        and _COMPONENT.match(part) is not None
        and not part.endswith(".")
        and not _DEVICES.match(part)
    )


def twin_key(path: str) -> str:
    """The form in which two names that a system may confuse are equal."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
