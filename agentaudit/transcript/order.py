"""The order of a copy: the files of a session, and between them what is known to be missing.

- Files stand by the rank that their adapter gives them, then by path; pages so stand in the order returned.
- A page that is not here stands where it would stand; what ended a walk stands behind its last page.
- A gap inside a page belongs to its message: that message says it.
"""

from agentaudit.model.base import Unset
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import ItemProvenance, ItemRow
from agentaudit.package.session import SessionHeld
from agentaudit.transcript.reader import CopyReader

_LAST = 10**9
_HERE, _LOST = 0, 1

Key = tuple[int, str, int, int, str]


def ordered(held: SessionHeld, reader: CopyReader) -> tuple[ItemRow | Gap, ...]:
    """The files with messages and the gaps between them, in the order of the copy."""
    steps: list[tuple[Key, int, ItemRow | Gap]] = []
    ranks: dict[str, int] = {}
    for item in held.items:
        rank = reader.rank(item)
        if rank is not None:
            walk, page = _place(item)
            ranks[walk] = rank
            steps.append(((rank, walk, page, _HERE, item.path), len(steps), item))
    for gap in held.gaps:
        if isinstance(gap.index, Unset):
            walk = "" if isinstance(gap.walk, Unset) else gap.walk
            page = _LAST if isinstance(gap.page, Unset) else gap.page
            steps.append(((ranks.get(walk, 0), walk, page, _LOST, gap.code), len(steps), gap))
    return tuple(step for _, _, step in sorted(steps, key=lambda one: one[:2]))


def kept_instead(held: SessionHeld, gap: Gap) -> ItemRow | None:
    """The answer that was kept in the place of a missing page; None when none was."""
    asked = (gap.walk, gap.page)
    found = [item for item in held.items if isinstance(item.provenance, ItemProvenance) and _place(item) == asked]
    return found[-1] if found else None


def _place(item: ItemRow) -> tuple[str, int]:
    asked = item.provenance
    return (asked.walk, asked.page) if isinstance(asked, ItemProvenance) else ("", 0)
