"""The rows of an export: what a package says of one thing, with the exhibit and the way back to the raw bytes.

- A row stands alone: it names its exhibit, and the payload file, place, digest and request that it rests on.
- Known, known to be null and not stated are told apart only in the package; here the last two are null.
- Nothing here is content. Words of the source are kept as they are; each rendering makes them safe in its own way.
- `more` holds what rows of another source say beside the common facts, as pairs of a dotted key and a text.
"""

from typing import TypeAlias

from agentaudit.model.base import Digest, Frozen
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import SessionCounts
from agentaudit.model.text import SourceText

Facts: TypeAlias = tuple[tuple[str, str], ...]


class Way(Frozen, frozen=True, kw_only=True):
    """The way back: a payload file, its SHA-256, the request that it answered, and the place in it.

    `pointer` is a JSON pointer (RFC 6901) into the file, its content coding undone; None stands for the whole file.
    `row` is the number of the journal row. Without a file only the journal row leads back.
    """

    item: str | None
    pointer: str | None
    sha256: Digest | None
    request_id: str | None
    row: int | None


class ItemLine(Frozen, frozen=True, kw_only=True):
    """One payload file; `walk`, `page` and `ask` say which question it answers, where it answers one."""

    exhibit: str
    path: str
    bytes: int
    sha256: Digest
    role: str
    media_type: str | None
    content_encoding: str | None
    row: int | None
    walk: str | None
    page: int | None
    ask: int | None
    request_id: str | None
    received_at: str | None
    more: Facts


class SessionLine(Frozen, frozen=True, kw_only=True):
    """One session seen: the first that retrieve call, envelope and list say of it, in this order.

    `created_at` and `updated_at` are the source's words. `said` names each of the three that spoke, with its way;
    `disagree` the fields on which they differ. The e-mail address is null unless names are shown.
    """

    exhibit: str
    session: str
    family: str | None
    id: SourceText | None
    decision: str | None
    rule: str | None
    outcome: str | None
    surface: str | None
    status: str | None
    created_at: str | None
    updated_at: str | None
    truncated_at_source: bool
    user_id: str | None
    user_email_address: str | None
    started_by_user_id: str | None
    agent_id: str | None
    organization_uuid: str | None
    workspace_id: str | None
    claude_project_id: str | None
    disagree: tuple[str, ...]
    counts: SessionCounts
    said: tuple[tuple[str, Way], ...]
    more: Facts


class TruncationLine(Frozen, frozen=True, kw_only=True):
    """One clipped thing: the content is here, shortened."""

    exhibit: str
    session: str
    walk: str
    page: int
    block_type: SourceText
    by: str
    basis: tuple[str, ...]
    kept_bytes: int
    limit_bytes: int | None
    raise_parameter: str | None
    way: Way


class GapLine(Frozen, frozen=True, kw_only=True):
    """One thing known not to be here; `way` leads to the answer, or the journal row, that says so."""

    exhibit: str
    kind: str
    code: str
    basis: str
    session: str | None
    walk: str | None
    page: int | None
    index: int | None
    count: int
    status: int | None
    subject: SourceText | None
    source: tuple[tuple[str, SourceText | None], ...]
    way: Way


class EntryLine(Frozen, frozen=True, kw_only=True):
    """One directory entry that a survey of a local store saw, whatever was decided about it.

    `number` counts within a survey; a preserved file's item names both in its provenance. `name` (the true path), the
    `target` of a link and the `owner` that an old agent file names are null unless names are shown. `size_bytes` and
    `modified_at` are those of the look; null where the system refused, and `problem` then says why. `sha256` is that
    of a file that stayed out and was read for its digest alone.
    """

    exhibit: str
    survey: int
    root: str
    number: int
    name: SourceText | None
    kind: str
    role: str
    category: str
    decision: str
    rule: str
    session: str | None
    owner: str | None
    target: SourceText | None
    problem: str | None
    sha256: Digest | None
    size_bytes: int | None
    modified_at: str | None
    more: Facts

    @property
    def is_left_out(self) -> bool:
        """It is not in the payload by a decision, or could not be looked at; folders lie in no payload."""
        return self.problem is not None or (self.decision != "preserve" and self.kind != "folder")


class StreamLine(Frozen, frozen=True, kw_only=True):
    """One stream of a source beside transcripts: what was read of it, and what its checks found.

    `name`, the id that the source gives it, is null unless names are shown. `findings` are (code, count): leads about
    the source, not faults of the package. `more` holds the rest of the row.
    """

    exhibit: str
    stream: str
    kind: str
    within: str | None
    name: SourceText | None
    form: str | None
    events: int
    first_at: str | None
    last_at: str | None
    findings: tuple[tuple[str, int], ...]
    more: Facts
    way: Way


class EventLine(Frozen, frozen=True, kw_only=True):
    """One event of a stream, without content: what, when, and the way back.

    `offset` is where its document or frame begins in the file, in bytes of the expanded one where it is compressed;
    `table_row` is the rowid in the table that the pointer names. `id` and `keys`, by which events are joined, are null
    or empty unless names are shown.
    """

    exhibit: str
    stream: str
    kind: SourceText
    at: str | None
    order: int | None
    id: str | None
    keys: Facts
    words: Facts
    numbers: tuple[tuple[str, int], ...]
    marks: tuple[str, ...]
    offset: int
    table_row: int | None
    way: Way


class WalkLine(Frozen, frozen=True, kw_only=True):
    """One walk: what was asked under which byte limits, every cursor in order, how it ended."""

    exhibit: str
    walk: str
    kind: str
    session: str | None
    parameters: tuple[tuple[str, str], ...]
    limits: ByteLimits | None
    cursors: tuple[str | None, ...]
    pages: int
    records: int | None
    ended: str | None
