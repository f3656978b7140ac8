"""Rotated sets: files whose names differ in a time only, in the order of those times, the live file last.

- A name has the time before its suffix (`data-2026-01-02T03-04-05.678.json`); the live one has the plain name.
- Between one file and the next nothing is known to lie; the silence there is told, and events that overlap.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from agentaudit.adapters.otlp.bodies import Folder
from agentaudit.adapters.otlp.filetally import FileTally

Rotated: TypeAlias = tuple[str, FileTally]
"""The time in a name, empty for the live file; and the file."""

_ROTATED: Final = re.compile(rb"(.+)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3})(\..+)?\Z", re.DOTALL)
_NS_PER_MS: Final = 1_000_000


def sets_of(files: Iterable[tuple[bytes, FileTally]]) -> Iterator[tuple[Rotated, ...]]:
    """Each set of at least one rotated file, by folder and name; what belongs to no set is left out."""
    several: dict[tuple[Folder, bytes, bytes], list[Rotated]] = {}
    plain: dict[tuple[Folder, bytes], FileTally] = {}
    for name, tally in files:
        found = _ROTATED.match(name)
        if found is None:
            plain[tally.folder, name] = tally
        else:
            several.setdefault((tally.folder, found[1], found[3] or b""), []).append((found[2].decode(), tally))
    for (folder, stem, suffix), rotated in sorted(several.items(), key=lambda pair: pair[0]):
        live = plain.get((folder, stem + suffix))
        rotated.sort(key=lambda pair: pair[0])
        yield (*rotated, *([] if live is None else [("", live)]))


def judge(rotated: Sequence[Rotated]) -> None:
    """Tell each file of a set the silence before it, or that its events begin before those of the file before end."""
    before: FileTally | None = None
    for _, tally in rotated:
        if not tally.span.met:
            continue
        if before is not None:
            apart = tally.span.first - before.span.last
            if apart < 0:
                tally.fault("rotation_out_of_order", 0)
            else:
                tally.counts["silence_before_ms"] += apart // _NS_PER_MS
        before = tally
