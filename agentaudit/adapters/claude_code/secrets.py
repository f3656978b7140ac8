"""The names and places of secrets: what is never kept, in a root, in a root inside a root, under any spelling.

- A place is denied with everything below it; a name is denied wherever it lies, copies and back-ups with it.
- Upper and lower case, compatible characters, and what stands before or after the name make no difference.
- `token` stores are not even read; `config` (the account file and its copies) may be digested, never kept.
"""

from functools import lru_cache
from typing import Final

from agentaudit.adapters.stores.secret import Secret, folded
from agentaudit.model.survey import Parts

_CONFIG_PLACES: Final = frozenset({"backups"})
_TOKEN_PLACES: Final = frozenset({"ide", "daemon", "channels"})
_TOKEN_FILES: Final = ("daemon.", "ide.")
_TOKEN_NAMES: Final = ("credentials.json", ".audit-key")
_TOKEN_WORDS: Final = ("credential", "oauth", "secret", "token", "apikey", "api_key", "api-key")
_CONFIG_NAMES: Final = (".claude.json", "claude.json")


_BY_NAME: Final = {"token": Secret("name", "token"), "config": Secret("name", "config")}
_BY_PLACE: Final = {"token": Secret("location", "token"), "config": Secret("location", "config")}


# A part that has none of these and is ASCII cannot make a secret: most are done with here, by plain searches.
_HINTS: Final = (
    b"credential", b"oauth", b"secret", b"token", b"apikey", b"api-key", b"api_key", b"claude.json", b"audit-key",
)  # fmt: skip
_PLACE_HINTS: Final = (b"backups", b"ide", b"daemon", b"channels")
# Folders are asked about with each of their entries.
_PARTS_MAX: Final = 1_024


def secret_of(parts: Parts) -> Secret | None:
    """Whether the path is that of a secret; None when neither its name nor its place is one."""
    if not any(map(_is_hint, parts)):
        return None
    names = [folded(part) for part in parts]
    for at, name in enumerate(names):
        if found := _by_name(name):
            return found
        if (at == 0 or names[at - 1] == ".claude") and (found := _by_place(name, last=at == len(names) - 1)):
            return found
    return None


@lru_cache(_PARTS_MAX)
def _is_hint(part: bytes) -> bool:
    """Whether the part may be that of a secret, and has to be looked at under every spelling."""
    lower = part.lower()
    return not part.isascii() or lower.startswith(_PLACE_HINTS) or any(map(lower.__contains__, _HINTS))


def _by_name(name: str) -> Secret | None:
    if name.startswith(".credentials") or any(word in name for word in _TOKEN_NAMES):
        return _BY_NAME["token"]
    if _CONFIG_NAMES[0] in name or name.startswith(_CONFIG_NAMES[1]):
        return _BY_NAME["config"]
    return None


def _by_place(name: str, *, last: bool) -> Secret | None:
    """The top of a root: folders of tokens, and loose files whose names say what they hold."""
    if name in _TOKEN_PLACES or name.startswith(_TOKEN_FILES):
        return _BY_PLACE["token"]
    if name in _CONFIG_PLACES:
        return _BY_PLACE["config"]
    return _BY_NAME["token"] if last and any(word in name for word in _TOKEN_WORDS) else None
