"""What is known of a Codex home without its content: rollouts, databases, and how the two agree.

- A foreign word (a release, a line type, an id) is kept only in the form that such words have; any other is a label.
- A rollout that is smaller than a database says has lost lines; one that is larger may only be ahead of it: the
  databases are built from the files, and lag.
- A database is never quiesced: its files are copied one after the other from a store that may be written.
"""

from typing import Literal

from agentaudit.model.base import UNSET, Frozen, Instant, Unset
from agentaudit.model.text import SourceText

Capped = Literal[
    "types", "payloads", "threads", "forked_from", "parents", "versions", "originators", "sources", "history_modes",
    "ordinals",
]  # fmt: skip


class OrdinalFacts(Frozen, frozen=True, kw_only=True):
    """The ordinals of a rollout's records, in file order; a whole rollout counts 0, 1, 2 ... to its end.

    `state`: `contiguous` (every record has the ordinal that is expected, from 0), `broken` (a gap, a repeat, a start
    above 0), `partly` (some records have none), `unnumbered` (none has one: older releases), `empty` (no record).
    `missing` counts the ordinals below `last` that no record has; `gaps` holds the first ranges of them, both ends
    inclusive. `repeats` counts records whose ordinal was there before, `late` those that fill a gap afterwards;
    `odd` those whose ordinal is no such number. `missing`, `repeats` and `late` are None once the gaps were too many.
    """

    state: Literal["contiguous", "broken", "partly", "unnumbered", "empty"]
    numbered: int
    unnumbered: int
    odd: int
    first: int | None
    last: int | None
    missing: int | None
    gaps: tuple[tuple[int, int], ...]
    repeats: int | None
    late: int | None


class RolloutFacts(Frozen, frozen=True, kw_only=True):
    """The facts of one rollout, from its lines that are objects; none of them is a fault.

    `records` counts objects, `unread` the lines that are none or were too long to be handed over. `types` and
    `payloads` (`response_item/message`) hold word and count, sorted by word; `untyped` has no type that is a word.
    `form`: lines are `enveloped` (timestamp, type, payload), `bare` items of older releases, `mixed`, or there is
    `none`. `threads` are the ids of all `session_meta` (there can be many: forks and subagents repeat their parents'),
    `thread` is the first one, `own_thread` whether the id in the file's name is among them. `forked_from` and
    `parents` are the threads that they name as origin and as spawner. `conversation_records` counts messages of user
    and assistant; `turns_open` is the number of turns begun less those that ended. `first_record_at` and
    `last_record_at` are the least and the greatest timestamp. `capped` names the lists that were cut.
    """

    adapter: str
    records: int
    unread: int
    form: Literal["enveloped", "bare", "mixed", "none"]
    types: tuple[tuple[str, int], ...]
    payloads: tuple[tuple[str, int], ...]
    untyped: int
    ordinals: OrdinalFacts
    session_metas: int
    thread: str | None
    own_thread: bool | None
    threads: tuple[str, ...]
    forked_from: tuple[str, ...]
    parents: tuple[str, ...]
    versions: tuple[tuple[str, int], ...]
    originators: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, int], ...]
    history_modes: tuple[tuple[str, int], ...]
    first_record_at: Instant | None
    last_record_at: Instant | None
    untimed: int
    time_reversals: int
    conversation_records: int
    turns_open: int
    compactions: int
    rollbacks: int
    capped: tuple[Capped, ...]


class DatabaseSet(Frozen, frozen=True, kw_only=True):
    """One SQLite database with the files beside it, copied in one go from a store that was not quiesced.

    `name` is the true path of the database file, `family` the word before its generation (`state` of
    `state_5.sqlite`), a label when it is no known one. `main`, `wal`, `shm` and `journal` say what lies there.
    Without its `-wal` a database may show nothing: content that was not yet written back lies there alone.
    `torn`: a file changed while the set was copied so that the copy may be a mix; None when nobody compared.
    """

    root: str
    name: SourceText
    family: str
    generation: int | None
    main: bool
    wal: bool
    shm: bool
    journal: bool
    quiesced: Literal["not_quiesced"] = "not_quiesced"
    torn: bool | None


class ThreadLinks(Frozen, frozen=True, kw_only=True):
    """What the rollouts of one bundle name as their origin, and which rollouts of the root name them.

    `absent` are the threads that are named as origin or spawner and of which no rollout lies in the root.
    """

    key: str
    forked_from: tuple[str, ...]
    parents: tuple[str, ...]
    children: tuple[str, ...]
    absent: tuple[str, ...]


class ThreadStanding(Frozen, frozen=True, kw_only=True):
    """One thread: what the databases say of its rollout, against the files of the root.

    `files` counts rollouts of that thread (a compressed twin is one more). `listed`, `projected`: the thread has a row
    in `threads`, in the projection. `file`: the row names a rollout that is `present` where it says, `compressed`
    there, `elsewhere` (the name lies in another place), `missing`, or the row names `none`; UNSET without a row.
    `size` and `ordinal` compare the file with the projection: `equal`, `smaller` (the file lacks what was projected),
    `larger` (the projection lags), `unknown`; UNSET where the projection does not know the thread. Bytes are those of
    the uncompressed rollout. `turns_beyond` counts projected turns that end beyond the file. `archived` is what the
    row says, `archived_file` where the file lies.
    """

    thread: str
    files: int
    listed: bool
    projected: bool
    file: Literal["present", "compressed", "elsewhere", "missing", "none"] | Unset = UNSET
    size: Literal["equal", "smaller", "larger", "unknown"] | Unset = UNSET
    file_bytes: int | None = None
    projected_bytes: int | None = None
    ordinal: Literal["equal", "smaller", "larger", "unknown"] | Unset = UNSET
    file_next_ordinal: int | None = None
    projected_next_ordinal: int | None = None
    turns_beyond: int = 0
    archived: bool | None = None
    archived_file: bool | None = None


class ProjectionFacts(Frozen, frozen=True, kw_only=True):
    """What the databases of one root say of its rollouts; `read` is false when neither table could be read.

    `threads` holds a standing for each thread with a row or a file: first those with a difference, then by id; what
    is beyond the bound of the list is counted in `threads_beyond`. `missing` counts those whose row names a
    file that is not there, `unlisted` those with a file and no row, `smaller` and `larger` those whose file differs
    from the projection in size or ordinal. `children_absent` are spawned threads with neither a row nor a file.
    `odd_rows` have not the form of a row; `cut`: a table was longer than its bound. `quiesced` as for the databases.
    """

    root: str
    read: bool
    rows: int
    odd_rows: int
    cut: bool
    threads: tuple[ThreadStanding, ...]
    threads_beyond: int
    missing: int
    unlisted: int
    smaller: int
    larger: int
    children_absent: tuple[str, ...]
    quiesced: Literal["not_quiesced"] = "not_quiesced"
