"""What becomes of an entry: a pure decision from its place, its kind, the selection and the files that are denied.

- Secrets come first: no selection, no category and no name lets one in. A hard link to one is one.
- Only regular files are preserved; links are listed with their text and never followed.
- All that is keyed by a selected session is preserved; what sessions share, or what is prone to hold secrets, is
  preserved only when it is asked for.
- `digest` says whether a file that stays out may still be read for its digest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from agentaudit.adapters.claude_code.choice import Choice
from agentaudit.adapters.claude_code.roles import Category, Placed, place_of
from agentaudit.model.local import Decision
from agentaudit.model.survey import Seen

Rule = Literal[
    "selected", "included", "credentials_location", "credentials_name", "credentials_inode", "category_excluded",
    "category_opt_in", "not_selected", "metadata_only", "folder", "link", "special", "not_seen",
]  # fmt: skip

Denied: TypeAlias = frozenset[tuple[int, int]]

OPT_IN: Final[frozenset[Category]] = frozenset(
    {
        "history", "plans", "memory", "paste-cache", "shell-snapshots", "session-env", "usage-data", "settings",
        "feedback", "jobs",
    }
)  # fmt: skip
_METADATA: Final[frozenset[Category]] = frozenset(
    {"caches", "telemetry", "plugins", "installed", "authored", "running"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision, the rule it follows, and whether the bytes may be read for a digest alone."""

    decision: Decision
    rule: Rule
    digest: bool = False


_NOT_SELECTED: Final = Ruling("exclude", "not_selected")


def denied_files(entries: Iterable[Seen]) -> Denied:
    """Device and inode of every regular file that is denied by place or name, so that its hard links are known.

    Give it every entry of every root, and the account file beside the root.
    """
    return _inodes(seen for seen in entries if place_of(seen.parts).secret is not None)


def token_files(entries: Iterable[Seen]) -> Denied:
    """Those of the denied files that are not even read for a digest, by whatever name."""
    return _inodes(
        seen for seen in entries if (secret := place_of(seen.parts).secret) is not None and secret.holds == "token"
    )


def _inodes(entries: Iterable[Seen]) -> Denied:
    return frozenset(
        (seen.look.device, seen.look.inode) for seen in entries if seen.look is not None and seen.kind == "file"
    )


def rule_on(seen: Seen, placed: Placed, choice: Choice, denied: Denied) -> Ruling:
    """The ruling on one entry. `placed` may carry a session that its path does not state (an old agent file's)."""
    if placed.secret is not None:
        config = placed.secret.holds == "config"
        by: Rule = "credentials_location" if placed.secret.by == "location" else "credentials_name"
        return Ruling("exclude", by, digest=config) if seen.kind != "folder" else Ruling("list", "folder")
    if seen.look is None:
        return Ruling("list", "not_seen")
    if seen.kind != "file":
        return Ruling("list", rule_on_kind(seen.kind))
    if (seen.look.device, seen.look.inode) in denied:
        return Ruling("exclude", "credentials_inode")
    return _rule_on_file(placed, choice)


def rule_on_kind(kind: Literal["folder", "link", "fifo", "socket", "device", "unknown"]) -> Rule:
    """The rule that lists an entry which is no regular file; the same in every agent's store."""
    match kind:
        case "folder" | "link":
            return kind
        case "fifo" | "socket" | "device" | "unknown":
            return "special"
        case _:
            assert_never(kind)


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
