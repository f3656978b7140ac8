"""What of handed-over files is a private key or a database, by its bytes."""

import gzip
import shutil
import sqlite3
import subprocess
from codecs import BOM_UTF8
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from agentaudit.adapters.handed_over.forms import HEAD_BYTES, WHOLE_MAX, FormSieve, key_or_database
from agentaudit.adapters.handed_over.withheld import Withheld
from tests.support.telemetry import Sent, collector_json, framed, log, own_json, pretty_json, protobuf

WORDS = b"PRIVATE" + b" KEY"
CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n"
SENT = Sent([log("user_prompt", 0, prompt="-----BEGIN " + WORDS.decode() + "-----")])


def armoured(word: bytes = b"", end: bytes = b"") -> bytes:
    """A block of armour that is named a private key, and holds nothing."""
    return b"-----BEGIN " + word + WORDS + end + b"-----\nMAAA\n-----END " + word + WORDS + end + b"-----\n"


def through(octets: bytes, sieve: FormSieve, piece: int) -> bytes:
    """What comes through, fed in pieces; raises Withheld."""
    pieces = [sieve.feed(memoryview(octets)[at : at + piece]) for at in range(0, len(octets), piece)]
    return b"".join(pieces) + sieve.finish()


def form_of(octets: bytes, piece: int = 100) -> str | None:
    """The form for which it does not come through; None where every byte does."""
    try:
        assert through(octets, FormSieve(), piece) == octets
    except Withheld as withheld:
        return withheld.form
    return None


KEYS = [
    armoured(), armoured(b"RSA "), armoured(b"OPENSSH "), armoured(b"ENCRYPTED "), armoured(b"PGP ", b" BLOCK"),
    BOM_UTF8 + armoured(), b"\r\n\n" + armoured(), armoured(b"EC ").decode().encode("utf-16"), CERTIFICATE + armoured(),
    b"Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n" + armoured(),
    b"-----BEGIN EC PARAMETERS-----\nBgg\n-----END EC PARAMETERS-----\n" + armoured(b"EC "),
    b"---- BEGIN SSH2 ENCRYPTED " + WORDS + b" ----\n", b"SSH " + WORDS + b" FILE FORMAT 1.1\n\0",
    b"PuTTY-User-Key-File-3: x",
    b"AGE-SECRET" + b"-KEY-1Q\n", b"# created: 2026-01-01T00:00:00Z\n# public key: age1x\nAGE",
    b'{\n  "type": "service_account",\n  "project_id": "p",\n  "private_key": "-----BEGIN ' + WORDS,
    bytes.fromhex("fe" "ed" "fe" "ed") + b"\0\0\0\2\0\0\0\1", bytes.fromhex("cececece0000000200000001"),
    bytes.fromhex("03d9a29a67fb4bb5") + b"\1\0\4\0",
]  # fmt: skip


@pytest.mark.parametrize("piece", [1, 100, 1 << 20])
@pytest.mark.parametrize("octets", KEYS)
def test_a_private_key_does_not_come_through(octets: bytes, piece: int) -> None:
    """In armour, in a text of several blocks, in another encoding, in the stores of other programs."""
    assert form_of(octets, piece) == "credentials"
    assert key_or_database(octets) == "credentials"


OPENSSL = (
    "genpkey -algorithm ed25519 -outform DER",
    "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -outform DER",
    "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -outform DER",
    "genpkey -algorithm ed25519 -outform DER|pkcs8 -inform DER -topk8 -passout pass:word -outform DER",
    "genpkey -algorithm ed25519|pkcs8 -topk8 -v1 PBE-SHA1-3DES -passout pass:word -outform DER",
    "ecparam -genkey -name prime256v1 -noout|ec -outform DER",
    "genrsa -traditional 1024|rsa -traditional -outform DER",
    "genrsa 1024|pkcs12 -export -nocerts -passout pass:word",
    "genrsa 1024|pkcs12 -export -nocerts -passout pass:word|pkcs12 -nocerts -nodes -passin pass:word",
    "ecparam -genkey -name prime256v1",
    "genrsa 1024|rsa -text -noout",
    "genpkey -algorithm ed25519|pkey -text -noout",
)
PUBLIC = (
    "genpkey -algorithm ed25519|pkey -pubout -outform DER",
    "genrsa 1024|rsa -RSAPublicKey_out -outform DER",
    "genrsa 1024|rsa -pubout",
    "ecparam -name prime256v1",
)


def made(commands: str) -> bytes:
    """What OpenSSL makes, command by command."""
    octets = b""
    for words in commands.split("|"):
        made = subprocess.run(["openssl", *words.split()], input=octets, capture_output=True, check=True, timeout=30)
        octets = made.stdout
    return octets


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs OpenSSL")
@pytest.mark.parametrize(
    ("commands", "form"), [*((one, "credentials") for one in OPENSSL), *((one, None) for one in PUBLIC)]
)
def test_what_openssl_makes_is_told_apart(commands: str, form: str | None) -> None:
    """Private keys in every form that it writes; public keys and parameters come through."""
    assert form_of(made(commands)) == form


def test_every_file_of_a_database_is_one(tmp_path: Path) -> None:
    """The main file, its log and its index; a journal by its own mark, unless it was laid to rest."""
    with closing(sqlite3.connect(tmp_path / "d")) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table t(x)")
        database.commit()
        assert {name: form_of((tmp_path / name).read_bytes()) for name in ("d", "d-wal", "d-shm")} == {
            "d": "databases", "d-wal": "databases", "d-shm": "databases",
        }  # fmt: skip
    assert form_of(bytes.fromhex("d9d505f920a163d7") + bytes(504)) == "databases"
    assert form_of(bytes(512)) is None
    assert form_of(b"SQLite format 3 is a text") is None


EVIDENCE = [
    b"", b"{", own_json(SENT), pretty_json(SENT), collector_json(SENT) + b"\n", protobuf(SENT),
    framed([protobuf(SENT)]), framed([collector_json(SENT)]),
    framed([collector_json(SENT), own_json(SENT)], packed=True),
    framed([protobuf(SENT)], packed=True), gzip.compress(own_json(SENT), mtime=0), zstandard.compress(protobuf(SENT)),
    b'{"model":"m","messages":[{"role":"user","content":"-----BEGIN ' + WORDS + b'-----"}]}', b"\xef\xbb\xbf{}\n",
    b"a line before it\n" + armoured(), CERTIFICATE, b"-----BEGIN PUBLIC KEY-----\nMAAA\n", b"\n" * 4 + protobuf(SENT),
    b'{"type":"service_account","email":"a"}\n{"private_key":"-----BEGIN "}', bytes(3000), b"0\x82\x01\x02\x02\x01\x02",
    b"Bag Attributes\nof a text\n", b"PuTTY-User-Key-File\n", "a text".encode("utf-16"), b"\xfe\xed\xfe\xed\0\0\0\x09",
]  # fmt: skip


@pytest.mark.parametrize("piece", [1, 1000, 1 << 20])
@pytest.mark.parametrize("octets", EVIDENCE)
def test_evidence_comes_through_byte_for_byte(octets: bytes, piece: int) -> None:
    """Telemetry in every form with a key in its content, other texts, certificates: what begins otherwise is kept."""
    assert form_of(octets, piece) is None


def test_nothing_is_given_out_before_a_file_is_judged() -> None:
    """The beginning of a file waits for the rest of its head; then it passes, and is not looked at again."""
    sieve, text = FormSieve(), b"x" * HEAD_BYTES
    fed = [(sieve.feed(piece), sieve.settled) for piece in (text[1:], b"x")]
    assert fed == [(b"", False), (text, True)]
    assert sieve.feed(memoryview(armoured())) == armoured()
    assert sieve.finish() == b""


def test_of_a_long_text_of_blocks_the_beginning_counts() -> None:
    """It waits up to the bound: a key within it holds the file back, one behind it is not seen."""
    blocks = CERTIFICATE * (WHOLE_MAX // len(CERTIFICATE) + 1)
    assert form_of(CERTIFICATE * 100 + armoured(), 5000) == "credentials"
    assert form_of(armoured() + blocks, 5000) == "credentials"
    assert form_of(blocks + armoured(), 5000) is None


@pytest.mark.parametrize("form", ["databases", "settings"])
def test_what_is_let_in_comes_through_and_a_key_never_does(form: str) -> None:
    """A database where databases were asked for, settings where those were; the word for keys opens nothing."""
    octets = b"SQLite format 3\0" if form == "databases" else b"a: b\n"
    with pytest.raises(Withheld) as withheld:
        through(octets, FormSieve(is_settings=lambda _: True), 5)
    assert withheld.value.form == form
    assert through(octets, FormSieve((form,), lambda _: True), 5) == octets
    for lets in ((form,), ("credentials", "databases", "settings")):
        with pytest.raises(Withheld):
            through(armoured(), FormSieve(lets, lambda _: True), 5)


def test_settings_are_judged_as_a_whole_within_a_bound() -> None:
    """A text over the bound is none, and is given out as a whole."""
    asked = list[int]()

    def judge(octets: bytes) -> bool:
        asked.append(len(octets))
        return True

    with pytest.raises(Withheld):
        through(b"x" * WHOLE_MAX, FormSieve(is_settings=judge), 70_000)
    assert through(b"x" * (WHOLE_MAX + 1), FormSieve(is_settings=judge), 70_000) == b"x" * (WHOLE_MAX + 1)
    assert asked == [WHOLE_MAX]
    assert through(b"a: b", FormSieve(is_settings=lambda _: False), 1) == b"a: b"
