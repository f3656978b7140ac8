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
    EntryChanged,
    EntrySeen,
    Kept,
    ProjectionCompared,
    RootSeen,
    StoreFacts,
    StoreLookedAgain,
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
    | EntryChanged
    | StoreLookedAgain
    | DatabaseCopied
    | ProjectionCompared
    | ThreadLinked
    | Closed
)
