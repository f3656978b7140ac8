"""The messages of one session with their content, from its raw pages, for a working copy.

- The same readers as those of the readings: what stands in a copy stands in records.jsonl without its content.
- Texts are as they were returned, the server's own suffix included; an input is the string that came.
- The order is the order returned; a message that came again is marked and kept.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentaudit.adapters.answers import EXPANDED_MAX_BYTES, Unreadable
from agentaudit.adapters.compliance.messages import PagePlace, read_message
from agentaudit.adapters.compliance.naming import Place, place_of
from agentaudit.adapters.compliance.pages import read_page
from agentaudit.adapters.compliance.transcript import Seen
from agentaudit.encoding.foreign import Json, entries, mapping
from agentaudit.model.base import Unset
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Truncation
from agentaudit.model.readings import BlockRow, ProvenanceWords, RecordRow
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.model.text import SourceText, source_text
from agentaudit.model.workingcopy import Block, BlockKind, Clip, Message, NotRead, Standing, Way

READER = "compliance-copy/1"

_KINDS: dict[SourceText, BlockKind] = {"text": "text", "tool_use": "tool_use", "tool_result": "tool_result"}
_STANDINGS: dict[SourceText, Standing] = {
    "client_asserted": "client_asserted",
    "synthetic_marker": "synthetic_marker",
    "content_unavailable": "content_unavailable",
}


@dataclass(frozen=True, slots=True)
class ComplianceCopyReader:
    """This adapter, as a working copy knows it."""

    @property
    def name(self) -> str:
        """`compliance-copy/1`."""
        return READER

    def reads(self, adapter: str) -> bool:
        """True for the exhibits of the Compliance API."""
        return adapter.startswith("compliance/")

    def rank(self, item: ItemRow) -> int | None:
        """0 for an answered page of messages; None for whatever else a session has."""
        return 0 if item.role == "answer" and _place(item) is not None else None

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> "ComplianceCopy":
        """Begin with the session of that key; each page is read with the limits of its walk."""
        return ComplianceCopy(session, {walk.walk: walk.limits for walk in walks})


class ComplianceCopy:
    """One pass over the pages of one session."""

    def __init__(self, session: str, limits: dict[str, ByteLimits | None]) -> None:
        self._session = session
        self._limits = limits
        self._seen = Seen(session)

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead]:
        """The messages of one page, in the order returned; `lines` are its bytes, split anywhere."""
        place, asked = _place(item), item.provenance
        if place is None or place.family is None or not isinstance(asked, ItemProvenance):
            return
        way = Way(item=item.path, sha256=item.sha256, pointer="", request_id=asked.request_id, row=asked.row)
        if item.bytes > EXPANDED_MAX_BYTES:
            yield NotRead(part=asked.walk, reason="over_limit", way=way)
            return
        page = read_page(b"".join(lines), item.content_encoding)
        if isinstance(page, Unreadable):
            yield NotRead(part=asked.walk, reason=page.reason, way=way)
            return
        limits = self._limits.get(asked.walk)
        at = PagePlace(self._session, asked.walk, asked.page, item.path, place.family, limits)
        for index, entry in enumerate(page.data):
            row, clipped = read_message(entry, at, index, repeated=self._seen.is_repeated(entry))
            yield _message(entry, row, clipped, way)


def _place(item: ItemRow) -> Place | None:
    if not isinstance(item.provenance, ItemProvenance):
        return None
    place = place_of(item.provenance.walk)
    return place if place is not None and place.kind in ("local_messages", "remote_messages") else None


def _message(entry: Json, row: RecordRow, clipped: tuple[Truncation, ...], page: Way) -> Message:
    contents = entries((mapping(entry) or {}).get("content")) or []
    return Message(
        part=row.walk,
        page=row.page,
        index=row.index,
        id=row.id,
        role=row.role,
        model=row.model,
        created_at=row.created_at,
        standing=_standing(row),
        provenance=row.provenance,
        repeated=row.repeated,
        limits=row.limits,
        facts=() if isinstance(row.sent_by_user_id, Unset | None) else (("sent_by_user_id", row.sent_by_user_id),),
        unknown_fields=row.unknown_fields,
        blocks=tuple(
            _block(content, block, _clips(clipped, f"{row.pointer}/content/{number}"), _deeper(page, row, number))
            for number, (content, block) in enumerate(zip(contents, row.blocks, strict=True))
        ),
        way=_deeper(page, row, None),
    )


def _standing(row: RecordRow) -> Standing:
    """By the type of the provenance; a remote message has none, and may only say that its content is not given."""
    if row.content_unavailable is True:
        return "content_unavailable"
    if row.provenance is None:
        return "captured"
    if not isinstance(row.provenance, ProvenanceWords):
        return "not_stated"
    kind = row.provenance.type
    return "other" if isinstance(kind, Unset | None) else _STANDINGS.get(kind, "other")


def _deeper(page: Way, row: RecordRow, block: int | None) -> Way:
    return Way(
        item=page.item,
        sha256=page.sha256,
        pointer=row.pointer if block is None else f"{row.pointer}/content/{block}",
        request_id=page.request_id,
        row=page.row,
    )


def _clips(clipped: tuple[Truncation, ...], pointer: str) -> tuple[Clip, ...]:
    """What was clipped in the block at that pointer."""
    return tuple(
        Clip(
            pointer=one.pointer,
            by=one.by,
            basis=one.basis,
            kept_bytes=one.kept_bytes,
            limit_bytes=one.limit_bytes,
            raise_parameter=one.raise_parameter,
        )
        for one in clipped
        if one.pointer == pointer or one.pointer.startswith(f"{pointer}/")
    )


def _block(content: Json, row: BlockRow, clips: tuple[Clip, ...], way: Way) -> Block:
    members = mapping(content) or {}
    return Block(
        kind=_KINDS.get(row.type, "other"),
        type=row.type,
        way=way,
        texts=tuple(source_text(text) for text in _texts(members)),
        name=row.name,
        id=row.id,
        tool_use_id=row.tool_use_id,
        is_error=row.is_error,
        truncated=row.truncated,
        input_state=row.input_state,
        clips=clips,
        facts=tuple(("member not shown", name) for name in row.unknown_fields),
    )


def _texts(members: dict[str, Json]) -> Iterator[str]:
    """The strings of a block that are its content."""
    match members.get("type"):
        case "text":
            found: list[Json] = [members.get("text")]
        case "tool_use":
            found = [members.get("input")]
        case "tool_result":
            items = (mapping(item) or {} for item in entries(members.get("content")) or [])
            found = [item.get("text") for item in items if item.get("type") == "text"]
        case _:
            found = []
    yield from (text for text in found if isinstance(text, str))
