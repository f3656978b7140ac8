"""The export: a dossier of verified exhibits, its renderings into a new folder, then the custody row.

- The check comes before, from whoever calls; nothing is exported here whose verdict is not intact.
- The row `exported` comes after the export, so that the export can name the head before it.
- An export that fails leaves a folder that ends in `.partial`, and no row.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import DestinationFault
from agentaudit.export.content import ContentReader
from agentaudit.export.document import ExportFacts
from agentaudit.export.dossier import Dossier, Rendered, Renderer
from agentaudit.export.opening import Opened, opened
from agentaudit.export.render.as_case import render_case
from agentaudit.export.render.as_csv import render_csv
from agentaudit.export.render.as_dat import NAME as LOAD_FILE
from agentaudit.export.render.as_dat import TextFile, load_file, text_name
from agentaudit.export.render.as_html import render_html
from agentaudit.export.render.as_json import render_json
from agentaudit.export.render.as_markdown import render_markdown
from agentaudit.export.render.fact_sheet import render_fact_sheet
from agentaudit.export.request import FORMATS, ExportedFile, ExportedResult, ExportFile, ExportManifest, Format
from agentaudit.export.speaking import session_texts
from agentaudit.export.writing import NewFolder, next_report
from agentaudit.model.custody import Exported, Subject
from agentaudit.package.case import Hand
from agentaudit.package.disk import Disk

EXPORT = "export.json"

_RENDERERS: Mapping[Format, Renderer] = MappingProxyType(
    {"json": render_json, "csv": render_csv, "md": render_markdown, "html": render_html, "case": render_case}
)


def export_manifest(
    asked: ExportManifest, hand: Hand | None, disk: Disk, readers: tuple[ContentReader, ...]
) -> ExportedResult:
    """Export, then record it in the case's custody log by this hand (None without a case).

    `readers` read content, for the texts of a load file and for nothing else.

    Raises PackageFault (4) for what is not intact, DestinationFault (7) for a place that is taken or missing.
    """
    path = _place(asked, disk)
    formats = tuple(one for one in FORMATS if one in asked.formats)
    with opened(asked.case, asked.exhibits, asked.left_out, names=asked.names) as found:
        folder = NewFolder(path, disk)
        _write(folder, found, formats, readers)
        subjects = _subjects(found.dossier)
    # Only now is it known that no exhibit changed while it was read.
    listing, files = folder.settle()
    facts = found.dossier.facts
    result = ExportedResult(
        path=str(path),
        listing=listing,
        formats=formats,
        exhibits=subjects,
        custody_head=facts.custody_head,
        custody_row=None,
        attention=facts.attention,
        files=tuple(ExportedFile(name=one.name, bytes=one.bytes, sha256=one.sha256) for one in files),
    )
    return msgspec.structs.replace(result, custody_row=_recorded(asked, hand, facts, result))


def _place(asked: ExportManifest, disk: Disk) -> Path:
    if asked.out is not None:
        return asked.out
    if asked.case is None:
        raise DestinationFault("there is no case around the exhibit to put a report into", "name a new folder: --out")
    return next_report(asked.case.path, disk)


def _write(folder: NewFolder, found: Opened, formats: tuple[Format, ...], readers: tuple[ContentReader, ...]) -> None:
    for one in _small(found.dossier, formats):
        folder.write(one.name, one.pieces)
    for name in formats:
        if name == "dat":
            _write_load_file(folder, found, readers)
        else:
            for one in _RENDERERS[name](found.dossier):
                folder.write(one.name, one.pieces)


def _small(dossier: Dossier, formats: tuple[Format, ...]) -> Iterable[Rendered]:
    """What is in every export."""
    facts = dossier.facts
    told = ExportFile(
        attention=facts.attention,
        case=facts.case.number if facts.case is not None else None,
        custody_head=facts.custody_head,
        exhibits=_subjects(dossier),
        format="agentaudit-export/1",
        formats=formats,
        left_out=facts.left_out,
        made_by=facts.made_by,
        names_shown=facts.names_shown,
    )
    yield Rendered(EXPORT, (encode_line(told),))
    yield from render_fact_sheet(dossier)


def _write_load_file(folder: NewFolder, found: Opened, readers: tuple[ContentReader, ...]) -> None:
    """The texts first, so that each row of the load file can name its own."""
    for sealed, part in zip(found.rows, found.dossier.parts, strict=True):
        for session, pieces in session_texts(sealed, part.facts, readers):
            folder.write(text_name(sealed.exhibit, session), pieces)

    def text_of(exhibit: str, session: str) -> TextFile | None:
        written = folder.find(text_name(exhibit, session))
        return TextFile(written.name, written.bytes, written.sha256) if written is not None else None

    folder.write(LOAD_FILE, load_file(found.dossier, text_of))


def _subjects(dossier: Dossier) -> tuple[Subject, ...]:
    return tuple(Subject(exhibit=part.facts.exhibit, seal=part.facts.seal) for part in dossier.parts)


def _recorded(asked: ExportManifest, hand: Hand | None, facts: ExportFacts, result: ExportedResult) -> int | None:
    """The number of the custody row; None where there is no case."""
    if asked.case is None or hand is None or facts.custody_head is None:
        return None
    row = Exported(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        subjects=result.exhibits,
        formats=result.formats,
        names_shown=asked.names,
        head=facts.custody_head,
        listing=result.listing,
        report=Path(result.path).name if asked.out is None else None,
    )
    return asked.case.append(row, hand).seq
