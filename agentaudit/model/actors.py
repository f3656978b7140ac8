"""Who acts, under what, with which tool, on which machine."""

from dataclasses import dataclass
from typing import Literal

from agentaudit.model.base import Frozen

EndpointClass = Literal["vendor", "other", "loopback", "local_service", "store", "synthetic"]


@dataclass(frozen=True, slots=True)
class Said:
    """What the user says about the act; examiner and authority fall back to the case's."""

    examiner: str | None = None
    authority: str | None = None
    note: str = ""
    clock_note: str = ""


class Actors(Frozen, frozen=True, kw_only=True):
    """The people's words about one act on a case."""

    examiner: str
    authority: str
    note: str = ""
    clock_note: str = ""


class Tool(Frozen, frozen=True, kw_only=True):
    """The program that acts: version, digest of its own code, interpreter, dependencies as (name, version)."""

    name: str
    version: str
    code_digest: str
    python: str
    dependencies: tuple[tuple[str, str], ...]


class Host(Frozen, frozen=True, kw_only=True):
    """The machine and the operating user, as the system states them."""

    node: str
    system: str
    machine: str
    user: str
    time_zone: str
    clock_synchronised: bool | None
    case_folder_open_to_others: bool | None = None


class Network(Frozen, frozen=True, kw_only=True):
    """How the source is reached: nothing here is secret."""

    api_root: str
    proxy: str | None
    ca_file_digest: str | None
    tls_verified: bool
    request_headers: tuple[tuple[str, str], ...]
    key_fingerprint: str
    requests_per_minute: int
    connections: int
