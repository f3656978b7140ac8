"""The sessions of an exhibit while it is read: by number, with what the lists say and what was decided.

- Small in the number of sessions: equal strings are held once, and only a session that was asked for has an
  account of its own.
- The first list entry of a session is the one that stands; later ones can only strengthen the verdict.
"""

from agentaudit.adapters.compliance.numbering import Numbering
from agentaudit.adapters.compliance.selecting import (
    Verdict,
    listed_verdict,
    retrieved_verdict,
    selected_verdict,
    stronger,
)
from agentaudit.adapters.compliance.transcript import Transcript
from agentaudit.model.readings import SessionSource
from agentaudit.model.selection import Family, SessionSelection


class Roll:
    """The sessions seen so far, in the order of their numbers (from 1)."""

    def __init__(self, selection: SessionSelection) -> None:
        """Begin with the sessions that were asked for by id."""
        self._selection = selection
        self.numbering = Numbering(selection)
        self._listed: list[SessionSource | None] = []
        self._verdicts: list[Verdict] = []
        self._transcripts: dict[str, Transcript] = {}
        self._pool: dict[str, str] = {}
        for number in range(1, len(self.numbering) + 1):
            self._listed.append(None)
            self._verdicts.append(selected_verdict(selection, self.numbering.family(number)))

    def share(self, word: str) -> str:
        """One string for all equal ones."""
        return self._pool.setdefault(word, word)

    def see(
        self, family: Family, identifier: str, source: SessionSource, parameters: tuple[tuple[str, str], ...]
    ) -> None:
        """Take an entry of a list walk with these parameters."""
        place = self.numbering.number(family, identifier) - 1
        verdict = listed_verdict(self._selection, family, source, parameters)
        if place == len(self._verdicts):
            self._listed.append(source)
            self._verdicts.append(verdict)
        self._listed[place] = self._listed[place] or source
        self._verdicts[place] = stronger(self._verdicts[place], verdict)

    def transcript(self, session: str) -> Transcript:
        """The account of a session, by its key."""
        return self._transcripts.setdefault(session, Transcript())

    def known_transcript(self, session: str) -> Transcript | None:
        """The account of a session of which something was answered."""
        return self._transcripts.get(session)

    def listed(self, number: int) -> SessionSource | None:
        """What a list says of a session first."""
        return self._listed[number - 1]

    def verdict(self, number: int, retrieved: SessionSource | None) -> Verdict:
        """What was decided of a session, its retrieve call included."""
        verdict = self._verdicts[number - 1]
        if verdict == "undecided" and retrieved is not None and self.numbering.family(number) == "local":
            return retrieved_verdict(self._selection, retrieved)
        return verdict

    def organizations(self) -> int:
        """How many organisations the sessions seen belong to."""
        said = [*self._listed]
        for transcript in self._transcripts.values():
            said += (transcript.retrieved, transcript.envelope)
        return len(
            {one.organization_uuid for one in said if one is not None and isinstance(one.organization_uuid, str)}
        )
