"""What may be packed of a Gateway's files, by their bytes."""

import gzip
import io
import json
import sqlite3
import tarfile
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from agentaudit.adapters.handed_over.withheld import Withheld
from agentaudit.adapters.openclaw.extract import EVERY_ASKED, NOTHING_ASKED, Asked, Extract, extract_ledger
from agentaudit.adapters.openclaw.withholding import LedgerSieve, is_withheld_name
from agentaudit.encoding import sqliteimage
from agentaudit.encoding.sqliteimage import MAGIC
from tests.encoding.databases import image
from tests.support.gatewaying import (
    KEY,
    KEY_ID,
    TOKEN,
    explanation,
    failure,
    page,
    settings,
    standing_copy,
    usual,
    write_database,
)


def through(octets: bytes, piece: int = 7, asked: tuple[Asked, ...] = (NOTHING_ASKED,)) -> bytes:
    """What comes through, fed in pieces; raises Withheld."""
    sieve = LedgerSieve(asked)
    out = b"".join(sieve.feed(memoryview(octets)[at : at + piece]) for at in range(0, len(octets), piece))
    return out + sieve.finish()


def is_withheld(octets: bytes, piece: int = 4096) -> bool:
    """Whether it does not come through."""
    try:
        through(octets, piece)
    except Withheld:
        return True
    return False


def database(folder: Path) -> bytes:
    """A database as it lies there."""
    write_database(folder / "made.sqlite")
    return (folder / "made.sqlite").read_bytes()


@pytest.mark.parametrize("piece", [1, 5, 16, 17, 4096])
@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"short",
        page(usual()),
        page(usual()).decode().encode("utf-16"),
        json.dumps(explanation()).encode(),
        failure(),
        "a text of the command\u2026 with a token count: tokens=5, and a secret word\n".encode(),
        b'{"token": null, "password": "", "secret": {}, "credentials": [], "apiKey": false}',
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_the_command_saves_comes_through(octets: bytes, piece: int) -> None:
    """Byte for byte, however it is cut."""
    assert through(octets, piece) == octets


def _tar(octets: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        entry = tarfile.TarInfo("state/openclaw.sqlite")
        entry.size = len(octets)
        archive.addfile(entry, io.BytesIO(octets))
    return held.getvalue()


@pytest.mark.parametrize("piece", [1000, 1 << 20])
@pytest.mark.parametrize(
    "packed", [bytes, gzip.compress, zstandard.compress, _tar, lambda octets: b"text before it\n" + octets]
)
def test_a_database_does_not_come_through(tmp_path: Path, packed: type[bytes], piece: int) -> None:
    """As it is, packed, in an archive, behind a text."""
    assert is_withheld(packed(database(tmp_path)), piece)


def test_logs_of_a_database_do_not_come_through(tmp_path: Path) -> None:
    """A log, and a journal that was laid to rest with a header of zeros."""
    standing_copy(tmp_path)
    assert is_withheld((tmp_path / "openclaw.sqlite-wal").read_bytes())
    assert is_withheld(bytes(512) + database(tmp_path)[512:])


@pytest.mark.parametrize("piece", [1, 3, 4096])
@pytest.mark.parametrize(
    "octets",
    [
        settings(),
        json.dumps(json.loads(settings()), indent=2).encode(),
        settings().decode().encode("utf-16"),
        b"{ gateway: { auth: { token: '" + TOKEN.encode() + b"', }, }, } // JSON5",
        b"OPENAI_API_KEY=" + TOKEN.encode(),
        b"Authorization: Bearer " + TOKEN.encode(),
        f"-----BEGIN {'PRIVATE'} KEY-----\n".encode(),
        f"INSERT INTO audit_identity_keys VALUES(1,'{KEY_ID}',X'{KEY.hex()}',5);".encode(),
        f'[{{"id":1,"key_id":"{KEY_ID}","key":"{KEY.hex()}","created_at":5}}]'.encode(),
        b"00000000: " + MAGIC.hex().encode(),
        b64encode(MAGIC + bytes(80)),
        b"text\x00text",
        b"\xff\xfetext of an odd number",
        b"cut inside a character \xe2\x80",
    ],
)
def test_a_text_with_keys_does_not_come_through(octets: bytes, piece: int) -> None:
    """A configuration in any form, a dump, a written-out database, and what is no text."""
    assert is_withheld(octets, piece)


def test_not_a_byte_of_a_secret_is_given_out_before_the_end() -> None:
    """What stands before it may have been, and its value has not."""
    sieve, out = LedgerSieve(), bytearray()

    def feed(octets: bytes) -> None:
        for octet in octets:
            out.extend(sieve.feed(bytes([octet])))

    with pytest.raises(Withheld):
        feed(500 * b" " + b'{"a": 1, "token": "' + TOKEN.encode() + b'"}')
    assert out.startswith(400 * b" ")
    assert TOKEN[:2].encode() not in out


@pytest.mark.parametrize("asked", [Asked(), Asked(identity_key=True), Asked(content=True), EVERY_ASKED[-1]])
def test_an_extract_comes_through_where_it_was_asked_for(tmp_path: Path, asked: Asked) -> None:
    """What holds the key or content comes through only where that was asked for."""
    made = extract_ledger(image(database(tmp_path)), asked)
    assert isinstance(made, Extract)
    assert through(made.octets, 5000, (asked,)) == made.octets
    assert is_withheld(made.octets) is (asked != NOTHING_ASKED)
    sieve = LedgerSieve()
    assert sieve.feed(made.octets) + sieve.finish() == made.octets


def test_an_extract_that_was_touched_does_not_come_through(tmp_path: Path) -> None:
    """A byte of its free space, a page behind it, another table in it."""
    made = extract_ledger(image(database(tmp_path)))
    assert isinstance(made, Extract)
    at = made.octets.index(bytes(64), 4096)
    assert is_withheld(made.octets[:at] + b"key" + made.octets[at + 3 :])
    assert is_withheld(made.octets + made.octets[:4096])
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(made.octets)
        connection.execute("CREATE TABLE tokens (token)")
        connection.commit()
        assert is_withheld(connection.serialize())


def test_a_database_over_the_bound_does_not_come_through(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is not held whole in order to be judged."""
    monkeypatch.setattr("agentaudit.adapters.openclaw.withholding.IMAGE_MAX_BYTES", 8192)
    assert sqliteimage.IMAGE_MAX_BYTES > 8192
    assert is_withheld(database(tmp_path))


def test_a_header_alone_does_not_come_through() -> None:
    """What begins like a database and is none is no extract."""
    assert is_withheld(MAGIC)


@pytest.mark.parametrize(
    ("name", "withheld"),
    [
        (b"openclaw.json", True),
        (b"OpenClaw.JSON.bak", True),
        (b"openclaw.json5", True),
        (b"id_rsa", True),
        (b"a.token", True),
        (b"audit.json", False),
        (b"openclaw.sqlite", False),
    ],
)
def test_a_configuration_is_withheld_by_its_name(name: bytes, *, withheld: bool) -> None:
    """In any case, with its backups; databases are told by their bytes."""
    assert is_withheld_name(name) is withheld
