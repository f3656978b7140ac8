"""Time stamps: the request, and what an answer says."""

from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256, sha512

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.der import (
    BOOLEAN,
    INTEGER,
    NULL,
    OCTETS,
    SEQUENCE,
    SET,
    TIME,
    element,
    number,
    read,
)  # fmt: skip
from agentaudit.adapters.rfc3161 import NotAToken, Token, read_answer, request

SIGNED, TST, SHA256, SHA512, SHA1 = (
    bytes.fromhex(one)
    for one in (
        "06092a864886f70d010702",
        "060b2a864886f70d0109100104",
        "0609608648016503040201",
        "0609608648016503040203",
        "06052b0e03021a",
    )
)
CN, TITLE = bytes.fromhex("0603550403"), bytes.fromhex("060355040c")


def sequence(*parts: bytes) -> bytes:
    """A SEQUENCE."""
    return element(SEQUENCE, b"".join(parts))


def name(common: bytes, tag: int = 0x0C) -> bytes:
    """A Name with a common name, a title that nobody shows, and a text of a type that nobody reads."""
    pairs = (
        sequence(CN, element(tag, common)),
        sequence(TITLE, element(0x0C, b"Dr")),
        sequence(CN, element(0x1C, b"u")),
    )
    return sequence(*(element(SET, pair) for pair in pairs))


def certificate(serial: int, subject: bytes = b"Authority", version: bytes = element(0xA0, number(2))) -> bytes:
    """A certificate as far as its subject."""
    return sequence(sequence(version, number(serial), sequence(SHA256), name(b"Root"), sequence(), name(subject)))


def info(
    moment: bytes = b"20260302090000Z",
    algorithm: bytes = SHA256,
    digest: bytes = element(OCTETS, sha256(b"x").digest()),
    rest: bytes = b"",
) -> bytes:
    """A TSTInfo."""
    imprint = sequence(sequence(algorithm, element(NULL, b"")), digest)
    return sequence(number(1), bytes.fromhex("06022a03"), imprint, number(77), element(TIME, moment), rest)


def answer(
    inside: bytes | None = None,
    *,
    status: int = 0,
    kind: bytes = SIGNED,
    inner_kind: bytes = TST,
    certificates: bytes | None = element(0xA0, certificate(5) + certificate(6)),
    sid: bytes | None = None,
) -> bytes:
    """A TimeStampResp."""
    signer = sequence(number(1), sid if sid is not None else sequence(name(b"Root"), number(6)))
    signed = sequence(
        number(3),
        element(SET, b""),
        sequence(inner_kind, element(0xA0, element(OCTETS, info() if inside is None else inside))),
        certificates or b"",
        element(SET, signer),
    )
    return sequence(sequence(number(status)), sequence(kind, element(0xA0, signed)))


def test_a_request_is_over_the_digest_with_a_nonce_and_wants_certificates() -> None:
    """Version 1, SHA-256, the nonce, certReq (RFC 3161, section 2.4.1)."""
    version, imprint, nonce, wants = read(request(b"x", 2**63 - 1)).parts(SEQUENCE)
    assert (version.integer(), nonce.integer(), wants.whole) == (1, 2**63 - 1, element(BOOLEAN, b"\xff"))
    assert imprint.parts(SEQUENCE)[1].content == sha256(b"x").digest()


def test_an_answer_says_when_over_what_and_by_whom() -> None:
    """The certificate is the one that the signer names, not the first."""
    accuracy = sequence(number(1), element(0x80, b"\x02"), element(0x81, b"\x01"))
    token = read_answer(answer(info(b"20260302090000.25Z", rest=accuracy + number(9) + element(0xA0, b""))))
    assert token.stamped_at == datetime(2026, 3, 2, 9, 0, 0, 250_000, UTC)
    assert (token.accuracy_ms, token.serial, token.nonce) == (1003, 77, 9)
    assert token.certificates == (certificate(5), certificate(6))
    assert (token.signer, token.authority) == (certificate(6), "CN=Authority")
    assert (token.is_over(b"x"), token.is_over(b"y")) == (True, False)


def test_what_an_answer_leaves_out_is_none() -> None:
    """No accuracy, no nonce, no certificates, a signer named by its key: each is said."""
    token = read_answer(answer(certificates=None))
    assert (token.accuracy_ms, token.nonce, token.certificates, token.signer, token.authority) == (
        None,
        None,
        (),
        None,
        "",
    )
    assert read_answer(answer(sid=element(0x80, b"key"))).signer is None
    assert read_answer(answer(sid=sequence(name(b"Root"), number(8)))).signer is None


def test_other_digests_and_a_granted_one_with_changes_are_accepted() -> None:
    """SHA-384 and SHA-512 are as good; a certificate of version 1 has no version."""
    digest = element(OCTETS, sha512(b"x").digest())
    old = element(0xA0, certificate(6, version=b""))
    token = read_answer(answer(info(algorithm=SHA512, digest=digest), status=1, certificates=old))
    assert token.is_over(b"x")
    assert token.signer == certificate(6, version=b"")


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"x",
        answer()[:-1],
        answer(status=2),
        sequence(sequence(number(0))),
        answer(kind=TST),
        answer(inner_kind=SIGNED),
        answer(info(algorithm=SHA1)),
        answer(info(digest=element(INTEGER, b"\1"))),
        answer(info(b"20260302090000")),
        answer(info(b"20261302090000Z")),
        answer(info(b"\xff")),
        answer(info(rest=sequence(element(0x85, b"\1")))),
        answer(sequence(number(1))),
        answer(certificates=element(0xA0, sequence(number(1)))),
        sequence(number(0)),
    ],
)
def test_anything_else_is_refused(octets: bytes) -> None:
    """Not granted, of another kind, a weak digest, no time, or no structure at all."""
    with pytest.raises(NotAToken):
        read_answer(octets)


@pytest.mark.parametrize(
    ("subject", "tag", "shown"),
    [(b"\xc3\xa9", 0x0C, "é"), (b"\xff", 0x0C, "\ufffd"), (b"A", 0x13, "A"), ("é".encode("utf-16-be"), 0x1E, "é")],
)
def test_names_are_decoded_as_their_type_says(subject: bytes, tag: int, shown: str) -> None:
    """What cannot be decoded is replaced, never raised."""
    own = sequence(sequence(number(6), sequence(SHA256), name(b"Root"), sequence(), name(subject, tag)))
    assert read_answer(answer(certificates=element(0xA0, own))).authority == f"CN={shown}"


@given(st.binary(max_size=400), st.integers(0, 800), st.integers(0, 255))
def test_no_bytes_raise_anything_else(octets: bytes, at: int, other: int) -> None:
    """Hostile bytes, and an answer with one changed, are a time stamp or none."""
    whole = bytearray(answer())
    whole[at % len(whole)] = other
    readings: tuple[Callable[[], Token], ...] = (
        lambda: read_answer(octets),
        lambda: read_answer(answer(octets)),
        lambda: read_answer(bytes(whole)),
    )
    for reading in readings:
        try:
            reading()
        except NotAToken:
            continue
