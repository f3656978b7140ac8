"""What becomes of an entry of a Codex home: a pure decision from place, kind, selection and the files that are denied.

- Secrets come first: no selection, no category and no name lets one in. A hard link to one is one.
- Only regular files are preserved; links are listed with their text and never followed.
- All that is keyed by a selected thread is preserved. The index and the databases tell of every thread: they are
  preserved with everything, and otherwise only when asked for.
- The files of one database share their category, so a ruling never parts them; only a denied inode does.
- `digest` says whether a file that stays out may still be read for its digest.
"""

from collections.abc import Iterable
from typing import Final

from agentaudit.adapters.codex.roles import Category, Placed, place_of
from agentaudit.adapters.stores.choice import Choice
from agentaudit.adapters.stores.ruling import Denied, Ruling, files_of, rule_by_nature
from agentaudit.model.survey import Seen

OPT_IN: Final[frozenset[Category]] = frozenset(
    {"history", "log", "settings", "memory", "shell-snapshots", "app-state", "automations"}
)
SHARED: Final[frozenset[Category]] = frozenset({"index", "databases"})
_METADATA: Final[frozenset[Category]] = frozenset({"running", "caches", "installed", "authored", "worktrees"})

_NOT_SELECTED: Final = Ruling("exclude", "not_selected")


def denied_files(entries: Iterable[Seen]) -> Denied:
    """Device and inode of every regular file that is denied by place or name, so that its hard links are known.

    Give it every entry of every root.
    """
    return files_of(seen for seen in entries if place_of(seen.parts).secret is not None)


def rule_on(seen: Seen, placed: Placed, choice: Choice, denied: Denied) -> Ruling:
    """The ruling on one entry. `placed` may carry a thread that its path does not state."""
    by_nature = rule_by_nature(seen, placed.secret, denied)
    return by_nature if by_nature is not None else _rule_on_file(placed, choice)


def _rule_on_file(placed: Placed, choice: Choice) -> Ruling:
    category = placed.category
    selected = choice.everything or placed.session in choice.sessions
    if category in choice.excluded:
        return Ruling("exclude", "category_excluded", digest=True)
    if category in choice.included:
        return Ruling("preserve", "included") if selected or placed.session is None else _NOT_SELECTED
    if category in OPT_IN or (category in SHARED and not choice.everything):
        return Ruling("exclude", "category_opt_in", digest=True)
    if category in _METADATA:
        return Ruling("list", "metadata_only")
    if placed.role == "unknown":
        return Ruling("exclude", "category_opt_in")
    return Ruling("preserve", "selected") if selected else _NOT_SELECTED
