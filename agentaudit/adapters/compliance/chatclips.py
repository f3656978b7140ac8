"""What is shortened in the messages of a chat although no limit was set: each string, by its place, and by whom.

- Blocks are those of sessions: the same judgement, without a limit that could have been met.
- A block whose flag says that it is shortened, and that shows no string to judge, is shortened all the same.
"""

from collections.abc import Iterator

from agentaudit.adapters.compliance.blocks import Clipped, read_block
from agentaudit.adapters.compliance.clipping import Clip
from agentaudit.adapters.compliance.pages import Page
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.journal import Answered
from agentaudit.model.losses import Truncation
from agentaudit.model.text import source_text


def chat_clips(row: Answered, page: Page, stream: str) -> Iterator[Truncation]:
    """Each shortened thing of a page of messages, in the order returned; `stream` is the chat's key."""
    for index, message in enumerate(page.data):
        blocks = (mapping(message) or {}).get("content")
        for number, block in enumerate(blocks if isinstance(blocks, list) else ()):
            kind = (mapping(block) or {}).get("type")
            for one in _clipped(block):
                yield Truncation(
                    session=stream,
                    walk=row.walk,
                    page=row.page,
                    item=row.item.path,
                    pointer=f"/chat_messages/{index}/content/{number}{one.pointer}",
                    block_type=source_text(kind) if isinstance(kind, str) else "",
                    by=one.clip.by,
                    basis=one.clip.basis,
                    kept_bytes=one.clip.kept_bytes,
                    limit_bytes=one.clip.limit_bytes,
                    raise_parameter=None,
                )


def is_cut(block: Json) -> bool:
    """Whether a block's own flag says that it is shortened."""
    return (mapping(block) or {}).get("truncated") is True


def _clipped(block: Json) -> tuple[Clipped, ...]:
    found = read_block(block, "remote", None).clipped
    if found or not is_cut(block):
        return found
    return (Clipped("", Clip("undetermined", ("flag",), 0), None),)
