"""Before a check: is this a package of ours, is it sealed, what does it say of itself.

- What is not ours, not sealed, or newer than this reader is an error of the command, never a finding.
- What a package states of itself is only a claim until the check is over.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from agentaudit.encoding import foreign
from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import NotAPackage, NotSealed, UsageFault
from agentaudit.format import layout
from agentaudit.format.codecs import PACKAGE_CODEC
from agentaudit.model.base import Digest
from agentaudit.model.tagfiles import PackageFile
from agentaudit.package.tree import Tree, resolved

SMALL_MAX = 4 * 1024 * 1024

_SEAL = re.compile(r"(?:sha256:)?([0-9a-f]{64})\Z")
_VERSION = re.compile(r"agentaudit-package/(\d{1,9})\Z")
_MARKS = (layout.BAGIT, layout.PACKAGE, layout.JOURNAL)


def noted_seal(words: str | None) -> Digest | None:
    """The seal that a person noted: 64 hex digits in any case, spaces between them passed over.

    Raises UsageFault for anything else.
    """
    if words is None:
        return None
    match = _SEAL.match("".join(words.split()).lower())
    if match is None:
        raise UsageFault("a seal is 64 hexadecimal digits", "copy it from the case notes or the custody log")
    return Digest(f"sha256:{match.group(1)}")


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what the system refuses to read into NotAPackage (8), which names the path and the reason.

    Files that cannot be read are findings; this is for folders, and for what vanishes while it is checked.
    """
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else type(error).__name__
        raise NotAPackage(
            f"{path} cannot be read: {reason}", "look at its permissions, and let nothing write to it"
        ) from error


def check_is_sealed(path: Path) -> None:
    """Raises NotAPackage (8) or NotSealed (9) unless the path is a folder that may be a sealed exhibit."""
    root = resolved(path)
    if not root.is_dir():
        raise NotAPackage(f"{path} is not a folder", "name the exhibit's folder")
    if root.name.endswith(layout.PARTIAL):
        raise NotSealed(f"{path} is not sealed", "go on with --resume, or close it with `agentaudit seal`")
    if not holds_package(root):
        raise NotAPackage(f"{path} is not an exhibit", "name a folder that holds bagit.txt and agentaudit/")
    with Tree(root) as tree:
        version = _VERSION.match(_format_word(tree))
    if version is not None and int(version.group(1)) > 1:
        raise NotAPackage(f"{path} is of format {version.group(1)}", "use a newer agentaudit")


def holds_package(root: Path) -> bool:
    """True when anything in the folder marks it as a package of ours, however damaged."""
    return any(os.path.lexists(root / mark) for mark in _MARKS)


def _format_word(tree: Tree) -> str:
    try:
        stated = foreign.mapping(foreign.decode(small(tree, layout.PACKAGE)))
    except foreign.NotJson:
        return ""
    word = stated.get("format") if stated else None
    return word if isinstance(word, str) else ""


def small(tree: Tree, name: str) -> bytes:
    """The bytes of a small tag file; empty when it cannot be read or is too large to be one."""
    try:
        octets = tree.read(name, SMALL_MAX)
    except OSError:
        return b""
    return octets if len(octets) <= SMALL_MAX else b""


def stated_package(tree: Tree) -> PackageFile | None:
    """package.json as it lies there; None when it is not canonical."""
    line = small(tree, layout.PACKAGE)
    try:
        package = PACKAGE_CODEC.decode(line[:-1] if line.endswith(b"\n") else b"")
    except NotCanonical:
        return None
    return package if isinstance(package, PackageFile) else None
