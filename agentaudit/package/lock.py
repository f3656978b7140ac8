"""One writer at a time: an advisory lock on the file that is appended to.

- A lock lives as long as its descriptor; a killed process leaves none behind.
"""

import os
import sys


def try_lock(descriptor: int) -> bool:
    """Lock the file exclusively without waiting; false when another process holds it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not on every system

        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
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
    """Lock the file exclusively, waiting for whoever holds it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not on every system

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        return
    import fcntl  # noqa: PLC0415 - not on every system

    fcntl.flock(descriptor, fcntl.LOCK_EX)
