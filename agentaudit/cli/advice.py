"""What could be done about each kind of gap, in one line; the codes are those of `model.losses`.

- Advice never accuses the source: what it does not give is a statement, not a fault.
- Every code has a line: a test compares the two lists.
"""

from agentaudit.model.losses import GapCode, GapKind

KINDS: dict[GapKind, str] = {
    "unavailable": "unavailable at the source: it says that it does not give more",
    "not_obtained": "not obtained: asked for, and it failed",
    "excluded": "excluded: left out on purpose",
}

ADVICE: dict[GapCode, str] = {
    "session_call_cap": "the source gives the earliest 100,000 calls of a session; the rest cannot be asked for",
    "content_unavailable": "the source names the message without its content; its reasons are in gaps.jsonl",
    "retention_elapsed": "older than the retention period; it cannot be asked for any more",
    "session_not_found": "gone, never there, or not readable with this key: the source does not tell them apart",
    "job_not_found": "another client's job, or no job: the bridge answers both alike; only the owner's token sees all",
    "entries_absent": "the bridge names a newest observation that it did not give; collect the job again",
    "log_file_not_found": "listed, and gone when it was asked for: files are kept for about 30 days",
    "file_unlike_listed": "the bytes are kept, and are not those that the list states; collect the file again",
    "session_pending": "not begun yet; collect it again later",
    "retention_overrides": "the source cannot judge its retention now; collect these sessions another day",
    "captured_content_unreadable": "have the organisation's own encryption key looked at, then collect again",
    "page_unreadable_at_source": "the source cannot serve this page; tell it the request-id in the journal",
    "unreadable_answer": "the bytes are kept and no page could be read from them; collect again",
    "refused": "a key with the scope named in the answer would be given it",
    "retries_exhausted": "collect again when the source answers",
    "body_over_limit": "the answer was larger than this program takes in; narrow the selection",
    "redirected": "redirects are never followed; look at --api-root and at --proxy",
    "cursor_repeated": "the source gave the same cursor twice; collect again",
    "cursor_refused": "the source refused its own cursor; collect again",
    "list_walk_expired": "a list walk grew older than 24 hours; collect in smaller windows",
    "messages_walk_expired": "a transcript walk grew older than 24 hours; collect the session again",
    "other_session": "an answer named another session than the one asked for; compare the ids in sessions.jsonl",
    "undecided": "the source does not say whether these belong to the selection; collect them by id",
    "metadata_not_listed": "a remote session's metadata comes only from a list; collect with --list-only too",
    "interrupted": "the run was closed before its end; collect what is missing by id",
    "other_user": "by --user; the list pages that hold them are kept raw",
    "other_surface": "by --surface; the list pages that hold them are kept raw",
    "other_organization": "by --organization; the list pages that hold them are kept raw",
    "outside_window": "by the window; the list pages that hold them are kept raw",
    "transcript_absent": "a folder or other witness of the session is there, its transcript is not",
    "spilled_result_absent": "a transcript names a tool result in a file of its own; the file is not in the store",
    "subagent_absent": "a transcript names a subagent whose own transcript is not in the store",
    "origin_absent": "a rollout names the thread that it came from; no rollout of that thread is in the store",
    "ordinal_absent": "records of a rollout are numbered, and some numbers are on no record",
    "projected_absent": "a database of the store says that the rollout held more than it does",
    "unreadable": "the system refused to open it; run as a user who may read it",
    "vanished": "it was gone before it could be read; the agent's clean-up may be at work",
    "changed_while_read": "it was rewritten at every try; every read is kept. Stop its writer and preserve it again",
    "placeholder": "its bytes lie in a cloud store; reading would fetch them",
    "sparse_over_limit": "too many holes to copy within bounds; image the volume instead",
    "session_absent": "no root has a session of that id",
    "project_absent": "no root has a project folder of that name, path or label",
    "root_absent": "the folder is not there, or cannot be entered",
    "credentials": "credentials and tokens never leave the store; listed in entries.jsonl",
    "listed_only": "caches, plugins and settings of the program itself; listed in entries.jsonl",
    "category_excluded": "by --exclude; listed with size and digest in entries.jsonl",
    "category_opt_in": "a shared or secret-prone store; take it in with --include",
    "not_selected": "of sessions and projects that were not selected",
    "link": "links are listed with their target and never followed",
    "special_file": "no regular file: it is never opened",
    "metadata_only": "by --list-only; collect them with --from this exhibit",
}
