"""The scribe with no pump: what is written of an answer, what is given back of it, and what is refused."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentaudit.acquire.journalling import STAGED_MAX, Scribe, answer_suffix
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.attempt import Attempted
from agentaudit.model.journal import Act, PeerSeen, Unanswered, WalkBegan
from agentaudit.model.walk import Answer, Ask, Decline, Failure, Kept, Missed, Request, Retry, Stop
from agentaudit.package.disk import SystemDisk
from agentaudit.package.recorded import Nothing, Recorded
from agentaudit.package.rows import read_log
from agentaudit.package.writer import OpenExhibit, create_exhibit, reopen_exhibit
from tests.support.around import surroundings
from tests.support.openings import opened_row
from tests.support.wires import SimplePolicy, exchange

BODY = b'{"id":"1"}'


def now() -> datetime:
    """The real clock."""
    return datetime.now(UTC)


def exhibit(tmp_path: Path) -> OpenExhibit:
    """An exhibit that was just begun."""
    root = tmp_path / "EX-0001.partial"
    root.mkdir()
    return create_exhibit(root, opened_row, SystemDisk(), now)


def ask(page: int = 1, path: str = "/a/1", query: tuple[tuple[str, str], ...] = ()) -> Ask:
    """A question of one walk."""
    return Ask("a", page, Request(path, query))


def attempted(one: Ask, status: int = 200, body: bytes = BODY, certificate: bytes | None = None) -> Attempted:
    """An answer with that body."""
    outcome = Answer(status, (("content-type", "application/json"),), body)
    return Attempted(exchange(one, 1, outcome), outcome, body, certificate)


def rows(root: Path) -> list[Act]:
    """The rows that are in the file now, without the first."""
    links = read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act)
    return [link.row for link in links if not isinstance(link, Break)][1:]


def reopened(tmp_path: Path, *writes: tuple[Ask, int]) -> Scribe:
    """A scribe of a second run, after a first one kept or refused these."""
    first = exhibit(tmp_path)
    scribe = Scribe(first, Nothing(), surroundings())
    for one, status in writes:
        if status == 200:
            scribe.kept(one, attempted(one))
        else:
            scribe.refusal(one, attempted(one, status))
    scribe.settle()
    first.release()
    again = reopen_exhibit(first.root, SystemDisk(), now)
    return Scribe(again, Recorded(first.root), surroundings())


def test_nothing_is_in_the_journal_before_it_is_settled(tmp_path: Path) -> None:
    """The row follows its file: staged, then committed."""
    held = exhibit(tmp_path)
    scribe = Scribe(held, Nothing(), surroundings())
    kept = scribe.kept(ask(), attempted(ask()))
    assert rows(held.root) == []
    scribe.settle()
    assert (held.root / kept.item).read_bytes() == BODY
    assert len(rows(held.root)) == 1


def test_rows_are_committed_before_too_many_wait(tmp_path: Path) -> None:
    """Memory is bounded: the row that fills the group settles it."""
    held = exhibit(tmp_path)
    scribe = Scribe(held, Nothing(), surroundings())
    began = [
        WalkBegan(walk=f"w{number}", kind="local_messages", session=None, parameters=(), limits=None)
        for number in range(STAGED_MAX)
    ]
    scribe.learn(tuple(began[:-1]))
    assert rows(held.root) == []
    scribe.learn((began[-1],))
    assert len(rows(held.root)) == STAGED_MAX


def test_a_recorded_answer_is_given_back_and_judged_as_it_was(tmp_path: Path) -> None:
    """A page is a page again; a refusal that ended a walk is the same miss, with the body's place."""
    gone = ask(2, "/a/2")
    scribe = reopened(tmp_path, (ask(), 200), (gone, 404))
    page = scribe.replay(ask(), SimplePolicy())
    assert isinstance(page, Kept)
    assert (page.body, page.item) == (BODY, "data/a/000001.json")
    assert scribe.replay(gone, SimplePolicy()) == Missed("session_not_found", 404, item="data/a/000002.refused")
    assert scribe.replay(ask(3, "/a/3"), SimplePolicy()) is None


@pytest.mark.parametrize("other", [ask(path="/b/1"), ask(query=(("limit", "7"),))])
def test_the_answer_to_another_question_is_never_given_back(tmp_path: Path, other: Ask) -> None:
    """Another release may give another walk the same name: that ends the run, with what to do."""
    scribe = reopened(tmp_path, (ask(), 200))
    with pytest.raises(PackageFault, match="another question in a, page 1") as told:
        scribe.replay(other, SimplePolicy())
    assert told.value.hint is not None
    assert "agentaudit seal" in told.value.hint


def test_a_body_that_is_not_what_was_journalled_is_refused(tmp_path: Path) -> None:
    """It was changed on the disk: it is not handed to a walk as the source's answer."""
    scribe = reopened(tmp_path, (ask(), 200))
    path = tmp_path / "EX-0001.partial/data/a/000001.json"
    path.chmod(0o600)
    path.write_bytes(b'{"id":"2"}')
    with pytest.raises(PackageFault):
        scribe.replay(ask(), SimplePolicy())


def test_what_an_earlier_run_learned_is_not_written_again(tmp_path: Path) -> None:
    """The row is there already; another one is new."""
    first = exhibit(tmp_path)
    known, new = (
        WalkBegan(walk=walk, kind="local_messages", session=None, parameters=(), limits=None) for walk in ("a", "b")
    )
    scribe = Scribe(first, Nothing(), surroundings())
    scribe.learn((known,))
    scribe.settle()
    first.release()
    again = Scribe(reopen_exhibit(first.root, SystemDisk(), now), Recorded(first.root), surroundings())
    again.learn((known, new))
    again.settle()
    assert [row.walk for row in rows(first.root) if isinstance(row, WalkBegan)] == ["a", "b"]


def test_each_kind_of_failure_leaves_its_own_row(tmp_path: Path) -> None:
    """A wire that broke, a retry with its wait, a decline with its reason, a stop; foreign words are made writable."""
    held = exhibit(tmp_path)
    scribe = Scribe(held, Nothing(), surroundings())
    broken = Attempted(exchange(ask(), 1, Failure("reset")), Failure("reset"), b"half", None)
    scribe.unanswered(ask(), broken, "retry", Retry(250, "why", "busy\ud800", None))
    declined = Decline(Missed("retries_exhausted", 503, "busy"), keep=False)
    scribe.unanswered(ask(), attempted(ask(), 503), "gave_up", declined)
    scribe.unanswered(ask(), attempted(ask(), 401), "stopped", Stop("refused", "no", "hint"))
    missed = scribe.not_sent(ask(2), "stale")
    scribe.settle()
    told = [row for row in rows(held.root) if isinstance(row, Unanswered)]
    assert [(row.failure, row.next, row.missed, row.wait_ms, row.error_type, row.body_bytes) for row in told] == [
        ("reset", "retry", None, 250, "busy?", 4),
        ("status", "gave_up", "retries_exhausted", 0, "busy", len(BODY)),
        ("status", "stopped", None, 0, None, len(BODY)),
        ("not_sent", "gave_up", "stale", 0, None, 0),
    ]
    assert missed == Missed("stale")
    assert told[-1].exchange.attempt == 0


def test_a_certificate_that_an_earlier_run_kept_is_not_kept_again(tmp_path: Path) -> None:
    """Another one is."""
    first = exhibit(tmp_path)
    scribe = Scribe(first, Nothing(), surroundings())
    scribe.kept(ask(), attempted(ask(), certificate=b"one"))
    scribe.settle()
    first.release()
    again = Scribe(reopen_exhibit(first.root, SystemDisk(), now), Recorded(first.root), surroundings())
    for page, certificate in ((2, b"one"), (3, b"two"), (4, b"two")):
        again.kept(ask(page), attempted(ask(page), certificate=certificate))
    again.settle()
    assert len([row for row in rows(first.root) if isinstance(row, PeerSeen)]) == 2


@pytest.mark.parametrize(
    ("encoding", "suffix"),
    [(None, "json"), ("Identity", "json"), ("GZIP", "json.gz"), ("x-gzip", "json.gz"), ("br", "json.encoded"),
     ("gzip, br", "json.encoded"), ("../../etc", "json.encoded")],
)  # fmt: skip
def test_the_ending_of_an_answer_is_one_of_ours(encoding: str | None, suffix: str) -> None:
    """Whatever the header says, no part of it becomes a name; what is no page has the ending of a file."""
    assert answer_suffix("json", encoding) == suffix
    assert answer_suffix("bin", encoding) == suffix.replace("json", "bin")
