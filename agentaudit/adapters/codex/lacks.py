"""What is known not to be in a Codex home, as gaps: rollouts, records and threads that something of it names.

- The home says so itself, so each is unavailable: nothing was asked for that we failed to get.
- A database may lag behind the files and is no witness against a rollout that is longer; one that is shorter than what
  was read of it before has lost records.
- Of the threads that only a database names, those count that were selected.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.codex.bundles import Facts
from agentaudit.adapters.codex.members import Group, primary
from agentaudit.adapters.stores.words import id_word
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.codex import ProjectionFacts, ThreadLinks, ThreadStanding
from agentaudit.model.losses import Gap
from agentaudit.model.text import Unencodable


def bundle_lacks(bundle: SessionBundle, members: Group, facts: Facts, links: ThreadLinks | None) -> Iterator[Gap]:
    """What one thread lacks by its own files: its rollout, numbered records of it, the threads that it came from."""
    if bundle.transcript != "present":
        yield Gap(kind="unavailable", code="transcript_absent", basis="absence", session=bundle.key)
    rollout = primary(members)
    found = facts.get((rollout.root, rollout.parts)) if rollout is not None else None
    missing = 0 if found is None else 1 if found.ordinals.missing is None else found.ordinals.missing
    if missing:
        yield Gap(kind="unavailable", code="ordinal_absent", basis="field", session=bundle.key, count=missing)
    if links is not None and links.absent:
        yield Gap(kind="unavailable", code="origin_absent", basis="field", session=bundle.key, count=len(links.absent))


def projection_lacks(
    said: ProjectionFacts,
    homes: tuple[str, ...],
    bundles: Iterable[SessionBundle],
    wanted: frozenset[str],
    survey: int,
    *,
    everything: bool,
) -> Iterator[Gap]:
    """What the databases of one root name and the files of their homes lack.

    `wanted` are the keys of threads that are preserved. Of a thread that several homes hold the first one is named.
    """
    theirs: dict[str, SessionBundle] = {}
    for one in bundles:
        if one.root in homes:
            theirs.setdefault(_thread(one), one)
    for standing in said.threads:
        bundle = theirs.get(standing.thread)
        if bundle is None and everything and standing.file == "missing":
            yield Gap(kind="unavailable", code="transcript_absent", basis="field", subject=standing.thread)
        elif bundle is not None and bundle.key in wanted:
            yield from _standing_lacks(standing, bundle)
    if everything and said.children_absent:
        yield Gap(
            kind="unavailable",
            code="subagent_absent",
            basis="field",
            walk=f"codex/{said.root}/survey{survey:02d}",
            count=len(said.children_absent),
        )


def _standing_lacks(standing: ThreadStanding, bundle: SessionBundle) -> Iterator[Gap]:
    if standing.file == "missing" and bundle.transcript == "present":
        yield Gap(kind="unavailable", code="transcript_absent", basis="field", session=bundle.key)
    if "smaller" in (standing.size, standing.ordinal):
        yield Gap(
            kind="unavailable", code="projected_absent", basis="field", session=bundle.key, count=_records(standing)
        )


def _records(standing: ThreadStanding) -> int:
    """How many records the projection had read beyond the file; 1 where ordinals do not say."""
    projected, file = standing.projected_next_ordinal, standing.file_next_ordinal
    return 1 if projected is None or file is None else max(1, projected - file)


def _thread(bundle: SessionBundle) -> str:
    return id_word(bundle.session.display if isinstance(bundle.session, Unencodable) else bundle.session)
