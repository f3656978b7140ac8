"""What a copy says in sentences: who said a thing, what is shortened, what is joined, what it cannot show.

- The same words in every format. Nothing here comes from the source.
"""

from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.export.sentences import WHY
from agentaudit.export.words import plainly
from agentaudit.model.workingcopy import Clip, Join, Note, Standing

STANDINGS: Mapping[Standing, str] = MappingProxyType({
    "captured": "captured and verified by the source",
    "client_asserted": "CLIENT-ASSERTED: the client supplied it as history; that the model wrote it is not verified",
    "synthetic_marker": "SYNTHETIC MARKER: made by the source; neither a person's words nor the model's",
    "content_unavailable": "PLACEHOLDER: the source names the message and does not give its content",
    "other": "of a provenance that this program does not know",
    "not_stated": "its provenance is not stated by this source",
})  # fmt: skip

CANNOT_SHOW = (
    (
        "All that the model was given: system prompt, tool definitions, images and thinking are missing from "
        "transcripts, or cannot be relied on there."
    ),
    (
        "What happened on a machine. A result is what the client told the model; `is error` speaks of that result "
        "alone. Records of endpoints, networks, Git or identity show effects."
    ),
    "That something did not happen. What is not here may lie outside what the source records, keeps or gives.",
    "The order of things inside one call: its messages share one time. The order here is the order returned.",
    "Who sat at the keyboard. An account is not a person.",
)

JOINS: Mapping[str, str] = MappingProxyType({
    "joined": "calls, results and events joined by id",
    "missing": "calls, results or events whose other half is not in this copy",
    "several": "calls, results or events whose id stands more than once: none preferred",
    "no_id": "calls, results or events without an id: joined to nothing",
})  # fmt: skip

NOTES: Mapping[Note, str] = MappingProxyType({
    "compaction": (
        "COMPACTED HERE: what comes before stays in the file; from here on the model is given what stands in its place"
    ),
    "rollback": "ROLLED BACK HERE: turns before this record stay in the file; the model is no longer given them",
    "abort": "ABORTED HERE: the turn did not come to its end",
    "settings_changed": "SETTINGS CHANGED HERE: what is no more as it was before stands among the facts",
})  # fmt: skip

NOT_SHOWN = "NOT SHOWN: see the raw bytes"
UNKNOWN = "OF A TYPE THAT THIS PROGRAM DOES NOT KNOW: shown as it stands in the raw bytes"
ENCRYPTED = "NOT READABLE: stored encrypted by the vendor; it is here and cannot be shown"

_MARKER = "NOT WHOLE: a placeholder, dropped citations or content that is no text, says the source's flag"


def clip_words(clip: Clip) -> str:
    """What a shortened text says of itself."""
    if clip.by == "marker":
        return f"{_MARKER} (at {clip.pointer})"
    limit = f" ({clip.limit_bytes:,} bytes)" if clip.limit_bytes is not None else ""
    more = f"; raise {clip.raise_parameter} to get more" if clip.raise_parameter else ""
    known = ", ".join(plainly(word) for word in clip.basis)
    kept = f"{clip.kept_bytes:,} bytes kept{more}"
    return f"CLIPPED HERE: {WHY[clip.by]}{limit}; {kept} (known by: {known}; at {clip.pointer})"


def join_words(join: Join, *, is_call: bool) -> str:
    """What stands before the places that a call or a result leads to."""
    other = "result" if is_call else "call"
    match join.state:
        case "joined":
            return f"its {other}:"
        case "several":
            return f"this id stands more than once, no {other} is preferred:"
        case "missing":
            return f"NO {other.upper()} WITH THIS ID IN THIS COPY"
        case _:
            return "NO ID: joined to nothing"
