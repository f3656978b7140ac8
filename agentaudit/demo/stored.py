"""What the synthetic organisation stores beside messages: files, generated files, artifacts, documents of projects.

Laws:
    - A file's ``Content-MD5`` is over the served bytes; artifacts and documents have a digest in their metadata alone.
    - A document's text travels inside JSON, everything else as it is.
    - What is gone is answered with a 404 that names an internal UUID and not the id that was asked for.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from hashlib import md5
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from agentaudit.demo.errors import Problem, Refusal
from agentaudit.demo.ids import plain, uuid_of
from agentaudit.demo.jsontext import stamp, text_of
from agentaudit.demo.params import Parameters

if TYPE_CHECKING:
    from datetime import datetime

    from agentaudit.demo.jsontext import Json
    from agentaudit.demo.visit import Visit
    from agentaudit.demo.wire import Headers

Family = Literal["artifact", "document", "file", "generated"]

_PREFIXES: dict[Family, str] = {
    "artifact": "claude_artifact_version_",
    "document": "claude_proj_doc_",
    "file": "claude_file_",
    "generated": "claude_gen_file_",
}


@dataclass(frozen=True, slots=True)
class Upload:
    """The bytes of one thing, its name, and the type that the source gives it."""

    name: str
    octets: bytes
    media_type: str = "text/plain"


@dataclass(frozen=True, slots=True)
class Stored:
    """One thing: its id, its bytes, when it was made, whose it is, and the messages, chats or project that hold it."""

    id: str
    family: Family
    upload: Upload
    at: datetime
    user: str
    email: str
    organization: str
    chat: str | None = None
    message: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """An answer that is no JSON text: its headers and its bytes."""

    headers: Headers
    body: bytes


def thing_id(family: Family, holder: str, name: str) -> str:
    """The id of a thing: the same for the same name in the same message or project."""
    return plain(_PREFIXES[family], holder, name)


def gone(identifier: str) -> Refusal:
    """The 404 of something that is not there, or no longer."""
    return Refusal(Problem(404, "not_found_error", f"No object {uuid_of(identifier)} can be read."))


def served(visit: Visit, one: Stored) -> bytes:
    """The bytes as they are served; what a test planted stands at their front."""
    return visit.render.canary.text("").encode() + one.upload.octets


def entry(visit: Visit, one: Stored) -> dict[str, Json]:
    """The thing as a message or a project lists it."""
    if one.family == "artifact":
        title, kind = visit.render.canary.text(one.upload.name), one.upload.media_type
        return {"id": _artifact(one), "version_id": one.id, "title": title, "artifact_type": kind}
    row: dict[str, Json] = {
        "id": one.id,
        "filename": visit.render.canary.text(one.upload.name),
        "mime_type": one.upload.media_type,
    }
    if one.family != "document":
        row |= _digest(served(visit, one))
    return row if one.family == "generated" else {**row, "created_at": stamp(one.at)}


def about(visit: Visit, one: Stored) -> str:
    """The metadata of a thing."""
    Parameters(visit.request, ())
    digest = _digest(served(visit, one))
    row = {**entry(visit, one), **digest, "created_at": stamp(one.at)}
    match one.family:
        case "artifact":
            row["claude_chat_id"] = one.chat
        case "document":
            row |= {"claude_project_id": one.project, "user": _user(visit, one)}
        case _:
            row["claude_chat_ids"] = [one.chat] if one.chat else []
            row["message_ids"] = [one.message] if one.message else []
    return text_of(row)


def content(visit: Visit, one: Stored) -> str | Download:
    """The bytes of a thing; of a document its text, in JSON."""
    Parameters(visit.request, ())
    octets = served(visit, one)
    if one.family == "document":
        name, text = visit.render.canary.text(one.upload.name), octets.decode("utf-8", "replace")
        said = {"id": one.id, "content": text, "created_at": stamp(one.at), "filename": name}
        return text_of({**said, "user": _user(visit, one)})
    if one.family == "artifact":
        return Download((("content-type", "text/plain; charset=utf-8"),), octets)
    digest = base64.b64encode(md5(octets, usedforsecurity=False).digest()).decode()
    name = quote(visit.render.canary.text(one.upload.name), safe="")
    return Download(
        (
            ("content-type", one.upload.media_type),
            ("content-disposition", f"attachment; filename*=utf-8''{name}"),
            ("content-md5", digest),
        ),
        octets,
    )


def _artifact(one: Stored) -> str:
    """The stable id of an artifact, which all of its versions share."""
    return plain("claude_artifact_", one.chat or "", one.upload.name)


def _digest(octets: bytes) -> dict[str, Json]:
    return {"size_bytes": len(octets), "md5": md5(octets, usedforsecurity=False).hexdigest()}


def _user(visit: Visit, one: Stored) -> dict[str, Json]:
    return {"id": one.user, "email_address": visit.render.canary.mail(one.email)}
