"""What a few files of the store say of it, read before anything is copied: ids, counts and switches alone.

- Each of these files is read once, within a bound; what does not fit it, or is no JSON, says nothing.
- An old agent file names its session in its rows; a running-session file names process and session; a history and a
  listing cache name sessions; a settings file sets switches; a package file states a release. Nothing else of them is
  kept.
"""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentaudit.acquire.listings import Listings
from agentaudit.adapters.claude_code.releases import (
    COMMAND,
    PACKAGE_FILE,
    RELEASES,
    linked_release,
    releases_among,
    version_of,
)
from agentaudit.adapters.claude_code.roles import Placed, place_of
from agentaudit.adapters.claude_code.witnesses import HistoryReading, running_of
from agentaudit.adapters.handed_over.withheld import Form
from agentaudit.adapters.settings.claude_code import switches_of
from agentaudit.adapters.stores.cutting import LineCutter
from agentaudit.adapters.stores.words import id_word
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.model.base import UNSET, Instant, Unset
from agentaudit.model.storejournal import (
    HistoryCount,
    IndexCount,
    InstalledRelease,
    RootSwitch,
    RunningSession,
    StoreFacts,
)
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText
from agentaudit.sources.local.beside import names_below, target_below
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader
from agentaudit.sources.local.survey import survey

MANAGED = "managed"
DOCUMENT_MAX_BYTES = 1024 * 1024
PEEK_BYTES = 1024 * 1024


@dataclass(slots=True)
class Peeked:
    """What was said; `folders` holds session and working folder where a store has no project folders.

    `read_at` is when the first of the files was read, where it is to be said.
    `forms` are the files, by root and path, whose bytes may not be packed as they are, with what they are.
    """

    owners: dict[tuple[str, Parts], str] = field(default_factory=dict)
    folders: list[tuple[SourceText, SourceText]] = field(default_factory=list)
    history: list[HistoryCount] = field(default_factory=list)
    history_cut: bool = False
    running: list[RunningSession] = field(default_factory=list)
    switches: list[tuple[str, int, RootSwitch]] = field(default_factory=list)
    indexes: list[IndexCount] = field(default_factory=list)
    installed: list[InstalledRelease] = field(default_factory=list)
    read_at: Instant | Unset = UNSET
    forms: dict[tuple[str, Parts], Form] = field(default_factory=dict)

    def facts(self, survey: int) -> StoreFacts:
        """The row."""
        return StoreFacts(
            survey=survey,
            history=tuple(self.history),
            history_cut=self.history_cut,
            running=tuple(self.running),
            switches=tuple(switch for _, _, switch in self.switches),
            indexes=tuple(self.indexes),
            installed=tuple(self.installed),
            read_at=self.read_at,
        )


class _Enough(Exception):
    """It ends a reading and is no error."""


def peek(entries: Iterable[Seen], readers: Mapping[str, Reader]) -> Peeked:
    """Read the files that explain the store; `readers` by root. Links and special files are never opened."""
    peeked, listings = Peeked(), Listings()
    for number, seen in enumerate(entries, 1):
        placed = place_of(seen.parts)
        listings.see(number, seen, placed)
        if seen.kind == "file" and seen.look is not None:
            _peek_into(number, seen, placed, readers[seen.root], peeked)
    peeked.indexes += listings.counts(lambda seen: _document(seen, readers[seen.root]))
    return peeked


def _peek_into(number: int, seen: Seen, placed: Placed, reader: Reader, peeked: Peeked) -> None:
    match placed.role:
        case "old_agent" | "old_sidecar":
            _old_agent(seen, reader, peeked)
        case "running_session":
            _running(seen, reader, peeked)
        case "history":
            _history(seen, reader, peeked)
        case "settings":
            found = (
                RootSwitch(root=seen.root, entry=number, switch=one) for one in switches_of(_document(seen, reader))
            )
            peeked.switches += [(seen.root, number, row) for row in found]
        case "installed":
            _installed(seen, reader, peeked)
        case _:
            pass


def _old_agent(seen: Seen, reader: Reader, peeked: Peeked) -> None:
    owner = _owner(seen, reader)
    if owner is not None:
        peeked.owners[seen.root, seen.parts] = owner


def _running(seen: Seen, reader: Reader, peeked: Peeked) -> None:
    found = running_of(_document(seen, reader))
    if found is not None:
        peeked.running.append(RunningSession(root=seen.root, session=found.session, process=found.process))


def _installed(seen: Seen, reader: Reader, peeked: Peeked) -> None:
    version = version_of(_document(seen, reader)) if seen.parts == PACKAGE_FILE else None
    if version is not None:
        peeked.installed.append(InstalledRelease(root=seen.root, where="package", version=version))


def peek_managed(folder: bytes) -> tuple[RootSwitch, ...]:
    """The switches that the administrator's settings of this machine set; none where the folder cannot be entered.

    They lie outside every root: `root` is `managed`, and no entry of the survey has them.
    """
    try:
        handles = Handles(folder)
    except OSError:
        return ()
    with handles, Handles(folder) as own:
        reader = Reader(handles, Owners())
        return tuple(
            RootSwitch(root=MANAGED, entry=0, switch=switch)
            for seen in survey(MANAGED, own, Owners())
            if seen.kind == "file" and _is_managed(seen.parts)
            for switch in switches_of(_document(seen, reader))
        )


def peek_releases(root: str, home: bytes) -> tuple[InstalledRelease, ...]:
    """The releases that the native installer keeps in a home, and the one that its command leads to; by names alone."""
    kept = releases_among(names_below(home, RELEASES))
    linked = linked_release(target_below(home, COMMAND))
    return (
        *(InstalledRelease(root=root, where="kept", version=version) for version in kept),
        *(() if linked is None else (InstalledRelease(root=root, where="linked", version=linked),)),
    )


def _is_managed(parts: Parts) -> bool:
    if parts == (b"managed-settings.json",):
        return True
    return len(parts) == 2 and parts[0] == b"managed-settings.d" and parts[1].endswith(b".json")  # noqa: PLR2004


def _document(seen: Seen, reader: Reader) -> Json:
    octets = beginning(seen, reader, DOCUMENT_MAX_BYTES + 1)
    if len(octets) > DOCUMENT_MAX_BYTES:
        return None
    try:
        return decode(octets)
    except NotJson:
        return None


def _owner(seen: Seen, reader: Reader) -> str | None:
    """The session that the first row with one names."""
    for line in beginning(seen, reader, PEEK_BYTES).split(b"\n"):
        try:
            session = (mapping(decode(line)) or {}).get("sessionId")
        except NotJson:
            continue
        if isinstance(session, str) and session:
            return id_word(session)
    return None


def beginning(seen: Seen, reader: Reader, most: int) -> bytes:
    """At most so many first bytes; empty when the file cannot be read."""
    taken = bytearray()

    def take(chunk: memoryview) -> None:
        taken.extend(chunk[: most - len(taken)])
        if len(taken) >= most:
            raise _Enough

    with contextlib.suppress(_Enough):
        reader.read(seen, take)
    return bytes(taken)


def _history(seen: Seen, reader: Reader, peeked: Peeked) -> None:
    reading = HistoryReading()

    def line(octets: bytes) -> None:
        try:
            reading.see(decode(octets))
        except NotJson:
            return

    cutter = LineCutter(line)
    reader.read(seen, cutter.feed)
    cutter.finish()
    peeked.history_cut = peeked.history_cut or reading.cut
    peeked.history += [
        HistoryCount(root=seen.root, session=session, lines=lines)
        for session, lines in sorted(reading.sessions.items())
    ]
