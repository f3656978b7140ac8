"""Releases of the agent that lie on a machine, told by names and by one key of one file; nothing is ever started.

- An installation inside the root has a package file, whose `version` is read and nothing else of it.
- The native installer keeps each release under its number in a folder of the home, and the command is a link to one.
- What has not the form of a release number is no release: it is passed over, and never named.
"""

from collections.abc import Iterable
from typing import Final

from agentaudit.adapters.stores.words import is_version
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

PACKAGE_FILE: Final[Parts] = (b"local", b"node_modules", b"@anthropic-ai", b"claude-code", b"package.json")
RELEASES: Final[Parts] = (b".local", b"share", b"claude", b"versions")
COMMAND: Final[Parts] = (b".local", b"bin", b"claude")
ROOT_NAME: Final = b".claude"


def version_of(package: Json) -> str | None:
    """The release that a package file states; None when it states none that is one."""
    version = (mapping(package) or {}).get("version")
    return version if isinstance(version, str) and is_version(version) else None


def releases_among(names: Iterable[bytes]) -> tuple[str, ...]:
    """Those of the names that are release numbers, in the order of their bytes."""
    return tuple(word for name in sorted(names) if is_version(word := name.decode("latin-1")))


def linked_release(target: SourceText | None) -> str | None:
    """The release that the text of the command's link ends in; None when it leads to none."""
    last = target.rpartition("/")[2] if isinstance(target, str) else ""
    return last if is_version(last) else None
