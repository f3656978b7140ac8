"""The frozen, validated requests of the collection commands, and what surrounds a run.

- Every default is resolved here; nothing has been read or asked yet.
- Clock, signals, tool and host come in as values and functions: no floor below the command line looks for them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agentaudit.model.actors import Host, Said, Tool
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.losses import Gap
from agentaudit.model.selection import Selection, StoreSelection
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.local.roots import Surrounding


@dataclass(frozen=True, slots=True)
class Reach:
    """How the source is reached; `key` prints only its length."""

    api_root: str
    key: Key
    requests_per_minute: int
    connections: int
    ca_file: Path | None = None
    proxy: str | None = None


@dataclass(frozen=True, slots=True)
class Collect:
    """Collect from an API into a new exhibit of a case; `limits` only where the API takes any."""

    case: Path
    selection: Selection
    limits: ByteLimits | None
    read_limits: ReadLimits
    reach: Reach
    said: Said
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResumeCollection:
    """Go on with an interrupted exhibit, with its own recorded selection and limits."""

    case: Path
    exhibit: str
    reach: Reach
    said: Said
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreserveBundle:
    """Preserve a local store, or files that were handed over, in a new exhibit of a case; `workers` 0: one a core.

    `gaps`: what was not obtained when the files were made, if they were made for this exhibit.
    """

    case: Path
    selection: StoreSelection
    surrounding: Surrounding
    said: Said
    argv: tuple[str, ...]
    workers: int = 0
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class ResumePreservation:
    """Go on with an interrupted preservation, with its own recorded selection."""

    case: Path
    exhibit: str
    surrounding: Surrounding
    said: Said
    argv: tuple[str, ...]
    workers: int = 0


@dataclass(frozen=True, slots=True)
class SealPartial:
    """Close an interrupted exhibit as it stands, without asking its source again."""

    partial: Path
    said: Said
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The world of one run: `now` is aware UTC, `monotonic_ms` never steps back, `stop` gives a signal's number."""

    now: Callable[[], datetime]
    monotonic_ms: Callable[[], int]
    stop: Callable[[], int | None]
    tool: Tool
    host: Host
