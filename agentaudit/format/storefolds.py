"""The folds of a preserved store: the items of a kept file (FORMAT.md, section 7).

- A file and the values of its extended attributes are items of one row: the file first.
- A media type is inferred from the role that the adapter gave the file, never from its content.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from agentaudit.model.base import Digest, Unset
from agentaudit.model.local import Attribute
from agentaudit.model.storejournal import Kept
from agentaudit.model.tagfiles import FileFacts, FileProvenance, ItemRow

_JSON_LINES = "application/x-ndjson"
_JSON = "application/json"
_TEXT = "text/plain"
_ZSTD = "application/zstd"

MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "transcript": _JSON_LINES,
        "transcript_copy": _JSON_LINES,
        "old_agent": _JSON_LINES,
        "subagent": _JSON_LINES,
        "workflow_agent": _JSON_LINES,
        "workflow_journal": _JSON_LINES,
        "history": _JSON_LINES,
        "desktop_audit": _JSON_LINES,
        "rollout": _JSON_LINES,
        "archived_rollout": _JSON_LINES,
        "rollout_zst": _ZSTD,
        "archived_rollout_zst": _ZSTD,
        "old_sidecar": _JSON,
        "subagent_sidecar": _JSON,
        "workflow_sidecar": _JSON,
        "settings": _JSON,
        "tool_result": _TEXT,
        "debug": _TEXT,
        "database": "application/vnd.sqlite3",
    }
)


def kept_files(row: Kept) -> Iterator[tuple[str, int, Digest]]:
    """Path, bytes and digest of each item of `kept_items`, in its order."""
    yield row.item.path, row.item.bytes, row.item.sha256
    for one in row.attributes:
        if not isinstance(one.path, Unset):
            yield one.path, one.bytes, one.sha256


def kept_items(row: Kept) -> tuple[ItemRow, ...]:
    """The item of a kept file, then one for each extended attribute whose value was kept."""
    provenance = FileProvenance(
        row=row.seq,
        survey=row.survey,
        root=row.root,
        entry=row.entry,
        kept_at=row.at,
        before=row.before,
        change=row.change,
        moved_to=row.moved_to,
    )
    media = MEDIA_TYPES.get(row.role)
    facts = FileFacts(
        role=row.role,
        session=row.session,
        media_type_from=None if media is None else "role",
        framing=row.framing,
        transcript=row.transcript,
        rollout=row.rollout,
        stream_fault=row.stream_fault,
    )
    file = ItemRow(
        path=row.item.path,
        bytes=row.item.bytes,
        sha256=row.item.sha256,
        role="preserved",
        media_type=media,
        content_encoding=None,
        provenance=provenance,
        facts=facts,
    )
    return (
        file,
        *(_attribute(one, path, provenance) for one in row.attributes if not isinstance(path := one.path, Unset)),
    )


def _attribute(one: Attribute, path: str, provenance: FileProvenance) -> ItemRow:
    return ItemRow(
        path=path,
        bytes=one.bytes,
        sha256=one.sha256,
        role="attribute",
        media_type=None,
        content_encoding=None,
        provenance=provenance,
    )
