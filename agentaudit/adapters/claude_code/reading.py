"""The reading of a preserved store: its session bundles, drawn from entries, facts of the store, and kept files.

- Nothing is opened: the facts of a transcript were taken in the read that copied it, and stand in its row.
- A bundle is kept when any file of it was to be preserved.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from agentaudit.adapters.claude_code import ADAPTER
from agentaudit.adapters.claude_code.bundles import describe
from agentaudit.adapters.claude_code.coverage import coverage_limits
from agentaudit.adapters.claude_code.linefacts import LineFacts
from agentaudit.adapters.claude_code.members import Member, group, member_of
from agentaudit.adapters.claude_code.planning import stem_of
from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.model.base import Instant, Unset
from agentaudit.model.bundle import SessionBundle, TranscriptFacts
from agentaudit.model.framing import FaultClass, FramingFacts
from agentaudit.model.journal import Answered, Opened, Outcome
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.storejournal import Entry, Kept, StoreFacts
from agentaudit.model.survey import Parts
from agentaudit.model.tagfiles import CoverageLimit, WalkRow
from agentaudit.model.text import SourceText


@dataclass(frozen=True, slots=True)
class _File:
    """What is preserved of one file: the facts of its last read, and the bytes of all its reads."""

    session: str | None
    tries: int
    octets: int
    framing: tuple[tuple[FaultClass, int], ...]
    facts: TranscriptFacts | None


@dataclass(slots=True)
class _Held:
    """What is preserved of one bundle; `listed` is the rule of what can never be copied, such as a link."""

    rule: str | None = None
    listed: str | None = None
    wanted: bool = False
    files: int = 0
    octets: int = 0
    versions: Counter[str] = field(default_factory=Counter)
    first: Instant | None = None
    last: Instant | None = None
    framing: Counter[FaultClass] = field(default_factory=Counter)
    losses: int = 0
    failures: int = 0


class ClaudeCodeReader:
    """The adapter of Claude Code's local store, as the package knows it."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "StoreBundles":
        """Begin a reading; a store has no pages."""
        del walks
        return StoreBundles(opened)


class StoreBundles:
    """One pass over a preserved store."""

    def __init__(self, opened: Opened | None = None) -> None:
        """Nothing is known yet; without `opened` only the bundles are asked for."""
        self._opened = opened
        self._members: list[Member] = []
        self._names: dict[int, tuple[str, Parts]] = {}
        self._files: dict[int, _File] = {}
        self._history: dict[tuple[str, SourceText], int] = {}
        self._running: dict[tuple[str, SourceText], tuple[int, ...]] = {}
        self._switches: dict[str, None] = {}
        self._held: dict[str, _Held] = {}

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """A store gives no answers: there is nothing to read."""
        del row, body
        return (), ()

    def entry(self, entry: Entry) -> None:
        """Take one directory entry; only the last survey counts."""
        if entry.number == 1:
            self._members.clear()
            self._names.clear()
            self._held.clear()
            self._files.clear()
        owner = None if isinstance(entry.owner, Unset) else entry.owner
        member = member_of(entry.root, entry.name, entry.kind, entry.state, owner)
        self._members.append(member)
        self._names[entry.number] = (entry.root, member.parts)
        if entry.session is not None:
            held = self._held_of(entry.session)
            held.wanted = held.wanted or entry.decision == "preserve"
            if entry.decision == "exclude":
                held.rule = held.rule or entry.rule
            elif entry.decision == "list" and entry.rule != "folder":
                held.listed = held.listed or entry.rule

    def store(self, row: StoreFacts) -> None:
        """Take what files of the store say of it."""
        self._history = {(one.root, one.session): one.lines for one in row.history}
        running: dict[tuple[str, SourceText], list[int]] = {}
        for process in row.running:
            running.setdefault((process.root, process.session), []).append(process.process)
        self._running = {place: tuple(found) for place, found in running.items()}
        self._switches = dict.fromkeys(
            f"{one.root} {one.switch.name}={one.switch.value}" for one in row.switches if one.switch.value is not None
        )

    def kept(self, row: Kept) -> None:
        """Take one kept file; of several reads of a file the last one's facts count, whatever their order here."""
        before = self._files.get(row.entry)
        octets = row.item.bytes + (0 if before is None else before.octets)
        if before is not None and before.tries > row.tries:
            self._files[row.entry] = replace(before, octets=octets)
            return
        framing = () if row.framing is None else row.framing.findings_by_class
        self._files[row.entry] = _File(row.session, row.tries, octets, framing, row.transcript)

    def recheck(self, row: Kept) -> "Recheck | None":
        """What the bytes of a kept file are fed to, to draw its facts again; None for a file that has none."""
        if row.framing is None or row.transcript is None or row.entry not in self._names:
            return None
        return Recheck(row.framing, row.transcript, stem_of(place_of(self._names[row.entry][1])))

    def bundles(self) -> tuple[SessionBundle, ...]:
        """Each bundle by its key."""
        facts = {
            self._names[entry]: file.facts
            for entry, file in self._files.items()
            if file.facts is not None and entry in self._names
        }
        return describe(group(self._members), facts, self._history, self._running)

    def wanted(self) -> frozenset[str]:
        """The keys of bundles of which anything was to be preserved."""
        return frozenset(key for key, held in self._held.items() if held.wanted)

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[BundleRow]:
        """Each session bundle with its outcome."""
        del walks
        self._gather()
        for gap in gaps:
            if not isinstance(gap.session, Unset) and gap.kind != "excluded":
                held = self._held_of(gap.session)
                held.losses += gap.count
                held.failures += gap.kind == "not_obtained"
        for bundle in self.bundles():
            yield _row(bundle, self._held.get(bundle.key, _Held()))

    def _held_of(self, key: str) -> _Held:
        """What is held of a bundle; its counters are made once, and not for each of its files."""
        held = self._held.get(key)
        if held is None:
            held = self._held[key] = _Held()
        return held

    def _gather(self) -> None:
        for file in self._files.values():
            if file.session is not None:
                _add(self._held_of(file.session), file)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of a local store, narrowed to this exhibit, by code."""
        begun = "" if self._opened is None else self._opened.at
        return coverage_limits(begun, tuple(self._switches))


class Recheck:
    """The facts of one preserved file, drawn from its bytes again."""

    def __init__(self, framing: FramingFacts, transcript: TranscriptFacts, stem: str | None) -> None:
        """The journalled facts, and the session that the name of a transcript states."""
        self._said = (framing, transcript)
        self._facts = LineFacts(stem)

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes of the copy."""
        self._facts.feed(chunk)

    def agrees(self) -> bool:
        """After the last byte: whether the journalled facts are those of these bytes."""
        return self._facts.finish() == self._said


def _add(held: _Held, file: _File) -> None:
    held.files += 1
    held.octets += file.octets
    if file.framing:
        held.framing.update(dict(file.framing))
    if file.facts is not None:
        _merge(held, file.facts)


def _merge(held: _Held, facts: TranscriptFacts) -> None:
    held.versions.update(dict(facts.versions))
    firsts = [at for at in (held.first, facts.first_record_at) if at is not None]
    lasts = [at for at in (held.last, facts.last_record_at) if at is not None]
    held.first, held.last = min(firsts, default=None), max(lasts, default=None)


def _row(bundle: SessionBundle, held: _Held) -> BundleRow:
    outcome: Outcome = "incomplete" if held.failures else "all_given_with_losses" if held.losses else "all_given"
    return BundleRow(
        session=bundle.key,
        decision="kept" if held.wanted else "excluded",
        rule=None if held.wanted else held.rule or held.listed or "folder",
        bundle=bundle,
        preserved_files=held.files,
        preserved_bytes=held.octets,
        versions=tuple(sorted(held.versions.items())),
        first_record_at=held.first,
        last_record_at=held.last,
        framing=tuple(sorted(held.framing.items())),
        gaps=held.losses,
        outcome=outcome if held.wanted else None,
    )
