"""The JSON Schema of each tag file, of a case's files, and of what `verify --json` and `verify-jsonl --json` print.

- They are generated from the types and shipped as files beside this module; the tests hold the two together.
- The schema of a `.jsonl` file is that of one of its lines.
"""

from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.encoding.schemas import schema_of
from agentaudit.format import layout
from agentaudit.model.custody import CaseFile, CustodyEvent, HeadFile
from agentaudit.model.event import Event
from agentaudit.model.framing import JsonlVerdict
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Entry
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.model.tagfiles import CoverageFile, ItemRow, PackageFile, WalkRow
from agentaudit.model.verdict import CaseVerdict, Verdict

_KINDS: Mapping[str, object] = MappingProxyType(
    {
        layout.PACKAGE: PackageFile,
        layout.JOURNAL: Event,
        layout.ENTRIES: Entry,
        layout.ITEMS: ItemRow,
        layout.WALKS: WalkRow,
        layout.GAPS: Gap,
        layout.SESSIONS: AnySession,
        layout.RECORDS: RecordRow,
        layout.TRUNCATIONS: Truncation,
        layout.EVENTS: EventRow,
        layout.STREAMS: StreamRow,
        layout.COVERAGE: CoverageFile,
        layout.CASE: CaseFile,
        layout.CUSTODY: CustodyEvent,
        layout.REPORT_HEAD: HeadFile,
        "verdict.json": Verdict,
        "case-verdict.json": CaseVerdict,
        "jsonl-verdict.json": JsonlVerdict,
    }
)


def schema_names() -> tuple[str, ...]:
    """The files that have a schema: paths of an exhibit or a case, or the names of documents."""
    return tuple(_KINDS)


def schema_file(name: str) -> str:
    """The name of the shipped file that holds a schema: `package.schema.json` for `agentaudit/package.json`."""
    return name.rpartition("/")[2].partition(".")[0] + ".schema.json"


def schema(name: str) -> bytes:
    """The schema of a file or of one of its lines; KeyError for a name that has none."""
    return schema_of(_KINDS[name], name)
