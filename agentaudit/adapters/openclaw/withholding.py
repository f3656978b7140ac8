"""Which files of a Gateway's state are never packed as they are, by their names.

- Its databases hold the key of the ledger's references, device keys and tokens beside the ledger; its configuration
  holds tokens. An extract made by `extract_ledger` is named as ours and comes along.
"""

from typing import Final

from agentaudit.adapters.codex.roles import Role
from agentaudit.adapters.handed_over.places import is_secret_name, place_of

EXTRACT_PREFIX: Final = b"agentaudit-extract-"
_CONFIGURATION: Final = b"openclaw.json"
_DATABASES: Final[frozenset[Role]] = frozenset({"database", "database_wal", "database_shm", "database_journal"})


def is_withheld_name(name: bytes) -> bool:
    """True for a credential, a configuration or its backup, and a database that is not our extract."""
    if is_secret_name(name) or name.lower().startswith(_CONFIGURATION):
        return True
    return place_of((name,)).role in _DATABASES and not name.startswith(EXTRACT_PREFIX)
