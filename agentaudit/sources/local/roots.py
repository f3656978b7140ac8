"""Which roots there are: those that were named, else the one of the environment, else the default; and left-overs.

- A folder to which the databases of a root are moved is a root as well, and looked into for databases alone. Where
  roots were named it is only reported: they may be a copy or an image of another machine.
- Left-overs of other layouts and other accounts are reported because they exist; they are not read.
- A root that the user names may itself be a link: it is resolved once, and nothing below it is.
- Environment, home and the table of mounts come in as arguments; only what lies at the places is looked at.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from agentaudit.adapters.codex.databases import holds_databases, lies_apart
from agentaudit.model.local import Root, true_name
from agentaudit.model.survey import Look, Parts
from agentaudit.sources.local.apart import moved_databases
from agentaudit.sources.local.handles import Handles, refusal
from agentaudit.sources.local.looking import Eyes, kind_of
from agentaudit.sources.local.mounts import mount_of

Found = Literal["named", "environment", "default", "databases", "reported"]
Only = Callable[[bytes], bool]

_HAS_NOATIME: Final = hasattr(os, "O_NOATIME")
_CLAUDE_LEFT_OVERS: Final = (
    b".config/claude", b".config/Claude/local-agent-mode-sessions", b".config/Claude/claude-code-sessions",
    b"Library/Application Support/Claude/local-agent-mode-sessions",
    b"Library/Application Support/Claude/claude-code-sessions",
    b"AppData/Roaming/Claude/local-agent-mode-sessions", b"AppData/Roaming/Claude/claude-code-sessions",
)  # fmt: skip
_CODEX_LEFT_OVERS: Final = (
    b".config/codex", b"Library/Application Support/Codex", b"Library/Logs/com.openai.codex", b"AppData/Roaming/Codex",
)  # fmt: skip
_BESIDE: Final = b".claude.json"
_SIDECARS: Final = (b"", b"-wal", b"-shm", b"-journal")


@dataclass(frozen=True, slots=True)
class Surrounding:
    """What the search is told: the home folder, our user, the mounts' table, and variables of the environment.

    `config_dir` is the value of CLAUDE_CONFIG_DIR, `codex_home` that of CODEX_HOME, and
    `codex_sqlite_home` that of CODEX_SQLITE_HOME; None or empty where it is not set.
    `managed` is the folder of the administrator's settings; it is looked into for stores of this machine alone.
    """

    config_dir: bytes | None
    home: bytes | None
    user_id: int | None
    mounts: Callable[[], bytes | None]
    codex_home: bytes | None = None
    managed: bytes | None = None
    codex_sqlite_home: bytes | None = None


@dataclass(frozen=True, slots=True)
class RootNames:
    """Where the roots of one kind of store lie: the folder in the home, its left-overs, and the variable's value.

    `apart` is the value of the variable that moves its databases, `moved` gives the places that are named for them:
    the resolved root, the user's home and that value come in. `is_apart` says which entries of such a place are looked
    at, and `covers` whether a path below the root is known to hold databases anyway.
    """

    folder: bytes
    left_overs: tuple[bytes, ...]
    environment: Callable[[Surrounding], bytes | None]
    apart: Callable[[Surrounding], bytes | None] = lambda _: None
    moved: Callable[[bytes | None, bytes | None, bytes | None], tuple[bytes, ...]] = lambda *_: ()
    is_apart: Only = lambda _: True
    covers: Callable[[Parts], bool] = lambda _: True


CLAUDE_CODE: Final = RootNames(b".claude", _CLAUDE_LEFT_OVERS, lambda around: around.config_dir)
CODEX: Final = RootNames(
    b".codex",
    _CODEX_LEFT_OVERS,
    lambda around: around.codex_home,
    apart=lambda around: around.codex_sqlite_home,
    moved=moved_databases,
    is_apart=lies_apart,
    covers=holds_databases,
)


@dataclass(frozen=True, slots=True)
class FoundRoot:
    """A root: its facts as they are written, and the resolved path that is opened.

    `only` says which names in it are looked at; None for a folder that is a root with all that it holds. `look` is
    the look at it before anything in it was listed; None where an earlier run had it.
    """

    facts: Root
    path: bytes
    only: Only | None = None
    look: Look | None = None


@dataclass(frozen=True, slots=True)
class Roots:
    """What the search found: `chosen` are surveyed, `reported` exist and were not asked for.

    `absent` holds the chosen places that are no folder or cannot be entered, with the system's word for it, and
    `twice` the places that are a chosen root again. `beside` are account files beside a root, for their inodes.
    """

    chosen: tuple[FoundRoot, ...]
    reported: tuple[FoundRoot, ...]
    absent: tuple[tuple[bytes, str], ...]
    twice: tuple[bytes, ...]
    beside: tuple[Look, ...]


def find_roots(named: Iterable[bytes], around: Surrounding, names: RootNames = CLAUDE_CODE) -> Roots:
    """The roots to survey, numbered `r1` ..., and the left-overs, numbered after them."""
    search = _Search(around)
    for path, how in _places(tuple(named), around, names):
        search.choose(path, how)
    apart = names.apart(around)
    if not named:
        home = search.found[0].path if search.found else None
        for path in names.moved(home, around.home, apart):
            search.follow(path, home, names)
    chosen = tuple(search.found)
    for path in (*([apart] if apart and named else []), *_left_overs(around.home, names)):
        search.report(path)
    return Roots(
        chosen=chosen,
        reported=tuple(search.found[len(chosen) :]),
        absent=tuple(search.absent),
        twice=tuple(search.twice),
        beside=_beside([root.path for root in search.found], around.home),
    )


def find_handed_over(paths: Iterable[bytes], around: Surrounding) -> Roots:
    """The roots of files and folders that were named: a folder is one; a file's own folder is one for that file alone.

    What lies beside a file is not looked at, but for the sidecars of a database of its name.
    """
    search = _Search(around)
    beside: dict[bytes, set[bytes]] = {}
    for path in paths:
        resolved = os.path.realpath(path)
        folder, name = os.path.split(resolved)
        if os.path.isdir(resolved) or not os.path.lexists(resolved):  # noqa: PTH112 - names are bytes
            search.choose(path, "named")
        else:
            beside.setdefault(folder, set()).update(name + end for end in _SIDECARS)
    for folder in beside:
        search.choose(folder, "named")
    return Roots(
        chosen=tuple(
            replace(root, only=beside[root.path].__contains__ if root.path in beside else None) for root in search.found
        ),
        reported=(),
        absent=tuple(search.absent),
        twice=tuple(search.twice),
        beside=(),
    )


def _places(named: tuple[bytes, ...], around: Surrounding, names: RootNames) -> list[tuple[bytes, Found]]:
    if named:
        return [(path, "named") for path in named]
    told = names.environment(around)
    if told:
        return [(told, "environment")]
    return [(_join(around.home, names.folder), "default")] if around.home else []


class _Search:
    """The roots found so far, each device and inode once."""

    def __init__(self, around: Surrounding) -> None:
        self.found: list[FoundRoot] = []
        self.absent: list[tuple[bytes, str]] = []
        self.twice: list[bytes] = []
        self._around = around
        self._table = around.mounts()
        self._eyes = Eyes()
        self._known: set[tuple[int, int]] = set()

    def follow(self, path: bytes, home: bytes | None, names: RootNames) -> None:
        """A place of databases: one of its own, unless the home has it already; absent where it leads nowhere."""
        if b"\0" in path or not os.path.isabs(path):  # noqa: PTH117 - names are bytes
            self.absent.append((path, "EINVAL" if b"\0" in path else "relative"))
        elif home is not None and (below := _below(home, os.path.realpath(path))) is not None and names.covers(below):
            self.twice.append(path)
        else:
            self.choose(path, "databases", names.is_apart)

    def choose(self, path: bytes, how: Found, only: Only | None = None) -> None:
        resolved = os.path.realpath(path)
        try:
            look = self._eyes.look(resolved)
            if kind_of(look) != "folder":
                raise NotADirectoryError(20, "not a folder")
            Handles(resolved).close()
        except OSError as error:
            self.absent.append((path, refusal(error).error or ""))
            return
        if (look.device, look.inode) in self._known:
            self.twice.append(path)
            return
        self._add(path, resolved, look, how, only)

    def report(self, path: bytes) -> None:
        """A left-over: only a look, and never a complaint."""
        resolved = os.path.realpath(path)
        try:
            look = self._eyes.look(resolved)
        except OSError:
            return
        if kind_of(look) == "folder" and (look.device, look.inode) not in self._known:
            self._add(path, resolved, look, "reported")

    def _add(self, path: bytes, resolved: bytes, look: Look, how: Found, only: Only | None = None) -> None:
        self._known.add((look.device, look.inode))
        mount = mount_of(resolved, self._table) if self._table is not None else None
        facts = Root(
            root=f"r{len(self.found) + 1}",
            path=true_name(path),
            resolved=true_name(resolved),
            found=how,
            device=str(look.device),
            file_system=mount.file_system if mount else None,
            mount_options=",".join(mount.options) if mount else None,
            read_only=mount.read_only if mount else None,
            access_times_kept=_kept(mount.access_times_kept, look, self._around.user_id) if mount else None,
        )
        self.found.append(FoundRoot(facts, resolved, only, look))


def _kept(by_mount: bool, look: Look, user_id: int | None) -> bool:
    """Whether reading leaves access times alone: by the mount, or because we may ask for it (open(2), O_NOATIME)."""
    return by_mount or (_HAS_NOATIME and user_id in {0, look.user_id})


def _left_overs(home: bytes | None, roots: RootNames) -> list[bytes]:
    """Places of other layouts, and siblings such as `.claude-work` and `.claude.bak`, in the order of their names."""
    if home is None:
        return []
    try:
        names = sorted(os.listdir(home))  # noqa: PTH208 - names are bytes
    except OSError:
        names = []
    siblings = [name for name in names if name.startswith(roots.folder)]
    return [_join(home, name) for name in (*siblings, *roots.left_overs)]


def _beside(roots: Iterable[bytes], home: bytes | None) -> tuple[Look, ...]:
    """Looks at the account files in the home folder and beside each root, with their older copies."""
    eyes, found = Eyes(), []
    folders = dict.fromkeys([*([home] if home else []), *(os.path.dirname(root) for root in roots)])  # noqa: PTH120
    for folder in folders:
        try:
            names = sorted(os.listdir(folder))  # noqa: PTH208 - names are bytes
            found += [eyes.look(_join(folder, name)) for name in names if name.startswith(_BESIDE)]
        except OSError:
            continue
    return tuple(look for look in found if kind_of(look) == "file")


def _below(root: bytes, path: bytes) -> Parts | None:
    """The components of a resolved path below a resolved root; None when it does not lie there."""
    if path == root:
        return ()
    start = root.rstrip(b"/") + b"/"
    return tuple(path[len(start) :].split(b"/")) if path.startswith(start) else None


def _join(folder: bytes | None, name: bytes) -> bytes:
    return os.path.join(folder or b"", name)  # noqa: PTH118 - names are bytes
