"""An `opened` row and an `answered` row with fixed words."""

from agentaudit.model.actors import Network
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import Answered, CustodyHead, Exchange, Opened, PayloadFile
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.local import FileState, nano_instant
from agentaudit.model.selection import SessionSelection
from agentaudit.model.storejournal import Entry, Kept
from tests.support.around import ACTORS, HOST, TOOL

NETWORK = Network(
    api_root="http://127.0.0.1:1",
    proxy=None,
    ca_file_digest=None,
    tls_verified=False,
    request_headers=(),
    key_fingerprint="0" * 16,
    requests_per_minute=300,
    connections=4,
)


def opened_row(exhibit: str = "EX-0001", head: CustodyHead | None = None) -> Opened:
    """The first row of a small exhibit."""
    return Opened(
        case="N-1",
        exhibit=exhibit,
        source="compliance",
        adapter="compliance/1",
        endpoint_class="loopback",
        selection=SessionSelection(families=("local",)),
        limits=ByteLimits(),
        read_limits=ReadLimits(),
        actors=ACTORS,
        custody_head=head or CustodyHead(seq=1, digest=digest_of(b"")),
        argv=("agentaudit", "collect-sessions"),
        tool=TOOL,
        host=HOST,
        network=NETWORK,
    )


def answered_row(walk: str, body: bytes, page: int = 1, status: int = 200) -> Answered:
    """The row of an answer with that body."""
    exchange = Exchange(
        method="GET",
        url="http://127.0.0.1:1/v1/things",
        query=(),
        cursor=None,
        attempt=1,
        asked_at=Instant("2026-10-08T12:00:00.000000Z"),
        elapsed_ms=1,
        status=status,
        headers=(),
        request_id="req_1",
        server_date=None,
        clock=None,
        http_version="HTTP/1.1",
        peer=None,
        tls=None,
    )
    item = PayloadFile(path=f"data/{walk}/{page:06d}.json", bytes=len(body), sha256=digest_of(body))
    return Answered(
        walk=walk,
        page=page,
        ask=1,
        limits=None,
        exchange=exchange,
        content_encoding=None,
        media_type="application/json",
        item=item,
    )


def file_state() -> FileState:
    """A file of one byte, as it was seen."""
    at = nano_instant(1_767_225_600_000_000_000)
    return FileState(
        size_bytes=1, modified_at=at, changed_at=at, accessed_at=at, born_at=None, mode=0o100600, user_id=0,
        group_id=0, owner=None, group=None, device="1", inode="1", links=1, allocated_bytes=None,
    )  # fmt: skip


def entry_row(number: int = 1, name: str = "a.json") -> Entry:
    """A file that is to be preserved."""
    return Entry(
        survey=1, root="r1", number=number, name=name, kind="file", state=file_state(), decision="preserve",
        rule="selected", role="handed_over", category="handed-over", session=None,
    )  # fmt: skip


def kept_row(number: int = 1) -> Kept:
    """A file of one byte that was copied."""
    return Kept(
        survey=1, root="r1", entry=number, role="handed_over", session=None,
        item=PayloadFile(path=f"data/telemetry/r1/shared/files/{number:06d}.bin", bytes=1, sha256=digest_of(b"a")),
        before=file_state(), after=None, change="none", complete=True, tries=1, access_time_kept=None,
    )  # fmt: skip
