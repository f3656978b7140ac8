"""What people do with exhibits, told to the custody log: transferred, received, copied, opened, returned, disposed.

- Each act says what it needs to be understood later: to whom, from whom, or why.
- A subject is an exhibit of the case with the seal that the log holds; what comes from elsewhere cites the head of
  the chain that it comes from.
- The time that people state stands beside the time at which the row was written, never in its place.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from agentaudit.errors import PackageFault, UsageFault
from agentaudit.model.base import Digest, Instant
from agentaudit.model.custody import Cited, Handled, HandlingAct, Subject
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import sealed_as, sealed_folder
from agentaudit.package.case import Case, Hand
from agentaudit.package.handover import hand_over, read_travelling

NEEDED: Mapping[HandlingAct, str] = MappingProxyType(
    {"transferred": "to", "received": "from", "returned": "to", "disposed": "note", "noted": "note"}
)


@dataclass(frozen=True, slots=True)
class Handling:
    """One act as people state it; `exhibits` are numbers of this case."""

    act: HandlingAct
    exhibits: tuple[str, ...] = ()
    giver: str = ""
    receiver: str = ""
    medium: str = ""
    place: str = ""
    happened_at: Instant | None = None

    def check(self, note: str) -> None:
        """UsageFault (2) when the act lacks the word that it needs."""
        said = {"to": self.receiver, "from": self.giver, "note": note}
        needed = NEEDED.get(self.act)
        if needed is not None and not said[needed].strip():
            raise UsageFault(f"--event {self.act} needs --{needed}", "say it in a few words")


def add(case: Case, handling: Handling, hand: Hand) -> CustodyHead:
    """Append an act on exhibits of the case, or on the case as a whole; the head afterwards."""
    handling.check(hand.actors.note)
    return case.append(_row(handling, _subjects(case, handling.exhibits), None, hand), hand)


def add_with_copy(case: Case, handling: Handling, to: Path, hand: Hand) -> CustodyHead:
    """Copy the one exhibit of the act into a folder, with the case's file and log beside it; the head afterwards."""
    handling.check(hand.actors.note)
    if len(handling.exhibits) != 1:
        raise UsageFault("--copy-to copies one exhibit", "name it with --exhibit, and each other one in its own act")
    sealed = sealed_folder(case.path / handling.exhibits[0])
    row = _row(handling, (Subject(exhibit=sealed.name, seal=sealed.seal),), None, hand)
    return hand_over(sealed, to, row, hand)


def add_received(case: Case, handling: Handling, exhibit: Path, hand: Hand) -> CustodyHead:
    """Append the receipt of an exhibit that travelled alone, citing the head of the log that came with it.

    Raises UsageFault (2) when no copies lie beside it, PackageFault (4) when they do not fit it.
    """
    handling.check(hand.actors.note)
    came = read_travelling(exhibit)
    if came is None:
        raise UsageFault(f"no case and custody files lie beside {exhibit}", "name the sender's head with --head")
    if came.faults or came.head is None or came.case is None:
        raise PackageFault(
            f"what lies beside {exhibit} does not fit it: {came.faults[0]}", f"agentaudit verify {exhibit}"
        )
    cites = Cited(case=came.case.number, seq=came.head.seq, head=came.head.digest)
    row = _row(handling, (Subject(exhibit=came.exhibit, seal=came.seal),), cites, hand)
    return case.append(row, hand)


def add_citing(case: Case, handling: Handling, head: Digest, seal: Digest | None, hand: Hand) -> CustodyHead:
    """Append an act that cites another chain's head as people noted it, on exhibits of that other case."""
    handling.check(hand.actors.note)
    subjects = tuple(Subject(exhibit=name, seal=seal) for name in handling.exhibits)
    return case.append(_row(handling, subjects, Cited(case=None, seq=None, head=head), hand), hand)


def _subjects(case: Case, names: Iterable[str]) -> tuple[Subject, ...]:
    return tuple(Subject(exhibit=name, seal=_seal(case, name)) for name in dict.fromkeys(names))


def _seal(case: Case, name: str) -> Digest:
    seals = sealed_as(case, name)
    if len(seals) != 1:
        raise UsageFault(
            f"the custody log holds no seal of {name}", f"see what it holds: agentaudit custody {case.path}"
        )
    return next(iter(seals))


def _row(handling: Handling, subjects: tuple[Subject, ...], cites: Cited | None, hand: Hand) -> Handled:
    return Handled(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        act=handling.act,
        subjects=subjects,
        giver=handling.giver,
        receiver=handling.receiver,
        medium=handling.medium,
        place=handling.place,
        happened_at=handling.happened_at,
        cites=cites,
    )
