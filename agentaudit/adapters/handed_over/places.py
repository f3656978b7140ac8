"""What a handed-over file is by its name: a file, a part of a database, or a credential.

- A credential is denied by its name, in any case and form, wherever it lies, with its copies and back-ups; each source
  names its own.
- The files of a SQLite database belong together: what is added to its name says which one each is.
- Which form a file has is decided by its bytes, later, and never by its name.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.stores.databases import DatabaseRole
from agentaudit.adapters.stores.secret import Secret, folded
from agentaudit.model.survey import Parts

Role: TypeAlias = DatabaseRole | Literal["unknown", "credentials"]
IsSecret: TypeAlias = Callable[[bytes], bool]

_DATABASE: Final = re.compile(rb".+\.(?:sqlite3?|db)(-wal|-shm|-journal)?\Z", re.DOTALL | re.IGNORECASE)
_PARTS: Final[dict[bytes, DatabaseRole]] = {
    b"-wal": "database_wal", b"-shm": "database_shm", b"-journal": "database_journal",
}  # fmt: skip
# What copies and back-ups add to a name; possessive, so that no name takes long.
ADDED: Final = r"(?:~|[ ._-]*(?:bak|backup|copy|old|orig|save|swp|tmp)[0-9]*+|[ ._-]*\(?[0-9]++\)?)*+"
_SECRET: Final = re.compile(
    rf"(?:auth{ADDED}\.json|\.?credentials{ADDED}(?:\.json)?|\.claude{ADDED}\.json|[._]?netrc|\.env\.[0-9a-z]+"
    rf"|id_(?:dsa|ecdsa|ed25519|rsa)|.*\.(?:env|key|p12|pem|pfx|ppk|token)){ADDED}",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Placed:
    """What the path says: the role of the file, and why it is denied, when it is."""

    role: Role
    secret: Secret | None = None


def is_secret_name(name: bytes) -> bool:
    """True for the name of a file that is a credential or a copy of one, whatever source it was found beside."""
    return _SECRET.fullmatch(folded(name)) is not None


def place_of(parts: Parts, is_secret: IsSecret = is_secret_name) -> Placed:
    """The place of a path below the folder that was handed over; never fails, whatever the names."""
    if not parts:  # the folder itself, which could not be listed
        return Placed("unknown")
    if is_secret(parts[-1]):
        return Placed("credentials", secret=Secret("name", "token"))
    found = _DATABASE.match(parts[-1])
    if found is None:
        return Placed("unknown")
    return Placed("database" if found[1] is None else _PARTS[found[1].lower()])
