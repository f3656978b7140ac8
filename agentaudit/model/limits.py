"""The limits that are asked for and recorded: what the API may clip, and what we will read.

- A limit is recorded with every answer it was in force for.
- `MAX` asks for the server's own maximum (about 1 MiB; compliance reference, section 2.3).
"""

from agentaudit.model.base import Frozen

MAX = -1
SERVER_MAX_BYTES = 1_048_576


class ByteLimits(Frozen, frozen=True, kw_only=True):
    """The two byte limits of a transcript request; `MAX` or a positive number of bytes."""

    tool_input_max_bytes: int = MAX
    tool_result_max_bytes: int = MAX


class ReadLimits(Frozen, frozen=True, kw_only=True):
    """How much of an answer is taken in, and how long it may take; `file_max_bytes` bounds the bytes of a file."""

    body_max_bytes: int = 64 * 1024 * 1024
    file_max_bytes: int = 64 * 1024 * 1024
    connect_ms: int = 30_000
    read_ms: int = 300_000
    answer_ms: int = 1_800_000
    attempts: int = 6
