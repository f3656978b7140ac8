"""What the survey of a store hands on: each directory entry once, as the system shows it.

- Names are bytes: a path is the tuple of its components below the root, and its order is the order of the survey.
- A `Look` holds the numbers of one stat call, cheap to make and to compare; `state_of` gives the form that is written.
- What could not be looked at is an entry too, with its problem.
"""

from typing import Literal, TypeAlias

import msgspec

from agentaudit.model.local import EntryKind, FileState, nano_instant, nanoseconds_of, true_name
from agentaudit.model.text import SourceText

Parts: TypeAlias = tuple[bytes, ...]

Problem = Literal["vanished", "unreadable", "replaced", "too_deep", "failed"]


class Look(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The numbers of one stat call: sizes in bytes, times in nanoseconds since 1970; None where the system is silent.

    `mode` is the whole mode with the file type. `offline`: the system says that the bytes lie elsewhere (a cloud
    placeholder), None where it has no such mark. `junction`: a folder of Windows that stands for another one.
    """

    size: int
    modified_ns: int
    changed_ns: int
    accessed_ns: int
    born_ns: int | None
    mode: int
    user_id: int
    group_id: int
    device: int
    inode: int
    links: int
    allocated: int | None
    offline: bool | None = None
    junction: bool = False


class Seen(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One directory entry of a root.

    `look` and `state` are None when the entry could not be looked at; `problem` then says why, and `error` is the
    system's name for it (`EACCES`). A folder with a problem is listed and was not entered.
    `target` is the text of a link. `crosses`: another file system is mounted here.
    """

    root: str
    parts: Parts
    kind: EntryKind
    look: Look | None = None
    state: FileState | None = None
    target: SourceText | None = None
    problem: Problem | None = None
    error: str | None = None
    crosses: bool = False

    @property
    def path(self) -> SourceText:
        """The true path below the root, with `/` between components."""
        return true_name(b"/".join(self.parts))


def state_of(look: Look, owner: SourceText | None, group: SourceText | None) -> FileState:
    """The look in the form that is written: times as RFC 3339, inode and device as decimal strings."""
    modified = nano_instant(look.modified_ns)
    # Most files were written once.
    changed = modified if look.changed_ns == look.modified_ns else nano_instant(look.changed_ns)
    return FileState(
        size_bytes=look.size,
        modified_at=modified,
        changed_at=changed,
        accessed_at=nano_instant(look.accessed_ns),
        born_at=None if look.born_ns is None else nano_instant(look.born_ns),
        mode=look.mode,
        user_id=look.user_id,
        group_id=look.group_id,
        owner=owner,
        group=group,
        device=str(look.device),
        inode=str(look.inode),
        links=look.links,
        allocated_bytes=look.allocated,
    )


def look_from(state: FileState) -> Look:
    """The numbers of a look that was written; ValueError for a state that `state_of` did not make."""
    return Look(
        size=state.size_bytes,
        modified_ns=nanoseconds_of(state.modified_at),
        changed_ns=nanoseconds_of(state.changed_at),
        accessed_ns=nanoseconds_of(state.accessed_at),
        born_ns=None if state.born_at is None else nanoseconds_of(state.born_at),
        mode=state.mode,
        user_id=state.user_id,
        group_id=state.group_id,
        device=int(state.device),
        inode=int(state.inode),
        links=state.links,
        allocated=state.allocated_bytes,
    )
