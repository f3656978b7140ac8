"""The acts of preserving a local store, as rows of the journal (FORMAT.md, section 4).

- A survey comes first: its roots, then one row for every directory entry seen, in a stable order; then the files.
- An entry is named by its survey and number; its true name stands in its row and nowhere else.
- What a file was before and after it was read stands side by side; nothing is said of a file that was not seen.
"""

from typing import Literal

from agentaudit.model.base import UNSET, Digest, Frozen, Instant, Unset
from agentaudit.model.bundle import SwitchSetting, TranscriptFacts
from agentaudit.model.codex import DatabaseSet, ProjectionFacts, RolloutFacts, ThreadLinks
from agentaudit.model.framing import FramingFacts, StreamFault
from agentaudit.model.journal import Act, PayloadFile
from agentaudit.model.local import Attribute, Change, Decision, EntryKind, FileState, LaterChange, Root
from agentaudit.model.text import SourceText


class RootSeen(Act, frozen=True, kw_only=True, tag="root_seen"):
    """A root of the store, as it was found; `reported` ones are only named.

    `state` is what lstat said of the folder before it was listed.
    """

    survey: int
    root: Root
    state: FileState | Unset = UNSET


class Entry(Frozen, frozen=True, kw_only=True):
    """One directory entry: where it lies, what it is, what was decided about it and by which rule.

    `number` counts from 1 in the order of the survey. `name` is the true path below the root, `/` between its
    parts. `state` is what lstat said; None where the system refused. `target` is the text of a link. `session` is
    the key of the bundle that it belongs to; `owner` the session id that an old agent file's rows name. `sha256` is
    that of a file that stays out and could be read.
    """

    survey: int
    root: str
    number: int
    name: SourceText
    kind: EntryKind
    state: FileState | None
    decision: Decision
    rule: str
    role: str
    category: str
    session: str | None
    owner: str | Unset = UNSET
    target: SourceText | Unset = UNSET
    problem: str | Unset = UNSET
    sha256: Digest | Unset = UNSET


class HistoryCount(Frozen, frozen=True, kw_only=True):
    """How many lines of a root's history name a session."""

    root: str
    session: str
    lines: int


class RunningSession(Frozen, frozen=True, kw_only=True):
    """What a running-session file says: a process and the session that it writes; a fact about the file."""

    root: str
    session: str
    process: int


class RootSwitch(Frozen, frozen=True, kw_only=True):
    """One switch that a settings file of a root sets; `entry` is the file's number in the survey.

    `managed` and 0: a file of the administrator's settings, which lie outside every root. 0 in a root: a file that
    appeared after the survey.
    """

    root: str
    entry: int
    switch: SwitchSetting


class IndexCount(Frozen, frozen=True, kw_only=True):
    """What the listing cache of one project folder says of its sessions, held against the folder: counts alone.

    `entry` is the number of its file in the survey. `listed` counts the sessions that it names, `absent` those of them
    that have no transcript in the folder, `unlisted` the transcripts that it does not name. All are None where the file
    is no such listing: cut, too large, or of another form.
    """

    root: str
    entry: int
    listed: int | None
    absent: int | None
    unlisted: int | None


class InstalledRelease(Frozen, frozen=True, kw_only=True):
    """A release of the agent that lay on the machine, by the names and files of its installation; nothing was started.

    `where`: `package` is the version in the package file of an installation inside the root, `kept` the name of a
    release in the installer's folder beside the root, `linked` the one that the command there leads to.
    """

    root: str
    where: Literal["package", "kept", "linked"]
    version: str


class StoreFacts(Act, frozen=True, kw_only=True, tag="store_facts"):
    """What a few files of the store say that explains what is there and what is not; ids, counts and switches alone.

    `history_cut`: the history names more sessions than are listed. `indexes` are listing caches, which are often stale:
    they are witnesses and never the list of what there is. `read_at` is when the first of these files was read.
    """

    survey: int
    history: tuple[HistoryCount, ...]
    history_cut: bool
    running: tuple[RunningSession, ...]
    switches: tuple[RootSwitch, ...]
    indexes: tuple[IndexCount, ...] = ()
    installed: tuple[InstalledRelease, ...] = ()
    read_at: Instant | Unset = UNSET


class EntrySeen(Act, frozen=True, kw_only=True, tag="entry_seen"):
    """One directory entry of the survey."""

    entry: Entry


class EntryChanged(Act, frozen=True, kw_only=True, tag="entry_changed"):
    """What a second look at the end found of one entry: it appeared, or it is not what the survey saw.

    `entry` is its number in the survey, None for one that appeared, and for the root itself, whose name is empty.
    `state` is what lstat says now, None where the name is gone or the system refused. A folder is `changed` also when
    its times moved and no row of what appeared, is gone or was replaced in it explains that: something came and went,
    or took another's place, or the folder itself was moved and came back.
    Of a file that was to be preserved only that its name is gone is told here, unless it says something of the store.
    `same_as`: what appeared is the very file of that entry, which was to be preserved, under another name.
    """

    survey: int
    root: str
    entry: int | None
    name: SourceText
    kind: EntryKind
    change: LaterChange
    state: FileState | None
    problem: str | Unset = UNSET
    same_as: int | Unset = UNSET


class RootAgain(Frozen, frozen=True, kw_only=True):
    """One root at the second look: entries that appeared, listed ones that are not what they were, copied ones gone.

    `listed_changed` counts entries that were not to be preserved, and the root; `kept_gone` names that were; both have
    rows of their own. `appeared` leaves out what is `same_as` an entry. `problem`: the root could not be listed, and
    nothing is said of it.
    """

    root: str
    appeared: int
    listed_changed: int
    kept_gone: int
    problem: str | None


class LaterFacts(Frozen, frozen=True, kw_only=True):
    """The facts of the store at the second look, as in its `store_facts` row."""

    history: tuple[HistoryCount, ...]
    history_cut: bool
    running: tuple[RunningSession, ...]
    switches: tuple[RootSwitch, ...]


class StoreLookedAgain(Act, frozen=True, kw_only=True, tag="store_looked_again"):
    """The second look at the end of a preservation: when it began, and what it found; its `entry_changed` rows precede.

    `facts` are those of the store when they are not what they were before the first copy; None when they are.
    """

    survey: int
    begun_at: Instant
    roots: tuple[RootAgain, ...]
    facts: LaterFacts | None


class Kept(Act, frozen=True, kw_only=True, tag="kept"):
    """A local file is durable: copied and hashed in one read, with what changed while it was read.

    `runs` is None for a whole copy; otherwise the copy is the file's data runs (offset, length) one after the other,
    and all the rest of `before.size_bytes` is zeros. `hole_bytes` of a whole copy were holes and are holes again.
    `complete` is false when the read broke off: the item is what had come. `tries` counts reads. `framing` and
    `transcript` (of a rollout `rollout`) are facts of a file of JSON Lines, taken in the same read; of a compressed
    one they are those of its text, from a second look at the copy, and `stream_fault` says why that ended early.
    `moved_to` is the path below the root at which the very file was found, where it had left that of its entry.
    """

    survey: int
    root: str
    entry: int
    role: str
    session: str | None
    item: PayloadFile
    before: FileState
    after: FileState | None
    change: Change
    complete: bool
    tries: int
    access_time_kept: bool | None
    runs: tuple[tuple[int, int], ...] | None = None
    hole_bytes: int = 0
    attributes: tuple[Attribute, ...] = ()
    framing: FramingFacts | None = None
    transcript: TranscriptFacts | None = None
    rollout: RolloutFacts | None = None
    stream_fault: StreamFault | None = None
    moved_to: SourceText | Unset = UNSET


class SetMember(Frozen, frozen=True, kw_only=True):
    """One file of a database: its entry, the copy of this go (None: it could not be read), what became of the file.

    `change` compares the looks before the first and after the last file of the set was read; None without a copy.
    `problem` is why there is no copy.
    """

    entry: int
    path: str | None
    change: Change | None
    problem: str | Unset = UNSET


class DatabaseCopied(Act, frozen=True, kw_only=True, tag="database_copied"):
    """The files of one SQLite database were copied in one go, in the order of `members`; then all were looked at.

    `tries` counts the goes: each is kept, the last one counts. `appeared` are the ends of files that lay beside the
    database afterwards and were not copied.
    """

    survey: int
    tries: int
    database: DatabaseSet
    members: tuple[SetMember, ...]
    appeared: tuple[str, ...] = ()


class DatabaseLook(Frozen, frozen=True, kw_only=True):
    """What a private copy of a preserved database showed: how many tables, or why it was not read.

    A `torn` copy is not read: it may be of two states. `error` is SQLite's or the system's name of it. `entry` is that
    of the database file.
    """

    entry: int
    family: str
    tables: int | None
    problem: Literal["over_limit", "damaged", "failed", "torn"] | None = None
    error: str | None = None


class ProjectionCompared(Act, frozen=True, kw_only=True, tag="projection_compared"):
    """What the databases of one root say of its rollouts was compared with the files."""

    survey: int
    databases: tuple[DatabaseLook, ...]
    projection: ProjectionFacts


class ThreadLinked(Act, frozen=True, kw_only=True, tag="thread_linked"):
    """What the rollouts of one thread name as its origin and spawner, and who names it."""

    survey: int
    links: ThreadLinks
