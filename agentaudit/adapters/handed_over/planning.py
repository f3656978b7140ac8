"""From a survey of what was handed over to what will be done: each entry's decision and its payload name.

- Pure: names, kinds and stats come in; nothing is opened.
- Everything that is a regular file is preserved, but for credentials and other strangers by their form; links and
  special files are listed.
- What is a stranger was told from its bytes; the files beside a database, named after it, are one with it.
- Names are counters in the order of the survey; the files of a database lie side by side under one number.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from agentaudit.adapters.handed_over.places import IsSecret, Placed, Role, place_of
from agentaudit.adapters.handed_over.withheld import Form
from agentaudit.adapters.stores.databases import DatabaseGroup, group_databases
from agentaudit.adapters.stores.planned import Described, Planned, entry_of, seen_of
from agentaudit.adapters.stores.ruling import Denied, Ruling, files_of, rule_by_nature
from agentaudit.model.selection import Deposit
from agentaudit.model.storejournal import Entry
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText

ROLE: Final = "handed_over"
CATEGORY: Final = "handed-over"

_SUFFIXES: Final = frozenset(
    {b"json", b"jsonl", b"ndjson", b"gz", b"zst", b"pb", b"log", b"txt", b"csv", b"xml", b"sqlite"}
)
_SELECTED: Final = Ruling("preserve", "selected")
_DATABASES: Final[Form] = "databases"
_BESIDE: Final[Mapping[Role, str]] = MappingProxyType(
    {"database_wal": "-wal", "database_shm": "-shm", "database_journal": "-journal"}
)
_ROLES: Final[Mapping[Form, str]] = MappingProxyType(
    {"credentials": "credentials", "databases": "database", "settings": "settings"}
)

Forms: TypeAlias = Mapping[tuple[str, Parts], Form]
"""What files are by their bytes, by root and path; one that is not in it is evidence."""

NO_FORMS: Final[Forms] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HandedOverPlan:
    """The plan of one survey; nothing is named by session or project, so nothing of that kind is missing."""

    planned: tuple[Planned, ...]
    missing_sessions: tuple[str, ...] = ()
    missing_projects: tuple[SourceText, ...] = ()


@dataclass(frozen=True, slots=True)
class Keeping:
    """Whose files these are, and which of their names are credentials.

    `grouped`: files that are named like parts of a database are copied and named together. `opt_in`: the forms that
    can be asked for; every other stranger is denied like a credential.
    """

    deposit: Deposit
    is_secret: IsSecret
    grouped: bool = True
    opt_in: frozenset[str] = frozenset()

    def databases(self, planned: Iterable[Planned]) -> tuple[DatabaseGroup, ...]:
        """The databases among the files that are to be copied: each is copied in one go."""
        return group_databases(
            (one.seen.root, one.seen.parts, self._placed(one.seen, one.entry.category))
            for one in planned
            if one.path is not None
        )

    def place(self, parts: Parts) -> Placed:
        """What the path says."""
        placed = place_of(parts, self.is_secret)
        return placed if self.grouped or placed.secret is not None else Placed("unknown")

    def _placed(self, seen: Seen, category: str) -> Placed:
        """What the path says; of a database that only its bytes tell of, the end of its name says which part it is."""
        placed = self.place(seen.parts)
        if placed.role != "unknown" or category != _DATABASES:
            return placed
        ends = (role for role, end in _BESIDE.items() if seen.parts[-1].endswith(end.encode()))
        return Placed(next(ends, "database"))

    def denied_files(self, entries: Iterable[Seen]) -> Denied:
        """Device and inode of every credential, so that its hard links are known."""
        return files_of(seen for seen in entries if self.place(seen.parts).secret is not None)

    def plan(
        self,
        survey: int,
        entries: Sequence[Seen],
        denied: Denied,
        forms: Forms = NO_FORMS,
        included: Collection[str] = (),
    ) -> HandedOverPlan:
        """The plan for all that was handed over; `included` are the forms that were asked for."""
        judged = []
        for seen in entries:
            form = _form_of(seen, forms)
            judged.append((seen, form, self._placed(seen, form or CATEGORY)))
        names = _Names(self.deposit, ((seen, placed) for seen, _, placed in judged))
        planned = []
        for number, (seen, form, placed) in enumerate(judged, 1):
            ruling = rule_by_nature(seen, placed.secret, denied) or self._rule_on_form(form, included)
            path = names.name(seen.root, seen.parts, placed) if ruling.decision == "preserve" else None
            entry = entry_of(survey, number, seen, ruling, _described(seen, placed, form))
            planned.append(_planned(seen, entry, path, digest=ruling.digest))
        return HandedOverPlan(tuple(planned))

    def _rule_on_form(self, form: Form | None, included: Collection[str]) -> Ruling:
        if form is None:
            return _SELECTED
        if form not in self.opt_in:
            return Ruling("exclude", "credentials_bytes")
        return Ruling("preserve", "included") if form in included else Ruling("exclude", "category_opt_in", digest=True)

    def replan(self, entries: Iterable[Entry]) -> Iterator[Planned]:
        """What a survey planned, drawn from its entries: the same names, whatever became of the files since."""
        held = []
        for entry in entries:
            seen = seen_of(entry)
            held.append((entry, seen, self._placed(seen, entry.category)))
        names = _Names(self.deposit, ((seen, placed) for _, seen, placed in held))
        for entry, seen, placed in held:
            kept = entry.decision == "preserve"
            path = names.name(seen.root, seen.parts, placed) if kept else None
            yield _planned(seen, entry, path, digest=False)


class _Names:
    """Gives each preserved file its name; ask in the order of the survey."""

    def __init__(self, deposit: Deposit, entries: Iterable[tuple[Seen, Placed]]) -> None:
        files = [(one.root, one.parts, placed) for one, placed in entries if one.kind == "file"]
        databases = group_databases(files)
        self._mains = {(one.root, parts): one.path_of("database") for one in databases for parts in one.parts}
        self._given: dict[tuple[str, Parts | None], str] = {}
        self._counters: Counter[str] = Counter()
        self._deposit = deposit

    def name(self, root: str, parts: Parts, placed: Placed) -> str:
        """`data/telemetry/r1/shared/files/000001.jsonl`, `.../databases/000001.sqlite`, `...-wal` beside it."""
        beside = self._given.get((root, self._mains.get((root, parts))))
        if beside is not None and placed.role in _BESIDE:
            return beside + _BESIDE[placed.role]
        stem, suffix = _stem(parts, placed)
        folder = f"data/{self._deposit}/{root}/shared/{stem}"
        self._counters[folder] += 1
        path = f"{folder}/{self._counters[folder]:06d}.{suffix}"
        self._given[root, parts] = path
        return path


def _planned(seen: Seen, entry: Entry, path: str | None, *, digest: bool) -> Planned:
    """Nothing of a handed-over file is read as lines when it is copied, and of a credential nothing for a digest."""
    return Planned(seen=seen, entry=entry, path=path, lines=False, stem=None, digest=digest)


def _form_of(seen: Seen, forms: Forms) -> Form | None:
    """The form by its own bytes, else that of the database after which it is named: a journal may begin with zeros."""
    for end in _BESIDE.values():
        if seen.kind == "file" and seen.parts[-1].endswith(end.encode()):
            main = (*seen.parts[:-1], seen.parts[-1].removesuffix(end.encode()))
            beside: Form | None = "databases" if forms.get((seen.root, main)) == "databases" else None
            return forms.get((seen.root, seen.parts), beside)
    return forms.get((seen.root, seen.parts))


def _stem(parts: Parts, placed: Placed) -> tuple[str, str]:
    if placed.role == "database":
        return "databases", "sqlite"
    if placed.role in _BESIDE:
        return "databases-alone", f"sqlite{_BESIDE[placed.role]}"
    suffix = parts[-1].rpartition(b".")[2].lower()
    return "files", suffix.decode("ascii") if suffix in _SUFFIXES else "bin"


def _described(seen: Seen, placed: Placed, form: Form | None) -> Described:
    """A name that says which part of a database it is tells the role; the category is what the bytes say."""
    by_form = ROLE if form is None else _ROLES[form]
    role = by_form if placed.role == "unknown" else placed.role
    category = "credentials" if placed.secret is not None else CATEGORY if form is None else form
    return Described("folder" if seen.kind == "folder" else role, category)
