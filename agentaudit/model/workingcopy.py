"""A working copy of one session for reading: its messages with their content, each with the way back.

- Never evidence: the evidence is the sealed exhibit, and a copy can be made again from it at any time.
- What the source says stands verbatim. `standing` is our word for its provenance, by its type alone and never by
  bracketed text, which anybody can type.
- No repr shows content.
"""

from typing import Literal

from agentaudit.model.base import UNSET, Digest, Frozen, Unset
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import InputState, ProvenanceWords, Word
from agentaudit.model.text import SourceText

Standing = Literal[
    "captured", "client_asserted", "synthetic_marker", "content_unavailable", "other", "not_stated",
]  # fmt: skip

BlockKind = Literal["text", "thinking", "tool_use", "tool_result", "event", "state", "other"]

Note = Literal["compaction", "rollback", "abort", "settings_changed"]


class Way(Frozen, frozen=True, kw_only=True):
    """The way back to raw bytes: a payload file, its digest, the request that it answered, and the place in it.

    `pointer` is a JSON pointer (RFC 6901) into the file, its content coding undone; where the file is JSON Lines it
    points into the value of line `line` (from 1), which begins at byte `offset_bytes` (from 0). `row` is the number
    of the journal row.
    """

    item: str
    sha256: Digest
    pointer: str
    request_id: str | None
    row: int | None
    line: int | Unset = UNSET
    offset_bytes: int | Unset = UNSET


class Clip(Frozen, frozen=True, kw_only=True):
    """One text of a block that is not whole: which (`pointer`), by whom, on what basis, bytes kept, at which limit.

    `said_in_text`: the text has the agent's own mark of shortening in it, which whoever made the text can write too.
    """

    pointer: str
    by: Literal["our_limit", "server_limit", "marker", "undetermined", "said_in_text"]
    basis: tuple[str, ...]
    kept_bytes: int
    limit_bytes: int | None
    raise_parameter: str | None


class Join(Frozen, frozen=True, kw_only=True):
    """What a call, a result or an event is joined to, by id alone: messages (from 1) and blocks (from 0) of this copy.

    A call leads to its results, a result and an event to their call. `missing`: nothing in this copy has that id.
    `several`: more than one has, and none is preferred. `no_id`: the source gives none, so nothing is joined.
    `events` are the program's own records of what a call did, of whatever number.
    """

    state: Literal["joined", "missing", "several", "no_id"]
    to: tuple[tuple[int, int], ...] = ()
    events: tuple[tuple[int, int], ...] = ()


class Block(Frozen, frozen=True, kw_only=True):
    """One content block with its content: `texts` are its text, its input as received, or the text items of a result.

    An `event` is what the agent's program recorded of its own doing, a `state` what was in force; both hold one member
    of their record, named by `type`. `truncated` is the source's own flag. `unreadable`: the content is here and nobody
    but the source can read it. `facts` are small things beside the text, as pairs. `join` is set when the copy is put
    together: for calls and results, and for an event with a `tool_use_id`; one that has only an `id` is joined when a
    call has the same one, and else has no `join`.
    """

    kind: BlockKind
    type: SourceText
    way: Way
    texts: tuple[SourceText, ...] = ()
    name: Word = UNSET
    id: Word = UNSET
    tool_use_id: Word = UNSET
    is_error: bool | Unset | None = UNSET
    truncated: bool | Unset = UNSET
    unreadable: Literal["encrypted"] | Unset = UNSET
    input_state: InputState | Unset = UNSET
    clips: tuple[Clip, ...] = ()
    facts: tuple[tuple[str, SourceText], ...] = ()
    join: Join | None = None

    def __repr__(self) -> str:
        """The kind, and nothing that anybody wrote."""
        return f"Block({self.kind})"


class Piece(Frozen, frozen=True, kw_only=True, tag_field="kind"):
    """One line of a copy, in the order in which the source gave them."""


class Message(Piece, frozen=True, kw_only=True, tag="message"):
    """One message: what the source says of it, verbatim, and its blocks. `number` counts from 1 over the whole copy.

    `part` says where it stands: a walk, or a file of a local session. `type` is what the source calls a record that is
    shown and is no plain message: a call, an event, a state. `repeated`: an earlier message of this copy has the same
    identity. `note` names what must not be overlooked in the order of things. `limits` are the byte limits that its
    page was asked with.
    """

    number: int = 0
    part: str
    page: int | None
    index: int
    type: Word = UNSET
    id: Word = UNSET
    role: Word = UNSET
    model: Word = UNSET
    created_at: Word = UNSET
    standing: Standing
    provenance: ProvenanceWords | Unset | None = UNSET
    repeated: bool = False
    note: Note | Unset = UNSET
    limits: ByteLimits | None = None
    facts: tuple[tuple[str, SourceText], ...] = ()
    unknown_fields: tuple[SourceText, ...] = ()
    blocks: tuple[Block, ...] = ()
    way: Way

    def __repr__(self) -> str:
        """The number, and nothing that anybody wrote."""
        return f"Message({self.number})"


class NotRead(Piece, frozen=True, kw_only=True, tag="not_read"):
    """Bytes that are here and from which no message could be read: why, in a word of ours."""

    part: str
    reason: str
    way: Way


class Aside(Piece, frozen=True, kw_only=True, tag="aside"):
    """A record of a local transcript that is no message: its type. What it holds is in the raw bytes."""

    part: str
    type: SourceText
    way: Way
