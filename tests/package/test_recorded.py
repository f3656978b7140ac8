"""What an interrupted exhibit already holds."""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.journal import (
    Answered,
    Closed,
    Counts,
    LossCounts,
    Noted,
    PayloadFile,
    PeerSeen,
    Resumed,
    SetAside,
    TornTail,
    Unanswered,
    WalkBegan,
    WalkEnded,
)
from agentaudit.model.losses import Gap
from agentaudit.model.walk import Ask, Request
from agentaudit.package.disk import SystemDisk
from agentaudit.package.recorded import Nothing, Recorded, payload_files
from agentaudit.package.writer import OpenExhibit, create_exhibit
from tests.support.around import ACTORS, HOST, TOOL
from tests.support.clock import StillClock
from tests.support.openings import opened_row
from tests.support.wires import exchange, page

BEGAN = WalkBegan(walk="w", kind="local_list", session=None, parameters=(), limits=None)
ENDED = WalkEnded(walk="w", reason="exhausted", pages=1, records=0)
NOTED = Noted(gap=Gap(kind="excluded", code="other_user", basis="rule"))
COUNTS = Counts(
    items=0, payload_bytes=0, walks=0, pages=0, sessions_seen=0, sessions_kept=0, sessions_excluded=0, messages=0,
    losses=LossCounts(),
)  # fmt: skip


def _ask(number: int, ask: int = 1) -> Ask:
    return Ask("w", number, Request("/w"), ask=ask)


def _unanswered(number: int, then: str) -> Unanswered:
    return msgspec.convert(
        {
            "event": "unanswered", "walk": "w", "page": number, "ask": 1,
            "exchange": msgspec.to_builtins(exchange(_ask(number), 1, page(b"", 503))),
            "failure": "status", "error_type": None, "error_code": None, "body_bytes": 0,
            "body_sha256": digest_of(b""), "next": then, "missed": None, "wait_ms": 0,
        },
        Unanswered,
    )  # fmt: skip


def _answered(item: PayloadFile, number: int, ask: int = 1) -> Answered:
    return Answered(
        walk="w",
        page=number,
        ask=ask,
        limits=None,
        exchange=exchange(_ask(number), 1, page()),
        content_encoding=None,
        media_type=None,
        item=item,
    )


@pytest.fixture
def exhibit(tmp_path: Path) -> OpenExhibit:
    """A new exhibit with its first row."""
    root = tmp_path / "EX-0001.partial"
    root.mkdir()
    return create_exhibit(root, opened_row, SystemDisk(), StillClock().now)


def test_an_answered_question_is_found_by_its_place(exhibit: OpenExhibit) -> None:
    """Walk, page and ask; the row is read again from the disk."""
    first, second = exhibit.keep("data/w/000001.json", b"{}"), exhibit.keep("data/w/000001-2.json", b"[]")
    exhibit.stage(_answered(first, 1))
    exhibit.stage(_answered(second, 1, ask=2))
    exhibit.settle()
    recorded = Recorded(exhibit.root)
    found = [recorded.answer(_ask(1, ask)) for ask in (1, 2)]
    assert [row.item.path for row in found if isinstance(row, Answered)] == [first.path, second.path]
    assert recorded.answer(_ask(2)) is None
    assert recorded.paths == {first.path, second.path}
    assert recorded.rows == 3
    assert recorded.opened.exhibit == "EX-0001"
    assert recorded.closed is None


def test_only_what_was_given_up_is_an_answer(exhibit: OpenExhibit) -> None:
    """What was to be retried, or stopped the run, is asked again."""
    for number, then in enumerate(("retry", "gave_up", "stopped"), 1):
        exhibit.stage(_unanswered(number, then))
    exhibit.settle()
    recorded = Recorded(exhibit.root)
    assert [recorded.answer(_ask(number)) is not None for number in (1, 2, 3)] == [False, True, False]


def test_what_a_walk_learned_is_known_again_whatever_its_envelope(exhibit: OpenExhibit) -> None:
    """The same row, whenever it was written; another row is not known."""
    for row in (BEGAN, ENDED, NOTED):
        assert not Recorded(exhibit.root).knows(row)
        exhibit.stage(row)
        exhibit.settle()
        assert Recorded(exhibit.root).knows(row)
        assert Recorded(exhibit.root).knows(msgspec.structs.replace(row, seq=99))
    assert not Recorded(exhibit.root).knows(msgspec.structs.replace(ENDED, pages=2))


def test_peers_and_what_was_set_aside_are_remembered(exhibit: OpenExhibit) -> None:
    """Certificates by digest, files that an earlier resumption moved, a torn tail that it copied."""
    exhibit.stage(PeerSeen(certificate_sha256=digest_of(b"der"), certificate_der_base64="ZGVy"))
    aside = SetAside(found="data/x", path="data/set-aside/000001", bytes=0, sha256=digest_of(b""))
    torn = TornTail(bytes=0, sha256=digest_of(b""), path="data/set-aside/tail-000001")
    resumed = Resumed(
        purpose="resume",
        actors=ACTORS,
        tool=TOOL,
        host=HOST,
        network=None,
        rows=2,
        set_aside=(aside,),
        torn_tail=torn,
    )
    exhibit.stage(resumed)
    exhibit.stage(msgspec.structs.replace(resumed, torn_tail=None))
    exhibit.stage(Closed(outcome="incomplete", counts=COUNTS))
    exhibit.settle()
    recorded = Recorded(exhibit.root)
    assert recorded.peers == {digest_of(b"der")}
    assert recorded.paths == {aside.path, torn.path}
    assert recorded.closed is not None
    assert recorded.closed.outcome == "incomplete"


def test_a_journal_is_indexed_up_to_its_torn_tail(exhibit: OpenExhibit) -> None:
    """Half a row is no row."""
    with (exhibit.root / layout.JOURNAL).open("ab") as stream:
        stream.write(b'{"event"')
    assert Recorded(exhibit.root).rows == 1


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"torn'])
def test_a_journal_that_does_not_begin_is_refused(exhibit: OpenExhibit, content: bytes) -> None:
    """Nothing was collected into it."""
    (exhibit.root / layout.JOURNAL).write_bytes(content)
    with pytest.raises(PackageFault, match="no journal that begins"):
        Recorded(exhibit.root)


def test_a_body_is_given_back_only_whole_and_unchanged(exhibit: OpenExhibit) -> None:
    """Shorter, longer, other bytes, gone, a link or a pipe in its place: refused, and the file is named."""
    item = exhibit.keep("data/w/000001.json", b"body")
    exhibit.settle()
    recorded, path = Recorded(exhibit.root), exhibit.root / item.path
    assert recorded.body(item) == b"body"
    path.chmod(0o600)  # a payload file is read-only from the first
    for other in (b"bod", b"body ", b"Body"):
        path.write_bytes(other)
        with pytest.raises(PackageFault, match=r"000001\.json is not what"):
            recorded.body(item)
    path.unlink()
    (exhibit.root / "elsewhere").write_bytes(b"body")
    puts: tuple[Callable[[], None], ...] = (
        lambda: None,
        lambda: path.symlink_to(exhibit.root / "elsewhere"),
        lambda: os.mkfifo(path),
    )
    for put in puts:
        put()
        with pytest.raises(PackageFault, match="is not what"):
            recorded.body(item)
        path.unlink(missing_ok=True)


def test_a_new_exhibit_has_recorded_nothing() -> None:
    """No row is known, no question answered, and no body can be asked for."""
    nothing = Nothing()
    assert not nothing.knows(BEGAN)
    assert nothing.answer(_ask(1)) is None
    assert (nothing.closed, nothing.peers) == (None, frozenset())
    with pytest.raises(PackageFault):
        nothing.body(PayloadFile(path="data/w/000001.json", bytes=0, sha256=digest_of(b"")))


def test_payload_files_are_found_below_data_alone(exhibit: OpenExhibit) -> None:
    """By their paths in the package, whatever lies beside `data/`."""
    for path in ("data/b/000001.json", "data/a/000001.json"):
        exhibit.keep(path, b"")
    (exhibit.root / "other").write_bytes(b"")
    assert list(payload_files(exhibit.root)) == ["data/a/000001.json", "data/b/000001.json"]


@pytest.mark.parametrize("kind", ["a link to a file", "a link to a folder", "a dangling link", "a pipe"])
def test_what_is_no_regular_file_stops_the_search(exhibit: OpenExhibit, kind: str) -> None:
    """A partial exhibit holds files and folders and nothing else."""
    place = exhibit.root / "data" / "odd"
    targets = {"a link to a file": layout.JOURNAL, "a link to a folder": layout.TAGS, "a dangling link": "nowhere"}
    if kind in targets:
        place.symlink_to(exhibit.root / targets[kind])
    else:
        os.mkfifo(place)
    with pytest.raises(PackageFault, match="no regular file"):
        list(payload_files(exhibit.root))
