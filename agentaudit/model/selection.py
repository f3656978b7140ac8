"""What an acquisition was asked for: every default resolved, nothing read yet."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.text import SourceText

Family = Literal["local", "remote"]

Agent = Literal["claude-code", "codex"]

Deposit = Literal["telemetry", "bridge", "gateway-ledger", "openai-logs"]
"""What handed-over files are: the kind of source that wrote them."""

_COMMANDS: Mapping[Deposit, str] = MappingProxyType({
    "telemetry": "preserve-telemetry",
    "bridge": "collect-bridge-audit",
    "gateway-ledger": "preserve-gateway-ledger",
    "openai-logs": "collect-openai-logs",
})  # fmt: skip

Keeper = Agent | Deposit
"""Whose files a preservation copies."""


class Window(Frozen, frozen=True, kw_only=True):
    """A half-open window [begins, ends) in UTC; either end may be open."""

    begins: Instant | None
    ends: Instant | None


class NamedSession(Frozen, frozen=True, kw_only=True):
    """One session asked for by id."""

    family: Family
    id: str


class Reviewed(Frozen, frozen=True, kw_only=True):
    """The earlier exhibit from which sessions were chosen, by number and seal."""

    exhibit: str
    seal: Digest


class SessionSelection(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="compliance_sessions"):
    """Which sessions of the Compliance API: by id, by window, or all; then filters on our side.

    `window_kind` is `activity` (any activity in the window, with reconciliation), `creation` (first retained
    call in the window) or `none`. The filters keep a session when each non-empty one holds its value. `witness`: the
    activity feed of the collection's own window is kept beside it.
    """

    families: tuple[Family, ...]
    sessions: tuple[NamedSession, ...] = ()
    reviewed: Reviewed | None = None
    window_kind: Literal["activity", "creation", "none"] = "none"
    window: Window | None = None
    users: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    list_only: bool = False
    with_directory: bool = False
    witness: bool = False


class BundleSelection(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="local_bundles"):
    """Which session bundles of a local store: by id, by project, or all; and which categories are left out or let in.

    `projects` holds what the user named: a path, a folder name, or a label of the survey.
    """

    agent: Agent
    roots: tuple[SourceText, ...]
    sessions: tuple[str, ...] = ()
    projects: tuple[SourceText, ...] = ()
    everything: bool = False
    excluded: tuple[str, ...] = ()
    included: tuple[str, ...] = ()


class SiblingSelection(Frozen, frozen=True, kw_only=True, tag_field="kind"):
    """The selection of a source beside transcripts and session stores: it says itself what may be shown of it."""

    def command(self) -> str:
        """The command that begins such an exhibit, and goes on with it."""
        raise NotImplementedError

    def told(self) -> tuple[tuple[str, str], ...]:
        """What was asked for, as pairs without a name, an id or a path: those are counted."""
        raise NotImplementedError


class HandedOver(SiblingSelection, frozen=True, kw_only=True, tag="handed_over"):
    """Files and folders that were handed over, named by path, and what kind of source wrote them.

    A folder is taken with all that lies below it; of a file's own folder nothing else is looked at, but for what
    belongs to a database of that name. `included` names what stays out unless it is asked for.
    """

    deposit: Deposit
    paths: tuple[SourceText, ...]
    included: tuple[str, ...] = ()

    def command(self) -> str:
        """`preserve-telemetry` for files of telemetry."""
        return _COMMANDS[self.deposit]

    def told(self) -> tuple[tuple[str, str], ...]:
        """What kind of files, how many paths, and what was let in."""
        return (
            ("handed over", self.deposit),
            ("paths", str(len(self.paths))),
            *(("with", name) for name in self.included),
        )


class ActivitySelection(SiblingSelection, frozen=True, kw_only=True, tag="compliance_activities"):
    """Which activities of the organisation's feed: a window that is over, and filters that the source applies.

    `types` and `excluded_types` exclude each other. `order` is that of the answers: `desc` from the newest to the
    oldest, `asc` the other way.
    """

    window: Window
    types: tuple[str, ...] = ()
    excluded_types: tuple[str, ...] = ()
    actors: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    order: Literal["asc", "desc"] = "desc"

    def command(self) -> str:
        """`collect-activities`."""
        return "collect-activities"

    def told(self) -> tuple[tuple[str, str], ...]:
        """The window, the types, the order; people and organisations are counted."""
        return (
            ("activities from", self.window.begins or "the beginning"),
            ("until", self.window.ends or "the moment of asking"),
            *(("type", name) for name in self.types),
            *(("without type", name) for name in self.excluded_types),
            *((("actors", str(len(self.actors))),) if self.actors else ()),
            *((("organisations", str(len(self.organizations))),) if self.organizations else ()),
            ("order", "newest first" if self.order == "desc" else "oldest first"),
        )


class ChatSelection(SiblingSelection, frozen=True, kw_only=True, tag="compliance_chats"):
    """Which chats of the Compliance API: by id, or by a window of their creation or update, narrowed by the source.

    `users` are ten at most; `projects` need `users`; an `update` window takes no `users`. With `chats`, nothing else
    narrows. `with_files` and `with_artifacts` ask for the bytes that messages name; `with_projects` reads the projects
    that chats lie in (`named`), or those and the ones that the source lists in the window (`listed`).
    `with_code_artifacts` reads the list of code artifacts of the people and organisations, bounded by their update; it
    goes with neither `chats` nor `projects`.
    """

    window_kind: Literal["creation", "update"] = "creation"
    window: Window | None = None
    users: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    with_files: bool = False
    with_artifacts: bool = False
    with_code_artifacts: bool = False
    with_projects: Literal["none", "named", "listed"] = "none"

    def command(self) -> str:
        """`collect-chats`."""
        return "collect-chats"

    def told(self) -> tuple[tuple[str, str], ...]:
        """The window; people, organisations, projects and chats are counted; then what is asked for beside messages."""
        return (*self._narrowed(), *self._beside())

    def _beside(self) -> tuple[tuple[str, str], ...]:
        named = (
            ("files", self.with_files),
            ("artifacts", self.with_artifacts),
            ("code artifacts", self.with_code_artifacts),
        )
        projects = () if self.with_projects == "none" else (("projects read", self.with_projects),)
        return (*(("with", name) for name, asked in named if asked), *projects)

    def _narrowed(self) -> tuple[tuple[str, str], ...]:
        if self.chats:
            return (("chats", str(len(self.chats))),)
        window = self.window or Window(begins=None, ends=None)
        counted = (("users", self.users), ("organisations", self.organizations), ("projects", self.projects))
        return (
            ("chats by", self.window_kind),
            ("from", window.begins or "the beginning"),
            ("until", window.ends or "the moment of asking"),
            *((name, str(len(some))) for name, some in counted if some),
        )


class BridgeSelection(SiblingSelection, frozen=True, kw_only=True, tag="bridge_audit"):
    """Which jobs of the execution bridge: by id, or all that the token sees; and whether payloads are asked for."""

    jobs: tuple[str, ...] = ()
    payloads: bool = True

    def command(self) -> str:
        """`collect-bridge-audit`."""
        return "collect-bridge-audit"

    def told(self) -> tuple[tuple[str, str], ...]:
        """How many jobs were named, and whether payloads were asked for."""
        named = str(len(self.jobs)) if self.jobs else "all that the token sees"
        return (("jobs", named), ("payloads", "asked for" if self.payloads else "not asked for"))


class OpenAiLogSelection(SiblingSelection, frozen=True, kw_only=True, tag="openai_logs"):
    """Which log files of OpenAI's Compliance Logs Platform: whose, of which event types, and since when.

    A file belongs where its window ended after `after`; a file has no other bound at the source.
    """

    owner_kind: Literal["workspace", "organization"]
    owner: str
    event_types: tuple[str, ...]
    after: Instant

    def command(self) -> str:
        """`collect-openai-logs`."""
        return "collect-openai-logs"

    def told(self) -> tuple[tuple[str, str], ...]:
        """The event types and the beginning; whose logs they are is an id, and is not told."""
        return (
            ("log files of", f"one {self.owner_kind}"),
            *(("event type", name) for name in self.event_types),
            ("ended after", self.after),
        )


StoreSelection = BundleSelection | HandedOver
Selection = (
    SessionSelection
    | BundleSelection
    | HandedOver
    | ActivitySelection
    | BridgeSelection
    | ChatSelection
    | OpenAiLogSelection
)


def is_asked(selection: Selection) -> bool:
    """True where an API was asked, false where files were read."""
    return not isinstance(selection, BundleSelection | HandedOver)


def keeper_of(selection: StoreSelection) -> Keeper:
    """Whose files are selected."""
    return selection.agent if isinstance(selection, BundleSelection) else selection.deposit
