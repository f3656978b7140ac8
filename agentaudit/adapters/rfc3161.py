"""RFC 3161 time stamps: the request, and what an answer says; whether its signature holds is asked elsewhere.

- A request names SHA-256, a nonce, and wants the certificates (section 2.4.1).
- An answer is read for its facts alone: imprint, time, nonce, serial, and the certificate that its signer names
  (section 2.4.2; RFC 5652, section 5). Certificates come in any order: authorities do not sort them.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import new, sha256

from agentaudit.adapters import der
from agentaudit.adapters.der import Node, NotDer, element, number, read

SHA256 = bytes.fromhex("0609608648016503040201")
_DIGESTS = {"2.16.840.1.101.3.4.2.1": "sha256", "2.16.840.1.101.3.4.2.2": "sha384", "2.16.840.1.101.3.4.2.3": "sha512"}
_SIGNED_DATA, _TST_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
_GRANTED = (0, 1)
_INSIDE, _FIRST, _SECOND = 0xA0, 0x80, 0x81
_MOMENT = re.compile(r"(\d{14})(?:\.(\d{1,6})\d*)?Z\Z", re.ASCII)
_SHOWN = {"2.5.4.3": "CN", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.6": "C"}
_TEXTS = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1E: "utf-16-be"}


class NotAToken(ValueError):
    """Bytes that are no granted time stamp that this reader understands; the text names no content."""


@dataclass(frozen=True, slots=True)
class Token:
    """What a granted answer says.

    `content_info` is the CMS structure inside it, `certificates` those that came with it, as DER, in their order;
    `signer` is the one that its signer names, None when it is not among them; `authority` says whom that was issued
    to. `accuracy_ms` is rounded up.
    """

    content_info: bytes
    algorithm: str
    imprint: bytes
    stamped_at: datetime
    accuracy_ms: int | None
    serial: int
    nonce: int | None
    certificates: tuple[bytes, ...]
    signer: bytes | None
    authority: str

    def is_over(self, octets: bytes) -> bool:
        """True when the imprint is the digest of these bytes."""
        return new(self.algorithm, octets).digest() == self.imprint


def request(octets: bytes, nonce: int) -> bytes:
    """A TimeStampReq over the SHA-256 of the bytes, with a nonce and certReq, in DER."""
    algorithm = element(der.SEQUENCE, SHA256 + element(der.NULL, b""))
    imprint = element(der.SEQUENCE, algorithm + element(der.OCTETS, sha256(octets).digest()))
    return element(der.SEQUENCE, number(1) + imprint + number(nonce) + element(der.BOOLEAN, b"\xff"))


def read_answer(octets: bytes) -> Token:
    """What a TimeStampResp says; NotAToken when it is none, is not granted, or is of a kind that is not known."""
    try:
        return _token(read(octets))
    except NotAToken:
        raise
    except (ValueError, IndexError) as fault:
        raise NotAToken("no time stamp of this form") from fault


def _token(answer: Node) -> Token:
    status, *rest = answer.parts(der.SEQUENCE)
    if status.parts(der.SEQUENCE)[0].integer() not in _GRANTED or len(rest) != 1:
        raise NotAToken("the authority did not grant it")
    kind, content = rest[0].parts(der.SEQUENCE)
    if kind.oid() != _SIGNED_DATA:
        raise NotAToken("no signed data")
    signed = content.one(der.SEQUENCE).parts(der.SEQUENCE)
    certificates = tuple(one.whole for part in signed if part.tag == _INSIDE for one in part.parts())
    inner_kind, inner = signed[2].parts(der.SEQUENCE)
    if inner_kind.oid() != _TST_INFO:
        raise NotAToken("no time stamp inside")
    return _read_info(
        rest[0].whole, read(inner.one(der.OCTETS).content), certificates, _signer(signed[-1], certificates)
    )


def _read_info(whole: bytes, info: Node, certificates: tuple[bytes, ...], signer: bytes | None) -> Token:
    _, _, imprint, serial, moment, *rest = info.parts(der.SEQUENCE)
    algorithm, digest = imprint.parts(der.SEQUENCE)
    name = _DIGESTS.get(algorithm.parts(der.SEQUENCE)[0].oid())
    if name is None or digest.tag != der.OCTETS:
        raise NotAToken("its digest is of a kind that is not accepted")
    accuracy = next((part for part in rest if part.tag == der.SEQUENCE), None)
    nonce = next((part for part in rest if part.tag == der.INTEGER), None)
    return Token(
        content_info=whole,
        algorithm=name,
        imprint=digest.content,
        stamped_at=_moment(moment),
        accuracy_ms=None if accuracy is None else _accuracy_ms(accuracy),
        serial=serial.integer(),
        nonce=None if nonce is None else nonce.integer(),
        certificates=certificates,
        signer=signer,
        authority="" if signer is None else _subject(signer),
    )


def _moment(node: Node) -> datetime:
    """GeneralizedTime as section 2.4.2 restricts it: UTC, seconds, perhaps a fraction."""
    match = _MOMENT.match(node.content.decode("ascii")) if node.tag == der.TIME else None
    if match is None:
        raise NotDer("no time")
    whole, fraction = match.groups()
    moment = datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    return moment + timedelta(microseconds=int((fraction or "0").ljust(6, "0")))


def _accuracy_ms(node: Node) -> int:
    """Seconds, milliseconds and microseconds of which each may be absent."""
    total = 0
    for part in node.parts(der.SEQUENCE):
        value = int.from_bytes(part.content, "big")
        micros = {der.INTEGER: value * 1_000_000, _FIRST: value * 1_000, _SECOND: value}.get(part.tag)
        if micros is None:
            raise NotDer("no accuracy")
        total += micros
    return -(-total // 1_000)


def _signer(infos: Node, certificates: tuple[bytes, ...]) -> bytes | None:
    """The certificate whose issuer and serial the one signer names (RFC 5652, section 5.3)."""
    (info,) = infos.parts(der.SET)
    named = info.parts(der.SEQUENCE)[1]
    if named.tag != der.SEQUENCE:
        return None
    issuer, serial = named.parts()
    for one in certificates:
        number_there, issuer_there, _ = _certificate(one)
        if (number_there, issuer_there.whole) == (serial.integer(), issuer.whole):
            return one
    return None


def _certificate(octets: bytes) -> tuple[int, Node, Node]:
    """Serial, issuer and subject of a certificate (RFC 5280, section 4.1)."""
    parts = read(octets).parts(der.SEQUENCE)[0].parts(der.SEQUENCE)
    fields = parts[1:] if parts[0].tag == _INSIDE else parts
    return fields[0].integer(), fields[2], fields[4]


def _subject(certificate: bytes) -> str:
    """The names of a certificate's subject that people know it by."""
    name = _certificate(certificate)[2]
    words = [_word(pair) for group in name.parts(der.SEQUENCE) for pair in group.parts(der.SET)]
    return ", ".join(word for word in words if word)


def _word(pair: Node) -> str:
    kind, text = pair.parts(der.SEQUENCE)
    label, coding = _SHOWN.get(kind.oid()), _TEXTS.get(text.tag)
    return f"{label}={text.content.decode(coding, 'replace')}" if label and coding else ""
