"""The findings of one stream as they come together: codes with their counts, and the first places of each."""

from collections import Counter

from agentaudit.model.stream import PLACES_MAX, Place, StreamFinding


class Findings:
    """What was found so far; places are bounded, counts are not."""

    def __init__(self) -> None:
        """Nothing was found yet."""
        self._counts: Counter[str] = Counter()
        self._places: dict[str, list[Place]] = {}

    def add(self, code: str, place: Place) -> None:
        """Something of this code was found here."""
        self._counts[code] += 1
        places = self._places.setdefault(code, [])
        if len(places) < PLACES_MAX:
            places.append(place)

    def rows(self) -> tuple[StreamFinding, ...]:
        """Each code once, in its order."""
        return tuple(
            StreamFinding(code=code, count=self._counts[code], places=tuple(places))
            for code, places in sorted(self._places.items())
        )
