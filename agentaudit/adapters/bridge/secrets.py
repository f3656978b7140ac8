"""What of the bridge's files never leaves them: the owner's token, and databases as they lie there.

- A database holds the digests of tokens in `tokens`: it is packed only as a copy without those rows, which this
  program makes and names itself.
"""

import re
from typing import Final

from agentaudit.adapters.handed_over.places import is_secret_name

REDUCED: Final = b"reduced.sqlite"
"""The name of a copy that holds no row of a table of tokens."""

_DATABASE: Final = re.compile(rb".+\.(?:sqlite3?|db3?)(?:-wal|-shm|-journal)?\Z", re.DOTALL | re.IGNORECASE)


def is_bridge_secret(name: bytes) -> bool:
    """True for `owner.token` and other credentials by name, and for any database but the reduced copy."""
    if name == REDUCED:
        return False
    return is_secret_name(name) or _DATABASE.match(name) is not None


def is_withheld_table(name: str) -> bool:
    """True for a table whose rows are credentials: `tokens`, and whatever a release may call alike."""
    return "token" in name.lower()
