"""The sessions of an exhibit while it is read: by number, with what the lists say and what was decided.

- Small in the number of sessions: equal strings are held once, and only a session that was asked for has an
  account of its own.
- The first list entry of a session is the one that stands; later ones can only strengthen the decision.
"""

from agentaudit.adapters.compliance.numbering import Numbering, session_number
from agentaudit.adapters.compliance.selecting import (
    Decision,
    listed_decision,
    retrieved_decision,
    selected_decision,
    stronger,
)
from agentaudit.adapters.compliance.transcript import Transcript
from agentaudit.model.base import Unset
from agentaudit.model.readings import SessionSource
from agentaudit.model.selection import Family, SessionSelection


class Roll:
    """The sessions seen so far, in the order of their numbers (from 1)."""

    def __init__(self, selection: SessionSelection) -> None:
        """Begin with the sessions that were asked for by id."""
        self._selection = selection
        self.numbering = Numbering(selection)
        self._listed: list[SessionSource | None] = []
        self._decisions: list[Decision] = []
        self._transcripts: dict[str, Transcript] = {}
        self._pool: dict[str, str] = {}
        for number in range(1, len(self.numbering) + 1):
            self._listed.append(None)
            self._decisions.append(selected_decision(selection, self.numbering.family(number)))

    def share(self, word: str) -> str:
        """One string for all equal ones."""
        return self._pool.setdefault(word, word)

    def see(
        self, family: Family, identifier: str, source: SessionSource, parameters: tuple[tuple[str, str], ...]
    ) -> None:
        """Take an entry of a list walk with these parameters."""
        place = self.numbering.number(family, identifier) - 1
        decision = listed_decision(self._selection, family, source, parameters)
        if place == len(self._decisions):
            self._listed.append(source)
            self._decisions.append(decision)
        self._listed[place] = self._listed[place] or source
        self._decisions[place] = stronger(self._decisions[place], decision)

    def transcript(self, session: str) -> Transcript:
        """The account of a session, by its key."""
        return self._transcripts.setdefault(session, Transcript())

    def known_transcript(self, session: str) -> Transcript | None:
        """The account of a session of which something was answered."""
        return self._transcripts.get(session)

    def identifier(self, session: str) -> str | None:
        """The identifier behind a key; None for a session that was neither selected nor listed."""
        number = session_number(session)
        return self.numbering.identifier(number) if 1 <= number <= len(self.numbering) else None

    def listed(self, number: int) -> SessionSource | None:
        """What a list says of a session first."""
        return self._listed[number - 1]

    def decision(self, number: int, retrieved: SessionSource | None) -> Decision:
        """What was decided of a session, its retrieve call included, unless that names another session."""
        decision = self._decisions[number - 1]
        if retrieved is None or not isinstance(retrieved.id, Unset):
            return decision
        if decision == "undecided" and self.numbering.family(number) == "local":
            return retrieved_decision(self._selection, retrieved)
        return decision

    def organizations(self) -> int:
        """How many organisations the sessions seen belong to."""
        said = [*self._listed]
        for transcript in self._transcripts.values():
            said += (transcript.retrieved, transcript.envelope)
        return len(
            {one.organization_uuid for one in said if one is not None and isinstance(one.organization_uuid, str)}
        )
