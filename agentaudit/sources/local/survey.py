"""The survey: every entry below a root, once, in the order of its bytes, and nothing but looks.

- A folder stands before what it holds; the names of one folder are sorted as bytes; memory holds the names of the
  folders on the way and nothing else.
- Links are listed with their text and never followed, so there is no loop.
- What cannot be looked at or entered is an entry with its problem; nothing ends the survey.
- Nothing is opened but folders; nothing is written.
"""

from collections.abc import Callable, Iterator

from agentaudit.model.survey import Look, Parts, Seen
from agentaudit.model.text import SourceText
from agentaudit.sources.local.handles import Handles, Refused
from agentaudit.sources.local.looking import kind_of
from agentaudit.sources.local.owners import Owners


def survey(root: str, handles: Handles, owners: Owners, only: Callable[[bytes], bool] | None = None) -> Iterator[Seen]:
    """Every entry below the root `r1`, the root itself left out unless it cannot be listed.

    `only` says which entries of the root itself are looked at, when not all are.

    `handles` are the survey's own while it runs: reading between two entries wants other ones.
    """
    top = handles.look(())
    if isinstance(top, Refused):
        yield unseen(root, (), top)
        return
    device = top[0].device
    names = handles.names(())
    if isinstance(names, Refused):
        yield _seen(root, (), top[0], owners, problem=names)
        return
    wanted = names if only is None else [name for name in names if only(name)]
    waiting: list[tuple[Parts, Iterator[bytes]]] = [((), iter(wanted))]
    while waiting:
        folder, rest = waiting[-1]
        name = next(rest, None)
        if name is None:
            waiting.pop()
            continue
        seen, below = visit(root, (*folder, name), handles, owners, device)
        yield seen
        if below:
            waiting.append((seen.parts, iter(below)))


def look_again(seen: Seen, handles: Handles, owners: Owners) -> Seen:
    """The same path once more: what lies there now, as for a file that was replaced since the survey."""
    handles.forget()
    return visit(seen.root, seen.parts, handles, owners, None, enter=False)[0]


def find_moved(seen: Seen, handles: Handles, owners: Owners) -> Seen | None:
    """The very file under the same name in a sibling of its second folder, or None.

    A session that changes its folder takes its transcript to another project folder (local reference, section 1.3).
    """
    if len(seen.parts) < 3 or seen.look is None:  # noqa: PLR2004 - projects/<folder>/<name>
        return None
    handles.forget()
    names = handles.names(seen.parts[:1])
    if isinstance(names, Refused):
        return None
    for name in names:
        parts = (seen.parts[0], name, *seen.parts[2:])
        found = handles.look(parts) if parts != seen.parts else Refused("vanished")
        if not isinstance(found, Refused) and _file(found[0]) == _file(seen.look):
            return _seen(seen.root, parts, found[0], owners)
    return None


def _file(look: Look) -> tuple[int, int]:
    return look.device, look.inode


def visit(
    root: str, parts: Parts, handles: Handles, owners: Owners, device: int | None, *, enter: bool = True
) -> tuple[Seen, list[bytes]]:
    """One entry, and the names below it when it is a folder that could be entered; `device` is that of the root."""
    found = handles.look(parts)
    if isinstance(found, Refused):
        return unseen(root, parts, found), []
    look, mounted = found
    kind = kind_of(look)
    crosses = mounted or (device is not None and look.device != device)
    if kind == "link":
        target = handles.target(parts)
        if isinstance(target, Refused):
            return _seen(root, parts, look, owners, problem=target), []
        return _seen(root, parts, look, owners, target=target), []
    if kind != "folder" or not enter:
        return _seen(root, parts, look, owners, crosses=crosses), []
    names = handles.names(parts, look)
    if isinstance(names, Refused):
        return _seen(root, parts, look, owners, problem=names, crosses=crosses), []
    return _seen(root, parts, look, owners, crosses=crosses), names


def unseen(root: str, parts: Parts, refused: Refused) -> Seen:
    """An entry that could not be looked at."""
    return Seen(root=root, parts=parts, kind="unknown", problem=refused.problem, error=refused.error)


def _seen(
    root: str,
    parts: Parts,
    look: Look,
    owners: Owners,
    *,
    target: SourceText | None = None,
    problem: Refused | None = None,
    crosses: bool = False,
) -> Seen:
    return Seen(
        root=root,
        parts=parts,
        kind=kind_of(look),
        look=look,
        state=owners.state(look),
        target=target,
        problem=None if problem is None else problem.problem,
        error=None if problem is None else problem.error,
        crosses=crosses,
    )
