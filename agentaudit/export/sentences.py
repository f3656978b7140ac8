"""What the documents say in whole sentences: outcomes, losses, checks, how to verify, what cannot be shown.

- The same words in every format; a code without a sentence of its own is told as the code (`words.sentence`).
- Nothing here accuses a source: what it does not give is a statement, not a fault.
"""

from collections.abc import Mapping
from types import MappingProxyType

OUTCOMES: Mapping[str, str] = MappingProxyType({
    "all_given": "All given: everything that the source would give is here, and it states no loss.",
    "all_given_with_losses": "All given, with losses: the source itself states that it has not everything.",
    "incomplete": "Incomplete: something that was asked for could not be obtained.",
})  # fmt: skip

KINDS: Mapping[str, str] = MappingProxyType({
    "clipped": "The content is here, shortened.",
    "unavailable": "The source says that it has not, or does not give, more. This is a statement, not a failure.",
    "not_obtained": "It was asked for, and it could not be obtained.",
    "excluded": "It was left out on purpose, by the selection that was made.",
})  # fmt: skip

WHY: Mapping[str, str] = MappingProxyType({
    "our_limit": "shortened at the byte limit that was asked for",
    "server_limit": "shortened at the source's own limit, which no parameter lifts",
    "marker": "a placeholder stands in the place of content that is no text, or citations were dropped",
    "undetermined": "shortened; by whom cannot be told from the answer",
    "said_in_text": "its own text says that it is shortened; whoever wrote the text can write that too",
    "truncated_session": "the source itself calls the session truncated",
    "session_call_cap": "the source gives the earliest 100,000 calls of a session and no more",
    "content_unavailable": "the source names the message and does not give its content",
    "log_file_not_found": "listed by the source, and gone there when it was asked for",
    "file_unlike_listed": "what came is kept, and is not of the size or digest that the source's list states",
    "retention_elapsed": "older than the retention period of the source",
    "session_not_found": "gone, never there, or not readable with the key: the source does not tell these apart",
    "content_not_found": "a file, document or artifact that is named, and gone, or not readable with the key",
    "project_not_found": "a project that is named, and gone, or not readable with the key",
    "digest_mismatch": "bytes came twice, and are not those that the source states; both are kept",
    "session_pending": "the session had not begun; it had no transcript yet",
    "retention_overrides": "the source could not judge its retention at that time",
    "captured_content_unreadable": "the source could not read what it had captured",
    "page_unreadable_at_source": "the source refused the page as one that it cannot read",
    "unreadable_answer": "an answer came, its bytes are kept, and no page could be read from them",
    "refused": "the source refused: scope or permission of the key",
    "retries_exhausted": "no answer after every attempt",
    "body_over_limit": "the answer was larger than was taken in",
    "redirected": "the source pointed elsewhere, and it was not followed there",
    "cursor_repeated": "the source gave the same cursor twice",
    "cursor_refused": "the source refused its own cursor",
    "list_walk_expired": "the list walk grew older than its cursors live",
    "messages_walk_expired": "the transcript walk grew older than its cursors live",
    "other_session": "an answer named another session than the one that was asked for; it is kept as it came",
    "undecided": "the source did not say whether these belong to what was asked for",
    "interrupted": "the run was closed before it came to this",
    "other_user": "of another user than those asked for",
    "other_surface": "of another product than those asked for",
    "other_organization": "of another organisation than those asked for",
    "outside_window": "outside the window of time that was asked for",
    "metadata_only": "only metadata was asked for, no transcript",
    "metadata_not_listed": "metadata that comes from a list only, and no list was asked for",
    "transcript_absent": "the store knows the session and holds no transcript of it",
    "spilled_result_absent": "a transcript names a result that was put into a file, and the store lacks the file",
    "subagent_absent": "a transcript names an agent, and the store lacks its transcript",
    "origin_absent": "a transcript names another that it came from, and the store lacks that one",
    "ordinal_absent": "records count on where one is not there",
    "projected_absent": "a database of the store names a session, and the store lacks its file",
    "session_absent": "the session that was asked for is nowhere in the store",
    "project_absent": "the project that was asked for is nowhere in the store",
    "root_absent": "the root that was asked for is not there",
    "vanished": "it was there when the store was looked through, and gone when it was to be read",
    "unreadable": "the system did not let it be read",
    "placeholder": "its content lies elsewhere: only a placeholder is on this machine",
    "sparse_over_limit": "a sparse file larger than what is taken in",
    "changed_while_read": "it never held still while it was read; what came is kept",
    "credentials": "credentials are never copied",
    "category_excluded": "a category that was left out",
    "category_opt_in": "a category that is copied only when it is asked for",
    "not_selected": "of another session or project than those asked for",
    "listed_only": "only listed, as was asked for",
    "link": "a link; links are recorded and not followed",
    "appeared_later": "it appeared after the store was looked through, and was not taken",
    "changed_later": "only listed, and found to be another at the end",
    "special_file": "neither a file nor a folder; such things are recorded and not opened",
})  # fmt: skip

INTEGRITY: Mapping[str, str] = MappingProxyType({
    "intact": "Intact: every byte, name and row is as it was sealed, and nothing lies beside it.",
})  # fmt: skip
AUTHENTICITY: Mapping[str, str] = MappingProxyType({
    "unsigned": "Unsigned: who sealed it, and when, rests on the seal that was noted elsewhere.",
    "not_checked": "Signatures lie beside the seal, and no tool that judges them was found.",
    "invalid": "A signature lies beside the seal that does not hold.",
    "unknown_key": "Signed, by a key that nobody named as trusted.",
    "signed": "Signed, by a key that was named as trusted.",
})  # fmt: skip

_VERIFY = """
Nothing in this document needs to be believed: each row names the exhibit, the file in it, and its SHA-256.

Compare the seal of each exhibit with the seal that was noted when it was made, in a place that the holder of the
exhibit could not reach. In the exhibit's folder:

$ sha256sum tagmanifest-sha256.txt

Then check the files that describe the exhibit, then the payload; each command must end with status 0:

$ sha256sum --strict --check tagmanifest-sha256.txt

$ sha256sum --strict --quiet --check manifest-sha256.txt

Then look for what should not be there. The commands for it, those for macOS and Windows, and what each command
overlooks, stand in agentaudit/VERIFY.txt in every exhibit. agentaudit/FORMAT.md is the specification from which anybody
can write another check.

To go from a row to its raw bytes: open the file that the row names, undo its content encoding if it has one, and
follow the JSON pointer (RFC 6901). The request-id is the source's own name for the answer. The journal row, by its
number in agentaudit/journal.jsonl, holds the request, the head of the answer and the times.

The files of this export are listed with their SHA-256 in sha256sums.txt, and the custody log of the case holds the
digest of that list. The export can be made again from the same exhibits and the same head of the custody log: the
bytes are the same.
"""

_CANNOT = """
That nothing else exists. Absence of a row proves nothing.

That the source told the truth, or that it kept everything. What it says is passed on, not vouched for.

What happened on a machine. A record of a tool call is the account of a client or of a service, not an observation of
the effect.

Who sat at the keyboard. An account is an account.

When something happened, beyond the clock of whoever wrote the time. Comparisons of clocks are given with their bounds.

That an exhibit is as old as it says. A seal proves more only once it has left the hands of its writer: noted elsewhere,
signed, or time-stamped.
"""


def how_to_verify() -> tuple[str, ...]:
    """The paragraphs on checking without this program; one that begins with `$ ` is a command."""
    return _paragraphs(_VERIFY)


def cannot_show() -> tuple[str, ...]:
    """What no export of any exhibit can show, one thing a paragraph."""
    return _paragraphs(_CANNOT)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.strip().split("\n\n"))
