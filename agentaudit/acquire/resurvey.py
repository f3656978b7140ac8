"""What the journal of an interrupted preservation says of its survey and its copies.

- A survey counts when each of its walks has ended; the last one counts.
- A kept file is not read again. One whose last read was no good is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.acquire.storegaps import survey_walk
from agentaudit.acquire.surveying import Store, folder_label
from agentaudit.adapters.claude_code.members import octets_of
from agentaudit.adapters.claude_code.planning import Planned, plan_store
from agentaudit.adapters.claude_code.reading import StoreBundles
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.base import Unset
from agentaudit.model.journal import Act, WalkBegan, WalkEnded
from agentaudit.model.selection import BundleSelection
from agentaudit.model.storejournal import Entry, EntrySeen, Kept, StoreFacts
from agentaudit.model.survey import Parts, Seen
from agentaudit.package.rows import read_log


@dataclass(slots=True)
class Surveyed:
    """The last survey of a journal: its number, whether it is whole, its entries, and what was kept of them."""

    number: int = 0
    open_walks: set[str] = field(default_factory=set)
    ended: bool = False
    entries: list[Entry] = field(default_factory=list)
    facts: StoreFacts | None = None
    kept: dict[int, Kept] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """True when the survey came to its end."""
        return self.ended and not self.open_walks

    def walk(self, root: str) -> str:
        """The id of the survey of a root."""
        return survey_walk(root, max(self.number, 1))

    def feed(self, bundles: StoreBundles) -> None:
        """Tell a reading what the journal holds."""
        for entry in self.entries:
            bundles.entry(entry)
        if self.facts is not None:
            bundles.store(self.facts)
        for row in self.kept.values():
            bundles.kept(row)

    def plan(self, store: Store, selection: BundleSelection) -> tuple[Planned, ...]:
        """What is left to copy, under the names that the survey gave."""
        seen = tuple(self._seen(store))
        store.deny((*seen, *store.entries()))
        owners: dict[tuple[str, Parts], str] = {}
        for entry in self.entries:
            if not isinstance(entry.owner, Unset):
                owners[entry.root, _parts(entry)] = entry.owner
        plan = plan_store(
            self.number, seen, owners=owners, denied=store.denied, selection=selection, label_of=folder_label
        )
        wanted = {entry.number for entry in self.entries if entry.decision == "preserve"} - self.kept.keys()
        return tuple(
            one for one, entry in zip(plan.planned, self.entries, strict=True) if entry.number in wanted and one.path
        )

    def _seen(self, store: Store) -> Iterator[Seen]:
        """Each entry as it lies there now, with the state that the survey gave where it is the same file."""
        for entry in self.entries:
            was = Seen(root=entry.root, parts=_parts(entry), kind=entry.kind, state=entry.state)
            now = store.look_again(was)
            yield was if now.look is None or now.kind != entry.kind else now


def surveyed(root: Path) -> Surveyed:
    """Read the journal of a partial exhibit once."""
    found = Surveyed()
    for link in read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act):
        if isinstance(link, Break):
            break
        _take(found, link.row)
    return found


def _take(found: Surveyed, row: Act) -> None:
    match row:
        case WalkBegan(kind="survey"):
            found.open_walks.add(row.walk)
        case WalkEnded() if row.walk in found.open_walks:
            found.open_walks.discard(row.walk)
            found.ended = True
        case EntrySeen():
            if row.entry.survey != found.number:
                found.number, found.ended = row.entry.survey, False
                found.entries.clear()
                found.kept.clear()
            found.entries.append(row.entry)
        case StoreFacts():
            found.facts = row
        case Kept() if row.complete and row.survey == found.number:
            found.kept[row.entry] = row
        case _:
            pass


def _parts(entry: Entry) -> Parts:
    return tuple(octets_of(entry.name).split(b"/"))
