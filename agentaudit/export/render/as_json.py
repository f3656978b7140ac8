"""manifest.json: the whole export as one document, of the type `ManifestFile`.

- Keys are sorted, as in every tag file; each row stands on a line of its own, so that it can be searched and compared.
- Parsed, it is exactly what the canonical encoding of a `ManifestFile` is; it is never held whole.
"""

from collections.abc import Iterable, Iterator

import msgspec

from agentaudit.encoding.canonical import encode
from agentaudit.export.certificate import certification
from agentaudit.export.document import ExhibitPart, ManifestFile
from agentaudit.export.dossier import Dossier, Part, Rendered
from agentaudit.export.sentences import cannot_show, how_to_verify
from agentaudit.model.base import Frozen

NAME = "manifest.json"


def render_json(dossier: Dossier) -> Iterator[Rendered]:
    """The one file of this format."""
    yield Rendered(NAME, _document(dossier))


def _document(dossier: Dossier) -> Iterator[bytes]:
    frame = ManifestFile(
        **msgspec.structs.asdict(dossier.facts),
        exhibits=(),
        custody=dossier.custody,
        certification=certification(dossier),
        how_to_verify=how_to_verify(),
        cannot_show=cannot_show(),
    )
    yield from _spliced(encode(frame), exhibits=(_exhibit(part) for part in dossier.parts))
    yield b"\n"


def _exhibit(part: Part) -> Iterator[bytes]:
    rows = part.rows
    frame = ExhibitPart(
        **msgspec.structs.asdict(part.facts),
        items=(),
        sessions=(),
        truncations=(),
        gaps=(),
        entries=(),
        streams=(),
        events=(),
        walks=(),
    )
    return _spliced(
        encode(frame),
        entries=_lines(rows.entries()),
        events=_lines(rows.events()),
        gaps=_lines(rows.gaps()),
        items=_lines(rows.items()),
        sessions=_lines(rows.sessions()),
        streams=_lines(rows.streams()),
        truncations=_lines(rows.truncations()),
        walks=_lines(rows.walks()),
    )


def _lines(rows: Iterable[Frozen]) -> Iterator[Iterator[bytes]]:
    return (iter((encode(row),)) for row in rows)


def _spliced(frame: bytes, **series: Iterable[Iterator[bytes]]) -> Iterator[bytes]:
    """The frame with each of its empty arrays filled; keys come in the order in which the frame has them.

    A quotation mark inside a text is escaped, so `"key":[]` is nowhere but where the key is.
    """
    rest = frame
    for key in sorted(series):
        head, _, rest = rest.partition(f'"{key}":[]'.encode())
        yield head + f'"{key}":['.encode()
        comma = b"\n"
        for row in series[key]:
            yield comma
            yield from row
            comma = b",\n"
        yield b"]"
    yield rest
