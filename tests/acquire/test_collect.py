"""The use cases of collection: what they refuse, how they are interrupted, and how they go on."""

import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.collect import (
    collect,
    first_requests,
    resume_collection,
)
from agentaudit.acquire.progress import Silent, State
from agentaudit.acquire.request import ResumeCollection, SealPartial, Surroundings
from agentaudit.acquire.runs import FREE_LOW_BYTES, FREE_MIN_BYTES
from agentaudit.demo.errors import Documented
from agentaudit.errors import DestinationFault, Interrupted, NotSealed, UsageFault
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.actors import Said
from agentaudit.model.custody import ExhibitBegun, ExhibitResumed, ExhibitSealed
from agentaudit.model.journal import Answered, Opened, Resumed, Unanswered, WalkBegan, WalkEnded
from agentaudit.model.readings import ProvenanceWords, RecordRow
from agentaudit.model.selection import NamedSession, SessionSelection
from agentaudit.package.case import load_case
from tests.integration.runs import (
    EXHIBIT,
    LIMITS,
    LOCAL,
    Ended,
    Town,
    close,
    journal_rows,
    keyed,
    quick,
    resume,
    run,
    served,
    town,
)
from tests.support.clock import StillClock
from tests.support.collecting import Collecting, comparable, payload


class Usage(NamedTuple):
    """What the system says of a volume."""

    total: int
    used: int
    free: int


class Listening:
    """A listener that keeps what it hears."""

    def __init__(self) -> None:
        self.phases: list[str] = []
        self.warnings: list[str] = []

    def show(self, state: State) -> None:
        """Keep the phase."""
        if state.phase not in self.phases:
            self.phases.append(state.phase)

    def warn(self, sentence: str) -> None:
        """Keep the warning."""
        self.warnings.append(sentence)


@pytest.fixture
def place() -> Town:
    """The town."""
    return town()


@pytest.fixture
def job(tmp_path: Path, place: Town) -> Iterator[Collecting]:
    """The town, served, and a new case."""
    with served(tmp_path, place) as collecting:
        yield collecting


def _after(place: Town, requests: int) -> Callable[[], int | None]:
    """A signal that comes once so many requests were received."""
    return lambda: signal.SIGINT if len(place.world.requests) >= requests else None


def _interrupted(job: Collecting, place: Town, requests: int) -> Ended:
    ended = run(job, around=quick(_after(place, requests)))
    assert isinstance(ended.error, Interrupted)
    return ended


def _at(clock: StillClock) -> Surroundings:
    """Quick surroundings under a clock that tests move."""
    return replace(quick(), now=clock.now)


# --- what is refused --------------------------------------------------------------------------------------------------


def test_resuming_against_another_root_is_refused(job: Collecting, place: Town) -> None:
    """One exhibit speaks of one source; the message names the root that it was begun against."""
    _interrupted(job, place, 2)
    rows = (job.case / layout.CUSTODY).read_bytes()
    other = replace(job.reach(), api_root="http://127.0.0.1:9")
    with pytest.raises(UsageFault, match="another API root") as caught:
        resume_collection(ResumeCollection(job.case, EXHIBIT, other, Said(), ()), quick(), Silent())
    assert job.url in caught.value.hint
    assert (job.case / layout.CUSTODY).read_bytes() == rows


def test_a_sealed_exhibit_is_not_resumed(job: Collecting) -> None:
    """Nothing is left to resume, under either of its names."""
    run(job)
    assert isinstance(resume(job).error, DestinationFault)
    request = ResumeCollection(job.case, f"{EXHIBIT}{layout.PARTIAL}", job.reach(), Said(), ())
    with pytest.raises(DestinationFault, match="sealed already"):
        resume_collection(request, quick(), Silent())


def test_an_exhibit_that_is_not_there_is_not_resumed(job: Collecting) -> None:
    """A number that was never taken."""
    ended = resume(job)
    assert isinstance(ended.error, DestinationFault)
    assert "is not there" in ended.error.message


def test_a_partial_without_a_journal_is_not_sealed(job: Collecting) -> None:
    """Its run ended before the first row: there is nothing to go on with, and nothing to close."""
    partial = job.case / f"{EXHIBIT}{layout.PARTIAL}"
    partial.mkdir()
    assert isinstance(resume(job).error, NotSealed)
    with pytest.raises(NotSealed):
        seal_partial(SealPartial(partial, Said(), ()), quick(), Silent())


def test_only_a_partial_is_closed(job: Collecting) -> None:
    """A sealed exhibit, or any other folder, is no partial."""
    run(job)
    for path in (job.case / EXHIBIT, job.case):
        with pytest.raises(UsageFault, match="not a partial"):
            seal_partial(SealPartial(path, Said(), ()), quick(), Silent())


def _free(monkeypatch: pytest.MonkeyPatch, octets: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(octets, 0, octets))


def test_a_full_volume_is_refused_before_anything_is_begun(
    job: Collecting, place: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a new exhibit nor a resumption starts; the custody log stays as it was."""
    _free(monkeypatch, FREE_MIN_BYTES - 1)
    rows = (job.case / layout.CUSTODY).read_bytes()
    for ended in (run(job), resume(job)):
        assert isinstance(ended.error, DestinationFault)
        assert ended.status == 7
    assert place.world.requests == []
    assert (job.case / layout.CUSTODY).read_bytes() == rows
    _free(monkeypatch, FREE_MIN_BYTES)
    assert run(job).status == 0


@pytest.mark.parametrize(("octets", "warned"), [(FREE_LOW_BYTES - 1, True), (FREE_LOW_BYTES, False)])
def test_a_nearly_full_volume_is_warned_about(
    job: Collecting, monkeypatch: pytest.MonkeyPatch, octets: int, *, warned: bool
) -> None:
    """The run goes on; whoever listens is told how much is free."""
    _free(monkeypatch, octets)
    heard = Listening()
    collect(job.request(LOCAL), quick(), heard)
    assert any("MiB free" in sentence for sentence in heard.warnings) == warned


def test_a_key_that_may_delete_is_warned_about(job: Collecting, place: Town) -> None:
    """Collecting needs no such scope: the run goes on, and says so once."""
    heard = Listening()
    collect(replace(job.request(LOCAL), reach=keyed(job, place.world.key("can-delete"))), quick(), heard)
    assert len([sentence for sentence in heard.warnings if "may delete" in sentence]) == 1


def test_no_key_that_may_delete_is_no_warning(job: Collecting, place: Town) -> None:
    """Where the settings show only keys that read, nothing is said."""
    place.world.revoke_key("can-delete")
    heard = Listening()
    collect(job.request(LOCAL), quick(), heard)
    assert heard.warnings == []
    assert heard.phases[-1] == "sealing"


def test_the_password_of_a_proxy_is_not_recorded(job: Collecting) -> None:
    """The journal names the proxy without user and password."""
    way = replace(job.reach(connections=1), proxy="http://user:hidden@127.0.0.1:9/")
    ended = run(job, reach=way)
    assert ended.status == 6
    opened = ended.rows[0]
    assert isinstance(opened, Opened)
    assert opened.network is not None
    assert opened.network.proxy == "http://127.0.0.1:9/"
    assert b"hidden" not in (ended.root / layout.JOURNAL).read_bytes()


# --- who acts ---------------------------------------------------------------------------------------------------------


def test_custody_knows_of_an_exhibit_before_its_source_does(job: Collecting, place: Town) -> None:
    """`began` is written before the first request, and `sealed` holds the seal that was told."""
    seen: list[int] = []

    def look(octets: bytes) -> bytes:
        seen.append(len(list(load_case(job.case).rows())))
        return octets

    place.world.rewrite_next(look)
    result = run(job).sealed
    began, sealed = list(load_case(job.case).rows())[1:]
    assert seen == [2]
    assert isinstance(began, ExhibitBegun)
    assert isinstance(sealed, ExhibitSealed)
    assert (sealed.exhibit, sealed.seal, sealed.outcome) == (EXHIBIT, result.seal, "all_given")


def test_the_words_of_the_people_fall_back_to_the_case(job: Collecting) -> None:
    """Examiner and authority are the case's unless said; note and clock note are the run's own."""
    said = Said(examiner="F. Other", note="second look", clock_note="two seconds behind")
    collect(replace(job.request(LOCAL), said=said), quick(), Silent())
    row = journal_rows(job.case / EXHIBIT)[0]
    assert isinstance(row, Opened)
    assert (row.actors.examiner, row.actors.authority) == ("F. Other", "Order 7")
    assert (row.actors.note, row.actors.clock_note) == ("second look", "two seconds behind")


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("requests", range(1, 8))
def test_an_interrupted_run_goes_on_to_the_undisturbed_end(
    tmp_path: Path, job: Collecting, place: Town, requests: int
) -> None:
    """A signal after any request keeps a partial; nothing is asked twice, and payload and folds are the same."""
    whole = run(job.elsewhere(tmp_path / "whole"))
    asked = len(place.world.requests)
    ended = _interrupted(job, place, asked + requests)
    assert ended.status == 130
    again = resume(job)
    assert len(place.world.requests) == 2 * asked
    assert payload(again.root) == payload(whole.root)
    assert comparable(again.root) == comparable(whole.root)
    assert again.integrity == "intact"


def test_what_was_in_flight_at_a_signal_is_kept(job: Collecting, place: Town) -> None:
    """Every request that the source saw is in the journal, however the run ended."""
    _interrupted(job, place, 3)
    rows = journal_rows(job.case / f"{EXHIBIT}{layout.PARTIAL}")
    attempts = [row for row in rows if isinstance(row, Answered | Unanswered)]
    assert len(attempts) == len(place.world.requests)


def test_a_resumption_says_who_and_with_what(job: Collecting, place: Town) -> None:
    """Both logs hold it; selection and limits are those of the beginning."""
    ended = _interrupted(job, place, 3)
    rows = len(ended.rows)
    again = resume(job)
    (row,) = [row for row in again.rows if isinstance(row, Resumed)]
    assert (row.purpose, row.rows, row.set_aside, row.torn_tail) == ("resume", rows, (), None)
    assert row.network is not None
    (custody,) = [row for row in load_case(job.case).rows() if isinstance(row, ExhibitResumed)]
    assert (custody.exhibit, custody.purpose) == (EXHIBIT, "resume")
    (opened,) = [row for row in again.rows if isinstance(row, Opened)]
    assert opened.read_limits == LIMITS


def test_an_exhibit_is_closed_as_it_stands_without_a_request(job: Collecting, place: Town) -> None:
    """What was never asked is a gap; both logs say that it was closed, not collected further."""
    _interrupted(job, place, 3)
    asked = len(place.world.requests)
    ended = close(job)
    assert len(place.world.requests) == asked
    assert "interrupted" in ended.gaps
    assert (ended.sealed.outcome, ended.integrity) == ("incomplete", "intact")
    (row,) = [row for row in ended.rows if isinstance(row, Resumed)]
    assert (row.purpose, row.network) == ("seal", None)


def test_two_runs_on_one_case_get_a_number_each(job: Collecting, place: Town) -> None:
    """A run that begins while another is under way takes the next number, and both are sealed and whole."""
    inner: list[str] = []

    def stop() -> int | None:
        if place.world.requests and not inner:
            inner.append("")
            inner[0] = collect(job.request(LOCAL), quick(), Silent()).exhibit
        return None

    outer = run(job, around=quick(stop))
    assert (outer.sealed.exhibit, inner) == ("EX-0001", ["EX-0002"])
    assert payload(job.case / "EX-0001") == payload(job.case / "EX-0002")
    assert outer.integrity == "intact"


def test_the_first_requests_are_those_that_are_sent(job: Collecting, place: Town) -> None:
    """What a dry run shows is what the source is asked first, and showing it asks nothing."""
    named = SessionSelection(families=("local",), sessions=(NamedSession(family="local", id=place.short),))
    for selection in (LOCAL, named):
        asks = first_requests(replace(job.request(), selection=selection))
        assert place.world.requests == []
        paths = [ask.request.path for ask in asks]
        assert any(place.short in path or path.endswith("/sessions/local") for path in map(unquote, paths))


# --- what grows old ---------------------------------------------------------------------------------------------------


def _walks(ended: Ended, kind: str) -> list[tuple[str, str]]:
    ends = {row.walk: row.reason for row in ended.rows if isinstance(row, WalkEnded)}
    began = [row.walk for row in ended.rows if isinstance(row, WalkBegan) and row.kind == kind]
    return [(walk.rpartition("/")[2], ends[walk]) for walk in began]


def test_a_list_that_grew_old_ends_as_a_gap_and_a_new_one_begins(job: Collecting, place: Town) -> None:
    """After 24 hours a list token still works and skips silently: it is not used, and the list is walked anew."""
    place.world.set_page_shape(max_items=1)
    clock = StillClock()
    ended = run(job, around=replace(quick(_after(place, 1)), now=clock.now))
    assert isinstance(ended.error, Interrupted)
    clock.move(hours=24)
    again = resume(job, _at(clock))
    assert _walks(again, "local_list") == [("l01", "expired"), ("l02", "exhausted")]
    assert again.gaps == ["list_walk_expired"]
    assert (again.sealed.counts.sessions_kept, again.sealed.outcome) == (2, "incomplete")
    (row,) = again.unanswered
    assert (row.failure, row.next, row.missed, row.exchange.attempt) == ("not_sent", "gave_up", "stale", 0)
    assert again.integrity == "intact"


def test_a_list_that_is_a_second_younger_goes_on(job: Collecting, place: Town) -> None:
    """The limit is the age of the walk's first page."""
    place.world.set_page_shape(max_items=1)
    clock = StillClock()
    run(job, around=replace(quick(_after(place, 1)), now=clock.now))
    clock.move(hours=24, seconds=-1)
    again = resume(job, _at(clock))
    assert _walks(again, "local_list") == [("l01", "exhausted")]
    assert again.gaps == []


def test_a_transcript_that_grew_old_begins_anew_and_is_reconciled(job: Collecting, place: Town) -> None:
    """What was read before stays; each message is counted once, and the copies are marked as repeated."""
    clock = StillClock()
    first = place.pages(place.long)
    ended = run(
        job,
        around=replace(
            quick(lambda: signal.SIGTERM if any(first in one.path for one in place.world.requests) else None),
            now=clock.now,
        ),
    )
    assert ended.status == 143
    clock.move(hours=25)
    again = resume(job, _at(clock))
    assert ("messages", "expired") in _walks(again, "local_messages")
    assert ("messages02", "exhausted") in _walks(again, "local_messages")
    assert again.gaps == []
    assert (again.sealed.counts.messages, again.sealed.outcome) == (6, "all_given")
    assert _repeated(again) == 3
    assert again.integrity == "intact"


def test_a_cursor_that_the_source_calls_expired_does_the_same(job: Collecting, place: Town) -> None:
    """The refusal is kept, the walk begins anew without a page token, and nothing is lost or counted twice."""
    first = place.pages(place.long)
    case = Documented.EXPIRED_CURSOR
    place.world.problem_next(case, match=lambda request: first in request.path and "&page=" in request.target)
    ended = run(job)
    walks = _walks(ended, "local_messages")
    assert walks.count(("messages", "expired")) == 1
    assert ("messages02", "exhausted") in walks
    assert (ended.gaps, ended.sealed.counts.messages, _repeated(ended)) == ([], 6, 3)
    assert [row.exchange.status for row in ended.answered if row.item.path.endswith(".refused")] == [400]
    assert ended.integrity == "intact"


def test_a_transcript_that_expires_again_and_again_is_a_gap(job: Collecting, place: Town) -> None:
    """Three new beginnings are enough."""
    first = place.pages(place.long)
    place.world.problem_next(
        Documented.EXPIRED_CURSOR, match=lambda request: first in request.path and "&page=" in request.target, times=99
    )
    ended = run(job)
    assert [walk for walk, _ in _walks(ended, "local_messages")].count("messages04") == 1
    assert ended.gaps == ["messages_walk_expired"]
    assert ended.sealed.outcome == "incomplete"
    assert ended.integrity == "intact"


def test_the_placeholder_of_retention_is_one_loss_whatever_its_identifier(job: Collecting, place: Town) -> None:
    """Retention moves while a transcript is read twice: two placeholders, two identifiers, one gap."""
    world, first = place.world, place.pages(place.long)
    begun = world.local(place.long).calls[0].at
    world.touch_session(place.long, at=begun + timedelta(minutes=5))
    world.touch_session(place.long, at=begun + timedelta(minutes=9))
    world.advance_retention(begun + timedelta(seconds=30))

    def later(octets: bytes) -> bytes:
        world.advance_retention(begun + timedelta(minutes=2))
        return octets

    world.rewrite_next(later, match=first)
    world.problem_next(
        Documented.EXPIRED_CURSOR, match=lambda request: first in request.path and "&page=" in request.target
    )
    ended = run(job)
    words = ProvenanceWords(type="content_unavailable", reason="retention_elapsed")
    elapsed = [row for row in _records(ended) if row.provenance == words]
    assert len({row.id for row in elapsed}) == 2
    assert [row.repeated for row in elapsed] == [False, True]
    assert ended.gaps == ["retention_elapsed"]
    assert ended.sealed.counts.losses.unavailable == 1
    assert ended.integrity == "intact"


def test_a_message_that_comes_twice_is_marked_and_counted_once(job: Collecting, place: Town) -> None:
    """Delivery is at least once: the copy at the head of the next page is there, and is not another message."""
    place.world.duplicate_next(match=place.pages(place.long))
    ended = run(job)
    assert _repeated(ended) == 1
    assert len(_records(ended)) == 7
    assert ended.sealed.counts.messages == 6
    assert ended.integrity == "intact"


def test_without_duplicates_nothing_is_marked(job: Collecting) -> None:
    """The mark can be missing."""
    ended = run(job)
    assert (_repeated(ended), len(_records(ended))) == (0, 6)


def _records(ended: Ended) -> list[RecordRow]:
    rows = [
        LINE_CODECS[layout.RECORDS].decode(line) for line in (ended.root / layout.RECORDS).read_bytes().splitlines()
    ]
    return [row for row in rows if isinstance(row, RecordRow)]


def _repeated(ended: Ended) -> int:
    return sum(row.repeated for row in _records(ended))
