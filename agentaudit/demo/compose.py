"""Small builders of calls and sessions, for tests and for the demo's story.

Laws:
    - Identifiers follow from the session and the position, so the same story has the same identifiers.
    - A call holds the user's turn and the assistant's answer, and both share its time.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.blocks import Text
from agentaudit.demo.ids import opaque
from agentaudit.demo.sessions import Call, LocalMessage, LocalSession, RemoteMessage, RemoteSession

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agentaudit.demo.blocks import Block
    from agentaudit.demo.sessions import Provenance

MODEL = "claude-sonnet-4-5"


def local_message(
    session_id: str, number: int, role: str, *content: Block, provenance: Provenance | None = None
) -> LocalMessage:
    """A local message with the identifier of its place in the session."""
    return LocalMessage(opaque("clsm_", session_id, number), role, content, MODEL, provenance)


def local_call(
    session_id: str, number: int, at: datetime, asked: Sequence[Block], answered: Sequence[Block]
) -> Call[LocalMessage]:
    """One call: what the user sent and what the model answered."""
    return Call(
        at,
        (
            local_message(session_id, 2 * number, "user", *asked),
            local_message(session_id, 2 * number + 1, "assistant", *answered),
        ),
    )


def remote_call(
    session_id: str,
    number: int,
    at: datetime,
    role: str,
    *content: Block,
    sent_by: str | None = None,
    unavailable: bool = False,
) -> Call[RemoteMessage]:
    """One remote message, which is a call of its own."""
    return Call(at, (RemoteMessage(opaque("csev_", session_id, number), role, content, sent_by, unavailable),))


def talk(session_id: str, begun: datetime, turns: int) -> tuple[Call[LocalMessage], ...]:
    """So many plain calls, one a minute."""
    return tuple(
        local_call(
            session_id,
            number,
            begun + timedelta(minutes=number),
            (Text(f"Please look at step {number + 1}."),),
            (Text(f"Step {number + 1} is done."),),
        )
        for number in range(turns)
    )


def plain_local(name: str, organization_uuid: str, user_id: str, begun: datetime, turns: int) -> LocalSession:
    """A local session of plain turns, identified by a name that only its maker knows."""
    session_id = opaque("clls_", organization_uuid, name)
    return LocalSession(session_id, organization_uuid, user_id, talk(session_id, begun, turns))


def plain_remote(name: str, organization_uuid: str, user_id: str, begun: datetime, turns: int) -> RemoteSession:
    """A remote session of plain turns, two messages a minute."""
    session_id = opaque("cse_", organization_uuid, name)
    calls = tuple(
        remote_call(
            session_id,
            number,
            begun + timedelta(seconds=30 * number),
            "assistant" if number % 2 else "user",
            Text(f"Remote turn {number + 1}."),
        )
        for number in range(2 * turns)
    )
    updated = calls[-1].at if calls else begun
    return RemoteSession(session_id, organization_uuid, begun, updated, calls, user_id)
