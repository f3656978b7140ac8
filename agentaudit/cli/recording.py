"""`verify --record`: the verdict as a row of the custody log.

- The row names what was checked, the three answers and how often each code was found; never a subject.
"""

from dataclasses import dataclass
from pathlib import Path

from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.model.actors import Said
from agentaudit.model.base import Digest
from agentaudit.model.custody import Verified
from agentaudit.model.journal import Outcome
from agentaudit.model.verdict import CaseVerdict, Verdict
from agentaudit.package.case import load_case
from agentaudit.package.tree import resolved
from agentaudit.review import is_case


def record(console: Console, path: Path, verdict: Verdict | CaseVerdict, said: Said) -> None:
    """Append the verdict to the log of the case at `path`, or of the case around the exhibit at `path`.

    Raises DestinationFault (7) when no case is there.
    """
    case = load_case(path if is_case(path) else resolved(path).parent)
    hand = hand_on(case, said, console)
    subject = _subject(verdict)
    head = case.append(
        Verified(
            actors=hand.actors,
            host=hand.host.node,
            user=hand.host.user,
            tool=hand.program,
            subject=subject.name,
            seal=subject.seal,
            integrity=verdict.integrity,
            outcome=subject.outcome,
            authenticity=subject.authenticity,
            findings=verdict.codes,
        ),
        hand,
    )
    console.say(f"recorded as row {head.seq} of the custody log")


@dataclass(frozen=True, slots=True)
class _Subject:
    """What was checked; a case as a whole has no seal, no outcome and no signature of its own."""

    name: str
    seal: Digest | None = None
    outcome: Outcome | None = None
    authenticity: str = ""


def _subject(verdict: Verdict | CaseVerdict) -> _Subject:
    if isinstance(verdict, CaseVerdict):
        return _Subject("case")
    return _Subject(verdict.exhibit, verdict.seal, verdict.outcome, verdict.authenticity)
