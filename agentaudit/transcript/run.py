"""Making a copy: the verified exhibit, one session, into a new folder, then the custody row.

- The check comes before, from whoever calls.
- A report of a case names the custody row that was the last before it; the copy itself does not, so that the same
  exhibit gives the same copy.
- The row `transcribed` comes after the copy. A copy that fails leaves a folder that ends in `.partial`, and no row.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import DestinationFault
from agentaudit.export.checked import Checked
from agentaudit.export.custody import read_custody
from agentaudit.export.writing import NewFolder, next_report
from agentaudit.format import layout
from agentaudit.model.base import Digest, Frozen
from agentaudit.model.custody import HeadFile, Transcribed
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import Case, Hand
from agentaudit.package.disk import Disk
from agentaudit.transcript.opening import Copy, opened
from agentaudit.transcript.reader import CopyReader
from agentaudit.transcript.render.as_html import render_html
from agentaudit.transcript.render.as_jsonl import render_jsonl
from agentaudit.transcript.render.as_markdown import render_markdown

Format = Literal["md", "html", "jsonl"]

RENDERERS: Mapping[Format, Callable[[Copy], Iterator[bytes]]] = MappingProxyType(
    {"md": render_markdown, "html": render_html, "jsonl": render_jsonl}
)


@dataclass(frozen=True, slots=True)
class MakeTranscript:
    """A copy of one session, named by key or id, in these formats; `out` names a new folder, else the case has one."""

    case: Case | None
    exhibit: Checked
    session: str
    formats: tuple[Format, ...]
    out: Path | None
    readers: tuple[CopyReader, ...]


class CopiedFile(Frozen, frozen=True, kw_only=True):
    """One file of a copy."""

    name: str
    bytes: int
    sha256: Digest


class TranscribedResult(Frozen, frozen=True, kw_only=True):
    """A copy was made: where it lies, the digest that stands for its folder, its files, its row of the custody log."""

    result: Literal["transcribed"] = "transcribed"
    path: str
    listing: Digest
    exhibit: str
    session: str
    formats: tuple[Format, ...]
    messages: int
    custody_row: int | None
    attention: str | None
    files: tuple[CopiedFile, ...]


def make_transcript(asked: MakeTranscript, hand: Hand | None, disk: Disk) -> TranscribedResult:
    """Make the copy, then record it by this hand (None without a case).

    Raises PackageFault (4) for what is not intact, UsageFault (2) for a session that is not here, DestinationFault (7).
    """
    head = read_custody(asked.case.path, names=False).head if asked.case is not None else None
    with opened(asked.exhibit, asked.session, asked.readers) as copy:
        path = _place(asked, disk)
        folder = NewFolder(path, disk)
        for name in asked.formats:
            folder.write(f"transcript-{copy.key}.{name}", RENDERERS[name](copy))
        if head is not None and asked.case is not None:
            known = HeadFile(format="agentaudit-head/1", case=asked.case.file.number, head=head)
            folder.write(layout.REPORT_HEAD, (encode_line(known),))
    # Only now is it known that the exhibit did not change while it was read.
    listing, files = folder.settle()
    result = TranscribedResult(
        path=str(path),
        listing=listing,
        exhibit=copy.head.exhibit,
        session=copy.key,
        formats=asked.formats,
        messages=copy.head.totals.messages,
        custody_row=None,
        attention=copy.head.attention,
        files=tuple(CopiedFile(name=one.name, bytes=one.bytes, sha256=one.sha256) for one in files),
    )
    if asked.case is None or hand is None or head is None:
        return result
    row = _row(result, hand, copy.head.seal, head, in_case=asked.out is None)
    return msgspec.structs.replace(result, custody_row=asked.case.append(row, hand).seq)


def _place(asked: MakeTranscript, disk: Disk) -> Path:
    if asked.out is not None:
        return asked.out
    if asked.case is None:
        raise DestinationFault("there is no case around the exhibit to put a report into", "name a new folder: --out")
    return next_report(asked.case.path, disk)


def _row(result: TranscribedResult, hand: Hand, seal: Digest, head: CustodyHead, *, in_case: bool) -> Transcribed:
    return Transcribed(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        exhibit=result.exhibit,
        seal=seal,
        session=result.session,
        formats=result.formats,
        head=head,
        listing=result.listing,
        report=Path(result.path).name if in_case else None,
    )
