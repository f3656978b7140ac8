"""What a reading makes of a source that is no transcript: its events, and the streams that they belong to.

- Rows hold ids, kinds, times, numbers and words of closed vocabularies; never content.
- What the source says stands as it said it; what is ours (codes of findings, marks, names of keys) is ASCII.
- A stream is whatever events can belong to: a file, a session, a process, a job, a run. Its key is neutral.
"""

from typing import Literal, Protocol

from agentaudit.model.base import UNSET, Frozen, Unset
from agentaudit.model.text import SourceText

Word = SourceText | None | Unset

KeyName = Literal[
    "account", "agent", "api_message", "api_request", "artifact", "attempt", "call", "chat", "client_request",
    "context", "execution", "file", "job", "message", "organization", "parent_tool_call", "project", "prompt",
    "request", "run", "session", "thread", "tool_call", "turn", "user", "workflow_run", "workspace",
]  # fmt: skip
"""The names under which events of different sources can be joined; each holds an id as the source wrote it."""

StreamKind = Literal[
    "agent", "artifact", "attempt", "chat", "conversation", "database", "document", "execution", "feed", "file",
    "folder", "job", "process", "project", "run", "service", "session", "table", "tool",
]  # fmt: skip

PLACES_MAX = 64
"""Places that a finding names at most; its `count` is never cut."""


class Place(Frozen, frozen=True, kw_only=True):
    """The way back: a payload file, the offset in bytes of a document or frame in it, a pointer (RFC 6901) inside.

    Of a compressed file `offset` counts in its expanded bytes; a framed file's offset is that of the frame. `row` is
    the rowid of a database's table, whose name the pointer holds.
    """

    item: str
    offset: int = 0
    pointer: str = ""
    row: int | Unset = UNSET


class EventRow(Frozen, frozen=True, kw_only=True):
    """One event of a source.

    `stream` is the key of the stream whose order `order` counts in; `kind` the source's word for the event, `id` its
    own id, `at` its own time, each verbatim. `keys` are ids by which events are joined, `words` the source's words
    from closed vocabularies (a decision, a tool's name), `numbers` its sizes, counts and durations, each sorted by
    name. `marks` are ours: `duplicate`, `redacted`, `cut`, `unknown_kind` and others of the adapter.
    """

    stream: str
    kind: SourceText
    place: Place
    id: Word = UNSET
    at: Word = UNSET
    order: int | Unset = UNSET
    keys: tuple[tuple[KeyName, SourceText], ...] = ()
    words: tuple[tuple[str, SourceText], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    marks: tuple[str, ...] = ()


class StreamFinding(Frozen, frozen=True, kw_only=True):
    """What a check of a stream says: our code, how often, and the first places (`PLACES_MAX` at most)."""

    code: str
    count: int
    places: tuple[Place, ...] = ()
    subjects: tuple[SourceText, ...] = ()


class OrderRun(Frozen, frozen=True, kw_only=True):
    """An unbroken rise of the source's own numbers: the first, the last, and how many of them are here."""

    first: int
    last: int
    events: int


class StreamRow(Frozen, frozen=True, kw_only=True):
    """One stream: what was read of it, what it says of itself, and what the checks found.

    `stream` is its neutral key (`file/000001`, `session/000002`), unique in the exhibit; `name` the id that the source
    gives it. `item` is its payload file, where it is one. `form` is our code for the form of a file. `producers` are
    name, version, events. `kinds` counts events by the source's word. `counts`, `words` and `findings` are sorted.
    """

    stream: str
    kind: StreamKind
    name: SourceText | None = None
    within: str | None = None
    item: str | None = None
    form: str | None = None
    events: int = 0
    first_at: Word = UNSET
    last_at: Word = UNSET
    producers: tuple[tuple[SourceText, SourceText | None, int], ...] = ()
    kinds: tuple[tuple[SourceText, int], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    words: tuple[tuple[str, SourceText], ...] = ()
    runs: tuple[OrderRun, ...] = ()
    findings: tuple[StreamFinding, ...] = ()


class PayloadFeed(Protocol):
    """One kept file, as a reading of events is fed with it, piece by piece, at sealing and at verification alike."""

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes; the chunk is not the reading's to keep."""
        ...

    def finish(self) -> None:
        """The last byte was fed."""
        ...
