"""A SHA-256 that goes from process to process: hashlib's digest, or none at all."""

import ctypes
import mmap
import os
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.framing import travelling
from agentaudit.framing.forking import forked
from agentaudit.framing.travelling import STATE_BYTES, Memory, Sha256Functions, TravellingHash, proven, sha256_functions

FOUND = sha256_functions()
pytestmark = pytest.mark.skipif(FOUND is None, reason="this hashlib has no libcrypto whose state may travel")


def functions() -> Sha256Functions:
    """The functions, which are there where these tests run."""
    assert FOUND is not None
    return FOUND


def memory() -> Memory:
    """Memory that a forked child has too."""
    return (ctypes.c_char * STATE_BYTES).from_buffer(mmap.mmap(-1, STATE_BYTES))


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=5))
def test_a_digest_is_hashlibs_however_the_text_is_cut(text: bytes, cuts: list[int]) -> None:
    """Each piece is added by another who has the memory, and the digest may be asked for in between."""
    state = memory()
    TravellingHash(functions(), state).begin()
    for begin, end in pairwise((0, *sorted(min(cut, len(text)) for cut in cuts), len(text))):
        TravellingHash(functions(), state).update(memoryview(bytearray(text[begin:end])))
        assert TravellingHash(functions(), state).hexdigest() == sha256(text[:end]).hexdigest()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked there")
def test_a_digest_goes_through_processes() -> None:
    """What a child adds counts here, and the other way round."""
    digest = TravellingHash(functions(), memory())
    digest.begin()
    text = bytearray(range(256)) * 3

    def task(pipe: int) -> None:
        digest.update(memoryview(text)[100:500])
        os.write(pipe, b"x")

    digest.update(memoryview(text)[:100])
    child = forked(task, ())
    try:
        assert os.read(child.pipe, 1) == b"x"
    finally:
        child.end()
    digest.update(memoryview(text)[500:])
    assert digest.hexdigest() == sha256(text).hexdigest()


def test_a_text_can_be_begun_again() -> None:
    """Nothing is left of the one before."""
    digest = TravellingHash(functions(), memory())
    for _ in range(2):
        digest.begin()
        digest.update(memoryview(bytearray(b"abc")))
    assert digest.hexdigest() == sha256(b"abc").hexdigest()


def test_functions_that_hashlib_has_prove_themselves() -> None:
    """They are taken for what they are."""
    assert proven(functions())


def test_a_state_that_does_not_begin_with_the_constants_is_refused() -> None:
    """It is not the structure of the header file, whatever its digest."""

    def init(state: Memory) -> None:
        functions().init(state)
        state[0] = b"\x00"

    assert not proven(replace(functions(), init=init))


def test_a_state_that_is_larger_than_the_structure_is_refused() -> None:
    """What is written behind it may be a pointer."""

    def init(state: Memory) -> None:
        functions().init(state)
        state[120] = b"\x01"

    assert not proven(replace(functions(), init=init))


def test_a_digest_that_is_not_hashlibs_is_refused() -> None:
    """The known answers tell."""

    def final(digest: Memory, state: Memory) -> None:
        functions().final(digest, state)
        digest[31] = bytes([digest.raw[31] ^ 1])

    assert not proven(replace(functions(), final=final))


def test_without_proof_there_are_no_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks does without."""
    monkeypatch.setattr(travelling, "proven", lambda _functions: False)
    assert sha256_functions() is None


def test_a_library_that_lacks_a_function_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deprecated functions may be left out of it."""

    class Bare:
        SHA256_Init = SHA256_Update = ctypes.pythonapi.Py_IncRef

    monkeypatch.setattr(ctypes, "CDLL", lambda _path: Bare())
    assert sha256_functions() is None


class Hashlib(ModuleType):
    """What stands for `_hashlib`: without a file, until it is given one."""

    fips = 0

    def get_fips_mode(self) -> int:
        """Whether only what is approved may be used."""
        return self.fips


def test_a_hashlib_that_is_built_in_or_away_has_no_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no file, a file that does not load, or is not there."""
    lost = Hashlib("_hashlib")
    lost.__file__ = "/nowhere/lib.so"
    for module in (Hashlib("_hashlib"), ModuleType("_hashlib"), lost, None):
        monkeypatch.setitem(sys.modules, "_hashlib", module)
        assert sha256_functions() is None


def test_where_only_what_is_approved_may_be_used_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the library is tried."""
    approved = Hashlib("_hashlib")
    approved.fips = 1
    monkeypatch.setitem(sys.modules, "_hashlib", approved)
    monkeypatch.delattr(ctypes, "CDLL")
    assert sha256_functions() is None
