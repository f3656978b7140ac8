"""What was asked for, under which limits, how it was reached: one of the two places that know the sources.

- What this module does not know by name is told through its keys (`facts`), never left out.
- Without names no true path and no name of a project or a folder leaves here.
"""

from collections.abc import Iterator

from agentaudit.export.facts import facts_of
from agentaudit.export.lines import Facts
from agentaudit.model.base import Frozen, Instant
from agentaudit.model.limits import MAX
from agentaudit.model.selection import BundleSelection, SessionSelection
from agentaudit.model.tagfiles import PackageFile
from agentaudit.model.text import SourceText, display

_TOLD = frozenset({
    "format", "case", "exhibit", "source", "adapter", "endpoint_class", "selection", "limits", "read_limits", "actors",
    "tool", "host", "network", "custody_head", "begun_at", "ended_at", "resumed", "outcome", "counts", "clock",
})  # fmt: skip
_UNLIMITED = "max (the source's own, about 1 MiB)"


def asked(selection: Frozen, *, names: bool) -> Facts:
    """What an acquisition was asked for, as (what, value); a thing asked for several times stands several times."""
    match selection:
        case SessionSelection():
            return tuple(_sessions_asked(selection))
        case BundleSelection():
            return tuple(_bundles_asked(selection, names=names))
        case _:
            return facts_of(selection, names=names)


def window_asked(selection: Frozen) -> tuple[Instant | None, Instant | None]:
    """The window of time that was asked for: its begin and its end, None for an open end or for no window."""
    window = selection.window if isinstance(selection, SessionSelection) else None
    return (window.begins, window.ends) if window is not None else (None, None)


def _sessions_asked(asked_for: SessionSelection) -> Iterator[tuple[str, str]]:
    yield "What", "metadata only, no transcript" if asked_for.list_only else "transcripts"
    yield "Families", ", ".join(asked_for.families)
    if asked_for.window is not None:
        yield f"Window of {asked_for.window_kind}, from", asked_for.window.begins or "the beginning"
        yield f"Window of {asked_for.window_kind}, until", asked_for.window.ends or "the moment of asking"
    if asked_for.reviewed is not None:
        yield "Chosen from", f"{asked_for.reviewed.exhibit}, seal {asked_for.reviewed.seal}"
    yield from (("Session", one.id) for one in asked_for.sessions)
    yield from (("Kept of user", one) for one in asked_for.users)
    yield from (("Kept of surface", one) for one in asked_for.surfaces)
    yield from (("Kept of organisation", one) for one in asked_for.organizations)
    if asked_for.with_directory:
        yield "Beside it", "the users of the organisations seen"


def _bundles_asked(asked_for: BundleSelection, *, names: bool) -> Iterator[tuple[str, str]]:
    yield "What", f"local store of {asked_for.agent}"
    yield "Scope", "everything" if asked_for.everything else "what is named below"
    yield from (("Session", one) for one in asked_for.sessions)
    yield from (("Category left out", one) for one in asked_for.excluded)
    yield from (("Category let in", one) for one in asked_for.included)
    yield from _named("Root", asked_for.roots, names=names)
    yield from _named("Project", asked_for.projects, names=names)


def _named(what: str, words: tuple[SourceText, ...], *, names: bool) -> Iterator[tuple[str, str]]:
    if names:
        yield from ((what, display(word)) for word in words)
    elif words:
        yield f"{what}s", str(len(words))


def limit_facts(limits: Frozen | None, read_limits: Frozen | None) -> Facts:
    """The limits in force, as (name, value): what the source may clip, then what is taken in."""
    asked_for = facts_of(limits) if limits is not None else ()
    taken_in = facts_of(read_limits) if read_limits is not None else ()
    return tuple((key, _UNLIMITED if text == str(MAX) else text) for key, text in asked_for) + taken_in


def reach_facts(package: PackageFile, *, names: bool) -> Facts:
    """How the source was reached, and whatever else package.json says of where it lay (the roots of a local store)."""
    over = facts_of(package.network) if package.network is not None else ()
    return over + facts_of(package, skip=_TOLD, names=names)
