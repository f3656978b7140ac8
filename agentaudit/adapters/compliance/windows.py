"""Whether a time that the source gives lies in the window that it was asked for."""

from agentaudit.model.selection import Window


def is_outside(at: str, window: Window | None) -> bool:
    """Whether a time in UTC lies outside, by whole seconds; a form that does not compare as text is not judged."""
    if window is None or not at.endswith("Z"):
        return False
    begins, ends = (window.begins or "")[:19], (window.ends or "9999")[:19]
    return at[:19] < begins or at[:19] > ends
