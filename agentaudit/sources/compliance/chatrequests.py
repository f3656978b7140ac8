"""The requests for chats, projects and what is stored beside them (compliance reference, sections 7.1 and 7.2).

- Only GET. Identifiers are opaque: each is one percent-encoded segment.
- Projects and their parts and code artifacts are paged by `page`, chats by `after_id`.
- Code artifacts are bounded by their update alone: a window of creation is held against that.
- One address gives the bytes of files of chats and of projects alike; an artifact is asked for by its version.
"""

from urllib.parse import quote

from agentaudit.adapters.compliance.naming import Part, Thing
from agentaudit.model.selection import ChatSelection, Window
from agentaudit.model.walk import Request

CHATS_LIMIT = 1_000
CHAT_MESSAGES_LIMIT = 1_000
CODE_ARTIFACTS_LIMIT = 100
PROJECTS_LIMIT = 100

_APPS = "/v1/compliance/apps"
_OPEN = Window(begins=None, ends=None)
_PLACES: dict[Thing, str] = {
    "artifact": "artifacts",
    "document": "projects/documents",
    "file": "chats/files",
    "generated": "chats/generated-files",
}
# A document's text stands at its own address and its metadata below it; with the others it is the other way round.
_ABOUT: dict[Thing, str] = {"document": "/metadata"}
_CONTENT: dict[Thing, str] = {"document": ""}


def chats_request(selection: ChatSelection) -> Request:
    """The chats of a window; the bound of time is that of the sort key, as the source demands."""
    return Request(
        f"{_APPS}/chats",
        (
            *_narrowed(selection, _key(selection), projects=True),
            ("order_by", _key(selection)),
            ("limit", str(CHATS_LIMIT)),
        ),
    )


def chat_messages_request(identifier: str) -> Request:
    """The messages of one chat, oldest first; both limits count characters, and -1 is none."""
    return Request(
        f"{_APPS}/chats/{_segment(identifier)}/messages",
        (
            ("limit", str(CHAT_MESSAGES_LIMIT)),
            ("order", "asc"),
            ("tool_use_input_max_chars", "-1"),
            ("tool_result_max_chars", "-1"),
        ),
    )


def projects_request(selection: ChatSelection) -> Request:
    """The projects of the same window, people and organisations as the chats."""
    narrowed = _narrowed(selection, _key(selection), projects=False)
    return Request(f"{_APPS}/projects", (*narrowed, ("limit", str(PROJECTS_LIMIT))))


def code_artifacts_request(selection: ChatSelection) -> Request:
    """The code artifacts of the same people and organisations, updated in the window."""
    narrowed = _narrowed(selection, "updated_at", projects=False)
    return Request(f"{_APPS}/code/artifacts", (*narrowed, ("limit", str(CODE_ARTIFACTS_LIMIT))))


def project_request(identifier: str, part: Part) -> Request:
    """One project: its detail, or a list of its attachments or collaborators."""
    path = f"{_APPS}/projects/{_segment(identifier)}"
    return Request(path) if part == "about" else Request(f"{path}/{part}", (("limit", str(PROJECTS_LIMIT)),))


def stored_request(thing: Thing, identifier: str, part: Part) -> Request:
    """The metadata (`about`) or the bytes (`content`) of something stored."""
    suffix = _ABOUT.get(thing, "") if part == "about" else _CONTENT.get(thing, "/content")
    return Request(f"{_APPS}/{_PLACES[thing]}/{_segment(identifier)}{suffix}")


def _key(selection: ChatSelection) -> str:
    return "updated_at" if selection.window_kind == "update" else "created_at"


def _narrowed(selection: ChatSelection, key: str, *, projects: bool) -> tuple[tuple[str, str], ...]:
    window = selection.window or _OPEN
    # Instants end in `Z`: a bare `+` in a query means a space (trap 19).
    bounds = ((f"{key}.gte", window.begins), (f"{key}.lt", window.ends))
    return (
        *((name, instant) for name, instant in bounds if instant is not None),
        *(("user_ids[]", word) for word in selection.users),
        *(("project_ids[]", word) for word in selection.projects if projects),
        *(("organization_ids[]", word) for word in selection.organizations),
    )


def _segment(identifier: str) -> str:
    return quote(identifier, safe="")
