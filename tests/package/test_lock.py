"""One writer at a time."""

import os
import sys
import threading
import types
from pathlib import Path

import pytest

from agentaudit.package.lock import try_lock, wait_lock


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


def test_on_windows_the_first_byte_is_locked(two: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no flock the runtime's own lock is taken, from the file's beginning; a refusal is a no."""
    calls: list[tuple[int, int, int, int]] = []

    def locking(descriptor: int, mode: int, octets: int) -> None:
        calls.append((descriptor, os.lseek(descriptor, 0, os.SEEK_CUR), mode, octets))
        if descriptor == two[1]:
            raise OSError

    module = types.ModuleType("msvcrt")
    for name, word in (("locking", locking), ("LK_NBLCK", 2), ("LK_LOCK", 1)):
        monkeypatch.setattr(module, name, word, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    monkeypatch.setattr(sys, "platform", "win32")
    for descriptor in two:
        os.lseek(descriptor, 0, os.SEEK_END)
    assert [try_lock(descriptor) for descriptor in two] == [True, False]
    wait_lock(two[0])
    monkeypatch.undo()
    assert calls == [(two[0], 0, 2, 1), (two[1], 0, 2, 1), (two[0], 0, 1, 1)]
    for descriptor in two:
        os.close(descriptor)
