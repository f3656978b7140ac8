"""The register of an acquisition: each session seen, what was decided of it, and where it was seen first.

- Small: 100,000 sessions are held in some tens of megabytes; equal strings are held once.
- Decisions are those of `selecting`, so that the reading of the sealed pages comes to the same.
"""

from array import array
from collections import Counter
from collections.abc import Iterator

from agentaudit.adapters.compliance.numbering import Numbering, session_key
from agentaudit.adapters.compliance.selecting import (
    Decision,
    Rule,
    listed_decision,
    retrieved_decision,
    selected_decision,
    stronger,
)
from agentaudit.model.readings import SessionSource
from agentaudit.model.selection import Family, SessionSelection
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.transcripts import Target

_LISTED = 1
_RETRIEVED = 2
_PENDING = 4
_TRUNCATED = 8


class Register:
    """The sessions by number (from 1), in the order first seen."""

    def __init__(self, selection: SessionSelection) -> None:
        """Begin with the sessions asked for by id."""
        self._selection = selection
        self._numbering = Numbering(selection)
        self._decisions: list[Decision] = []
        self._walks: list[str] = []
        self._marks = array("B")
        self._organizations: list[str | None] = []
        self._shared: dict[str, str] = {}
        for number in range(1, len(self._numbering) + 1):
            self._add(selected_decision(selection, self._numbering.family(number)), "")

    def see(self, trail: Trail, identifier: str, source: SessionSource) -> None:
        """Take an entry of a list walk."""
        family = _family(trail)
        place = self._numbering.number(family, identifier) - 1
        decision = listed_decision(self._selection, family, source, trail.request.query)
        if place == len(self._decisions):
            self._add(decision, trail.walk)
        self._decisions[place] = stronger(self._decisions[place], decision)
        self._note(place, source, _LISTED | (_PENDING if source.status == "pending" else 0))

    def decide(self, number: int, source: SessionSource) -> Decision:
        """Take what the retrieve call of an undecided session says."""
        decision = retrieved_decision(self._selection, source)
        self._decisions[number - 1] = decision
        self._note(number - 1, source, _RETRIEVED)
        return decision

    def numbers(self, decision: Decision) -> Iterator[int]:
        """The sessions of which this was decided, in the order of their numbers, as it stands when drawn."""
        return (place + 1 for place, one in enumerate(self._decisions) if one == decision)

    def kept(self, *, unlisted: bool = False) -> Iterator[int]:
        """The sessions that are kept; with `unlisted` only those that no list walk showed."""
        return (number for number in self.numbers("kept") if not (unlisted and self.target(number).listed))

    def first_walk(self, number: int) -> str:
        """The list walk that showed the session first; empty for one asked for by id."""
        return self._walks[number - 1]

    def target(self, number: int) -> Target:
        """A session as it is asked for."""
        marks = self._marks[number - 1]
        return Target(
            family=self._numbering.family(number),
            key=session_key(number),
            id=self._numbering.identifier(number),
            organization=self._organizations[number - 1],
            listed=bool(marks & _LISTED),
            pending=bool(marks & _PENDING),
            truncated=bool(marks & _TRUNCATED),
            retrieved=bool(marks & _RETRIEVED),
        )

    def excluded(self) -> tuple[tuple[str, Rule, int], ...]:
        """How many sessions each rule left out, by the walk that showed them first; in order."""
        counts: Counter[tuple[str, Rule]] = Counter()
        for walk, decision in zip(self._walks, self._decisions, strict=True):
            match decision:
                case "kept" | "undecided":
                    pass
                case rule:
                    counts[walk, rule] += 1
        return tuple((walk, rule, count) for (walk, rule), count in sorted(counts.items()))

    def organizations(self) -> tuple[str, ...]:
        """The organisations of the sessions seen, in the order first seen."""
        return tuple(dict.fromkeys(one for one in self._organizations if one is not None))

    def _add(self, decision: Decision, walk: str) -> None:
        self._decisions.append(decision)
        self._walks.append(walk)
        self._marks.append(0)
        self._organizations.append(None)

    def _note(self, place: int, source: SessionSource, marks: int) -> None:
        self._marks[place] |= marks | (_TRUNCATED if source.truncated is True else 0)
        organization = source.organization_uuid
        if isinstance(organization, str):
            self._organizations[place] = self._shared.setdefault(organization, organization)


def _family(trail: Trail) -> Family:
    return "local" if trail.kind == "local_list" else "remote"
