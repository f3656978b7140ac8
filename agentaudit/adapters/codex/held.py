"""What is preserved of one thread, file by file, and the row that comes of it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from agentaudit.adapters.codex.naming import PACKED_LINES_ROLES
from agentaudit.model.base import Unset
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.codex import RolloutFacts, ThreadLinks, ThreadStanding
from agentaudit.model.framing import FaultClass
from agentaudit.model.journal import Outcome
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.storejournal import Kept


@dataclass(frozen=True, slots=True)
class HeldFile:
    """What the last read of one file gave."""

    tries: int
    session: str | None
    rollout: RolloutFacts | None
    framing: tuple[tuple[FaultClass, int], ...]
    text_bytes: int | None


@dataclass(slots=True)
class HeldThread:
    """What is preserved of one thread; `listed` is the rule of what can never be copied, such as a link."""

    rule: str | None = None
    listed: str | None = None
    wanted: bool = False
    files: set[int] = field(default_factory=set)
    octets: int = 0
    losses: int = 0
    failures: int = 0


def file_of(row: Kept) -> HeldFile:
    """What one read of a file gave; the size of its text where that is known."""
    packed = row.role in PACKED_LINES_ROLES
    text = row.framing.bytes if packed and row.framing is not None else row.before.size_bytes
    return HeldFile(
        tries=row.tries,
        session=row.session,
        rollout=row.rollout,
        framing=() if row.framing is None else row.framing.findings_by_class,
        text_bytes=None if row.stream_fault is not None or (packed and row.framing is None) else text,
    )


def row_of(
    bundle: SessionBundle,
    held: HeldThread,
    files: Iterable[HeldFile],
    standing: ThreadStanding | Unset,
    named: ThreadLinks | Unset,
) -> BundleRow:
    """The row of one thread, from what is preserved of it and what databases and rollouts say."""
    versions: Counter[str] = Counter()
    framing: Counter[FaultClass] = Counter()
    facts = []
    for file in files:
        framing.update(dict(file.framing))
        if file.rollout is not None:
            versions.update(dict(file.rollout.versions))
            facts.append(file.rollout)
    outcome: Outcome = "incomplete" if held.failures else "all_given_with_losses" if held.losses else "all_given"
    return BundleRow(
        session=bundle.key,
        decision="kept" if held.wanted else "excluded",
        rule=None if held.wanted else held.rule or held.listed or "folder",
        bundle=bundle,
        preserved_files=len(held.files),
        preserved_bytes=held.octets,
        versions=tuple(sorted(versions.items())),
        first_record_at=min((one.first_record_at for one in facts if one.first_record_at is not None), default=None),
        last_record_at=max((one.last_record_at for one in facts if one.last_record_at is not None), default=None),
        framing=tuple(sorted(framing.items())),
        gaps=held.losses,
        outcome=outcome if held.wanted else None,
        standing=standing,
        links=named,
    )
