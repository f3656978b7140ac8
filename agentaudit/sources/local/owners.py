"""Names of users and groups, asked for once each, and the written form of a look.

- The names are those of this system: on a mounted image they may be other people's, so the numbers are kept too.
- An unknown number has no name; a system without such names gives none.
"""

import sys
from collections.abc import Callable
from typing import Final

from agentaudit.model.local import FileState
from agentaudit.model.survey import Look, state_of
from agentaudit.model.text import SourceText, source_text

if sys.platform != "win32":
    import grp
    import pwd

HAS_NAMES: Final = sys.platform != "win32"


class Owners:
    """Remembers names; threads may share one, as a name asked for twice is the same."""

    def __init__(self, *, ask: bool = HAS_NAMES) -> None:
        """`ask=False` leaves every name out, as for an image of another system."""
        self._ask = ask
        self._users: dict[int, SourceText | None] = {}
        self._groups: dict[int, SourceText | None] = {}

    def state(self, look: Look) -> FileState:
        """The look as it is written, with names."""
        return state_of(
            look, self._name(self._users, look.user_id, user_name), self._name(self._groups, look.group_id, group_name)
        )

    def _name(self, known: dict[int, SourceText | None], number: int, find: Callable[[int], str]) -> SourceText | None:
        if not self._ask:
            return None
        if number not in known:
            try:
                known[number] = source_text(find(number))
            except (KeyError, OverflowError, OSError):
                known[number] = None
        return known[number]


def user_name(number: int) -> str:
    """The name of a user; KeyError when there is none."""
    return pwd.getpwuid(number).pw_name


def group_name(number: int) -> str:
    """The name of a group; KeyError when there is none."""
    return grp.getgrgid(number).gr_name
