"""What an exhibit of chats can never show, and what its own selection left out, one sentence each."""

from agentaudit.model.selection import ChatSelection
from agentaudit.model.tagfiles import CoverageLimit

_ARTIFACTS = (
    "Artifacts are counted where a message names them; none is asked for.",
    "Of an artifact the versions that messages name are asked for; a version that no message names does not show.",
)
_CODE = (
    "Artifacts of code have a list of their own, which is not asked for.",
    (
        "Code artifacts are listed by id from an index that lags: what was published or changed shortly before or "
        "while the list was read can be missing; a window bounds their update, whichever time of chats it bounds, so "
        "that one updated after its end does not show; no way to their content is documented."
    ),
)
_FILES = (
    "Files and generated files are counted where a message names them; none is asked for.",
    (
        "The bytes of a file are those that the source stores: a picture may be a processed copy, a document the text "
        "drawn from it, under the name and type of the original, which is not to be had."
    ),
)
_PROJECTS = (
    "Projects, their instructions, attachments, documents and collaborators are not asked for.",
    (
        "A project shows as it was when it was asked for: earlier instructions, removed attachments and former "
        "collaborators do not show; documents are text, whatever was uploaded."
    ),
)


def chat_coverage(selection: ChatSelection) -> tuple[CoverageLimit, ...]:
    """The limits of a selection, by code."""
    rows = (
        ("chats.artifacts", _ARTIFACTS[selection.with_artifacts]),
        ("chats.code_artifacts", _CODE[selection.with_code_artifacts]),
        ("chats.deleted", "A chat that its user deleted stays listed, without its name, its content and its files."),
        ("chats.files", _FILES[selection.with_files]),
        ("chats.projects", _PROJECTS[selection.with_projects != "none"]),
        (
            "chats.reach",
            "What the key does not reach, what retention took, and what was deleted through the API does not show.",
        ),
        ("chats.thinking", "Thinking is not given; a mark on a text says at most that there was some."),
    )
    return tuple(CoverageLimit(code=code, statement=statement) for code, statement in rows)
