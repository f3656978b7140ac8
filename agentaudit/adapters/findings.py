"""The findings of one stream while it is read: how often each, the first places, the first subjects."""

from agentaudit.model.stream import PLACES_MAX, Place, StreamFinding


class Findings:
    """Takes findings in any order; gives them by code."""

    def __init__(self) -> None:
        """Nothing was found yet."""
        self._counts: dict[str, int] = {}
        self._places: dict[str, list[Place]] = {}
        self._subjects: dict[str, list[str]] = {}

    def add(self, code: str, place: Place | None = None, subject: str | None = None, count: int = 1) -> None:
        """Count a finding; its place and its subject are kept while there are few."""
        self._counts[code] = self._counts.get(code, 0) + count
        places = self._places.setdefault(code, [])
        if place is not None and len(places) < PLACES_MAX:
            places.append(place)
        subjects = self._subjects.setdefault(code, [])
        if subject is not None and subject not in subjects and len(subjects) < PLACES_MAX:
            subjects.append(subject)

    def rows(self) -> tuple[StreamFinding, ...]:
        """Each finding, by its code."""
        return tuple(
            StreamFinding(
                code=code,
                count=count,
                places=tuple(self._places[code]),
                subjects=tuple(sorted(self._subjects[code])),
            )
            for code, count in sorted(self._counts.items())
        )
