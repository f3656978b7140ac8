"""Projects, files and artifacts of the synthetic organisation keep to what is documented of them."""

import base64
import json
from datetime import timedelta
from hashlib import md5
from urllib.parse import quote

import pytest

from agentaudit.demo.chats import Said
from agentaudit.demo.projects import Grant
from agentaudit.demo.stored import Upload
from agentaudit.demo.wire import WireRequest, WireResponse
from agentaudit.demo.world import World
from tests.demo.asking import NOON, Clock

APPS = "/v1/compliance/apps"
PDF = Upload("a report; \N{EURO SIGN}.pdf", b"\x00\xff", "application/pdf")
TEXT = Upload("notes.md", b"# notes")


@pytest.fixture
def world() -> World:
    """A project with a file and a document, and a chat with a file of each kind."""
    made = World(Clock())
    part, ada = made.organizations[0].uuid, made.users[0]
    grants = (Grant("user", "user_id", ada.id, "owner"),)
    made.library.add_project(
        "harbour", NOON - timedelta(days=2), ada, part, files=(PDF,), documents=(TEXT,), grants=grants
    )
    made.library.add_project("quay", NOON - timedelta(days=1), made.users[1], made.organizations[1].uuid)
    at = NOON - timedelta(hours=1)
    made.add_chat("one", (Said("user", at, "a", files=(PDF,), generated=(TEXT,), artifacts=(TEXT, PDF)),), ada, part)
    return made


def asked(world: World, path: str, key: str = "reader") -> WireResponse:
    """The answer to a request."""
    return world.answer(WireRequest("GET", f"{APPS}/{path}", (("x-api-key", world.key(key)),)))


def told(world: World, path: str) -> dict[str, object]:
    """The body of an answer that is JSON."""
    body: dict[str, object] = json.loads(asked(world, path).body)
    return body


def ids(body: dict[str, object]) -> list[str]:
    """The ids of a page."""
    data = body["data"]
    assert isinstance(data, list)
    return [str(one["id"]) for one in data]


def test_a_file_comes_as_its_bytes_with_their_digest(world: World) -> None:
    """Name in the extended form, type as stored, `Content-MD5` over the bytes; the metadata says the same of them."""
    identifier = world.library.things("file")[1]
    answer, about = asked(world, f"chats/files/{identifier}/content"), told(world, f"chats/files/{identifier}")
    digest = md5(PDF.octets, usedforsecurity=False)
    assert answer.body == PDF.octets
    assert answer.header("content-md5") == base64.b64encode(digest.digest()).decode()
    assert answer.header("content-disposition") == "attachment; filename*=utf-8''a%20report%3B%20%E2%82%AC.pdf"
    assert answer.header("content-type") == "application/pdf"
    assert (about["md5"], about["size_bytes"], about["filename"]) == (digest.hexdigest(), 2, PDF.name)
    assert isinstance(about["message_ids"], list)


def test_an_artifact_is_asked_for_by_its_version(world: World) -> None:
    """Its text comes as it is, its digest in the metadata; two versions of a name share the artifact's id."""
    versions = world.library.things("artifact")
    assert all(one.startswith("claude_artifact_version_") for one in versions)
    answer = asked(world, f"artifacts/{versions[0]}/content")
    assert (answer.body, answer.header("content-md5")) == (TEXT.octets, None)
    about = told(world, f"artifacts/{versions[0]}")
    assert (about["version_id"], about["md5"]) == (versions[0], md5(TEXT.octets, usedforsecurity=False).hexdigest())
    assert asked(world, f"artifacts/{about['id']}").status == 404


def test_a_document_is_text_in_json(world: World) -> None:
    """Its metadata stands below it."""
    (identifier,) = world.library.things("document")
    assert told(world, f"projects/documents/{identifier}")["content"] == "# notes"
    about = told(world, f"projects/documents/{identifier}/metadata")
    assert (about["size_bytes"], about["mime_type"]) == (7, "text/plain")


def test_projects_are_listed_oldest_first_and_paged(world: World) -> None:
    """`has_more` stands beside `next_page`; filters narrow; a bad limit and an unknown parameter are refused."""
    first = told(world, "projects?limit=1")
    everything = ids(told(world, "projects"))
    assert (ids(first), first["has_more"]) == (everything[:1], True)
    assert ids(told(world, f"projects?page={quote(str(first['next_page']), safe='')}")) == everything[1:]
    noon, before = "2026-10-08T12:00:00Z", "2026-10-07T00:00:00Z"
    cases = {
        f"user_ids[]={world.users[1].id}": everything[1:],
        f"organization_ids[]={world.organizations[0].uuid}": everything[:1],
        f"created_at.lt={before}": everything[:1],
        f"created_at.gte={before}": everything[1:],
        f"updated_at.gt={noon}": [],
        f"updated_at.lte={before}": everything[:1],
    }
    for query, wanted in cases.items():
        assert ids(told(world, f"projects?{query}")) == wanted, query
    assert asked(world, "projects?limit=101").status == 400
    assert asked(world, "projects?order=desc").status == 400


def test_a_project_tells_its_parts(world: World) -> None:
    """Detail with counts, attachments by type, collaborators by role; a deleted one has nothing attached."""
    identifier = ids(told(world, "projects"))[0]
    detail = told(world, f"projects/{identifier}")
    assert (detail["attachments_count"], detail["chats_count"], detail["deleted_at"]) == (2, 0, None)
    attachments = told(world, f"projects/{identifier}/attachments")["data"]
    assert isinstance(attachments, list)
    assert [one["type"] for one in attachments] == ["project_file", "project_doc"]
    collaborators = told(world, f"projects/{identifier}/collaborators")["data"]
    assert isinstance(collaborators, list)
    assert [one["role"] for one in collaborators] == ["owner"]
    world.library.delete_project(identifier, NOON)
    assert told(world, f"projects/{identifier}")["deleted_at"] is not None
    assert told(world, f"projects/{identifier}/attachments")["data"] == []


def test_what_a_deleted_chat_held_is_gone(world: World) -> None:
    """A 404 names an internal UUID and not the id; so does what a key does not reach, and a thing of another kind."""
    identifier = world.library.things("file")[1]
    chats = told(world, "chats")["data"]
    assert isinstance(chats, list)
    world.delete_chat(str(chats[0]["id"]), NOON)
    answer = asked(world, f"chats/files/{identifier}")
    assert answer.status == 404
    assert identifier.encode() not in answer.body
    assert b'"Not found"' not in answer.body
    document = world.library.things("document")[0]
    assert asked(world, f"chats/files/{document}").status == 404
    quay = ids(told(world, "projects"))[1]
    assert asked(world, f"projects/{quay}", key="one-organization").status == 404
    world.library.forget(quay)
    assert ids(told(world, "projects")) == ids(told(world, "projects"))[:1]


@pytest.mark.parametrize(
    "path",
    [
        "projects/p/elsewhere",
        "artifacts",
        "artifacts/a/elsewhere",
        "chats/c",
        "projects/documents/d/content",
        "files",
        "code",
        "code/elsewhere",
        "code/artifacts/a",
    ],
)
def test_a_path_that_is_none_is_a_bare_not_found(world: World, path: str) -> None:
    """As for every wrong path."""
    answer = asked(world, path)
    assert (answer.status, json.loads(answer.body)["error"]["message"]) == (404, "Not found")


@pytest.mark.parametrize("path", ["projects", "artifacts/a", "chats/files/f/content", "code/artifacts", "projects/p"])
def test_every_path_needs_the_scope(world: World, path: str) -> None:
    """A key that only reads the feed is told so."""
    assert asked(world, path, key="admin").status == 403


def test_a_parameter_where_none_is_taken_is_refused(world: World) -> None:
    """Metadata, bytes and details take none."""
    file, document = world.library.things("file")[0], world.library.things("document")[0]
    project = ids(told(world, "projects"))[0]
    for path in (
        f"chats/files/{file}",
        f"chats/files/{file}/content",
        f"projects/documents/{document}",
        f"projects/{project}",
    ):
        assert asked(world, f"{path}?limit=1").status == 400


def test_a_header_can_be_left_out(world: World) -> None:
    """Once, for the answers that match."""
    file = world.library.things("file")[0]
    world.drop_header_next("content-md5", match="/files/")
    heads = [asked(world, f"chats/files/{file}/content").header("content-md5") for _ in range(2)]
    assert heads[0] is None
    assert heads[1] is not None


def test_code_artifacts_are_listed_by_id(world: World) -> None:
    """What is published behind the cursor is missed, and a page may be empty in the middle; a bad limit is refused."""
    part, ada = world.organizations[0].uuid, world.users[0]
    made = sorted(world.library.add_code_artifact(f"a {number}", NOON, ada, part) for number in range(4))
    first = told(world, "code/artifacts?limit=3")
    assert (ids(first), first["has_more"]) == (made[:3], True)
    later = [world.library.add_code_artifact(f"b {number}", NOON, ada, part) for number in range(9)]
    behind = [one for one in later if one < made[2]]
    assert behind
    page = f"code/artifacts?page={quote(str(first['next_page']), safe='')}"
    rest = sorted({made[3], *later} - set(behind))
    world.set_page_shape(empty_pages=(1,), match="code/artifacts")
    empty = told(world, page)
    assert (empty["data"], empty["has_more"]) == ([], True)
    second = told(world, f"code/artifacts?page={quote(str(empty['next_page']), safe='')}")
    assert (ids(second), second["next_page"]) == (rest, None)
    assert asked(world, "code/artifacts?limit=101").status == 400
    assert asked(world, "code/artifacts?created_at.gte=2026-10-08T12:00:00Z").status == 400
    for name, most in (("user_ids[]", 200), ("organization_ids[]", 500)):
        statuses = [
            asked(world, f"code/artifacts?{'&'.join(many * [f'{name}=a'])}").status for many in (most, most + 1)
        ]
        assert statuses == [200, 400]


def test_code_artifacts_are_narrowed_by_an_index(world: World) -> None:
    """By person, organisation and the update that the index knows, which may be older than the entry's."""
    (part, other), (ada, bruno) = world.organizations[:2], world.users[:2]
    old = NOON - timedelta(days=3)
    late = world.library.add_code_artifact("late", old, ada, part.uuid, updated_at=NOON, indexed_at=old)
    fresh = world.library.add_code_artifact("fresh", NOON, bruno, other.uuid)
    noon, before = "2026-10-08T12:00:00Z", "2026-10-07T00:00:00Z"
    cases = {
        f"user_ids[]={bruno.id}": [fresh],
        f"organization_ids[]={part.uuid}": [late],
        f"updated_at.gte={before}": [fresh],
        f"updated_at.gt={noon}": [],
        f"updated_at.lt={noon}": [late],
        f"updated_at.lte={noon}": sorted((late, fresh)),
        f"updated_at.lte={before}": [late],
    }
    for query, wanted in cases.items():
        assert ids(told(world, f"code/artifacts?{query}")) == wanted, query
    only = json.loads(asked(world, "code/artifacts", key="one-organization").body)
    assert ids(only) == [late]
