"""A row of sessions.jsonl, whatever the source: one session seen, our decision about it, its outcome.

- The session of an API is a `SessionRow`; the session bundle of a local store is a `BundleRow`.
"""

from typing import Literal, TypeAlias

from agentaudit.model.base import UNSET, Frozen, Instant, Unset
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.codex import ThreadLinks, ThreadStanding
from agentaudit.model.framing import FaultClass
from agentaudit.model.journal import Outcome
from agentaudit.model.readings import SessionRow


class BundleRow(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="local_bundle"):
    """One session bundle of a local store.

    `decision` is ours; `rule` says why it was left out: that of the first file that a rule of ours excludes, else of
    the first entry that can never be copied (a link, a special file), else `folder`. `preserved_files` and
    `preserved_bytes` count what is in this exhibit. `versions` are the producer's, from the transcript's records with
    their numbers; `first_record_at` and `last_record_at` are the records' own times, apart from every file time.
    `framing` counts findings of all files of JSON Lines of the bundle by class. `standing` is what databases of the
    store say of its rollout, `links` whom its rollouts name; each is absent where nothing was said.
    """

    session: str
    decision: Literal["kept", "excluded"]
    rule: str | None
    bundle: SessionBundle
    preserved_files: int
    preserved_bytes: int
    versions: tuple[tuple[str, int], ...]
    first_record_at: Instant | None
    last_record_at: Instant | None
    framing: tuple[tuple[FaultClass, int], ...]
    gaps: int
    outcome: Outcome | None
    standing: ThreadStanding | Unset = UNSET
    links: ThreadLinks | Unset = UNSET


AnySession: TypeAlias = SessionRow | BundleRow
