"""What became of a file while it was read: a pure comparison of looks.

- `shrank` and `rewritten` say that what was read may be a mix; `grew` that it is the exact prefix; `replaced`,
  `vanished` and `moved` speak of the name, and what was read through the handle is whole.
- Where several are true the one that says most against the bytes is given; both states are kept beside it.
- A change time that moved while the name stayed cannot be told from a rewrite that set the time back: it is one.
- Changes within one tick of the file system's clock are not seen; no reader can see them.
"""

from agentaudit.model.local import Change, LaterChange
from agentaudit.model.survey import Look, Seen


def compare(before: Look, after_handle: Look, after_name: Look | None, bytes_read: int) -> Change:
    """The change between the look at opening and the looks afterwards, by handle and by name (None: no such name)."""
    if bytes_read < before.size or after_handle.size < before.size:
        return "shrank"
    grew = after_handle.size > before.size
    if not grew and after_handle.modified_ns != before.modified_ns:
        return "rewritten"
    if after_name is None:
        return "vanished" if after_handle.links == 0 else "moved"
    if (after_name.device, after_name.inode) != (before.device, before.inode):
        return "replaced"
    if grew:
        return "grew"
    return "none" if after_handle.changed_ns == before.changed_ns else "rewritten"


def became(before: Seen, now: Seen | None) -> LaterChange | None:
    """What became of an entry that was listed, between two looks by its name; None when nothing did.

    A folder changes with what it holds, which is told of its entries: only its rights and owner count here, and
    `is_stirred` says the rest. Access times never count.
    """
    if now is None or now.problem == "vanished":
        return None if before.problem == "vanished" else "vanished"
    if before.look is None or now.look is None:
        return None if (before.look, before.problem) == (now.look, now.problem) else "changed"
    if (before.look.device, before.look.inode, before.kind) != (now.look.device, now.look.inode, now.kind):
        return "replaced"
    if before.problem != now.problem or _marks(before.look, before.kind) != _marks(now.look, now.kind):
        return "changed"
    return None


def is_stirred(before: Look | None, now: Look | None) -> bool:
    """Whether the times of a folder moved between two looks: something in it came, went or took another's place.

    Or the folder itself was moved and came back. False where one of the looks is missing.
    """
    if before is None or now is None:
        return False
    return (before.modified_ns, before.changed_ns) != (now.modified_ns, now.changed_ns)


def _marks(look: Look, kind: str) -> tuple[int, ...]:
    rights = (look.mode, look.user_id, look.group_id)
    return rights if kind == "folder" else (*rights, look.size, look.modified_ns, look.changed_ns)
