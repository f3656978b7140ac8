"""The folders to which the databases of a Codex home are moved: by its configuration, and by the environment.

- Both count: what was in force when a database was written is not known. The product prefers its configuration.
- Of the configuration only that one folder is taken. A link is not opened, nor is a file with another name besides,
  which can be that of a secret.
- In the configuration a relative path counts from the home, and `~` is the user's own folder. In the environment a
  relative path counts from wherever the agent was started, so it leads nowhere.
"""

import os
from typing import Final

from agentaudit.adapters.settings.codex import databases_folder
from agentaudit.sources.local.handles import Handles, Refused

_CONFIG: Final = (b"config.toml",)
_MAX_BYTES: Final = 1024 * 1024


def moved_databases(home: bytes | None, user_home: bytes | None, told: bytes | None) -> tuple[bytes, ...]:
    """The places, as they are named. `home` is the resolved home, `told` the variable's value; None without one."""
    configured = None if home is None else databases_folder(_configuration(home))
    places = [] if configured is None or home is None else [_from_home(configured.encode(), home, user_home)]
    return (*places, *([told] if told else []))


def _from_home(place: bytes, home: bytes, user_home: bytes | None) -> bytes:
    if user_home is not None and (place == b"~" or place.startswith(b"~/")):
        return user_home + place[1:]
    return os.path.join(home, place)  # noqa: PTH118 - names are bytes


def _configuration(home: bytes) -> bytes:
    """The bytes of the configuration; none when it cannot be had, or is longer than any is."""
    try:
        with Handles(home) as handles:
            opened = handles.open(_CONFIG)
            if isinstance(opened, Refused):
                return b""
            with os.fdopen(opened.descriptor, "rb") as stream:
                octets = stream.read(_MAX_BYTES + 1) if opened.look.links == 1 else b""
    except OSError:
        return b""
    return octets if len(octets) <= _MAX_BYTES else b""
