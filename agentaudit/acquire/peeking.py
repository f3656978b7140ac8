"""What a few files of the store say of it, read before anything is copied: ids, counts and switches alone.

- Each of these files is read once, within a bound; what does not fit it, or is no JSON, says nothing.
- An old agent file names its session in its rows; a running-session file names process and session; a history names
  sessions; a settings file sets switches. Nothing else of them is kept.
"""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.adapters.claude_code.settings import switches_of
from agentaudit.adapters.claude_code.witnesses import HistoryReading, running_of
from agentaudit.adapters.stores.cutting import LineCutter
from agentaudit.adapters.stores.words import id_word
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.model.storejournal import HistoryCount, RootSwitch, RunningSession, StoreFacts
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText
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

    `withheld` are the files, by root and path, whose bytes may not be packed.
    """

    owners: dict[tuple[str, Parts], str] = field(default_factory=dict)
    folders: list[tuple[SourceText, SourceText]] = field(default_factory=list)
    history: list[HistoryCount] = field(default_factory=list)
    history_cut: bool = False
    running: list[RunningSession] = field(default_factory=list)
    switches: list[tuple[str, int, RootSwitch]] = field(default_factory=list)
    withheld: frozenset[tuple[str, Parts]] = frozenset()

    def facts(self, survey: int) -> StoreFacts:
        """The row."""
        return StoreFacts(
            survey=survey,
            history=tuple(self.history),
            history_cut=self.history_cut,
            running=tuple(self.running),
            switches=tuple(switch for _, _, switch in self.switches),
        )


class _Enough(Exception):
    """It ends a reading and is no error."""


def peek(entries: Iterable[Seen], readers: Mapping[str, Reader]) -> Peeked:
    """Read the files that explain the store; `readers` by root. Links and special files are never opened."""
    peeked = Peeked()
    for number, seen in enumerate(entries, 1):
        if seen.kind != "file" or seen.look is None:
            continue
        placed = place_of(seen.parts)
        match placed.role:
            case "old_agent" | "old_sidecar":
                owner = _owner(seen, readers[seen.root])
                if owner is not None:
                    peeked.owners[seen.root, seen.parts] = owner
            case "running_session":
                found = running_of(_document(seen, readers[seen.root]))
                if found is not None:
                    peeked.running.append(RunningSession(root=seen.root, session=found.session, process=found.process))
            case "history":
                _history(seen, readers[seen.root], peeked)
            case "settings":
                for switch in switches_of(_document(seen, readers[seen.root])):
                    row = RootSwitch(root=seen.root, entry=number, switch=switch)
                    peeked.switches.append((seen.root, number, row))
            case _:
                pass
    return peeked


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
