"""Looks at what lies beside a root: names in a folder, the text of a link. Nothing is opened but folders.

- No link is followed on the way down from the place that is given; what is not there, or refuses, says nothing.
"""

from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText
from agentaudit.sources.local.handles import Handles, Refused


def names_below(top: bytes, parts: Parts) -> tuple[bytes, ...]:
    """The names in a folder below a resolved place; none where it is not there or may not be listed."""
    try:
        with Handles(top) as handles:
            listed = handles.names(parts)
    except OSError:
        return ()
    return () if isinstance(listed, Refused) else tuple(listed)


def target_below(top: bytes, parts: Parts) -> SourceText | None:
    """The text of a link below a resolved place; None where there is no link."""
    try:
        with Handles(top) as handles:
            target = handles.target(parts)
    except OSError:
        return None
    return None if isinstance(target, Refused) else target
