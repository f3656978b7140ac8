"""A SHA-256 whose state lies in memory that several processes share, so that each of them can take it further.

- The functions are those of the libcrypto that `hashlib` itself uses: `SHA256_Init`, `SHA256_Update`, `SHA256_Final`
  (OpenSSL, openssl/sha.h). Their state is a plain structure of 112 bytes without pointers.
- They are deprecated and may be absent. Nothing is taken for granted: before they are used they have to show that the
  state is that structure and that the digest is hashlib's; where they do not, there are none.
- Who updates a state is not its business: never two at once.
"""

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import TypeAlias

STATE_BYTES = 256
DIGEST_BYTES = 32

_STRUCTURE_BYTES = 112
# FIPS 180-4, section 5.3.3: what stands first in the state of an empty text.
_BEGIN = (
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
)  # fmt: skip
_UNTOUCHED = 0xA5
# Short ones, the edges of a block of 64 bytes, and several blocks.
_KNOWN = (b"", b"abc", bytes(range(63)), bytes(range(64)), bytes(range(256)) * 5 + b"x")

Memory: TypeAlias = "ctypes.Array[ctypes.c_char]"


@dataclass(frozen=True, slots=True)
class Sha256Functions:
    """Three functions of a libcrypto: of a state; of a state, bytes and how many; of room for a digest and a state."""

    init: Callable[[Memory], object]
    update: Callable[[Memory, object, int], object]
    final: Callable[[Memory, Memory], object]


class TravellingHash:
    """One SHA-256 over a state of `STATE_BYTES` that lies elsewhere; it has hashlib's `update` and `hexdigest`."""

    def __init__(self, functions: Sha256Functions, state: Memory) -> None:
        """Take the memory; what is in it goes on, until `begin` is called."""
        self._functions = functions
        self._state = state

    def begin(self) -> None:
        """Begin an empty text."""
        self._functions.init(self._state)

    def update(self, octets: memoryview) -> None:
        """Add the bytes of writable memory."""
        if len(octets):
            self._functions.update(self._state, ctypes.byref(ctypes.c_char.from_buffer(octets)), len(octets))

    def hexdigest(self) -> str:
        """The digest of what was added so far, by whomever; more may be added behind it."""
        copy = _memory(bytes(self._state))
        digest = ctypes.create_string_buffer(DIGEST_BYTES)
        self._functions.final(digest, copy)
        return bytes(digest).hex()


def sha256_functions() -> Sha256Functions | None:
    """The functions behind `hashlib`, when they are there and prove themselves; else None."""
    try:
        module = import_module("_hashlib")
        # Where only what is approved may be used, a library may refuse these by ending the process.
        if module.get_fips_mode():
            return None
        functions = _functions(ctypes.CDLL(module.__file__))
    except (ImportError, AttributeError, OSError):
        # hashlib does without, or is built in, or its libcrypto hides or lacks them.
        return None
    return functions if proven(functions) else None


def proven(functions: Sha256Functions) -> bool:
    """True when the state is the plain structure, may be moved at any byte, and gives hashlib's digests."""
    return _is_plain(functions) and all(
        _moved(functions, text, at) == sha256(text).hexdigest() for text in _KNOWN for at in {0, 1, len(text)}
    )


def _functions(library: ctypes.CDLL) -> Sha256Functions:
    init, update, final = library.SHA256_Init, library.SHA256_Update, library.SHA256_Final
    init.argtypes = (ctypes.c_void_p,)
    update.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    final.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    return Sha256Functions(init, update, final)


def _is_plain(functions: Sha256Functions) -> bool:
    """True when an empty text's state begins with its constants, and nothing is written behind the structure."""
    state = _memory(bytes([_UNTOUCHED]) * STATE_BYTES)
    functions.init(state)
    begins = struct.unpack_from("=8I", bytes(state)) == _BEGIN
    functions.update(state, b"x" * 200, 200)
    functions.final(ctypes.create_string_buffer(DIGEST_BYTES), state)
    return begins and set(bytes(state)[_STRUCTURE_BYTES:]) == {_UNTOUCHED}


def _moved(functions: Sha256Functions, text: bytes, at: int) -> str:
    """The digest of a text whose state is moved to other memory at that byte."""
    here = _memory(bytes(STATE_BYTES))
    first = TravellingHash(functions, here)
    first.begin()
    first.update(memoryview(bytearray(text[:at])))
    second = TravellingHash(functions, _memory(bytes(here)))
    functions.init(here)
    second.update(memoryview(bytearray(text[at:])))
    return second.hexdigest()


def _memory(octets: bytes) -> Memory:
    return ctypes.create_string_buffer(octets, len(octets))
