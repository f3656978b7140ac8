"""The acts of an acquisition, as rows of its journal (evidence format, section 4).

- A row is an act plus the envelope `seq`, `at`, `prev`, which only the writer stamps.
- No row carries message text, tool input, tool output, file content or key material.
- Durations end in `_ms`, sizes in `_bytes`; `*_at` is our clock unless the key says whose.
"""

from typing import Literal

from agentaudit.model.actors import Actors, EndpointClass, Host, Network, Tool
from agentaudit.model.base import UNSET, Digest, Frozen, Instant, Unset
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.losses import Gap
from agentaudit.model.selection import Selection

ZERO = "0" * 64

WalkKind = Literal[
    "local_list", "local_retrieve", "local_messages", "remote_list", "remote_messages",
    "organizations", "settings", "users",
    "activities", "artifacts", "attachments", "attempts", "audit", "chat_files", "chat_messages", "chats",
    "code_artifacts", "collaborators", "documents", "job", "jobs", "log_file", "log_files", "project", "projects",
    "status", "tool", "tools",
    "survey",
]  # fmt: skip
WalkReason = Literal[
    "exhausted", "refused", "unreadable", "cursor_repeated", "expired", "failed", "interrupted", "superseded"
]  # fmt: skip

MissReason = Literal[
    "page_unreadable", "session_not_found", "remote_not_found", "retention_overrides", "captured_content",
    "cursor_expired", "cursor_refused", "refused", "server_error", "redirected", "body_over_limit",
    "retries_exhausted", "stale", "interrupted", "job_not_found", "log_file_not_found",
]  # fmt: skip


class Act(Frozen, frozen=True, kw_only=True, tag_field="event"):
    """One row: `seq` counts from 1 without holes, `prev` is the SHA-256 of the previous line with its LF."""

    seq: int = 0
    at: Instant = Instant("")
    prev: str = ""


class CustodyHead(Frozen, frozen=True, kw_only=True):
    """The last row of the case's custody log that this exhibit knows: its number and the digest of its line."""

    seq: int
    digest: Digest


class Opened(Act, frozen=True, kw_only=True, tag="opened"):
    """The acquisition begins: what was asked, by whom, with what; limits and network only where a source has them."""

    case: str
    exhibit: str
    source: str
    adapter: str
    endpoint_class: EndpointClass
    selection: Selection
    limits: ByteLimits | None
    read_limits: ReadLimits | None
    actors: Actors
    custody_head: CustodyHead
    argv: tuple[str, ...]
    tool: Tool
    host: Host
    network: Network | None


class SetAside(Frozen, frozen=True, kw_only=True):
    """A file found without a row: where it lay, where it lies now, its size and digest."""

    found: str
    path: str
    bytes: int
    sha256: Digest


class TornTail(Frozen, frozen=True, kw_only=True):
    """The bytes after the last whole row of a journal whose writing was cut short."""

    bytes: int
    sha256: Digest
    path: str


class Resumed(Act, frozen=True, kw_only=True, tag="resumed"):
    """An interrupted acquisition goes on: by whom, and what was found on disk."""

    purpose: Literal["resume", "seal"]
    actors: Actors
    tool: Tool
    host: Host
    network: Network | None
    rows: int
    set_aside: tuple[SetAside, ...]
    torn_tail: TornTail | None


class WalkBegan(Act, frozen=True, kw_only=True, tag="walk_began"):
    """A walk starts; its id is its folder under `data/`, so it is the same on every run."""

    walk: str
    kind: WalkKind
    session: str | None
    parameters: tuple[tuple[str, str], ...]
    limits: ByteLimits | None


class WalkEnded(Act, frozen=True, kw_only=True, tag="walk_ended"):
    """A walk is over; `records` counts the entries of `data` in its readable pages."""

    walk: str
    reason: WalkReason
    pages: int
    records: int


class Clock(Frozen, frozen=True, kw_only=True):
    """Server time minus ours, from the Date header and the midpoint of the request, with its bound."""

    offset_ms: int
    bound_ms: int


class Tls(Frozen, frozen=True, kw_only=True):
    """What the connection's TLS layer states; the certificate itself stands in a `peer_seen` row."""

    version: str
    cipher: str
    certificate_sha256: Digest


class SentOn(Frozen, frozen=True, kw_only=True):
    """Where the source sent a question on to: the head of that answer, and of the place its host and its path's digest.

    The address is signed, so that whoever has it can read what lies there: it is a secret, and is kept nowhere. The
    key did not go there. `headers` are without the address; one that held a part of it is its digest.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    host: str
    path_sha256: Digest
    elapsed_ms: int
    peer: str | None
    tls: Tls | None


class Exchange(Frozen, frozen=True, kw_only=True):
    """One attempt at one request and the head of its answer; `None` where nothing came.

    Where it was sent on, the answer is that of the other place; `url`, date and clock are still the source's.
    """

    method: str
    url: str
    query: tuple[tuple[str, str], ...]
    cursor: str | None
    attempt: int
    asked_at: Instant
    elapsed_ms: int
    status: int | None
    headers: tuple[tuple[str, str], ...]
    request_id: str | None
    server_date: str | None
    clock: Clock | None
    http_version: str | None
    peer: str | None
    tls: Tls | None
    sent_on: SentOn | Unset = UNSET


class PayloadFile(Frozen, frozen=True, kw_only=True):
    """One payload file as it was written: path in the package, size, digest."""

    path: str
    bytes: int
    sha256: Digest


class Answered(Act, frozen=True, kw_only=True, tag="answered"):
    """The body of an answer that ends a page or a walk is durable."""

    walk: str
    page: int
    ask: int
    limits: ByteLimits | None
    exchange: Exchange
    content_encoding: str | None
    media_type: str | None
    item: PayloadFile


class Unanswered(Act, frozen=True, kw_only=True, tag="unanswered"):
    """An attempt was retried or gave nothing storable; `next` says what happens then.

    `failure` is our coded word for it (`status`, `not_sent`, or a code of `model.walk.Failure`); `missed` is what
    the walk was told when we gave up, so that a resumed run tells it the same. `body_sha256` is of the bytes that
    came.
    """

    walk: str
    page: int
    ask: int
    exchange: Exchange
    failure: str
    error_type: str | None
    error_code: str | None
    body_bytes: int
    body_sha256: Digest
    next: Literal["retry", "gave_up", "stopped"]
    missed: MissReason | None
    wait_ms: int


class PeerSeen(Act, frozen=True, kw_only=True, tag="peer_seen"):
    """A TLS certificate is met for the first time; it is kept here once, DER in base64."""

    certificate_sha256: Digest
    certificate_der_base64: str


class Noted(Act, frozen=True, kw_only=True, tag="noted"):
    """A Gap is known."""

    gap: Gap


class LossCounts(Frozen, frozen=True, kw_only=True):
    """The kinds of loss apart, and session-level marks apart from block-level ones."""

    clipped_by_our_limit: int = 0
    clipped_by_server_limit: int = 0
    clipped_marker: int = 0
    clipped_undetermined: int = 0
    sessions_truncated_at_source: int = 0
    unavailable: int = 0
    not_obtained: int = 0
    excluded: int = 0


Outcome = Literal["all_given", "all_given_with_losses", "incomplete"]


class Counts(Frozen, frozen=True, kw_only=True):
    """How much is here; each number can be recounted from the tag files."""

    items: int
    payload_bytes: int
    walks: int
    pages: int
    sessions_seen: int
    sessions_kept: int
    sessions_excluded: int
    messages: int
    losses: LossCounts


class Closed(Act, frozen=True, kw_only=True, tag="closed"):
    """The last row: what came of it."""

    outcome: Outcome
    counts: Counts
