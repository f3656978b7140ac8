"""A case on disk: its file, its custody log, the numbers of its exhibits.

- Whoever appends holds the custody log's lock; appends by several runs serialise.
- Before it appends, a writer heals what a crash left: a torn tail is named and cut, a sealed exhibit without its
  row gets `sealed_found`.
- Exhibit numbers are never reused: the next one is above every number that the log or a folder has.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from agentaudit.encoding.canonical import Codec, NotCanonical, encode_line
from agentaudit.errors import DestinationFault, NotAPackage
from agentaudit.format import layout
from agentaudit.format.chain import CUSTODY_CODEC, Break
from agentaudit.model.actors import Actors, Host, Tool
from agentaudit.model.base import Digest, digest_of, instant_of
from agentaudit.model.custody import (
    CaseFile,
    CaseOpened,
    CustodyRow,
    ExhibitBegun,
    ExhibitSealed,
    SealedFound,
    TornFound,
)
from agentaudit.model.journal import CustodyHead
from agentaudit.package.disk import Disk, SystemDisk, destination
from agentaudit.package.rows import ChainLog, create_log, open_log, read_log

CASE_MAX_BYTES = 65_536
_CODEC = Codec(CaseFile)


@dataclass(frozen=True, slots=True)
class Hand:
    """Who appends: the people's words, the machine, the program, the clock, the disk."""

    actors: Actors
    host: Host
    tool: Tool
    now: Callable[[], datetime]
    disk: Disk

    @property
    def program(self) -> str:
        """Name and version, as custody rows hold them."""
        return f"{self.tool.name} {self.tool.version}"


@dataclass(frozen=True, slots=True)
class Case:
    """An opened case: where it lies and what its file says."""

    path: Path
    file: CaseFile

    def append(self, row: CustodyRow, hand: Hand) -> CustodyHead:
        """Append one row under the lock, durably; the head of the chain afterwards is returned."""
        with self.locked(hand) as log:
            log.stage(row)
            log.settle()
            return log.head

    @contextlib.contextmanager
    def locked(self, hand: Hand) -> Iterator[ChainLog[CustodyRow]]:
        """The custody log, locked and healed, for as long as the block runs."""
        path = self.path / layout.CUSTODY
        log: ChainLog[CustodyRow] = open_log(path, hand.disk, hand.now, CUSTODY_CODEC, CustodyRow, wait=True)
        try:
            _heal_tail(log, hand)
            _heal_seals(self, log, hand)
            yield log
        finally:
            log.close()

    def rows(self) -> Iterator[CustodyRow]:
        """Every row of the log up to its first fault."""
        for link in read_log(self.path / layout.CUSTODY, CUSTODY_CODEC, CustodyRow):
            if isinstance(link, Break):
                return
            yield link.row

    def next_number(self) -> int:
        """The first number above all that the log or a folder name."""
        begun = (row.exhibit for row in self.rows() if isinstance(row, ExhibitBegun))
        names = (*begun, *(entry.name for entry in self.path.iterdir()))
        return max((layout.exhibit_number(name) or 0 for name in names), default=0) + 1

    def actors(self, examiner: str | None, authority: str | None, note: str, clock_note: str) -> Actors:
        """The people's words, with the case's own examiner and authority where none are given."""
        return Actors(
            examiner=examiner or self.file.examiner,
            authority=authority or self.file.authority,
            note=note,
            clock_note=clock_note,
        )


def open_case(path: Path, facts: CaseFile, hand: Hand) -> Case:
    """Make a new case folder with its file and the first custody row; an existing path is refused (7)."""
    disk = hand.disk
    disk.make_folder(path)
    content = encode_line(facts)
    descriptor = disk.create(path / layout.CASE)
    with destination(path / layout.CASE):
        disk.write(descriptor, content)
        disk.settle(descriptor)
        disk.close(descriptor)
    log: ChainLog[CustodyRow] = create_log(path / layout.CUSTODY, disk, hand.now, CustodyRow)
    log.stage(
        CaseOpened(
            actors=hand.actors,
            host=hand.host.node,
            user=hand.host.user,
            tool=hand.program,
            case_digest=digest_of(content),
        )
    )
    log.settle()
    log.close()
    disk.settle_folder(path)
    disk.settle_folder(path.parent)
    return Case(path, facts)


def new_case_file(number: str, title: str, actors: Actors, handling: str, now: datetime) -> CaseFile:
    """The content of case.json, opened now."""
    return CaseFile(
        format="agentaudit-case/1",
        number=number,
        title=title,
        opened_at=instant_of(now),
        examiner=actors.examiner,
        authority=actors.authority,
        handling=handling,
    )


def load_case(path: Path) -> Case:
    """The case at a path; DestinationFault (7) when it is none, NotAPackage (8) when its format is newer."""
    try:
        descriptor = os.open(path / layout.CASE, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as stream:
            content = stream.read(CASE_MAX_BYTES)
    except OSError:
        raise DestinationFault(f"{path} is not a case", "make one with `agentaudit open`") from None
    try:
        facts = _CODEC.decode(content.removesuffix(b"\n"))
    except NotCanonical:
        raise NotAPackage(f"{path / layout.CASE} is not a case file of format 1", "use a newer agentaudit") from None
    if not isinstance(facts, CaseFile):
        raise NotAPackage(f"{path / layout.CASE} is not a case file", "name the case's folder")
    return Case(path, facts)


def _heal_tail(log: ChainLog[CustodyRow], hand: Hand) -> None:
    """Name the torn tail that a crash left, then cut it: its row never counted."""
    torn = log.tail.torn
    if not torn:
        return
    with log.path.open("rb") as stream:
        stream.seek(log.tail.length)
        tail = stream.read(torn)
    hand.disk.cut(log.path, log.tail.length)
    log.stage(
        TornFound(
            actors=hand.actors,
            host=hand.host.node,
            user=hand.host.user,
            tool=hand.program,
            bytes=torn,
            sha256=digest_of(tail),
        )
    )
    log.settle()


def _heal_seals(case: Case, log: ChainLog[CustodyRow], hand: Hand) -> None:
    known = {row.exhibit for row in case.rows() if isinstance(row, ExhibitSealed | SealedFound)}
    for name in sorted(entry.name for entry in case.path.iterdir()):
        if layout.exhibit_number(name) is None or name.endswith(layout.PARTIAL) or name in known:
            continue
        seal = seal_of(case.path / name)
        if seal is not None:
            log.stage(
                SealedFound(
                    actors=hand.actors,
                    host=hand.host.node,
                    user=hand.host.user,
                    tool=hand.program,
                    exhibit=name,
                    seal=seal,
                )
            )
    log.settle()


def seal_of(exhibit: Path) -> Digest | None:
    """The seal of an exhibit: the SHA-256 of its tag manifest; None where there is none to read."""
    digest = sha256()
    try:
        descriptor = os.open(exhibit / layout.TAG_MANIFEST, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as stream:
            while block := stream.read(65_536):
                digest.update(block)
    except OSError:
        return None
    return Digest(f"sha256:{digest.hexdigest()}")


def system_hand(actors: Actors, host: Host, tool: Tool, now: Callable[[], datetime]) -> Hand:
    """A hand on the real disk."""
    return Hand(actors, host, tool, now, SystemDisk())
