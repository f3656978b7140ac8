"""Every name in a case and in an exhibit, once.

- Payload names are neutral counters by role: lower-case ASCII letters, digits, `.`, `-`, `/`.
- A path is relative to the exhibit, with `/` on every system.
- A walk's id is its folder below `data/`.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

DATA = "data"
TAGS = "agentaudit"
PARTIAL = ".partial"

BAGIT = "bagit.txt"
BAG_INFO = "bag-info.txt"
MANIFEST = "manifest-sha256.txt"
TAG_MANIFEST = "tagmanifest-sha256.txt"

PACKAGE = "agentaudit/package.json"
JOURNAL = "agentaudit/journal.jsonl"
ITEMS = "agentaudit/items.jsonl"
ENTRIES = "agentaudit/entries.jsonl"
SESSIONS = "agentaudit/sessions.jsonl"
RECORDS = "agentaudit/records.jsonl"
EVENTS = "agentaudit/events.jsonl"
STREAMS = "agentaudit/streams.jsonl"
WALKS = "agentaudit/walks.jsonl"
TRUNCATIONS = "agentaudit/truncations.jsonl"
GAPS = "agentaudit/gaps.jsonl"
COVERAGE = "agentaudit/coverage.json"
VERIFY = "agentaudit/VERIFY.txt"
FORMAT = "agentaudit/FORMAT.md"

TAG_FILES = (
    BAG_INFO, BAGIT, COVERAGE, ENTRIES, EVENTS, FORMAT, GAPS, ITEMS, JOURNAL, MANIFEST, PACKAGE, RECORDS, SESSIONS,
    STREAMS, TRUNCATIONS, VERIFY, WALKS,
)  # fmt: skip

SET_ASIDE = "data/set-aside"

CASE = "case.json"
CUSTODY = "custody.jsonl"
REPORTS = "reports"
REPORT_HEAD = "custody-head.json"
REPORT_HEADS: Mapping[str, str] = MappingProxyType({REPORT_HEAD: "head", "export.json": "custody_head"})
"""The files of a report that name a custody row, and the key under which each names it."""

PATH_MAX = 200
COMPONENT_MAX = 100

_DEVICE = r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.[^/]*)?(?:/|\Z)"
_COMPONENT = rf"(?!{_DEVICE})[a-z0-9](?:[a-z0-9.-]{{0,{COMPONENT_MAX - 2}}}[a-z0-9-])?"
_PAYLOAD = re.compile(rf"{DATA}(?:/{_COMPONENT})+\Z")
_EXHIBIT = re.compile(r"EX-([0-9]{4,12})\Z")


def is_payload_name(path: str) -> bool:
    """True when the path is one that every checker on every system reads alike (forensics reference, section 4)."""
    return len(path) <= PATH_MAX and _PAYLOAD.match(path) is not None


def exhibit_name(number: int) -> str:
    """`EX-0001` for 1."""
    return f"EX-{number:04d}"


def exhibit_number(name: str) -> int | None:
    """The number in an exhibit's folder name, with or without `.partial`; None for any other name."""
    match = _EXHIBIT.match(name.removesuffix(PARTIAL))
    return int(match.group(1)) if match else None


def answer_path(walk: str, page: int, ask: int, suffix: str) -> str:
    """`data/<walk>/000003.json`; a page asked for again because its answer was unreadable gets `-2`."""
    again = f"-{ask}" if ask > 1 else ""
    return f"{DATA}/{walk}/{page:06d}{again}.{suffix}"


def travelling_names(exhibit: str) -> tuple[str, str]:
    """The copies of case.json and custody.jsonl that lie beside an exhibit which travels alone."""
    return f"{exhibit}.{CASE}", f"{exhibit}.{CUSTODY}"
