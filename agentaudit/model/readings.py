"""What an adapter reads from raw pages: sessions, records (transcript messages), their blocks.

- Readings are content-free: ids, roles, times, types, names of tools, flags, sizes, the way back to the bytes.
- Order is the order returned; nothing is sorted by time.
- A key that the source did not send is absent here; a null it sent is null here.
"""

from enum import Enum
from typing import Literal

from agentaudit.model.base import UNSET, Frozen, Unset
from agentaudit.model.journal import Outcome
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import Family
from agentaudit.model.text import SourceText

Word = SourceText | None | Unset

InputState = Literal["empty", "present", "cut", "not_a_string"]


class Unread(Enum):
    """The mark of a page that no reader gets a next cursor from."""

    UNREAD = "unread"


UNREAD = Unread.UNREAD


class SessionSource(Frozen, frozen=True, kw_only=True):
    """What one answer says of a session, verbatim; `item` and JSON `pointer` name the place.

    `id` stands here only where the answer names another session than the one that was asked for.
    """

    item: str
    pointer: str
    id: Word = UNSET
    organization_uuid: Word = UNSET
    workspace_id: Word = UNSET
    user_id: Word = UNSET
    user_email_address: Word = UNSET
    agent_id: Word = UNSET
    started_by_user_id: Word = UNSET
    product_surface: Word = UNSET
    status: Word = UNSET
    claude_project_id: Word = UNSET
    created_at: Word = UNSET
    updated_at: Word = UNSET
    truncated: bool | Unset = UNSET
    unknown_fields: tuple[SourceText, ...] = ()


class BlockRow(Frozen, frozen=True, kw_only=True):
    """One content block without its content.

    `bytes` is UTF-8 of the text, of the input string, or of all text items of a result together;
    `item_bytes` gives the result's text items one by one. `input_state` tells an empty input from a cut one.
    """

    type: SourceText
    name: Word = UNSET
    id: Word = UNSET
    tool_use_id: Word = UNSET
    is_error: bool | Unset | None = UNSET
    truncated: bool | Unset = UNSET
    bytes: int | Unset = UNSET
    item_bytes: tuple[int, ...] | Unset = UNSET
    input_state: InputState | Unset = UNSET
    unknown_fields: tuple[SourceText, ...] = ()


class ProvenanceWords(Frozen, frozen=True, kw_only=True):
    """The source's provenance of a message: type and reason, verbatim."""

    type: Word = UNSET
    reason: Word = UNSET


class RecordRow(Frozen, frozen=True, kw_only=True):
    """One transcript message; `pointer` (RFC 6901) into `item` is the way back to the raw bytes.

    `repeated` marks an id that an earlier row of the same session already has (at-least-once delivery, or a
    walk that began anew).
    """

    session: str
    walk: str
    page: int
    index: int
    item: str
    pointer: str
    id: Word = UNSET
    role: Word = UNSET
    model: Word = UNSET
    created_at: Word = UNSET
    provenance: ProvenanceWords | Unset | None = UNSET
    sent_by_user_id: Word = UNSET
    content_unavailable: bool | Unset | None = UNSET
    blocks: tuple[BlockRow, ...] = ()
    limits: ByteLimits | None = None
    repeated: bool = False
    unknown_fields: tuple[SourceText, ...] = ()


class SessionCounts(Frozen, frozen=True, kw_only=True):
    """How much of a session is here; `provenance` counts (type, reason, messages) and never collapses them."""

    pages: int = 0
    messages: int = 0
    repeated: int = 0
    tool_uses: int = 0
    tool_results: int = 0
    clipped_by_our_limit: int = 0
    clipped_by_server_limit: int = 0
    clipped_marker: int = 0
    clipped_undetermined: int = 0
    gaps: int = 0
    provenance: tuple[tuple[SourceText | None, SourceText | None, int], ...] = ()


class SessionRow(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="compliance_session"):
    """One session seen: what the list, the retrieve call and the envelope say, side by side.

    `decision` is ours: kept, excluded by `rule`, or undecided. `outcome` is absent where nothing was asked for.
    `disagree` names the fields on which two of the three differ where both speak.
    """

    session: str
    family: Family
    id: SourceText
    decision: Literal["kept", "excluded", "undecided"]
    rule: str | None
    listed: SessionSource | None
    retrieved: SessionSource | None
    envelope: SessionSource | None
    disagree: tuple[str, ...]
    outcome: Outcome | None
    counts: SessionCounts
