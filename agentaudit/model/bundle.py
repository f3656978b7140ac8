"""What is known of a session bundle without its content: facts of its transcripts, what it holds, what it lacks.

- Nothing here holds content: names of spilled files and ids stand here, never text that somebody wrote or read.
- A foreign word (a version, a record type, an id, the name of a spilled file) is kept only in the form that such
  words have; any other is a label, the beginning of its digest.
- `*_record_at` is the clock of whoever wrote the record, apart from every file time.
- A number that outgrew its bound is None: known to be unknown. `capped` names the lists that were cut.
"""

from typing import Literal

from agentaudit.model.base import UNSET, Frozen, Instant, Unset
from agentaudit.model.local import NanoInstant
from agentaudit.model.text import SourceText

Capped = Literal["versions", "types", "sessions", "agents", "subagents", "spilled", "cwds", "uuids"]


class Spilled(Frozen, frozen=True, kw_only=True):
    """A tool result that a record names as spilled: the last component of its path, and the size where it is said."""

    name: str
    bytes: int | None


class TranscriptFacts(Frozen, frozen=True, kw_only=True):
    """The facts of one transcript, from its records that are objects; none of them is a fault.

    `records` counts objects. `versions` and `types` hold word and count, sorted by word; `untyped` has no type or one
    that is no word. `first_record_at` and `last_record_at` are the least and the greatest timestamp; `untimed`
    records have none that is one; `time_reversals` counts steps back in file order.
    `sessions` counts distinct ids; `session` is the first one, `own_session` whether the name of the file is among
    them. `duplicate_uuids` counts records whose uuid was there before; `dangling_parents` distinct parents that are
    no record of this file; `cyclic_records` those on a parent cycle, `self_parents` those that name themselves.
    `cwds` counts the working folders that records name, `cwd_labels` tells them apart without naming one.
    `subagents` are the agents that results name; `spilled` the results that were put into files.
    """

    adapter: str
    records: int
    versions: tuple[tuple[str, int], ...]
    types: tuple[tuple[str, int], ...]
    untyped: int
    first_record_at: Instant | None
    last_record_at: Instant | None
    untimed: int
    time_reversals: int
    sessions: int
    session: str | None
    own_session: bool | None
    agents: tuple[str, ...]
    conversation_records: int
    sidechain_records: int
    duplicate_uuids: int | None
    dangling_parents: int | None
    self_parents: int | None
    cyclic_records: int | None
    cwds: int
    cwd_labels: tuple[str, ...]
    spilled: tuple[Spilled, ...]
    subagents: tuple[str, ...]
    compactions: int
    relocations: int
    continuations: int
    capped: tuple[Capped, ...]


class RoleTotal(Frozen, frozen=True, kw_only=True):
    """How many regular files of one role a bundle holds, and their bytes."""

    role: str
    count: int
    bytes: int


class SessionBundle(Frozen, frozen=True, kw_only=True):
    """One session of one project folder of one root: what lies there and what does not.

    `key` is `s000001` in the order of the sorted survey. `nested` is the path of a root inside the root, `project`
    the name of the project folder (None: only other stores know the session), `session` the id as a path writes it.
    `transcript`: `present`, `missing`, or `unreadable` (it is no regular file, or could not be looked at).
    `folder`: the session has a folder beside its transcript. `bytes` and `modified_at` (the latest) are those of its
    regular files; `newer_siblings` counts those that were changed after the transcript was.
    `spilled_absent`, `subagents_absent` hold what a transcript names and no file of the root is; `spilled_unnamed`
    the spilled results that no transcript of the root names. UNSET when the transcripts were not read.
    `also_in` holds the keys of other bundles with the same id. `witnesses` counts what other stores of the root hold
    of the session; `running` holds the process ids that say they write it (facts, not proof).
    `project_cwds` counts the working folders that the records of the whole project folder name: the name of the folder
    stands for all of them. UNSET when none of its transcripts was read.
    """

    key: str
    root: str
    nested: SourceText | Unset = UNSET
    project: SourceText | None
    session: SourceText
    transcript: Literal["present", "missing", "unreadable"]
    folder: bool
    bytes: int
    modified_at: NanoInstant | None
    roles: tuple[RoleTotal, ...]
    newer_siblings: int
    spilled_absent: tuple[str, ...] | Unset = UNSET
    spilled_unnamed: tuple[SourceText, ...] | Unset = UNSET
    subagents_absent: tuple[str, ...] | Unset = UNSET
    also_in: tuple[str, ...]
    witnesses: tuple[tuple[str, int], ...]
    running: tuple[int, ...]
    project_cwds: int | Unset = UNSET


class HistoryWitness(Frozen, frozen=True, kw_only=True):
    """What the history of one root says of sessions: how many it names, and how many of these have no transcript."""

    root: str
    lines: int
    sessions: int
    without_transcript: int


class SwitchSetting(Frozen, frozen=True, kw_only=True):
    """One switch of one settings file: its name, and its value in the few forms that such a switch has.

    `value` is a boolean, a number or one of the words this adapter knows; None where it is set to anything else.
    """

    name: str
    value: bool | int | str | None
