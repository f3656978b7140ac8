"""One writer at a time."""

import errno
import os
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from agentaudit.package.lock import WINDOWS_BYTE, try_lock, wait_lock


@pytest.fixture
def two(tmp_path: Path) -> tuple[int, int]:
    """Two descriptors of one file, opened apart, as two processes would."""
    path = tmp_path / "log"
    path.touch()
    return os.open(path, os.O_RDWR), os.open(path, os.O_RDWR)


def test_a_lock_is_held_by_one_descriptor(two: tuple[int, int]) -> None:
    """The second is refused without waiting, and gets the lock once the first is closed."""
    first, second = two
    assert try_lock(first)
    assert not try_lock(second)
    os.close(first)
    assert try_lock(second)
    os.close(second)


def test_who_waits_gets_the_lock_after_the_holder(two: tuple[int, int]) -> None:
    """Waiting ends when the holder lets go, and not before."""
    first, second = two
    wait_lock(first)
    got = threading.Event()

    def wait() -> None:
        wait_lock(second)
        got.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not got.wait(0.05)
    os.close(first)
    assert got.wait(10)
    waiting.join()
    os.close(second)


def test_on_windows_a_byte_beyond_every_log_is_locked(two: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Mandatory, it would keep the log's own reader out; what is written next goes where it went. A refusal is a no."""
    calls: list[tuple[int, int, int, int]] = []

    def locking(descriptor: int, mode: int, octets: int) -> None:
        calls.append((descriptor, os.lseek(descriptor, 0, os.SEEK_CUR), mode, octets))
        if descriptor == two[1]:
            raise OSError

    _as_on_windows(monkeypatch, locking)
    assert [try_lock(descriptor) for descriptor in two] == [True, False]
    wait_lock(two[0])
    assert [os.lseek(descriptor, 0, os.SEEK_CUR) for descriptor in two] == [0, 0]
    monkeypatch.undo()
    assert calls == [(two[0], WINDOWS_BYTE, 2, 1), (two[1], WINDOWS_BYTE, 2, 1), (two[0], WINDOWS_BYTE, 1, 1)]
    for descriptor in two:
        os.close(descriptor)


def test_on_windows_waiting_outlasts_the_runtime_s_patience(
    two: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runtime gives up after ten tries with EDEADLOCK; whoever waits goes on. Another error is one."""
    refusals = [OSError(errno.EDEADLK, ""), OSError(errno.EDEADLK, "")]

    def locking(_descriptor: int, _mode: int, _octets: int) -> None:
        if refusals:
            raise refusals.pop()

    _as_on_windows(monkeypatch, locking)
    wait_lock(two[0])
    assert refusals == []
    refusals.append(OSError(errno.EBADF, ""))
    with pytest.raises(OSError, match=str(errno.EBADF)):
        wait_lock(two[0])


def _as_on_windows(monkeypatch: pytest.MonkeyPatch, locking: Callable[[int, int, int], None]) -> None:
    module = types.ModuleType("msvcrt")
    for name, word in (("locking", locking), ("LK_NBLCK", 2), ("LK_LOCK", 1)):
        monkeypatch.setattr(module, name, word, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    monkeypatch.setattr(sys, "platform", "win32")
