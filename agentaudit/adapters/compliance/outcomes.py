"""The row of each session and its outcome (evidence format, section 5).

- `incomplete`: something asked for was not obtained, or the last walk of the transcript did not come to its end.
- `all_given_with_losses`: the source gave what it would, and states a loss.
- Clipping by our own limit changes no outcome; it is counted beside it.
- What was not asked for (excluded, or metadata only) has no outcome, unless something of it failed.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.compliance.naming import place_of
from agentaudit.adapters.compliance.numbering import session_key
from agentaudit.adapters.compliance.roll import Roll
from agentaudit.adapters.compliance.sessions import disagreements
from agentaudit.adapters.compliance.transcript import Transcript
from agentaudit.model.base import Unset
from agentaudit.model.journal import Outcome, WalkReason
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource
from agentaudit.model.tagfiles import WalkRow
from agentaudit.model.text import source_text

_ENDINGS = ("session_not_found", "session_pending")
_NO_COUNTS = SessionCounts()


class Ends:
    """How the transcript walks ended and what is missing, by session key."""

    def __init__(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> None:
        """Walks in the order of their ids: the last walk of a session is the one that counts."""
        self._walks: dict[str, WalkReason | None] = {}
        self._gaps: dict[str, tuple[int, int, int, int]] = {}
        for walk in walks:
            place = place_of(walk.walk)
            if place is not None and place.session is not None and place.kind != "local_retrieve":
                self._walks[place.session] = walk.ended
        for gap in gaps:
            if not isinstance(gap.session, Unset):
                self._gap(gap.session, gap)

    def _gap(self, session: str, gap: Gap) -> None:
        total, lost, unavailable, final = self._gaps.get(session, (0, 0, 0, 0))
        self._gaps[session] = (
            total + gap.count,
            lost + (gap.kind == "not_obtained"),
            unavailable + (gap.kind == "unavailable"),
            final + (gap.code in _ENDINGS),
        )

    def gaps(self, session: str) -> int:
        """How much is missing of a session."""
        return self._gaps.get(session, (0, 0, 0, 0))[0]

    def failed(self, session: str) -> bool:
        """True when something of the session was asked for and not obtained."""
        return self._gaps.get(session, (0, 0, 0, 0))[1] > 0

    def states_loss(self, session: str) -> bool:
        """True when the source says that it has not, or does not give, something of the session."""
        return self._gaps.get(session, (0, 0, 0, 0))[2] > 0

    def came_to_its_end(self, session: str) -> bool:
        """True when the transcript's last walk was exhausted, or the source says that there is none."""
        return self._walks.get(session) == "exhausted" or self._gaps.get(session, (0, 0, 0, 0))[3] > 0


def session_rows(roll: Roll, ends: Ends, *, list_only: bool) -> Iterator[SessionRow]:
    """Each session of the roll, by its key."""
    for number in range(1, len(roll.numbering) + 1):
        yield _row(roll, ends, number, list_only=list_only)


def _row(roll: Roll, ends: Ends, number: int, *, list_only: bool) -> SessionRow:
    key = session_key(number)
    family = roll.numbering.family(number)
    transcript = roll.known_transcript(key)
    listed = roll.listed(number)
    retrieved = transcript.retrieved if transcript else None
    envelope = transcript.envelope if transcript else None
    decision = roll.decision(number, retrieved)
    excluded = decision not in ("kept", "undecided")
    outcome = _failed_outcome(ends, key, undecided=decision == "undecided", list_only=list_only)
    if outcome is None and not list_only:
        outcome = _given(transcript, (listed, retrieved, envelope), states_loss=ends.states_loss(key))
    return SessionRow(
        session=key,
        family=family,
        id=source_text(roll.numbering.identifier(number)),
        decision="excluded" if excluded else "kept" if decision == "kept" else "undecided",
        rule=decision if excluded else None,
        listed=listed,
        retrieved=retrieved,
        envelope=envelope,
        disagree=disagreements(family, listed, retrieved, envelope),
        outcome=None if excluded else outcome,
        counts=_counts(transcript, ends.gaps(key)),
    )


def _failed_outcome(ends: Ends, key: str, *, undecided: bool, list_only: bool) -> Outcome | None:
    unended = not list_only and not ends.came_to_its_end(key)
    return "incomplete" if undecided or unended or ends.failed(key) else None


def _given(transcript: Transcript | None, said: tuple[SessionSource | None, ...], *, states_loss: bool) -> Outcome:
    truncated = any(one is not None and one.truncated is True for one in said)
    clipped = transcript is not None and (transcript.truncated or transcript.states_clipping)
    return "all_given_with_losses" if states_loss or truncated or clipped else "all_given"


def _counts(transcript: Transcript | None, gaps: int) -> SessionCounts:
    if transcript is None:
        return SessionCounts(gaps=gaps) if gaps else _NO_COUNTS
    return transcript.counts(gaps)
