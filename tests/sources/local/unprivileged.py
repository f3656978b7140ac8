"""Work in a child without privileges, so that a wall of permissions is one."""

import contextlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
NOBODY = 65_534


def as_nobody(root: Path, work: Callable[[Path], T], *, own: bool = True) -> T:
    """The result of the work, done as nobody where we are root; the tree is made nobody's, or readable by all."""
    if os.geteuid() != 0:
        with contextlib.chdir(root):
            return work(Path())
    if own:
        _give_away(root)
    else:
        root.chmod(0o755)
    there, here = os.pipe()
    top = os.open(root, os.O_RDONLY)
    child = os.fork()
    if child == 0:
        _work_and_leave(top, here, work)
    os.close(here)
    os.close(top)
    with os.fdopen(there, "rb") as stream:
        told = stream.read()
    os.waitpid(child, 0)
    result: T = pickle.loads(told)  # noqa: S301 - our own child
    return result


def _give_away(root: Path) -> None:
    for path in (*root.rglob("*"), root):
        os.lchown(path, NOBODY, NOBODY)


def _work_and_leave(top: int, here: int, work: Callable[[Path], T]) -> None:
    """In the child: the way to the root may be closed to nobody, so its folder is entered first."""
    try:
        os.fchdir(top)
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        told = pickle.dumps(work(Path()))
    except BaseException as error:  # noqa: BLE001 - a child must not go on as a second test run
        told = pickle.dumps(repr(error))
    os.write(here, told)
    os._exit(0)
