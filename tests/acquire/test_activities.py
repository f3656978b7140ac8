"""The activity feed of a closed window, and the witness of a collection, over a loopback socket."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentaudit.acquire.collect import collect, first_requests
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, Surroundings
from agentaudit.cli.readers import page_readers
from agentaudit.corroborate import corroborate
from agentaudit.demo.world import World
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.limits import ReadLimits
from agentaudit.model.selection import ActivitySelection, SessionSelection, Window
from agentaudit.verify import verify_exhibit
from tests.support.around import surroundings
from tests.support.clock import StillClock
from tests.support.collecting import Collecting, collecting

MOMENT = datetime(2026, 10, 8, 12, tzinfo=UTC)


class Time(StillClock):
    """The clock of the run and of the source; it moves on whenever somebody looks, so that waiting ends."""


@contextmanager
def standing(folder: Path, *, steps_ms: int = 0) -> Iterator[tuple[Collecting, Surroundings, Time]]:
    """An organisation in which ada opened chats, and a clock that both sides read."""
    time = Time(moment=MOMENT, steps_ms=steps_ms)
    world = World(lambda: time.moment)
    world.set_budget(shared=10**6, remote=10**6)
    world.add_session(at=MOMENT - timedelta(days=1), turns=1)
    ada, part = world.users[0], world.organizations[0].uuid
    for number in range(7):
        world.act("claude_chat_viewed", MOMENT - timedelta(hours=1, minutes=number), ada, part, title=f"title {number}")
    with collecting(folder, world) as job:
        yield job, surroundings(now=time.now, monotonic_ms=time.monotonic_ms), time


def asked(job: Collecting, *, order: str = "desc", **more: object) -> Collect:
    """A collection of the activities of the last day."""
    window = Window(begins=None, ends="2026-10-08T11:59:00.000000Z")  # type: ignore[arg-type] # the text is an instant
    selection = ActivitySelection(window=window, order=order, **more)  # type: ignore[arg-type] # one of two words
    return Collect(job.case, selection, None, ReadLimits(attempts=2), job.reach(), Said(), ())


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_feed_is_walked_to_its_end_in_both_directions(tmp_path: Path, order: str) -> None:
    """Each page leads on by its last id, whichever the order; nothing is lost or repeated."""
    with standing(tmp_path) as (job, around, _):
        result = collect(asked(job, order=order), around, Silent())
        exhibit = Path(result.path)
        events = (exhibit / layout.EVENTS).read_text().splitlines()
        assert (result.outcome, result.counts.pages, len(events)) == ("all_given", 4, 7)
        (stream,) = (exhibit / layout.STREAMS).read_text().splitlines()
        assert '"findings":[]' in stream
        assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two activities a page."""
    monkeypatch.setattr("agentaudit.sources.compliance.requests.ACTIVITIES_LIMIT", 2)


def test_a_feed_that_is_refused_ends_the_run(tmp_path: Path) -> None:
    """A key without the scope reads no feed; the run can go on with another."""
    with standing(tmp_path) as (job, around, _):
        request = asked(job)
        refused = Collect(
            job.case, request.selection, None, ReadLimits(), job.reach(key=job.world.key("content-only")), Said(), ()
        )
        with pytest.raises(SourceRefused):
            collect(refused, around, Silent())


def test_a_console_admin_key_reads_the_feed_and_an_api_key_does_not(tmp_path: Path) -> None:
    """The one is refused by nobody, the other before it is sent."""
    with standing(tmp_path) as (job, around, _):
        request = asked(job)
        admin = Collect(
            job.case, request.selection, None, ReadLimits(), job.reach(key=job.world.key("admin")), Said(), ()
        )
        assert collect(admin, around, Silent()).outcome == "all_given"
        model = Collect(
            job.case, request.selection, None, ReadLimits(), job.reach(key=job.world.key("model")), Said(), ()
        )
        sent = len(job.world.requests)
        with pytest.raises(SourceRefused):
            collect(model, around, Silent())
        assert len(job.world.requests) == sent


def test_the_first_request_holds_window_filters_and_order(tmp_path: Path) -> None:
    """What a dry run shows is what would be asked."""
    with standing(tmp_path) as (job, _, __):
        request = asked(job, types=("a",), actors=("user_1",), organizations=("0",))
        (ask,) = first_requests(request)
        assert ask.request.path == "/v1/compliance/activities"
        assert ask.request.query == (
            ("created_at.lt", "2026-10-08T11:59:00.000000Z"), ("activity_types[]", "a"), ("actor_ids[]", "user_1"),
            ("organization_ids[]", "0"), ("order", "desc"), ("limit", "1000"),
        )  # fmt: skip


def witnessed(folder: Path) -> Path:
    """A collection that keeps its own witness."""
    with standing(folder, steps_ms=5_000) as (job, around, _):
        selection = SessionSelection(families=("local",), witness=True)
        request = Collect(job.case, selection, job.request().limits, ReadLimits(), job.reach(1), Said(), ())
        return Path(collect(request, around, Silent()).path)


def test_a_collection_keeps_the_feed_of_its_own_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source is given its time; then each request is found again by its id, and the exhibit verifies."""
    monkeypatch.setattr("agentaudit.acquire.pump.POLL_S", 0.001)  # the clock moves whenever somebody looks
    exhibit = witnessed(tmp_path)
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"
    found = corroborate(exhibit, exhibit)
    assert found.feed_is_whole
    assert (found.missing, found.without_id, found.status_differs, found.not_covered) == (0, 0, 0, 0)
    assert found.matched == found.requests > 0


def test_a_feed_shows_what_it_does_not_know(tmp_path: Path) -> None:
    """Requests behind the window are not covered; those of the same key that are not ours are counted apart."""
    with standing(tmp_path, steps_ms=50) as (job, around, time):
        collected = Path(collect(job.request(SessionSelection(families=("local",))), around, Silent()).path)
        time.move(minutes=5)
        ends = (time.moment - timedelta(minutes=2)).isoformat(timespec="microseconds").replace("+00:00", "Z")
        selection = ActivitySelection(window=Window(begins=None, ends=ends))  # type: ignore[arg-type] # an instant
        fed = Collect(job.case, selection, None, ReadLimits(), job.reach(), Said(), ())
        feed = Path(collect(fed, around, Silent()).path)
        later = Path(collect(job.request(SessionSelection(families=("local",))), around, Silent()).path)
        assert corroborate(collected, feed).missing == 0
        behind = corroborate(later, feed)
        assert (behind.matched, behind.missing) == (0, 0)
        assert behind.not_covered == behind.requests
        with pytest.raises(UsageFault):
            corroborate(collected, later)


def test_a_request_that_the_feed_lacks_is_missing(tmp_path: Path) -> None:
    """The feed covers its time and does not name it: that is said with its row."""
    with standing(tmp_path, steps_ms=50) as (job, around, time):
        collected = Path(collect(job.request(SessionSelection(families=("local",))), around, Silent()).path)
        job.world.forget_activities()
        time.move(minutes=5)
        ends = (time.moment - timedelta(minutes=2)).isoformat(timespec="microseconds").replace("+00:00", "Z")
        selection = ActivitySelection(window=Window(begins=None, ends=ends))  # type: ignore[arg-type] # an instant
        fed = Collect(job.case, selection, None, ReadLimits(), job.reach(), Said(), ())
        found = corroborate(collected, Path(collect(fed, around, Silent()).path))
        assert found.missing == found.requests == len(found.missing_requests)
        assert found.missing_requests[0].request_id is not None
