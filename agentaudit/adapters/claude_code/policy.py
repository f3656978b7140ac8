"""What becomes of an entry: a pure decision from its place, its kind, the selection and the files that are denied.

- Secrets come first: no selection, no category and no name lets one in. A hard link to one is one.
- Only regular files are preserved; links are listed with their text and never followed.
- All that is keyed by a selected session is preserved; what sessions share, or what is prone to hold secrets, is
  preserved only when it is asked for.
- `digest` says whether a file that stays out may still be read for its digest.
"""

from collections.abc import Iterable
from typing import Final

from agentaudit.adapters.claude_code.roles import Category, Placed, place_of
from agentaudit.adapters.stores.choice import Choice
from agentaudit.adapters.stores.ruling import Denied, Ruling, files_of, rule_by_nature
from agentaudit.model.survey import Seen

OPT_IN: Final[frozenset[Category]] = frozenset(
    {
        "history", "plans", "memory", "paste-cache", "shell-snapshots", "session-env", "usage-data", "settings",
        "feedback", "jobs",
    }
)  # fmt: skip
_METADATA: Final[frozenset[Category]] = frozenset(
    {"caches", "telemetry", "plugins", "installed", "authored", "running"}
)  # fmt: skip


_NOT_SELECTED: Final = Ruling("exclude", "not_selected")


def denied_files(entries: Iterable[Seen]) -> Denied:
    """Device and inode of every regular file that is denied by place or name, so that its hard links are known.

    Give it every entry of every root, and the account file beside the root.
    """
    return files_of(seen for seen in entries if place_of(seen.parts).secret is not None)


def token_files(entries: Iterable[Seen]) -> Denied:
    """Those of the denied files that are not even read for a digest, by whatever name."""
    return files_of(
        seen for seen in entries if (secret := place_of(seen.parts).secret) is not None and secret.holds == "token"
    )


def rule_on(seen: Seen, placed: Placed, choice: Choice, denied: Denied) -> Ruling:
    """The ruling on one entry. `placed` may carry a session that its path does not state (an old agent file's)."""
    by_nature = rule_by_nature(seen, placed.secret, denied)
    return by_nature if by_nature is not None else _rule_on_file(placed, choice)


def _rule_on_file(placed: Placed, choice: Choice) -> Ruling:
    category = placed.category
    if category in choice.excluded:
        return Ruling("exclude", "category_excluded", digest=True)
    if category in choice.included:
        return Ruling("preserve", "included") if _is_asked_for(placed, choice) else _NOT_SELECTED
    if category in OPT_IN:
        return Ruling("exclude", "category_opt_in", digest=True)
    if category in _METADATA:
        return Ruling("list", "metadata_only")
    if placed.role == "unknown" and placed.project is None:
        return Ruling("exclude", "category_opt_in")
    return Ruling("preserve", "selected") if _is_selected(placed, choice) else _NOT_SELECTED


def _is_asked_for(placed: Placed, choice: Choice) -> bool:
    """A category that was asked for: the whole of a shared store; of a project's or session's, what was selected."""
    if placed.session is not None:
        return _is_selected(placed, choice)
    return placed.project is None or placed.project in choice.touched or _is_selected(placed, choice)


def _is_selected(placed: Placed, choice: Choice) -> bool:
    if choice.everything or placed.session in choice.sessions or placed.project in choice.projects:
        return True
    return placed.project is None and placed.session in choice.theirs
