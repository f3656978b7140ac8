"""The four kinds of loss, which are never one number (evidence format, section 5).

- A Truncation is content that is here, shortened: it is read from a capture, never observed beside it.
- A Gap is something known not to be here: unavailable at the source, not obtained by us, or excluded.
- Neither holds content, an instant, or a request-id: both are the same on every run over the same answers.
"""

from typing import Literal

from agentaudit.model.base import UNSET, Frozen, Unset
from agentaudit.model.text import SourceText

GapKind = Literal["unavailable", "not_obtained", "excluded"]

GapCode = Literal[
    # the source says that it has not, or does not give, more
    "session_call_cap", "content_unavailable", "retention_elapsed", "session_not_found", "session_pending",
    "transcript_absent", "spilled_result_absent", "subagent_absent", "origin_absent", "ordinal_absent",
    "projected_absent", "job_not_found", "entries_absent", "content_not_found", "project_not_found",
    "log_file_not_found",
    # asked for, and not obtained
    "page_unreadable_at_source", "retention_overrides", "captured_content_unreadable", "unreadable_answer", "refused",
    "retries_exhausted", "body_over_limit", "redirected", "cursor_repeated", "cursor_refused", "list_walk_expired",
    "messages_walk_expired", "other_session", "undecided", "interrupted", "unreadable", "vanished",
    "changed_while_read", "digest_mismatch", "placeholder", "sparse_over_limit", "session_absent", "project_absent",
    "root_absent", "file_unlike_listed",
    # left out on purpose, by our own selection
    "other_user", "other_surface", "other_organization", "outside_window", "metadata_only", "metadata_not_listed",
    "credentials", "listed_only", "category_excluded", "category_opt_in", "not_selected", "link", "special_file",
]  # fmt: skip


class Gap(Frozen, frozen=True, kw_only=True):
    """One thing known not to be here: what, why, and how we know.

    `basis` says on what the statement rests: `status` (the answer's status and error), `field` (a field of
    the answer), `rule` (our own selection), `absence` (it was never answered), `clock` (an age limit).
    `source` holds the source's own words for the reason, verbatim.
    """

    kind: GapKind
    code: GapCode
    basis: Literal["status", "field", "rule", "absence", "clock"]
    walk: str | Unset = UNSET
    page: int | Unset = UNSET
    index: int | Unset = UNSET
    session: str | Unset = UNSET
    subject: SourceText | Unset = UNSET
    status: int | Unset = UNSET
    source: tuple[tuple[str, SourceText | None], ...] = ()
    count: int = 1


class Truncation(Frozen, frozen=True, kw_only=True):
    """One clipped thing: where it lies in the raw bytes, who clipped it, at which limit, on what basis.

    `by` is `our_limit` (the byte limit that we asked for), `server_limit`, `marker` (a placeholder, dropped
    citations or replaced non-text) or `undetermined`. `kept_bytes` counts UTF-8 without the server's suffix.
    """

    session: str
    walk: str
    page: int
    item: str
    pointer: str
    block_type: SourceText
    by: Literal["our_limit", "server_limit", "marker", "undetermined"]
    basis: tuple[Literal["parameter", "kept_length", "suffix", "flag"], ...]
    kept_bytes: int
    limit_bytes: int | None
    raise_parameter: str | None
