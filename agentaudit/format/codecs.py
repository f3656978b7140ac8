"""The strict reader of each tag file: which type its lines, or its one value, must be.

- A tag file that is not canonical JSON of its type is not one of ours (FORMAT.md, section 3).
"""

from collections.abc import Mapping
from types import MappingProxyType

from agentaudit.encoding.canonical import Codec
from agentaudit.format import layout
from agentaudit.model.custody import CaseFile
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Entry
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.model.tagfiles import CoverageFile, ItemRow, PackageFile, WalkRow

GAP_CODEC = Codec(Gap)
PACKAGE_CODEC = Codec(PackageFile)
CASE_CODEC = Codec(CaseFile)

LINE_CODECS: Mapping[str, Codec] = MappingProxyType(
    {
        layout.ENTRIES: Codec(Entry),
        layout.ITEMS: Codec(ItemRow),
        layout.WALKS: Codec(WalkRow),
        layout.GAPS: GAP_CODEC,
        layout.SESSIONS: Codec(AnySession),
        layout.RECORDS: Codec(RecordRow),
        layout.TRUNCATIONS: Codec(Truncation),
        layout.EVENTS: Codec(EventRow),
        layout.STREAMS: Codec(StreamRow),
        layout.COVERAGE: Codec(CoverageFile),
        layout.PACKAGE: PACKAGE_CODEC,
    }
)
