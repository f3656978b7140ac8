"""An `opened` row with fixed words."""

from agentaudit.model.actors import Network
from agentaudit.model.base import digest_of
from agentaudit.model.journal import CustodyHead, Opened
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.selection import SessionSelection
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
