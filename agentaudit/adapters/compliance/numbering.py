"""Session keys: `s000001`, `s000002` ... in the order first seen.

- Selected sessions come first, in the order given; then list order: local lists, then remote lists.
- A session is (family, identifier); seen again it keeps its number.
- The plan and the reading count alike, so that a key means the same to both.
"""

from array import array

from agentaudit.model.selection import Family, SessionSelection

_FAMILIES: tuple[Family, Family] = ("local", "remote")


def session_key(number: int) -> str:
    """`s000012` for the twelfth session seen."""
    return f"s{number:06d}"


def session_number(key: str) -> int:
    """12 for `s000012`."""
    return int(key[1:])


class Numbering:
    """The sessions seen so far; numbers count from 1."""

    __slots__ = ("_family", "_ids", "_numbers")

    def __init__(self, selection: SessionSelection) -> None:
        """Begin with the sessions that were asked for by id."""
        self._ids: list[str] = []
        self._family = array("B")
        self._numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for named in selection.sessions:
            self.number(named.family, named.id)

    def number(self, family: Family, identifier: str) -> int:
        """The session's number; a session not seen before gets the next one."""
        which = _FAMILIES.index(family)
        known = self._numbers[which].get(identifier)
        if known is not None:
            return known
        self._ids.append(identifier)
        self._family.append(which)
        self._numbers[which][identifier] = len(self._ids)
        return len(self._ids)

    def __len__(self) -> int:
        """How many sessions were seen."""
        return len(self._ids)

    def identifier(self, number: int) -> str:
        """The identifier of a session, verbatim."""
        return self._ids[number - 1]

    def family(self, number: int) -> Family:
        """The family of a session."""
        return _FAMILIES[self._family[number - 1]]
