"""What stands before and behind the messages."""

import msgspec

from agentaudit.export.render.as_markdown import markdown
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import SessionRow, SessionSource
from agentaudit.transcript.document import Head
from agentaudit.transcript.opening import Copy
from agentaudit.transcript.render.front import back, front, title


def text(head: Head) -> str:
    """Front and back as Markdown, escapes taken away."""
    lines = [line for part in (front(head), back(head)) for block in part for line in markdown(block)]
    return "\n".join(lines).replace("\\", "")


def test_where_the_answers_differ_both_stand(copy: Copy) -> None:
    """A field on which list and envelope disagree is told side by side; one on which they agree, once."""
    row = copy.head.session
    assert isinstance(row, SessionRow)
    listed = SessionSource(item="a", pointer="", product_surface="cowork", status="active", truncated=True)
    envelope = SessionSource(item="b", pointer="", product_surface="claude_code", status="active")
    told = text(
        msgspec.structs.replace(
            copy.head,
            session=msgspec.structs.replace(row, listed=listed, retrieved=None, envelope=envelope),
        )
    )
    assert "| surface | list: cowork; envelope: claude_code |" in told
    assert "| status | active |" in told
    assert "| truncated | YES, says the source" in told


def test_the_limits_in_force_stand_in_words(copy: Copy) -> None:
    """A number of bytes, or the source's own maximum; nothing where a source has no limits."""
    assert "tool inputs 200 bytes, tool results 64 bytes" in text(copy.head)
    most = msgspec.structs.replace(copy.head, limits=ByteLimits())
    assert "tool inputs the source's maximum" in text(most)
    assert "Byte limits" not in text(msgspec.structs.replace(copy.head, limits=None))


def test_only_what_is_no_demonstration_lacks_the_warning(copy: Copy) -> None:
    """A copy of the vendor's own records heads with what it is, and with no warning."""
    assert "DEMONSTRATION" in text(copy.head)
    real = text(msgspec.structs.replace(copy.head, attention=None))
    assert "DEMONSTRATION" not in real
    assert "Working copy for reading. Not evidence" in real


def test_the_back_names_every_file_and_every_limit_of_the_source(copy: Copy) -> None:
    """Files with digest and request, and the coverage statements by their codes."""
    told = text(copy.head)
    assert all(part.item in told and part.sha256 in told for part in copy.head.parts)
    assert all(f"({limit.code})" in told for limit in copy.head.coverage)


def test_the_title_names_session_exhibit_and_case(copy: Copy) -> None:
    """Keys and numbers only: no id, no person."""
    assert title(copy.head) == "Session s000001 of EX-0001, case N-1: working copy"
