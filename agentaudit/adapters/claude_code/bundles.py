"""What a session bundle holds and lacks: names in transcripts against files, transcripts against folders.

- A lack is a fact, never a fault: releases, clean-up, resuming and moving leave all of them behind.
- Names are compared over the whole root, for a resumed session names what an older one's folder holds.
- What needs a transcript that was not read stays unsaid.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.claude_code.members import Group, Member, text_of
from agentaudit.adapters.claude_code.roles import Role
from agentaudit.adapters.stores.words import id_word, name_word
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.bundle import HistoryWitness, RoleTotal, SessionBundle, TranscriptFacts
from agentaudit.model.local import NanoInstant, octets_of, true_name
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

Facts: TypeAlias = Mapping[tuple[str, Parts], TranscriptFacts]
Sessions: TypeAlias = Mapping[tuple[str, SourceText], int]
Processes: TypeAlias = Mapping[tuple[str, SourceText], tuple[int, ...]]

CONVERSATIONS: Final[frozenset[Role]] = frozenset(
    {"transcript", "transcript_copy", "old_agent", "subagent", "workflow_agent"}
)


@dataclass(frozen=True, slots=True)
class _Names:
    """What is named and what is there in one root (and root inside it); `read`: every transcript of it was.

    `folders` holds the labels of working folders that the records of each project folder name.
    """

    spilled: frozenset[str]
    results: frozenset[str]
    agents: frozenset[str]
    folders: Mapping[SourceText, frozenset[str]]
    read: bool


@dataclass(frozen=True, slots=True)
class _Around:
    """All that a bundle is compared with."""

    facts: Facts
    names: Mapping[tuple[str, Parts], _Names]
    alike: Mapping[SourceText, list[str]]
    history: Sessions
    running: Processes


def describe(groups: Iterable[Group], facts: Facts, history: Sessions, running: Processes) -> tuple[SessionBundle, ...]:
    """The bundles in the order of the groups.

    `facts` are those of the transcripts that were read, by root and path; `history` counts lines by root and session,
    `running` holds process ids likewise.
    """
    held = tuple(groups)
    alike: dict[SourceText, list[str]] = {}
    for one in held:
        alike.setdefault(one.session, []).append(one.key)
    around = _Around(facts, _names_by_root(held, facts), alike, history, running)
    return tuple(_bundle(one, around) for one in held)


def witness(root: str, groups: Iterable[Group], history: Sessions) -> HistoryWitness:
    """What the history of one root says of sessions without a transcript."""
    present = {one.session for one in groups if one.root == root and _transcript_of(one) is not None}
    counts = {session: count for (where, session), count in history.items() if where == root}
    return HistoryWitness(
        root=root,
        lines=sum(counts.values()),
        sessions=len(counts),
        without_transcript=len(counts.keys() - present),
    )


def _names_by_root(groups: tuple[Group, ...], facts: Facts) -> Mapping[tuple[str, Parts], _Names]:
    by_root: dict[tuple[str, Parts], list[Member]] = {}
    for one in groups:
        by_root.setdefault((one.root, one.nested), []).extend(one.members)
    return {place: _names(members, facts) for place, members in by_root.items()}


def _names(members: list[Member], facts: Facts) -> _Names:
    talks = [member for member in members if member.placed.role in CONVERSATIONS and member.is_file]
    read = [found for talk in talks if (found := facts.get((talk.root, talk.parts))) is not None]
    named = {_agent(member) for member in talks if member.placed.agent is not None}
    return _Names(
        spilled=frozenset(spilled.name for found in read for spilled in found.spilled),
        results=frozenset(_result(member) for member in members if member.placed.role == "tool_result"),
        agents=frozenset(named).union(*(found.agents for found in read)),
        folders=_folders(talks, facts),
        read=len(read) == len(talks),
    )


def _folders(talks: list[Member], facts: Facts) -> Mapping[SourceText, frozenset[str]]:
    """The working folders that records name, by project folder; a folder of which nothing was read has no row."""
    found: dict[SourceText, frozenset[str]] = {}
    for talk in talks:
        project, read = talk.placed.project, facts.get((talk.root, talk.parts))
        if project is not None and read is not None:
            found[project] = found.get(project, frozenset()).union(read.cwd_labels)
    return found


def _bundle(one: Group, around: _Around) -> SessionBundle:
    names = around.names[one.root, one.nested]
    transcript = _transcript_of(one)
    read = [found for member in one.members if (found := around.facts.get((member.root, member.parts))) is not None]
    said = frozenset(spilled.name for found in read for spilled in found.spilled)
    agents = frozenset(agent for found in read for agent in found.subagents)
    folders = None if one.project is None else names.folders.get(one.project)
    return SessionBundle(
        key=one.key,
        root=one.root,
        nested=text_of(one.nested) if one.nested else UNSET,
        project=one.project,
        session=one.session,
        transcript=_state_of(transcript),
        folder=any(member.placed.role == "session_folder" and member.kind == "folder" for member in one.members),
        bytes=sum(member.state.size_bytes for member in one.members if member.is_file and member.state),
        modified_at=_latest(one.members),
        roles=_totals(one.members),
        newer_siblings=_newer(one.members, transcript),
        spilled_absent=tuple(sorted(said - names.results)) if read else UNSET,
        spilled_unnamed=_unnamed(one, names),
        subagents_absent=tuple(sorted(agents - names.agents)) if read else UNSET,
        also_in=tuple(key for key in around.alike[one.session] if key != one.key),
        witnesses=_witnesses(one, around.history.get((one.root, one.session), 0)),
        running=around.running.get((one.root, one.session), ()),
        project_cwds=UNSET if folders is None else len(folders),
    )


def _transcript_of(one: Group) -> Member | None:
    return next((member for member in one.members if member.placed.role == "transcript"), None)


def _state_of(transcript: Member | None) -> Literal["present", "missing", "unreadable"]:
    if transcript is None:
        return "missing"
    return "present" if transcript.is_file else "unreadable"


def _modified(member: Member) -> NanoInstant | None:
    return member.state.modified_at if member.is_file and member.state is not None else None


def _latest(members: Iterable[Member]) -> NanoInstant | None:
    return max((at for member in members if (at := _modified(member)) is not None), default=None)


def _newer(members: Iterable[Member], transcript: Member | None) -> int:
    """How many files were changed after the transcript; none where there is no transcript to compare with."""
    own = None if transcript is None else _modified(transcript)
    return 0 if own is None else sum((at := _modified(member)) is not None and at > own for member in members)


def _totals(members: Iterable[Member]) -> tuple[RoleTotal, ...]:
    count: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for member in members:
        if member.is_file and member.state is not None:
            count[member.placed.role] += 1
            size[member.placed.role] += member.state.size_bytes
    return tuple(RoleTotal(role=role, count=count[role], bytes=size[role]) for role in sorted(count))


def _unnamed(one: Group, names: _Names) -> tuple[SourceText, ...] | Unset:
    if not names.read:
        return UNSET
    results = (member for member in one.members if member.placed.role == "tool_result" and member.kind == "file")
    return tuple(true_name(member.parts[-1]) for member in results if _result(member) not in names.spilled)


def _witnesses(one: Group, history: int) -> tuple[tuple[str, int], ...]:
    """What stores outside the project folder hold, by category, and the lines of the history."""
    found: Counter[str] = Counter(member.placed.category for member in one.members if member.placed.project is None)
    if history:
        found["history"] = history
    return tuple(sorted(found.items()))


def _result(member: Member) -> str:
    return name_word(member.parts[-1].decode("utf-8", "surrogateescape"))


def _agent(member: Member) -> str:
    agent = member.placed.agent
    return id_word("" if agent is None else octets_of(agent).decode("utf-8", "surrogateescape"))
