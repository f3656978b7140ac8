"""transcript-<session>.jsonl: the whole copy for programs, one canonical object a line.

- Line 1 is the head; each line after it names its kind: message, not_read, aside or loss.
- A text of the source that is no UTF-8 stands as hex beside a display form, as in the tag files.
"""

from collections.abc import Iterator

from agentaudit.encoding.canonical import encode_line
from agentaudit.transcript.opening import Copy


def render_jsonl(copy: Copy) -> Iterator[bytes]:
    """The lines of the file."""
    yield encode_line(copy.head)
    for piece in copy.pieces():
        yield encode_line(piece)
