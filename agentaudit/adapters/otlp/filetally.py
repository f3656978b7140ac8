"""What one file gave: its form, counts, faults with their places, the span of its events, what it configures."""

from collections import Counter

from agentaudit.adapters.otlp.bodies import Folder, Names, Resolved
from agentaudit.adapters.otlp.span import Span
from agentaudit.model.framing import Compression
from agentaudit.model.stream import PLACES_MAX, Place, StreamFinding


class FileTally:
    """The state of one file; `item` is its payload path, `key` that of its stream.

    `unread` says why nothing was read of it: nobody asked for that of a copy that a later one supersedes.
    """

    def __init__(self, item: str, key: str, names: Names, folder: Folder) -> None:
        """Begin before its first byte."""
        self.item = item
        self.key = key
        self.folder = folder
        self.names = names
        self.unread: str | None = "superseded_not_read"
        self.form: str | None = None
        self.compression: Compression | None = None
        self.counts: Counter[str] = Counter()
        self.configured: dict[str, str] = {}
        self.span = Span()
        self._faults: Counter[str] = Counter()
        self._places: dict[str, list[Place]] = {}

    def name(self, form: str) -> None:
        """The form of a document; the first one's is the file's, and of others is told how many there are."""
        if self.form is None:
            self.form = form
        elif self.form != form:
            self.counts["documents_of_other_forms"] += 1

    def fault(self, code: str, offset: int, pointer: str = "") -> None:
        """Something that could not be read, or is not here."""
        self._faults[code] += 1
        places = self._places.setdefault(code, [])
        if len(places) < PLACES_MAX:
            places.append(Place(item=self.item, offset=offset, pointer=pointer))

    def refer(self, name: str, offset: int, pointer: str = "", folder: Folder | None = None) -> Resolved:
        """Look a named file up among those that were handed over; what is not there once is a finding."""
        state = self.names.resolve(name, folder)
        self.counts[f"bodies_{state}"] += 1
        if state != "resolved":
            self.fault(f"body_{state}", offset, pointer)
        return state

    def findings(self) -> tuple[StreamFinding, ...]:
        """The faults, by code; of a file that was not read the reason alone."""
        if self.unread is not None:
            return (StreamFinding(code=self.unread, count=1, places=(Place(item=self.item),)),)
        return tuple(
            StreamFinding(code=code, count=count, places=tuple(self._places[code]))
            for code, count in sorted(self._faults.items())
        )
