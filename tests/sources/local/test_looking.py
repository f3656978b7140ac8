"""Looks: what other systems say in their own way."""

import ctypes
import errno
import os
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from agentaudit.model.survey import Look
from agentaudit.sources.local import holes, looking, owners
from agentaudit.sources.local.holes import data_runs
from agentaudit.sources.local.looking import Eyes, is_as, kind_of, look_of

PLAIN = {
    "st_size": 5, "st_mtime_ns": 1, "st_ctime_ns": 2, "st_atime_ns": 3, "st_mode": stat.S_IFREG, "st_uid": 0,
    "st_gid": 0, "st_dev": 1, "st_ino": 2, "st_nlink": 1,
}  # fmt: skip


def look(**said: float) -> Look:
    """The look that a system with these words gives."""
    return look_of(SimpleNamespace(**PLAIN, **said))  # type: ignore[arg-type]


def test_a_birth_time_and_a_dataless_file_are_said_by_flags() -> None:
    """As macOS does: a birth time in seconds, and a flag on files whose bytes lie in the cloud."""
    assert look(st_birthtime=1.5, st_flags=0x40000000).born_ns == 1_500_000_000
    assert look(st_flags=0x40000000).offline is True
    assert look(st_flags=0).offline is False


def test_attributes_of_windows_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Placeholders by attribute, junctions by their tag, and the birth time under the name of another."""
    assert look(st_file_attributes=0x00400000).offline is True
    assert look(st_file_attributes=0x20).offline is False
    junction = look(st_reparse_tag=0xA0000003)
    assert junction.junction
    assert kind_of(junction) == "link"
    assert not look(st_reparse_tag=0x9000001A).junction
    monkeypatch.setattr(sys, "platform", "win32")
    assert look().born_ns == 2
    assert Eyes().look(os.fsencode(Path.cwd())).mode


def test_a_system_without_blocks_or_marks_says_nothing() -> None:
    """Unknown is None."""
    plain = look()
    assert (plain.allocated, plain.offline, plain.born_ns) == (None, None, None)


@pytest.mark.parametrize("says_more", [False, True])
def test_a_result_is_as_a_look_when_every_number_is(monkeypatch: pytest.MonkeyPatch, says_more: bool) -> None:
    """One number that is another says no, whichever it is; a system that says more is asked for all of it."""
    monkeypatch.setattr(looking, "_SAYS_MORE", says_more)
    words = {**PLAIN, "st_blocks": 8}
    known = look_of(SimpleNamespace(**words))  # type: ignore[arg-type]
    assert is_as(SimpleNamespace(**words), known)  # type: ignore[arg-type]
    for name, number in words.items():
        other = SimpleNamespace(**{**words, name: number + 1})
        assert not is_as(other, known), name  # type: ignore[arg-type]


def test_a_birth_time_that_only_one_call_gives_makes_no_difference() -> None:
    """Two calls of Linux see the same file; the look that has a birth time is the one that is kept."""
    known = Eyes().look(os.fsencode(Path.cwd()))
    assert is_as(Path.cwd().stat(), known) or sys.platform != "linux"


@pytest.mark.parametrize("library", [SimpleNamespace(), SimpleNamespace(statx=lambda *_: -1)])
def test_without_statx_the_portable_call_is_used(monkeypatch: pytest.MonkeyPatch, library: SimpleNamespace) -> None:
    """A library that has no such call, or a kernel that refuses it."""
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    assert Eyes().look_twice(os.fsencode(Path.cwd()))[1] is None


def test_a_file_system_without_holes_has_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the system, or by its refusal; any other refusal is an error."""
    codes = iter([errno.EINVAL, errno.EIO])

    def refuse(_descriptor: int, at: int, how: int) -> int:
        if how == os.SEEK_DATA:
            code = next(codes)
            raise OSError(code, os.strerror(code))
        return at + 9

    monkeypatch.setattr(os, "lseek", refuse)
    assert data_runs(3, 9, 4) == ((0, 9),)
    with pytest.raises(OSError, match="Input/output"):
        data_runs(3, 9, 4)
    monkeypatch.setattr(holes, "HAS_RUNS", False)
    assert data_runs(3, 9, 4) == ((0, 9),)


def test_names_of_owners_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of files of one user cost one question."""
    asked: list[int] = []

    def name(number: int) -> str:
        asked.append(number)
        return "somebody"

    monkeypatch.setattr(owners, "user_name", name)
    known = owners.Owners()
    for _ in range(3):
        assert known.state(look()).owner == "somebody"
    assert asked == [0]
