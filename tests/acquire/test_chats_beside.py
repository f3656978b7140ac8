"""Files, artifacts and projects beside chats, over a loopback socket: whole, proved, or stated as missing."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import SealPartial
from agentaudit.cli.readers import page_readers
from agentaudit.demo.wire import ShortBy, WireRequest
from agentaudit.errors import SourceRefused, SourceUnreachable
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Link
from agentaudit.model.actors import Said
from agentaudit.model.journal import Act, Answered
from agentaudit.model.selection import ChatSelection
from agentaudit.package.rows import read_log
from agentaudit.verify import verify_exhibit
from tests.support.around import surroundings
from tests.support.chatting import (
    EVERYTHING,
    LIMITS,
    NOTES,
    PLAN,
    REPORT,
    TABLE,
    Chatting,
    chat_world,
    chatting,
    gaps,
    streams,
)
from tests.support.collecting import comparable, payload
from tests.support.disks import FailingDisk, Killed

MARK = "CANARY-beside-chats"
STORED = "data/compliance/stored"
FILE = f"{STORED}/f000001/content/000001"
SHARES = 4


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Chatting]:
    """The organisation, and a case."""
    with chatting(tmp_path) as given:
        yield given


def findings(exhibit: Path, stream: str) -> dict[str, int]:
    """What was found of a stream."""
    rows = streams(exhibit)[stream]["findings"]
    assert isinstance(rows, list)
    return {row["code"]: row["count"] for row in rows}


def words(exhibit: Path, stream: str) -> dict[str, str]:
    """The words of a stream."""
    rows = streams(exhibit)[stream]["words"]
    assert isinstance(rows, list)
    return dict(rows)


def test_everything_named_comes_as_its_bytes(served: Chatting) -> None:
    """Files, generated files, each version of an artifact and each document are here; all digests agree."""
    exhibit, result = served.run()
    assert (result.outcome, gaps(result)) == ("all_given_with_losses", {"content_unavailable": 1})
    kept = payload(exhibit)
    assert kept[f"{FILE}.bin"] == REPORT.octets
    assert kept[f"{STORED}/g000002/content/000001.bin"] == TABLE.octets
    assert [kept[f"{STORED}/a{number:06d}/content/000001.bin"] for number in range(1, 5)] == 4 * [NOTES.octets]
    assert kept[f"{STORED}/f000003/content/000001.bin"] == TABLE.octets
    documents = [json.loads(kept[f"{STORED}/d{number:06d}/content/000001.json"])["content"] for number in (1, 2, 3)]
    assert [text.encode() for text in documents] == [PLAN.octets, NOTES.octets, PLAN.octets]
    rows = streams(exhibit)
    assert sorted({key.partition("/")[0] for key in rows}) == [
        "artifact", "chat", "document", "file", "generated", "project",
    ]  # fmt: skip
    assert all(not row["findings"] for key, row in rows.items() if not key.startswith("chat/000003"))
    assert rows["file/000001"]["within"] == "chat/000001"
    assert rows["file/000003"]["within"] == "project/000001"
    assert rows["file/000001"]["item"] == f"{FILE}.bin"
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_a_project_is_told_without_its_content(served: Chatting) -> None:
    """Attachments and collaborators are events; the counts of the detail stand, and agree with the lists."""
    exhibit, _ = served.run()
    rows = streams(exhibit)
    assert rows["project/000001"]["kinds"] == [
        ["organization_role", 1],
        ["project_doc", 2],
        ["project_file", 1],
        ["user", 1],
    ]
    assert rows["project/000001"]["counts"] == [["attachments_count", 3], ["chats_count", 1]]
    assert [rows[f"project/00000{number}"]["name"] for number in (1, 2)] == list(served.projects)
    lines = [json.loads(line) for line in (exhibit / layout.EVENTS).read_text().splitlines()]
    (guest,) = [line for line in lines if line["stream"] == "project/000001" and line["kind"] == "user"]
    assert (guest["id"], guest["words"]) == ("user_01Guest", [["role", "editor"]])
    named = [line for line in lines if line["stream"] == "chat/000001" and line["kind"] == "files"]
    assert {key for key, _ in named[0]["keys"]} == {"chat", "file", "message"}


def test_names_and_content_stay_in_the_answers(tmp_path: Path) -> None:
    """Nothing outside `data/` holds a text or a title; a file's name stands in its answer's head alone."""
    with chatting(tmp_path, MARK) as served:
        exhibit, _ = served.run()
        told = {
            path.name: path.read_bytes() for path in exhibit.rglob("*") if path.is_file() and "data" not in path.parts
        }
        assert [name for name, octets in told.items() if MARK.encode() in octets] == ["journal.jsonl"]
        assert [name for name, octets in told.items() if b"passwd" in octets] == ["journal.jsonl"]
        for line in told["journal.jsonl"].splitlines():
            row = json.loads(line)
            if "exchange" in row:
                row["exchange"]["headers"] = []
            assert MARK not in json.dumps(row)
        assert not [path for path in exhibit.rglob("*") if "passwd" in path.name]


def test_the_number_of_connections_changes_no_payload(tmp_path: Path, served: Chatting) -> None:
    """One and four connections give the same files, streams and events."""
    alone = served.run()[0]
    many = served.elsewhere(tmp_path / "many").run(connections=4)[0]
    assert payload(alone) == payload(many)
    for name in (layout.STREAMS, layout.EVENTS):
        assert (alone / name).read_bytes() == (many / name).read_bytes()


def answered(partial: Path) -> int:
    """How many answers an interrupted exhibit holds; a torn row is none."""
    links = read_log(partial / layout.JOURNAL, JOURNAL_CODEC, Act)
    return sum(isinstance(link, Link) and isinstance(link.row, Answered) for link in links)


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_a_call_the_collection_goes_on(tmp_path: Path, served: Chatting, share: int) -> None:
    """A collection of chats that is killed resumes to the undisturbed payload and folds; nothing is asked twice."""
    counting = FailingDisk()
    whole, _ = served.run(disk=counting)
    answers, folds = payload(whole), comparable(whole)
    # Which answers share a barrier differs from run to run: in the last third the killed run might have sealed already.
    for fatal in range(12 + share, counting.calls * 2 // 3, 11 * SHARES):
        given = served.elsewhere(tmp_path / str(fatal))
        disk = FailingDisk(fatal)
        with pytest.raises(Killed):
            given.run(disk=disk)
        disk.release()
        version = f"0.1.0+{given.job.case}"
        known = answered(given.job.case / "EX-0001.partial")
        given.resume(version=version)
        exhibit = given.job.case / "EX-0001"
        assert given.job.asked_by(version) == len(answers) - known
        assert (payload(exhibit), comparable(exhibit)) == (answers, folds)
        assert (exhibit / layout.STREAMS).read_bytes() == (whole / layout.STREAMS).read_bytes()


def test_a_remainder_is_sealed_as_it_stands(served: Chatting) -> None:
    """What was named and never asked for is a gap each, and the streams say so."""
    served.world.fail_next(401, match="/artifacts/")
    with pytest.raises(SourceRefused):
        served.run()
    sealed = seal_partial(SealPartial(served.job.case / "EX-0001.partial", Said(), ()), surroundings(), Silent())
    assert sealed.outcome == "incomplete"
    exhibit = Path(sealed.path)
    assert gaps(sealed)["interrupted"] == 4 + 3 + 3 + 2
    assert words(exhibit, "file/000002") == {"about": "interrupted", "of": "file"}
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_what_is_not_asked_for_is_counted(served: Chatting) -> None:
    """Without the options nothing beside messages is asked for, and each chat says how much it names."""
    exhibit, result = served.run(ChatSelection())
    assert gaps(result) == {"category_excluded": 8, "content_unavailable": 1}
    assert not (exhibit / STORED).exists()
    assert sum(one.path.count("/messages") for one in served.world.requests) == len(served.world.requests) - 1


def test_each_option_asks_for_its_own(tmp_path: Path, served: Chatting) -> None:
    """Files leave artifacts out, artifacts leave files out, and projects leave their files out without files."""
    cases = (
        (ChatSelection(with_files=True), "fg", 4),
        (ChatSelection(with_artifacts=True), "a", 4),
        (ChatSelection(with_projects="named"), "d", 8 + 1),
    )
    for number, (selection, letters, left_out) in enumerate(cases):
        exhibit, result = served.elsewhere(tmp_path / str(number)).run(selection)
        assert sorted({path.name[0] for path in (exhibit / STORED).iterdir()}) == list(letters)
        assert gaps(result)["category_excluded"] == left_out


def test_projects_are_those_of_the_chats_unless_they_are_listed(tmp_path: Path, served: Chatting) -> None:
    """`named` reads the one that a chat lies in and asks for no list."""
    exhibit, _ = served.run(ChatSelection(chats=served.chats[:1], with_projects="named"))
    assert [row["name"] for key, row in streams(exhibit).items() if key.startswith("project")] == [served.projects[0]]
    assert "/v1/compliance/apps/projects" not in [one.path for one in served.world.requests]
    bruno = served.world.users[1].id
    listed, _ = served.elsewhere(tmp_path / "his").run(ChatSelection(users=(bruno,), with_projects="listed"))
    assert [row["name"] for key, row in streams(listed).items() if key.startswith("project")] == [served.projects[1]]


def test_pages_of_projects_lead_on(served: Chatting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list, the attachments and the collaborators are paged to their ends."""
    monkeypatch.setattr("agentaudit.sources.compliance.chatrequests.PROJECTS_LIMIT", 1)
    exhibit, result = served.run()
    assert "not_obtained" not in {gap.kind for gap in result.gaps}
    assert len(list((exhibit / "data/compliance/projects/p000001/attachments").iterdir())) == 3
    assert len(list((exhibit / "data/compliance/projects/list").iterdir())) == 2


def bytes_of_first(served: Chatting) -> Callable[[WireRequest], bool]:
    """Whether the bytes of the first uploaded file are asked for."""
    return lambda request: request.path.endswith(f"/files/{first(served)}/content")


def first(served: Chatting) -> str:
    """The id of the file that the first chat names; that of a project came before it."""
    return served.world.library.things("file")[1]


def damaged(octets: bytes) -> bytes:
    """The same bytes with the last one changed."""
    return octets[:-1] + bytes([octets[-1] ^ 1])


def test_damaged_bytes_are_asked_for_once_more(served: Chatting) -> None:
    """Both answers are kept; the second holds, and what was found of the first stays found."""
    served.world.rewrite_next(damaged, match=lambda one: one.path.endswith(f"/files/{first(served)}"))
    served.world.rewrite_next(damaged, match=bytes_of_first(served))
    exhibit, result = served.run()
    kept = payload(exhibit)
    assert (kept[f"{FILE}.bin"], kept[f"{FILE}-2.bin"]) == (damaged(REPORT.octets), REPORT.octets)
    assert gaps(result) == {"content_unavailable": 1}
    assert findings(exhibit, "file/000001") == {"content_md5_differs": 1, "md5_differs": 1}
    assert streams(exhibit)["file/000001"]["item"] == f"{FILE}-2.bin"


@pytest.mark.parametrize("header", [True, False])
def test_bytes_that_stay_damaged_are_a_loss(served: Chatting, header: bool) -> None:
    """With `Content-MD5` or with the metadata's digest alone: two answers are kept, and the exhibit is incomplete."""
    served.world.rewrite_next(damaged, match=bytes_of_first(served), times=2)
    if not header:
        served.world.drop_header_next("content-md5", match=bytes_of_first(served), times=2)
    exhibit, result = served.run()
    assert (result.outcome, gaps(result)["digest_mismatch"]) == ("incomplete", 1)
    assert payload(exhibit)[f"{FILE}-2.bin"] == damaged(REPORT.octets)
    assert words(exhibit, "file/000001") == {"of": "file", "state": "digest_mismatch"}
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_a_document_without_its_text_is_unreadable(served: Chatting) -> None:
    """Its answer is kept as it came, twice."""
    document = served.world.library.things("document")[0]
    served.world.rewrite_next(lambda _: b'{"id":"x"}', match=lambda one: one.path.endswith(document), times=2)
    exhibit, result = served.run()
    assert gaps(result)["unreadable_answer"] == 1
    assert findings(exhibit, "document/000001") == {"no_text": 2, "other_thing": 2}


def test_an_encoded_file_is_kept_as_it_travelled(served: Chatting) -> None:
    """The digest is held against what it expands to as well; the name says that it is compressed."""
    served.world.gzip_next(match=bytes_of_first(served))
    exhibit, result = served.run()
    assert gaps(result) == {"content_unavailable": 1}
    assert f"{FILE}.bin.gz" in payload(exhibit)
    assert findings(exhibit, "file/000001") == {}


def test_what_is_gone_is_told_from_what_is_refused(served: Chatting) -> None:
    """A 404 is unavailable, a missing scope is not obtained, and neither ends the run."""
    gone, refused = served.world.library.things("file")[1:3]
    served.world.library.forget(gone)
    served.world.fail_next(403, match=refused, times=2)
    exhibit, result = served.run()
    assert gaps(result) == {"content_not_found": 1, "content_unavailable": 1, "refused": 2}
    states = {row["name"]: words(exhibit, key) for key, row in streams(exhibit).items() if key.startswith("file")}
    assert states[gone] == {"of": "file", "state": "gone"}
    assert states[refused] == {"about": "refused", "of": "file", "state": "refused"}


def test_a_file_that_goes_between_metadata_and_bytes_is_gone(served: Chatting) -> None:
    """The bytes' own 404 says the same."""
    served.world.fail_next(404, match=bytes_of_first(served))
    exhibit, result = served.run()
    assert gaps(result)["content_not_found"] == 1
    assert words(exhibit, "file/000001")["state"] == "gone"


def test_a_project_that_is_gone_or_deleted_is_told(tmp_path: Path, served: Chatting) -> None:
    """A 404 costs the project and none of its chats; a deleted one says so, and its attachments are gone."""
    world = served.world
    world.library.delete_project(served.projects[0], chat_world()[0].now())
    exhibit, result = served.run()
    assert gaps(result)["content_unavailable"] == 2
    assert words(exhibit, "project/000001")["state"] == "deleted"
    world.library.forget(served.projects[0])
    again, result = served.elsewhere(tmp_path / "again").run()
    assert gaps(result)["project_not_found"] == 1
    assert words(again, "project/000001") == {"state": "gone"}


def test_a_file_over_the_bound_is_a_stated_loss(served: Chatting) -> None:
    """It is not taken in, the others are, and an error in its place is not bounded by it."""
    gone = served.world.library.things("generated")[0]
    served.world.library.forget(gone)
    exhibit, result = served.run(limits=replace(LIMITS, file_max_bytes=len(REPORT.octets) - 1))
    assert gaps(result) == {"body_over_limit": 2, "content_not_found": 1, "content_unavailable": 1}
    assert words(exhibit, "file/000001")["state"] == "body_over_limit"
    assert f"{FILE}.bin" not in payload(exhibit)
    assert f"{STORED}/f000003/content/000001.bin" in payload(exhibit)


def test_a_redirect_of_a_file_is_not_followed(served: Chatting) -> None:
    """It is a loss of that file; nothing is asked of another place."""
    served.world.redirect_next("https://elsewhere.example/x", match=bytes_of_first(served))
    exhibit, result = served.run()
    assert gaps(result)["redirected"] == 1
    assert words(exhibit, "file/000001")["state"] == "redirected"


def test_a_file_that_breaks_off_is_asked_for_again(served: Chatting) -> None:
    """A body that ends early is no file."""
    served.world.fault_next(ShortBy(3), match=bytes_of_first(served))
    exhibit, result = served.run()
    assert gaps(result) == {"content_unavailable": 1}
    assert payload(exhibit)[f"{FILE}.bin"] == REPORT.octets


def test_a_file_that_holds_the_key_is_kept_nowhere(served: Chatting) -> None:
    """The bytes are dropped, and that is a loss."""
    secret = served.world.key().encode()
    served.world.rewrite_next(lambda octets: octets + secret, match=bytes_of_first(served))
    exhibit, result = served.run()
    assert gaps(result)["refused"] == 1
    assert not [path for path in exhibit.rglob("*") if path.is_file() and secret in path.read_bytes()]


def test_the_list_of_projects_may_be_refused_alone(tmp_path: Path, served: Chatting) -> None:
    """Without the scope for it the chats are here and the loss is stated; a source that fails can be resumed."""
    served.world.fail_next(403, match=lambda one: one.path.endswith("/projects"))
    exhibit, result = served.run()
    assert gaps(result) == {"content_unavailable": 1, "refused": 1}
    assert (exhibit / "data/compliance/projects/list/000001.refused").is_file()
    given = served.elsewhere(tmp_path / "down")
    served.world.fault_next(ShortBy(1), match=lambda one: one.path.endswith("/projects"), times=2)
    with pytest.raises(SourceUnreachable):
        given.run()
    assert given.resume().outcome == "all_given_with_losses"


def test_what_cannot_be_asked_for_is_a_gap(served: Chatting) -> None:
    """An entry without an id, an attachment of an unknown type, a project without an id: each is stated where it is."""
    served.world.rewrite_next(lambda body: body.replace(b'"id":"claude_file_', b'"id":"', 1).replace(
        b'"version_id":', b'"version":'), match=served.chats[0])  # fmt: skip
    served.world.rewrite_next(
        lambda body: body.replace(b'"project_doc"', b'"hologram"', 1), match=f"{served.projects[0]}/attachments"
    )
    served.world.rewrite_next(
        lambda body: body.replace(served.projects[1].encode(), b".."), match=lambda one: one.path.endswith("/projects")
    )
    exhibit, result = served.run(EVERYTHING)
    assert gaps(result)["unreadable_answer"] == 2 + 1 + 1
    assert findings(exhibit, "chat/000001") == {"unusable_id": 2}
    assert findings(exhibit, "project/000001") == {"unknown_attachment": 1}
