"""Threads as bundles: what lies there of each, and what rollouts name and no file is.

- A lack is a fact, never a fault; what needs a rollout that was not read stays unsaid.
- Threads are compared within one root: another root may hold one of the same id.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from agentaudit.adapters.codex.members import Group, Member, primary
from agentaudit.adapters.codex.roles import ROLLOUTS
from agentaudit.adapters.stores.words import id_word
from agentaudit.model.base import UNSET
from agentaudit.model.bundle import HistoryWitness, RoleTotal, SessionBundle
from agentaudit.model.codex import RolloutFacts, ThreadLinks
from agentaudit.model.local import NanoInstant, true_name
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText, Unencodable

Facts: TypeAlias = Mapping[tuple[str, Parts], RolloutFacts]
Sessions: TypeAlias = Mapping[tuple[str, SourceText], int]
Processes: TypeAlias = Mapping[tuple[str, SourceText], tuple[int, ...]]


def describe(groups: Iterable[Group], history: Sessions, running: Processes) -> tuple[SessionBundle, ...]:
    """The bundles in the order of the groups.

    `history` counts lines by root and thread, `running` holds process ids likewise (none are known to be stored).

    `transcript` speaks of the rollout; what it has no word for here (spilled results, agents) stays unset: see `links`.
    """
    held = tuple(groups)
    alike: dict[SourceText, list[str]] = {}
    for one in held:
        alike.setdefault(one.session, []).append(one.key)
    return tuple(
        _bundle(
            one,
            alike[one.session],
            history.get((one.root, one.session), 0),
            running.get((one.root, one.session), ()),
        )
        for one in held
    )


def links(groups: Iterable[Group], facts: Facts) -> tuple[ThreadLinks, ...]:
    """What the rollouts of each bundle name as origin and spawner, and whom; only bundles with a rollout that was read.

    `facts` are those of the rollouts that were read, by root and path.
    """
    held = tuple(groups)
    read = {one.key: found for one in held if (found := _facts_of(one, facts))}
    present = {(one.root, _word(one.session)) for one in held if primary(one) is not None}
    children: dict[tuple[str, str], set[str]] = {}
    for one in held:
        for parent in _named(read.get(one.key, ()), "parents"):
            children.setdefault((one.root, parent), set()).add(_word(one.session))
    return tuple(_links(one, read[one.key], present, children) for one in held if one.key in read)


def witness(root: str, groups: Iterable[Group], history: Sessions) -> HistoryWitness:
    """What the history of one root says of threads without a rollout."""
    present = {_word(one.session) for one in groups if one.root == root and primary(one) is not None}
    counts = {session: count for (where, session), count in history.items() if where == root}
    return HistoryWitness(
        root=root,
        lines=sum(counts.values()),
        sessions=len(counts),
        without_transcript=len(counts.keys() - present),
    )


def _bundle(one: Group, alike: list[str], history: int, running: tuple[int, ...]) -> SessionBundle:
    rollout = primary(one)
    return SessionBundle(
        key=one.key,
        root=one.root,
        nested=true_name(b"/".join(one.nested)) if one.nested else UNSET,
        project=None,
        session=one.session,
        transcript=_state_of(rollout),
        folder=False,
        bytes=sum(member.state.size_bytes for member in one.members if member.is_file and member.state),
        modified_at=max((at for member in one.members if (at := _modified(member)) is not None), default=None),
        roles=_totals(one.members),
        newer_siblings=_newer(one.members, rollout),
        also_in=tuple(key for key in alike if key != one.key),
        witnesses=_witnesses(one, history),
        running=running,
    )


def _state_of(rollout: Member | None) -> Literal["present", "missing", "unreadable"]:
    if rollout is None:
        return "missing"
    return "present" if rollout.is_file else "unreadable"


def _modified(member: Member) -> NanoInstant | None:
    return member.state.modified_at if member.is_file and member.state is not None else None


def _newer(members: Iterable[Member], rollout: Member | None) -> int:
    """How many files were changed after the rollout; none where there is none to compare with."""
    own = None if rollout is None else _modified(rollout)
    return 0 if own is None else sum((at := _modified(member)) is not None and at > own for member in members)


def _totals(members: Iterable[Member]) -> tuple[RoleTotal, ...]:
    count: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for member in members:
        if member.is_file and member.state is not None:
            count[member.placed.role] += 1
            size[member.placed.role] += member.state.size_bytes
    return tuple(RoleTotal(role=role, count=count[role], bytes=size[role]) for role in sorted(count))


def _witnesses(one: Group, history: int) -> tuple[tuple[str, int], ...]:
    """What lies beside the rollouts, by category, and the lines of the history."""
    found: Counter[str] = Counter(
        member.placed.category for member in one.members if member.placed.role not in ROLLOUTS
    )
    if history:
        found["history"] = history
    return tuple(sorted(found.items()))


def _facts_of(one: Group, facts: Facts) -> tuple[RolloutFacts, ...]:
    return tuple(found for member in one.members if (found := facts.get((member.root, member.parts))) is not None)


def _named(read: Iterable[RolloutFacts], what: Literal["parents", "forked_from"]) -> tuple[str, ...]:
    return tuple(
        sorted({word for found in read for word in (found.parents if what == "parents" else found.forked_from)})
    )


def _links(
    one: Group,
    read: tuple[RolloutFacts, ...],
    present: set[tuple[str, str]],
    children: Mapping[tuple[str, str], set[str]],
) -> ThreadLinks:
    origins, parents = _named(read, "forked_from"), _named(read, "parents")
    return ThreadLinks(
        key=one.key,
        forked_from=origins,
        parents=parents,
        children=tuple(sorted(children.get((one.root, _word(one.session)), ()))),
        absent=tuple(sorted(word for word in {*origins, *parents} if (one.root, word) not in present)),
    )


def _word(thread: SourceText) -> str:
    return id_word(thread.display if isinstance(thread, Unencodable) else thread)
