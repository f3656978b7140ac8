"""A second look at the copy of a compressed text: decompressed within bounds, framed and counted, never written.

- The file is preserved as it lies there; what the look finds stands beside it, with why it ended early where it did.
- Looking leaves the access time that was set on the copy alone, where the system has a way.
- The bounds are those of every decompression here (window, expansion), and a bound on the text.
"""

import os
from pathlib import Path

import msgspec

from agentaudit.acquire.copying import Copied
from agentaudit.acquire.lines import Gathering, gathered, gathering
from agentaudit.encoding.streams import Faulty, decompressed
from agentaudit.model.framing import StreamFault
from agentaudit.package.disk import destination
from agentaudit.sources.local.read import Read

TEXT_MAX_BYTES = 64 * 1024 * 1024 * 1024
_QUIET: int = getattr(os, "O_NOATIME", 0)


def looked_into(copied: Copied, root: Path, text_max: int = TEXT_MAX_BYTES) -> Copied:
    """The copy with the facts of its text; unchanged when it is no compressed text, or was not copied whole.

    `root` is the folder that payload names begin at. Raises DestinationFault when the copy cannot be read.
    """
    job, item = copied.job, copied.item
    whole = isinstance(copied.read, Read) and copied.read.runs is None
    if not job.packed or not whole or item is None:
        return copied
    lines = gathering(job.agent, job.role, job.stem)
    with destination(root / item.path):
        fault = _feed(root / item.path, lines, text_max)
    found = gathered(lines)
    return msgspec.structs.replace(
        copied, framing=found.framing, transcript=found.transcript, rollout=found.rollout, stream_fault=fault
    )


def _feed(copy: Path, lines: Gathering, text_max: int) -> StreamFault | None:
    """Why the text ended early; None when it came to its end."""
    taken = 0
    with open(copy, "rb", opener=_open_quietly) as stream:
        try:
            for piece in decompressed(stream, "zstd"):
                taken += len(piece)
                if taken > text_max:
                    return "expansion_over_limit"
                lines.feed(memoryview(piece))
        except Faulty as faulty:
            return faulty.fault
    return None


def _open_quietly(name: str, flags: int) -> int:
    return os.open(name, flags | _QUIET)
