"""Collections from a synthetic Compliance Logs Platform: they conform to the documented contract, faults included."""

import contextlib
import gzip
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import msgspec
import pytest

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.collect import collect, first_requests, resume_collection
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, Reach, ResumeCollection, SealPartial, Surroundings
from agentaudit.adapters.openai_logs.reading import OpenAiLogReader
from agentaudit.demo.faults import CloseBeforeAnswer, ShortBy
from agentaudit.demo.wire import WireRequest, WireResponse
from agentaudit.errors import AgentAuditError, SourceRefused, SourceUnreachable
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.base import Instant
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import OpenAiLogSelection
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.package.case import new_case_file, open_case
from agentaudit.sources.compliance.keys import Key
from agentaudit.verify import verify_exhibit
from tests.integration.runs import quick
from tests.support.around import ACTORS, hand, surroundings
from tests.support.clock import BEGIN
from tests.support.collecting import comparable, payload
from tests.support.disks import FailingDisk, Killed
from tests.support.openai_logs import (
    ADDRESS_CANARY,
    CANARY,
    WORKSPACE,
    Item,
    Platform,
    error,
    lines,
    record,
    reply,
    served,
    usual,
)

LIMITS = ReadLimits(file_max_bytes=200_000, connect_ms=1_000, read_ms=1_000, answer_ms=10_000, attempts=2)
EXHIBIT = "EX-0001"


def _selection(*types: str, owner: str = WORKSPACE) -> OpenAiLogSelection:
    return OpenAiLogSelection(
        owner_kind="workspace",
        owner=owner,
        event_types=types or ("CODEX_LOG",),
        after=Instant("2026-10-01T00:00:00.000000Z"),
    )


@dataclass
class Job:
    """A case folder and a platform; each run serves the platform anew at the same address."""

    folder: Path
    platform: Platform
    url: str = ""
    served: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        self.folder.mkdir(exist_ok=True)
        self.url = self.served.enter_context(served(self.platform))
        open_case(self.case, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
        return self

    def __exit__(self, *_: object) -> None:
        self.served.close()

    @property
    def case(self) -> Path:
        """The case's folder."""
        return self.folder / "case"

    @property
    def exhibit(self) -> Path:
        """The sealed exhibit."""
        return self.case / EXHIBIT

    def reach(self, secret: str = "") -> Reach:
        """At the platform, unhurried."""
        return Reach(self.url, Key(secret or self.platform.secret), 600_000, 2)

    def request(self, selection: OpenAiLogSelection | None = None, secret: str = "") -> Collect:
        """A collection of one event type, unless another selection is given."""
        argv = ("agentaudit", "collect-openai-logs")
        return Collect(self.case, selection or _selection(), None, LIMITS, self.reach(secret), Said(), argv)

    def collect(
        self,
        selection: OpenAiLogSelection | None = None,
        *,
        disk: FailingDisk | None = None,
        around: Surroundings | None = None,
        secret: str = "",
    ) -> SealedResult:
        """Collect into the first exhibit."""
        return collect(self.request(selection, secret), around or quick(), Silent(), disk)

    def resume(self, version: str = "0.1.0") -> SealedResult:
        """Go on with it, under a program version by which its requests can be told."""
        request = ResumeCollection(self.case, EXHIBIT, self.reach(), Said(), ("agentaudit",))
        return resume_collection(request, surroundings(version=version), Silent())

    def asked_by(self, version: str) -> int:
        """How many questions a run of that version put to the source."""
        return sum(one.header("user-agent") == f"agentaudit/{version}" for one in self.platform.requests)

    def events(self) -> list[EventRow]:
        """Its events."""
        found = (self.exhibit / layout.EVENTS).read_bytes().splitlines()
        return [msgspec.json.decode(line, type=EventRow) for line in found]

    def streams(self) -> dict[str, StreamRow]:
        """Its streams, by key."""
        found = (self.exhibit / layout.STREAMS).read_bytes().splitlines()
        return {row.stream: row for row in (msgspec.json.decode(line, type=StreamRow) for line in found)}

    def files(self) -> list[bytes]:
        """The files' bytes, in the order of their names."""
        return [path.read_bytes() for path in sorted((self.exhibit / "data/openai-logs/files").rglob("*.bin*"))]

    def holds(self, secret: str) -> list[str]:
        """The files of the case in which a text stands."""
        return [str(path) for path in self.case.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def _gaps(result: SealedResult) -> dict[str, int]:
    return {total.code: total.count for total in result.gaps}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def _times(count: int, answer: WireResponse, part: str) -> Callable[[WireRequest], WireResponse | None]:
    """So many answers of that kind to questions whose path ends so; then the real ones."""
    left = [count]

    def during(request: WireRequest) -> WireResponse | None:
        if request.path.endswith(part) and left[0]:
            left[0] -= 1
            return answer
        return None

    return during


def test_a_platform_is_collected_whole_and_verifies(tmp_path: Path) -> None:
    """Over three pages; each file once, byte by byte; the readings are rebuilt from the bytes."""
    platform = usual()
    platform.page_limit = 2
    with Job(tmp_path, platform) as job:
        result = job.collect()
        assert (result.outcome, result.endpoint_class) == ("all_given", "loopback")
        assert job.files() == [one.body for one in platform.files[:3]]
        assert len(job.events()) == 7
        streams = job.streams()
        assert [dict(streams[f"file/{number:06d}"].words)["digest"] for number in (1, 2, 3)] == ["agrees"] * 3
        assert _found(streams["feed/000001"]) == {}
        verdict = verify_exhibit(job.exhibit, readers=(OpenAiLogReader(),))
        assert verdict.integrity == "intact"


def test_neither_key_nor_address_nor_content_leaves_its_place(tmp_path: Path) -> None:
    """The key and every signature stand nowhere; texts and addresses of people stand in the files alone."""
    platform = usual()
    with Job(tmp_path, platform) as job:
        job.collect(_selection("CODEX_LOG", "CODEX_SECURITY_LOG"))
        assert len(platform.signatures) >= 4
        for secret in (platform.secret, *(signature[:40] for signature in platform.signatures)):
            assert job.holds(secret) == []
        for content in (CANARY, ADDRESS_CANARY):
            assert all("/data/openai-logs/files/" in path for path in job.holds(content))
        assert all(request.header("authorization") is None for request in platform.store_requests)


def test_lists_of_several_types_are_numbered_as_they_were_named(tmp_path: Path) -> None:
    """A file that two lists name is fetched once."""
    platform = usual()
    with Job(tmp_path, platform) as job:
        assert job.collect(_selection("CODEX_SECURITY_LOG", "CODEX_LOG")).outcome == "all_given"
        streams = job.streams()
        assert [dict(streams[f"feed/{number:06d}"].counts)["files_listed"] for number in (1, 2)] == [1, 3]
        assert streams["file/000001"].name == "eclf_0004"
        assert len(platform.store_requests) == 4


def test_every_page_repeats_the_question_and_moves_its_beginning(tmp_path: Path) -> None:
    """Event type and limit stand on each; the boundary's file comes twice and is fetched once."""
    platform = usual()
    platform.page_limit = 2
    with Job(tmp_path, platform) as job:
        job.collect()
        pages = [dict(request.query) for request in platform.requests if request.path.endswith("/logs")]
        assert [page["after"] for page in pages] == ["2026-10-01T00:00:00.000000Z", platform.files[1].end_time]
        assert {page["event_type"] for page in pages} == {"CODEX_LOG"}
        assert dict(job.streams()["feed/000001"].counts)["entries_repeated"] == 1
        assert len(platform.store_requests) == 3


def test_the_first_questions_are_known_before_any_answer(tmp_path: Path) -> None:
    """One list for each event type."""
    with Job(tmp_path, Platform()) as job:
        asks = first_requests(job.request(_selection("CODEX_LOG", "AUTH_LOG")))
        assert [dict(ask.request.query)["event_type"] for ask in asks] == ["CODEX_LOG", "AUTH_LOG"]


def test_a_platform_without_files_gives_nothing_and_says_so(tmp_path: Path) -> None:
    """An empty page is a page, and nothing is missing."""
    with Job(tmp_path, Platform()) as job:
        assert job.collect().outcome == "all_given"
        assert job.events() == []


@pytest.mark.parametrize(
    "document",
    [
        {"data": [], "has_more": True, "last_end_time": None},
        {"data": [], "has_more": True, "last_end_time": "2026-10-08T01:00:00Z"},
    ],
)
def test_a_list_that_says_there_is_more_and_leads_nowhere_ends_as_a_gap(tmp_path: Path, document: Item) -> None:
    """An empty page with null, and a beginning that comes again."""
    platform = usual()
    platform.during = lambda request: reply(document) if request.path.endswith("/logs") else None
    with Job(tmp_path, platform) as job:
        result = job.collect()
        assert (_gaps(result), result.outcome) == ({"cursor_repeated": 1}, "incomplete")
        assert _found(job.streams()["feed/000001"]) == {"list_end_absent": 1}


def test_more_files_at_one_end_than_a_page_holds_end_as_a_gap(tmp_path: Path) -> None:
    """The walk cannot come past them, and what it saw is fetched."""
    platform = usual()
    platform.page_limit = 1
    with Job(tmp_path, platform) as job:
        assert _gaps(job.collect()) == {"cursor_repeated": 1}
        assert len(job.files()) == 1


def test_a_list_of_empty_pages_without_end_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New beginnings alone do not keep a walk going for ever."""
    monkeypatch.setattr("agentaudit.sources.openai_logs.listing.EMPTY_PAGES_MAX", 3)
    platform = Platform()
    turns = iter(range(100))
    platform.during = lambda _request: reply({"data": [], "has_more": True, "last_end_time": f"t{next(turns)}"})
    with Job(tmp_path, platform) as job:
        assert _gaps(job.collect()) == {"cursor_repeated": 1}
        assert len(platform.requests) == 4


def test_a_page_that_is_no_page_is_asked_for_twice(tmp_path: Path) -> None:
    """Then the walk ends, and the bytes are kept."""
    platform = usual()
    platform.during = _times(2, WireResponse(200, (), b'{"data": 1}'), "/logs")
    with Job(tmp_path, platform) as job:
        assert _gaps(job.collect()) == {"unreadable_answer": 1}
        assert len(payload(job.exhibit)) == 2


def test_an_entry_that_cannot_be_asked_for_is_a_gap(tmp_path: Path) -> None:
    """The others are fetched."""
    platform = usual()
    platform.files[1].says = {"id": "a/b"}
    with Job(tmp_path, platform) as job:
        assert _gaps(job.collect()) == {"unreadable_answer": 1}
        assert len(job.files()) == 2
        assert "file_without_id" in (job.exhibit / layout.GAPS).read_text()


@pytest.mark.parametrize(
    ("says", "subject", "found"),
    [
        ({"file_size": 7}, "size", "size_unlike_listed"),
        ({"file_sha256": "0" * 64}, "sha256", "digest_unlike_listed"),
    ],
)
def test_a_file_that_stays_unlike_its_list_is_kept_and_a_gap(
    tmp_path: Path, says: Item, subject: str, found: str
) -> None:
    """It is asked for once more; both answers are here, and one of them is read."""
    platform = usual()
    platform.files[1].says = says
    with Job(tmp_path, platform) as job:
        result = job.collect()
        assert (_gaps(result), result.outcome) == ({"file_unlike_listed": 1}, "incomplete")
        assert f'"subject":"{subject}"' in (job.exhibit / layout.GAPS).read_text()
        row = job.streams()["file/000002"]
        assert (_found(row)[found], dict(row.counts)["earlier_answers"]) == (1, 1)
        assert len(job.events()) == 7
        assert verify_exhibit(job.exhibit, readers=(OpenAiLogReader(),)).integrity == "intact"


def test_a_file_that_was_spoilt_on_the_way_is_fetched_again(tmp_path: Path) -> None:
    """What came first is kept beside it; nothing is lost."""
    platform = usual()
    spoilt = platform.files[0].body.replace(b"success", b"failure")
    platform.during_store = _times(1, WireResponse(200, (), spoilt), "eclf_0001.jsonl")
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given"
        assert sorted(job.files()) == sorted([spoilt, *(one.body for one in platform.files[:3])])
        assert _found(job.streams()["file/000001"]) == {}


def test_a_spoilt_file_that_does_not_come_again_stays(tmp_path: Path) -> None:
    """The first answer is here, and is told to be unlike."""
    platform = usual()
    asked = iter([None, error(404, "gone"), error(404, "gone")])
    platform.files[0].says = {"file_size": 7}
    platform.during = lambda request: next(asked) if request.path.endswith("eclf_0001") else None
    with Job(tmp_path, platform) as job:
        assert _gaps(job.collect()) == {"file_unlike_listed": 1}
        assert _found(job.streams()["file/000001"]) == {"size_unlike_listed": 1}


def test_a_file_that_travels_packed_is_kept_packed_and_agrees(tmp_path: Path) -> None:
    """The digest of the list is that of the file."""
    platform = usual()
    packed = WireResponse(200, (("content-encoding", "gzip"),), gzip.compress(platform.files[0].body))
    platform.during_store = _times(1, packed, "eclf_0001.jsonl")
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given"
        assert job.files()[0] == packed.body
        assert len(job.events()) == 7


def test_an_ended_address_is_asked_for_anew(tmp_path: Path) -> None:
    """The source signs another one; no address is asked twice."""
    platform = usual()
    platform.once = True
    platform.during_store = _times(1, WireResponse(403, (), b"<Error/>"), "eclf_0002.jsonl")
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given"
        journal = (job.exhibit / layout.JOURNAL).read_text()
        assert journal.count('"failure":"address_refused"') == 1
        assert len({request.target for request in platform.store_requests}) == len(platform.store_requests)


def test_a_file_that_cannot_be_had_costs_itself(tmp_path: Path) -> None:
    """Gone, refused, sent to where nobody may be asked, refused at the store, over the limit: each is a gap."""
    platform = Platform()
    for number in range(1, 7):
        platform.add(record(number))
    platform.add(record(7, prompt_text="x" * 300_000))
    planned = {
        "eclf_0001": error(404, "gone"),
        "eclf_0002": error(403, "no"),
        "eclf_0003": WireResponse(307, (("location", "https://store.example.net/a?sig=x"),), b""),
        "eclf_0004": error(500, "internal"),
    }
    platform.during = lambda request: planned.get(request.path_segments[-1])
    platform.during_store = lambda request: WireResponse(403, (), b"") if "eclf_0005" in request.target else None
    with Job(tmp_path, platform) as job:
        result = job.collect()
        assert _gaps(result) == {
            "body_over_limit": 1, "log_file_not_found": 1, "redirected": 1, "refused": 1, "retries_exhausted": 2,
        }  # fmt: skip
        assert result.outcome == "incomplete"
        assert [event.id for event in job.events()] == ["cd000000-0000-4000-8000-000000000006"]
        assert _found(job.streams()["feed/000001"]) == {"listed_file_absent": 6}
        assert verify_exhibit(job.exhibit, readers=(OpenAiLogReader(),)).integrity == "intact"


def test_a_file_gone_at_the_source_is_a_statement_of_the_source(tmp_path: Path) -> None:
    """It kept it for its time: nothing of ours failed."""
    platform = usual()
    platform.during = _times(9, error(410, "gone"), "eclf_0001")
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given_with_losses"


@pytest.mark.parametrize(
    "fault",
    [error(429, "rate_limited", ("retry-after", "1")), error(503, "busy"), WireResponse(200, (), b"{}", ShortBy(1))],
)
@pytest.mark.parametrize("part", ["/logs", "eclf_0002"])
def test_a_passing_fault_is_waited_out(tmp_path: Path, fault: WireResponse, part: str) -> None:
    """One bad answer, then the good one; each attempt is a row."""
    platform = usual()
    platform.during = _times(1, fault, part)
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given"
        assert (job.exhibit / layout.JOURNAL).read_text().count('"event":"unanswered"') == 1


def test_a_store_that_breaks_off_is_asked_again_over_the_source(tmp_path: Path) -> None:
    """The address is the source's to give."""
    platform = usual()
    platform.during_store = _times(1, WireResponse(200, (), b"x", CloseBeforeAnswer()), "eclf_0001.jsonl")
    with Job(tmp_path, platform) as job:
        assert job.collect().outcome == "all_given"
        assert len(platform.signatures) == 4


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (error(401, "invalid"), SourceRefused),
        (error(403, "no_scope"), SourceRefused),
        (error(404, "not_found"), SourceRefused),
        (error(422, "missing"), SourceRefused),
        (WireResponse(307, (("location", "http://127.0.0.1:9/"),), b""), SourceRefused),
        (error(500, "internal"), SourceUnreachable),
        (error(429, "rate_limited"), SourceUnreachable),
    ],
)
def test_what_concerns_the_lists_ends_the_run(
    tmp_path: Path, answer: WireResponse, expected: type[AgentAuditError]
) -> None:
    """The partial stays, to be resumed."""
    platform = usual()
    platform.during = lambda request: answer if request.path.endswith("/logs") else None
    with Job(tmp_path, platform) as job:
        with pytest.raises(expected):
            job.collect()
        assert (job.case / f"{EXHIBIT}{layout.PARTIAL}").is_dir()


def test_a_key_of_another_vendor_asks_nothing(tmp_path: Path) -> None:
    """Not one request leaves."""
    with Job(tmp_path, usual()) as job:
        with pytest.raises(SourceRefused):
            job.collect(secret="-".join(("sk", "ant", "x")))
        assert job.platform.requests == []


def test_a_store_that_cannot_be_reached_ends_the_run_and_it_goes_on_later(tmp_path: Path) -> None:
    """What was answered is kept; the rest is fetched when it is there again."""
    platform = usual()
    with Job(tmp_path, platform) as job:
        at = platform.store_url
        platform.store_url = "http://127.0.0.1:9"
        with pytest.raises(SourceUnreachable):
            job.collect()
        platform.store_url = at
        asked = len(platform.requests)
        assert job.resume().outcome == "all_given"
        assert not any(request.path.endswith("/logs") for request in platform.requests[asked:])
        assert job.holds(platform.signatures[0][:40]) == []


def test_a_closed_partial_states_what_was_never_asked(tmp_path: Path) -> None:
    """Sealed as it stands, it asks nothing."""
    platform = usual()
    with Job(tmp_path, platform) as job:
        platform.store_url = "http://127.0.0.1:9"
        with pytest.raises(SourceUnreachable):
            job.collect()
        asked = len(platform.requests)
        result = seal_partial(SealPartial(job.case / f"{EXHIBIT}{layout.PARTIAL}", Said(), ("a",)), quick(), Silent())
        assert _gaps(result) == {"interrupted": 3}
        assert len(platform.requests) == asked


def _undisturbed(folder: Path) -> tuple[int, dict[str, bytes], dict[str, list[str]]]:
    disk = FailingDisk()
    with Job(folder, _odd()) as job:
        job.collect(disk=disk)
        return disk.calls, payload(job.exhibit), comparable(job.exhibit)


def _odd() -> Platform:
    """The usual files, of which one stays unlike its list."""
    platform = usual()
    platform.page_limit = 2
    platform.files[1].says = {"file_size": 7}
    return platform


@pytest.mark.parametrize("share", range(6))
def test_a_killed_collection_resumes_to_the_same(tmp_path: Path, share: int) -> None:
    """At sixths of its writes: the same payload, the same folds, nothing asked twice that was answered."""
    calls, files, folds = _undisturbed(tmp_path / "whole")
    with Job(tmp_path / "killed", _odd()) as job:
        disk = FailingDisk(1 + share * (calls - 1) // 6)
        with contextlib.suppress(Killed):
            job.collect(disk=disk)
        disk.release()
        partial = job.case / f"{EXHIBIT}{layout.PARTIAL}"
        if not job.exhibit.exists() and not (partial / layout.JOURNAL).is_file():
            assert job.platform.requests == []
            return
        if not job.exhibit.exists():
            *whole, _torn = (partial / layout.JOURNAL).read_bytes().split(b"\n")
            answered = sum(b'"event":"answered"' in line for line in whole)
            job.resume("0.1.0+resumed")
            assert job.asked_by("0.1.0+resumed") == len(files) - answered
        assert payload(job.exhibit) == files
        assert comparable(job.exhibit) == folds


def test_a_file_of_many_records_is_read_line_by_line(tmp_path: Path) -> None:
    """Each record is an event of its line."""
    platform = Platform()
    platform.add(*(record(number, prompt_text="x") for number in range(1, 150)))
    with Job(tmp_path, platform) as job:
        job.collect()
        assert [event.order for event in job.events()] == list(range(1, 150))
        assert json.loads(lines(record(1)))["event_id"] == job.events()[0].id
