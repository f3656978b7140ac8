"""One writer at a time: an advisory lock on the file that is appended to.

- A lock lives as long as its descriptor; a killed process leaves none behind.
- Windows knows only mandatory locks: there a byte is locked that no log ever reaches, so that all of it stays readable.
"""

import contextlib
import errno
import os
import sys
from collections.abc import Iterator

WINDOWS_BYTE = 2**31 - 2
"""The last place that the runtime's lock call can be given (it counts in 32 bits)."""


def try_lock(descriptor: int) -> bool:
    """Lock the file exclusively without waiting; false when another process holds it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not on every system

        with _beyond(descriptor):
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                return False
            return True
    import fcntl  # noqa: PLC0415 - not on every system

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def wait_lock(descriptor: int) -> None:
    """Lock the file exclusively, waiting for whoever holds it; OSError when it cannot be locked at all."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not on every system

        while True:
            try:
                with _beyond(descriptor):
                    msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
            except OSError as error:
                if error.errno != errno.EDEADLK:  # what the runtime gives up with after ten tries, a second apart
                    raise
            else:
                return
    import fcntl  # noqa: PLC0415 - not on every system

    fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextlib.contextmanager
def _beyond(descriptor: int) -> Iterator[None]:
    """The descriptor stands on the byte that is locked, and afterwards where it stood: the next write goes there."""
    stood = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, WINDOWS_BYTE, os.SEEK_SET)
    try:
        yield
    finally:
        os.lseek(descriptor, stood, os.SEEK_SET)
