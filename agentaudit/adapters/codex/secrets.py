"""The names and places of secrets in a Codex home: never kept, in a root or in a root inside it, under any spelling.

- A place is denied with everything below it; a name is denied wherever it lies, copies and back-ups with it.
- Upper and lower case, compatible and invisible characters, and what stands around the name make no difference.
- `config.toml` is no secret here: it is settings, prone to hold one, and stays out unless asked for.
"""

import re
from typing import Final

from agentaudit.adapters.stores.secret import Secret, folded
from agentaudit.model.survey import Parts

_PLACES: Final = (".sandbox-secrets", "secrets", "keyring", ".keyring", "keychain", "accounts")
_NAME_PARTS: Final = (
    "auth.json", "credentials.json", "sandbox-secrets", "sandbox_users.json", "keyring", "keychain", ".claude.json",
)  # fmt: skip
_NAME_STARTS: Final = (".credentials", ".env", "id_rsa", "id_ed25519", "id_ecdsa")
_KEY_FILE: Final = re.compile(r"\.(?:age|env|key|kdbx|p12|pem|pfx|ppk)(?![0-9a-z])")
_WORDS: Final = ("credential", "oauth", "secret", "token", "apikey", "api_key", "api-key", "password")
_AUTH: Final = re.compile(r"(?:.*[^a-z])?auth(?:[^a-z].*)?\.json")
_LOOSE_AUTH: Final = re.compile(r"[^a-z]*auth(?![a-z])")

_BY_NAME: Final = Secret("name", "token")
_BY_PLACE: Final = Secret("location", "token")


def secret_of(parts: Parts) -> Secret | None:
    """Whether the path is that of a secret; None when neither its name nor its place is one."""
    names = [folded(part) for part in parts]
    for at, name in enumerate(names):
        top = at == 0 or names[at - 1] == ".codex"
        if top and name.startswith(_PLACES):
            return _BY_PLACE
        if _is_named(name):
            return _BY_NAME
        if top and at == len(names) - 1 and (_LOOSE_AUTH.match(name) or any(word in name for word in _WORDS)):
            return _BY_NAME
    return None


def _is_named(name: str) -> bool:
    return (
        any(word in name for word in _NAME_PARTS)
        or name.startswith(_NAME_STARTS)
        or _KEY_FILE.search(name) is not None
        or _AUTH.match(name) is not None
    )
