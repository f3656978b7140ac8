"""What no selection decides: secrets, their hard links, and entries that are no regular files.

- Secrets come first: no selection, no category and no name lets one in. A hard link to one is one.
- Only regular files are preserved; links are listed with their text and never followed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from agentaudit.adapters.stores.secret import Secret
from agentaudit.model.local import Decision
from agentaudit.model.survey import Seen

Rule = Literal[
    "selected", "included", "credentials_location", "credentials_name", "credentials_inode", "credentials_bytes",
    "category_excluded", "category_opt_in", "not_selected", "metadata_only", "folder", "link", "special", "not_seen",
]  # fmt: skip

Denied: TypeAlias = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The decision, the rule it follows, and whether the bytes may be read for a digest alone."""

    decision: Decision
    rule: Rule
    digest: bool = False


_FOLDER: Final = Ruling("list", "folder")


def files_of(entries: Iterable[Seen]) -> Denied:
    """Device and inode of each regular file among these entries that was looked at."""
    return frozenset(
        (seen.look.device, seen.look.inode) for seen in entries if seen.look is not None and seen.kind == "file"
    )


def rule_by_nature(seen: Seen, secret: Secret | None, denied: Denied) -> Ruling | None:
    """The ruling that no selection can change: on a secret, a hard link to one, and what is no regular file.

    None for a regular file that is not denied.
    """
    if secret is not None:
        by: Rule = "credentials_location" if secret.by == "location" else "credentials_name"
        return Ruling("exclude", by, digest=secret.holds == "config") if seen.kind != "folder" else _FOLDER
    if seen.look is None:
        return Ruling("list", "not_seen")
    if seen.kind != "file":
        return Ruling("list", rule_on_kind(seen.kind))
    if (seen.look.device, seen.look.inode) in denied:
        return Ruling("exclude", "credentials_inode")
    return None


def rule_on_kind(kind: Literal["folder", "link", "fifo", "socket", "device", "unknown"]) -> Rule:
    """The rule that lists an entry which is no regular file; the same in every agent's store."""
    match kind:
        case "folder" | "link":
            return kind
        case "fifo" | "socket" | "device" | "unknown":
            return "special"
        case _:
            assert_never(kind)
