"""What a handed-over file is by its name: a file, a part of a database, or a credential.

- A credential is denied by its name, in any case, wherever it lies; each source names its own.
- The files of a SQLite database belong together: what is added to its name says which one each is.
- Which form a file has is decided by its bytes, later, and never by its name.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.stores.databases import DatabaseRole
from agentaudit.adapters.stores.secret import Secret
from agentaudit.model.survey import Parts

Role: TypeAlias = DatabaseRole | Literal["unknown", "credentials"]
IsSecret: TypeAlias = Callable[[bytes], bool]

_DATABASE: Final = re.compile(rb".+\.(?:sqlite3?|db)(-wal|-shm|-journal)?\Z", re.DOTALL | re.IGNORECASE)
_PARTS: Final[dict[bytes, DatabaseRole]] = {
    b"-wal": "database_wal", b"-shm": "database_shm", b"-journal": "database_journal",
}  # fmt: skip
_SECRETS: Final = frozenset(
    {b"auth.json", b".credentials.json", b"credentials.json", b"owner.token", b".netrc", b"id_rsa", b"id_ed25519"}
)


@dataclass(frozen=True, slots=True)
class Placed:
    """What the path says: the role of the file, and why it is denied, when it is."""

    role: Role
    secret: Secret | None = None


def is_secret_name(name: bytes) -> bool:
    """True for the name of a file that is a credential, whatever source it was found beside."""
    word = name.lower()
    return word in _SECRETS or word.endswith((b".token", b".pem", b".key"))


def place_of(parts: Parts, is_secret: IsSecret = is_secret_name) -> Placed:
    """The place of a path below the folder that was handed over; never fails, whatever the names."""
    if is_secret(parts[-1]):
        return Placed("credentials", secret=Secret("name", "token"))
    found = _DATABASE.match(parts[-1])
    if found is None:
        return Placed("unknown")
    return Placed("database" if found[1] is None else _PARTS[found[1].lower()])
