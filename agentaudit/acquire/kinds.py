"""The kinds of store that can be preserved: all that differs between them, chosen by the agent of the selection.

- There is one kind for each agent, and no other floor asks whose store it is.
- A kind is made of pure functions of its adapter; what is opened, and by whom, is the same for all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, assert_never

from agentaudit.acquire.homepeeking import peek_home
from agentaudit.acquire.peeking import Peeked, peek
from agentaudit.adapters.claude_code import naming as claude_names
from agentaudit.adapters.claude_code import policy as claude_policy
from agentaudit.adapters.claude_code import roles as claude_roles
from agentaudit.adapters.claude_code.planning import plan_store
from agentaudit.adapters.claude_code.planning import replan as replan_store
from agentaudit.adapters.claude_code.reading import ClaudeCodeReader, StoreBundles
from agentaudit.adapters.codex import naming as codex_names
from agentaudit.adapters.codex import policy as codex_policy
from agentaudit.adapters.codex import roles as codex_roles
from agentaudit.adapters.codex.planning import plan_home
from agentaudit.adapters.codex.planning import replan as replan_home
from agentaudit.adapters.codex.reading import CodexReader, HomeBundles
from agentaudit.adapters.stores.databases import DatabaseGroup, group_databases
from agentaudit.adapters.stores.planned import Planned
from agentaudit.adapters.stores.ruling import Denied
from agentaudit.format.readings import PageReader
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.framing import label_of
from agentaudit.model.journal import Opened
from agentaudit.model.selection import BundleSelection, Keeper, StoreSelection
from agentaudit.model.storejournal import DatabaseCopied, Entry, Kept, ProjectionCompared, StoreFacts, ThreadLinked
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText, display
from agentaudit.sources.local.read import Reader
from agentaudit.sources.local.roots import CLAUDE_CODE, CODEX, RootNames


class NoBundles:
    """What handed-over files have of sessions: none. Their reading is fed with their bytes, when they are sealed."""

    def __init__(self, opened: Opened | None = None) -> None:
        """Nothing is kept."""
        del opened

    def entry(self, entry: Entry) -> None:
        """An entry is of no session."""

    def store(self, row: StoreFacts) -> None:
        """Nothing of these files was looked into."""

    def kept(self, row: Kept) -> None:
        """A copy is of no session."""

    def bundles(self) -> tuple[SessionBundle, ...]:
        """None."""
        return ()


Peek: TypeAlias = Callable[[Sequence[Seen], Mapping[str, Reader], StoreSelection], Peeked]
Bundles: TypeAlias = StoreBundles | HomeBundles | NoBundles


class Plan(Protocol):
    """What will be done with each entry of a survey, and what was named in vain."""

    @property
    def planned(self) -> tuple[Planned, ...]:
        """Each entry, in the order of the survey."""
        ...

    @property
    def missing_sessions(self) -> tuple[str, ...]:
        """Sessions that no root has."""
        ...

    @property
    def missing_projects(self) -> tuple[SourceText, ...]:
        """Projects that no root has."""
        ...


@dataclass(frozen=True, slots=True)
class Given:
    """What a plan is made of: the number of the survey, its entries, what was said, what is denied and selected."""

    number: int
    entries: Sequence[Seen]
    peeked: Peeked
    denied: Denied
    selection: StoreSelection


@dataclass(frozen=True, slots=True)
class StoreKind:
    """One kind of store.

    `roots` says where it lies, None where its places are always named; `token_files` are those of `denied_files` that
    are not even read for a digest. `replan` draws the plan anew from entries. `packed` says which roles are compressed
    texts of JSON Lines, `again` the name of a later read of a file; `sets` gives the files that are copied in one go,
    among those that are to be copied.
    """

    agent: Keeper
    reader: PageReader
    roots: RootNames | None
    categories: frozenset[str]
    packed: frozenset[str]
    bundles: Callable[[Opened | None], Bundles]
    is_secret: Callable[[Parts], bool]
    denied_files: Callable[[Iterable[Seen]], Denied]
    token_files: Callable[[Iterable[Seen]], Denied]
    peek: Peek
    plan: Callable[[Given], Plan]
    replan: Callable[[Iterable[Entry]], Iterator[Planned]]
    again: Callable[[str, int], str]
    sets: Callable[[Iterable[Planned]], tuple[DatabaseGroup, ...]]


def tell(bundles: Bundles, row: DatabaseCopied | ProjectionCompared | ThreadLinked) -> None:
    """Show a reading what was found of databases; a store that has none has no use for it."""
    match bundles, row:
        case HomeBundles(), DatabaseCopied():
            bundles.database(row)
        case HomeBundles(), ProjectionCompared():
            bundles.projection(row)
        case HomeBundles(), ThreadLinked():
            bundles.linked(row)
        case _:
            pass


def folder_label(name: SourceText) -> str:
    """The label that a survey shows for a name instead of the name."""
    return label_of(display(name))


def kind_of(keeper: Keeper) -> StoreKind:
    """The kind of store that an agent keeps, or that handed-over files of a source are."""
    match keeper:
        case "claude-code":
            return _CLAUDE_CODE
        case "codex":
            return _CODEX
        case "telemetry" | "bridge" | "gateway-ledger" | "openai-logs":
            # Imported here: whoever preserves an agent's own store needs none of their adapters.
            from agentaudit.acquire.deposits import deposit_kind  # noqa: PLC0415

            return deposit_kind(keeper)
        case _:
            assert_never(keeper)


def _bundles(selection: StoreSelection) -> BundleSelection:
    if not isinstance(selection, BundleSelection):
        raise TypeError("a store of sessions is preserved by a selection of sessions")
    return selection


def _peek_store(entries: Sequence[Seen], readers: Mapping[str, Reader], selection: StoreSelection) -> Peeked:
    del selection  # a project is a folder of the store: nothing has to be opened to find it
    return peek(entries, readers)


def _plan_store(given: Given) -> Plan:
    return plan_store(
        given.number,
        given.entries,
        owners=given.peeked.owners,
        denied=given.denied,
        selection=_bundles(given.selection),
        label_of=folder_label,
    )


def _peek_home(entries: Sequence[Seen], readers: Mapping[str, Reader], selection: StoreSelection) -> Peeked:
    return peek_home(entries, readers, folders=bool(_bundles(selection).projects))


def _plan_home(given: Given) -> Plan:
    return plan_home(
        given.number,
        given.entries,
        owners=given.peeked.owners,
        denied=given.denied,
        selection=_bundles(given.selection),
        label_of=folder_label,
        folders=given.peeked.folders,
    )


def _databases(planned: Iterable[Planned]) -> tuple[DatabaseGroup, ...]:
    return group_databases(
        (one.seen.root, one.seen.parts, codex_roles.place_of(one.seen.parts)) for one in planned if one.path is not None
    )


_CLAUDE_CODE = StoreKind(
    agent="claude-code",
    reader=ClaudeCodeReader(),
    roots=CLAUDE_CODE,
    categories=frozenset(claude_roles.CATEGORY.values()) - {"credentials"},
    packed=frozenset(),
    bundles=StoreBundles,
    is_secret=lambda parts: claude_roles.place_of(parts).secret is not None,
    denied_files=claude_policy.denied_files,
    token_files=claude_policy.token_files,
    peek=_peek_store,
    plan=_plan_store,
    replan=replan_store,
    again=claude_names.again,
    sets=lambda _planned: (),
)

_CODEX = StoreKind(
    agent="codex",
    reader=CodexReader(),
    roots=CODEX,
    categories=frozenset(codex_roles.CATEGORY.values()) - {"credentials"},
    packed=codex_names.PACKED_LINES_ROLES,
    bundles=HomeBundles,
    is_secret=lambda parts: codex_roles.place_of(parts).secret is not None,
    denied_files=codex_policy.denied_files,
    token_files=codex_policy.denied_files,
    peek=_peek_home,
    plan=_plan_home,
    replan=replan_home,
    again=codex_names.again,
    sets=_databases,
)
