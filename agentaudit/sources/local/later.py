"""A second look at a root that was surveyed: each entry that is looked at again, and what lies there besides.

- Folders are listed anew through the handle of the root, so a name that came or went is seen whatever times say.
- Of a file that is not to be looked at only the name counts: what became of it was said when it was read.
- Of a folder that cannot be listed any more nothing is said of what it held.
- Nothing is opened but folders; no link is followed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from agentaudit.model.survey import Parts, Seen
from agentaudit.sources.local.handles import Handles, Refused
from agentaudit.sources.local.looking import kind_of
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.survey import unseen, visit


class Known(NamedTuple):
    """An entry of the survey by its number; `looked_at` is false for a file of which only the name counts."""

    number: int
    seen: Seen
    looked_at: bool


class Later(NamedTuple):
    """What was known (None: it appeared) and what lies there now (None: its name is gone).

    `seen` is what lies there now, and of a name that is gone what was known.
    """

    known: Known | None
    now: Seen | None
    seen: Seen


Below: TypeAlias = dict[Parts, dict[bytes, Known]]


@dataclass(slots=True)
class _Folder:
    """A folder on the way: the names in it now, and those that are left to look at or that are gone."""

    parts: Parts
    present: frozenset[bytes]
    rest: Iterator[bytes]


def survey_later(
    root: str, known: Iterable[Known], handles: Handles, owners: Owners, only: Callable[[bytes], bool] | None = None
) -> Iterator[Later]:
    """Each entry of a root that is looked at again, that is gone, or that appeared, in the order of a survey.

    When the root cannot be listed, one entry with its problem and without parts is all. `only` as for a survey.
    """
    below: Below = {}
    for each in known:
        if each.seen.parts:
            below.setdefault(each.seen.parts[:-1], {})[each.seen.parts[-1]] = each
    handles.forget()
    names = handles.names(())
    if isinstance(names, Refused):
        blind = unseen(root, (), names)
        yield Later(None, blind, blind)
        return
    waiting = [_folder((), names if only is None else [name for name in names if only(name)], below)]
    while waiting:
        folder = waiting[-1]
        name = next(folder.rest, None)
        if name is None:
            waiting.pop()
            continue
        parts = (*folder.parts, name)
        one = below.get(folder.parts, {}).get(name)
        if one is not None and name not in folder.present:
            yield from _gone(parts, one, below)
        else:
            now, inside = visit(root, parts, handles, owners, None)
            yield Later(one, now, now)
            if now.kind == "folder" and now.problem is None:
                waiting.append(_folder(parts, inside, below))
            elif now.kind != "folder":
                yield from _held(parts, below)


def root_now(root: str, handles: Handles, owners: Owners) -> Seen:
    """What lies at the path of a root now; it may be another folder than the one whose handle is open."""
    found = handles.look(())
    if isinstance(found, Refused):
        return unseen(root, (), found)
    look = found[0]
    return Seen(root=root, parts=(), kind=kind_of(look), look=look, state=owners.state(look))


def _folder(parts: Parts, names: list[bytes], below: Below) -> _Folder:
    present, known = frozenset(names), below.get(parts, {})
    quiet = {name for name, one in known.items() if not one.looked_at}
    return _Folder(parts, present, iter(sorted((present - quiet) | (known.keys() - present))))


def _gone(parts: Parts, one: Known, below: Below) -> Iterator[Later]:
    """An entry whose name is gone, and all that it held."""
    yield Later(one, None, one.seen)
    yield from _held(parts, below)


def _held(parts: Parts, below: Below) -> Iterator[Later]:
    for name, one in below.get(parts, {}).items():
        yield from _gone((*parts, name), one, below)
