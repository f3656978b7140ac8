"""Every row that a journal can hold, as one closed union."""

from typing import TypeAlias

from agentaudit.model.journal import (
    Answered,
    Closed,
    Noted,
    Opened,
    PeerSeen,
    Resumed,
    Unanswered,
    WalkBegan,
    WalkEnded,
)
from agentaudit.model.storejournal import (
    DatabaseCopied,
    EntrySeen,
    Kept,
    ProjectionCompared,
    RootSeen,
    StoreFacts,
    ThreadLinked,
)

Event: TypeAlias = (
    Opened
    | Resumed
    | WalkBegan
    | WalkEnded
    | Answered
    | Unanswered
    | PeerSeen
    | Noted
    | RootSeen
    | EntrySeen
    | StoreFacts
    | Kept
    | DatabaseCopied
    | ProjectionCompared
    | ThreadLinked
    | Closed
)
