"""Frozen values of sessions, calls and messages as the organisation holds them.

Laws:
    - Calls of a session are in order of time; all messages of one local call share its time (section 2.3).
    - A remote message is a call of its own: its commit time may tie or slightly invert (section 3.2).
    - ``calls`` need not be a tuple, because a benchmark's session is generated while it is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    from agentaudit.demo.blocks import Block

_M_co = TypeVar("_M_co", covariant=True)

_CALL_CAP = 100_000


class Rows(Protocol[_M_co]):
    """What the world needs of a sequence: a tuple has it, and so has one that is made while it is read."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def __getitem__(self, index: int, /) -> _M_co:
        """One of them, counted from either end.

        Raises:
            IndexError: there is none.
        """
        ...


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a local message is not verified content: a type, and for unavailable content a reason."""

    type: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class LocalMessage:
    """One message of a local transcript; the server blanks ``model`` and content where the contract says so."""

    id: str
    role: str
    content: tuple[Block, ...]
    model: str | None = None
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class RemoteMessage:
    """One message of a remote transcript: no type, no model, no provenance (section 3.2)."""

    id: str
    role: str
    content: tuple[Block, ...]
    sent_by_user_id: str | None = None
    content_unavailable: bool = False


@dataclass(frozen=True, slots=True)
class Call(Generic[_M_co]):
    """One inference call: a time and the messages rebuilt from it."""

    at: datetime
    messages: tuple[_M_co, ...]


@dataclass(frozen=True, slots=True)
class LocalSession:
    """A session on somebody's machine.

    ``call_cap`` is 100,000 calls unless a tiny session must stand for one over the cap.
    ``listed_updated_at`` is the lagging value that only the list shows; None: no lag.
    ``unreadable_pages`` are page numbers (from 0, ascending order) that answer 400; any makes ``desc`` unreadable.
    ``hidden`` stands for zero data retention and its like: not listed, and 404 when asked for.
    """

    id: str
    organization_uuid: str
    user_id: str
    calls: Rows[Call[LocalMessage]]
    product_surface: str | None = "claude_code"
    workspace_id: str | None = None
    call_cap: int = _CALL_CAP
    listed_updated_at: datetime | None = None
    unreadable_pages: tuple[int, ...] = ()
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class RemoteSession:
    """A session in the provider's cloud; at most one of ``user_id`` and ``agent_id`` is set (section 3.1).

    ``pending`` is listed while its transcript answers 404. ``hidden`` stands for deleted: never listed, 404.
    """

    id: str
    organization_uuid: str
    created_at: datetime
    updated_at: datetime
    calls: Rows[Call[RemoteMessage]]
    user_id: str | None = None
    agent_id: str | None = None
    started_by: str | None = None
    status: str = "active"
    product_surface: str | None = "cowork_remote"
    claude_project_id: str | None = None
    unreadable_pages: tuple[int, ...] = ()
    hidden: bool = False
