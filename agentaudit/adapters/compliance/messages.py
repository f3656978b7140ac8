"""A transcript message as a row without content, its truncations, and what the source says it withholds.

- Classified by `provenance.type` and never by bracketed text, which anybody can type (reference, trap 15).
- The order of the rows is the order returned (trap 13).
- An entry that is no message is still a row, so that no place on a page is passed over.
"""

from dataclasses import dataclass
from hashlib import blake2b

from agentaudit.adapters.compliance.blocks import Clipped, read_block
from agentaudit.adapters.compliance.fields import Fields, odd_names
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Truncation
from agentaudit.model.readings import BlockRow, ProvenanceWords, RecordRow
from agentaudit.model.selection import Family
from agentaudit.model.text import SourceText, source_text

RETENTION = "retention_elapsed"
UNAVAILABLE = "content_unavailable"

_MESSAGE_TYPE = "compliance_local_session_message"
_KNOWN = frozenset({
    "type", "id", "role", "model", "created_at", "provenance", "content", "sent_by_user_id", "content_unavailable",
})  # fmt: skip
_PROVENANCE = frozenset({"type", "reason"})


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Where a page of messages stands: its session and walk, its file, the limits in force."""

    session: str
    walk: str
    page: int
    item: str
    family: Family
    limits: ByteLimits | None


@dataclass(frozen=True, slots=True)
class Withheld:
    """The source says that a message's content is not given: its reason, verbatim; None where it names none."""

    reason: SourceText | None

    @property
    def is_retention(self) -> bool:
        """True for the placeholder in front, whose identifier changes from run to run (section 2.3)."""
        return self.reason == RETENTION


def withheld(message: Json) -> Withheld | None:
    """What a message's provenance, or a remote message's flag, says of missing content."""
    members = mapping(message) or {}
    provenance = mapping(members.get("provenance")) or {}
    if provenance.get("type") == UNAVAILABLE:
        reason = provenance.get("reason")
        return Withheld(source_text(reason) if isinstance(reason, str) else None)
    return Withheld(None) if members.get("content_unavailable") is True else None


def message_mark(message: Json) -> int | None:
    """A short digest of a message's identifier, to know it again; None when it has none."""
    identifier = (mapping(message) or {}).get("id")
    if not isinstance(identifier, str):
        return None
    octets = identifier.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(octets, digest_size=8).digest())


def read_message(
    message: Json, place: PagePlace, index: int, *, repeated: bool = False
) -> tuple[RecordRow, tuple[Truncation, ...]]:
    """The row of one message and its truncations, in the order of its blocks."""
    pointer = f"/data/{index}"
    members = mapping(message)
    fields = Fields({} if members is None else members)
    if members is None:
        fields.odd.append("wrong_type:message")
    fields.unknown(_KNOWN)
    content = fields.items("content")
    blocks = tuple(read_block(block, place.family, place.limits) for block in _or_none(content))
    row = _row(fields, place, index, blocks=tuple(block.row for block in blocks), repeated=repeated)
    return row, tuple(
        _truncation(clipped, block.row, place, f"{pointer}/content/{number}")
        for number, block in enumerate(blocks)
        for clipped in block.clipped
    )


def _or_none(content: tuple[Json, ...] | Unset) -> tuple[Json, ...]:
    return () if content is UNSET else content


def _row(fields: Fields, place: PagePlace, index: int, *, blocks: tuple[BlockRow, ...], repeated: bool) -> RecordRow:
    kind = fields.word("type")
    if kind is not UNSET and kind != _MESSAGE_TYPE:
        fields.odd.append("other_value:type")
    return RecordRow(
        session=place.session,
        walk=place.walk,
        page=place.page,
        index=index,
        item=place.item,
        pointer=f"/data/{index}",
        id=fields.word("id"),
        role=fields.word("role"),
        model=fields.word("model"),
        created_at=fields.word("created_at"),
        provenance=_provenance(fields),
        sent_by_user_id=fields.word("sent_by_user_id"),
        content_unavailable=fields.flag("content_unavailable"),
        blocks=blocks,
        limits=place.limits,
        repeated=repeated,
        # Read last: by now every member of a wrong type is known.
        unknown_fields=odd_names(fields.odd),
    )


def _provenance(fields: Fields) -> ProvenanceWords | Unset | None:
    inner = fields.inner("provenance")
    if not isinstance(inner, Fields):
        return inner
    inner.unknown(_PROVENANCE)
    words = ProvenanceWords(type=inner.word("type"), reason=inner.word("reason"))
    fields.odd.extend(f"provenance.{name}" for name in inner.odd)
    return words


def _truncation(clipped: Clipped, block: BlockRow, place: PagePlace, pointer: str) -> Truncation:
    clip = clipped.clip
    return Truncation(
        session=place.session,
        walk=place.walk,
        page=place.page,
        item=place.item,
        pointer=pointer + clipped.pointer,
        block_type=block.type,
        by=clip.by,
        basis=clip.basis,
        kept_bytes=clip.kept_bytes,
        limit_bytes=clip.limit_bytes,
        raise_parameter=clipped.parameter if clip.by == "our_limit" else None,
    )
