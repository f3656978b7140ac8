"""manifest.dat: a load file that a stranger's reader takes field by field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.render.as_dat import FIELDS, TextFile, field_text, load_file, text_name
from tests.export.dossiers import DIGEST, HOSTILE, MemoryRows, dossier, facts, joined, session


def read(octets: bytes) -> list[dict[str, str]]:
    """The rows by field, read as the form says and not as we write it."""
    text = octets.decode("utf-8-sig")
    heads, *rows = (line.split("\x14") for line in text.removesuffix("\r\n").split("\r\n"))
    assert all(part[0] == part[-1] == "\xfe" and len(part) > 1 for line in (heads, *rows) for part in line)
    names = [part[1:-1] for part in heads]
    return [dict(zip(names, (part[1:-1] for part in line), strict=True)) for line in rows]


def written(given_dossier: Dossier) -> list[dict[str, str]]:
    """The rows of a load file; only EX-0001-s000001 has a text."""

    def text_of(exhibit: str, key: str) -> TextFile | None:
        return TextFile(text_name(exhibit, key), 12, DIGEST) if key == "s000001" else None

    return read(joined(load_file(given_dossier, text_of)))


def test_a_row_has_every_field() -> None:
    """One row a session, field by field."""
    (row,) = written(dossier())
    assert tuple(row) == FIELDS
    assert row["DOCID"] == "EX-0001-s000001"
    assert row["DATEFIRST"] == "2026-09-01T08:00:00Z"
    assert row["TEXTPATH"] == "texts\\EX-0001\\s000001.txt"
    assert (row["TEXTSIZE"], row["TEXTSHA256"]) == ("12", DIGEST)
    assert row["SOURCEITEM"] == "data/w/000001.json#/data/0"
    assert row["ATTENTION"].startswith("DEMONSTRATION")
    assert (row["CASE"], row["CUSTODIAN"]) == ("N-1", "plain")


def test_what_a_session_does_not_have_is_empty() -> None:
    """A session without text, identifier, person and times has empty fields, never missing ones."""
    bare = session(
        "s000002", id=None, user_id=None, said=(), created_at=None, updated_at="soon", outcome=None, rule="x"
    )
    (row,) = written(dossier(Part(facts(attention=None), MemoryRows(held_sessions=(bare,))), alone=True))
    assert tuple(row) == FIELDS
    assert [row[name] for name in ("SESSIONID", "CUSTODIAN", "SOURCEITEM", "TEXTPATH", "DATEFIRST")] == [""] * 5
    assert (row["DATELAST"], row["ATTENTION"], row["CASE"]) == ("soon", "", "N-1")


def test_hostile_words_stay_in_their_field() -> None:
    """No word can end a field or a row."""
    hostile = HOSTILE + "\xfe\x14\xae\r\n\xfe"
    (row,) = written(dossier(word=hostile))
    assert row["SESSIONID"].endswith("\\u00fe\\u0014\\u00ae\xae\\u00fe")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_field_holds_no_delimiter(text: str) -> None:
    """Of the delimiters only the line break's stand-in is ever in a field."""
    assert not set(field_text(text)) & {"\x14", "\xfe", "\r", "\n"}


@pytest.mark.parametrize(("text", "field"), [("", ""), ("a\r\nb", "a\xaeb"), ("\xae", "\\u00ae"), ("\x1b", "\\x1b")])
def test_a_text_has_one_form(text: str, field: str) -> None:
    """Line breaks have their stand-in; what the form reserves is written out."""
    assert field_text(text) == field
