"""Tables for spreadsheets: whole, reversible, harmless."""

import csv
import io
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.export.dossier import Dossier
from agentaudit.export.render.as_csv import plain_cell, render_csv, safe_cell
from agentaudit.export.render.tables import TABLES
from tests.export.dossiers import HOSTILE, dossier, joined

BEGINNINGS = ("=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "'a", "\uff1d1", "  =1", "\u200b=1", "\x00+1")
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(BEGINNINGS)

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


def files(given_dossier: Dossier) -> dict[str, bytes]:
    """Each table's bytes by its file name."""
    return {one.name: joined(one.pieces) for one in render_csv(given_dossier)}


def read(octets: bytes) -> list[list[str]]:
    """The cells as an independent reader takes them, without our prefix undone."""
    return list(csv.reader(io.StringIO(octets.decode("utf-8-sig"), newline=""), strict=True))


@given(TEXTS)
def test_every_text_can_be_had_back(text: str) -> None:
    """Taking the prefix away gives the text itself, whatever it is."""
    assert plain_cell(safe_cell(text)) == text


@given(TEXTS)
def test_no_cell_begins_like_a_formula(text: str) -> None:
    """The first character of a cell is none that a spreadsheet acts on."""
    assert not safe_cell(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.mark.parametrize("text", BEGINNINGS)
def test_what_could_be_a_formula_gets_a_prefix(text: str) -> None:
    """Each of the beginnings that spreadsheets know gets one apostrophe."""
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "a=b", "1-2", "sha256:ab", "#x", "\\x"])
def test_other_texts_get_none(text: str) -> None:
    """A text that cannot be a formula stays as it is."""
    assert safe_cell(text) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_field_survives_an_independent_reader(text: str) -> None:
    """Quotes, commas and line breaks inside a cell come through the standard library's strict reader."""
    table = read(files(dossier(word=text))["custody.csv"])
    place = table[0].index("examiner")
    assert {plain_cell(row[place]) for row in table[1:]} == {text}


def test_there_is_a_table_for_each_kind_of_row() -> None:
    """Exhibits, items, sessions, truncations, gaps, entries, walks and custody, each with its heads."""
    written = files(dossier())
    assert list(written) == [f"{table.name}.csv" for table in TABLES]
    for table in TABLES:
        heads, *lines = read(written[f"{table.name}.csv"])
        assert tuple(heads) == table.columns
        assert lines
        assert all(len(line) == len(heads) for line in lines)


def test_the_form_is_rfc_4180_with_a_mark() -> None:
    """A byte-order mark, CRLF, every cell in quotes."""
    octets = files(dossier())["walks.csv"]
    assert octets.startswith(b'\xef\xbb\xbf"attention","exhibit"')
    assert octets.endswith(b'"\r\n')


def test_every_row_says_that_it_is_a_demonstration() -> None:
    """A row that was cut out of its table still says that its source was not the vendor."""
    for octets in files(dossier()).values():
        assert all(row[0].startswith("DEMONSTRATION.") for row in read(octets)[1:])


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not here to open the tables")
def test_a_spreadsheet_opens_hostile_cells_as_text(tmp_path: Path) -> None:
    """LibreOffice makes no formula and no link of any cell, and shows each with its prefix."""
    assert SOFFICE is not None
    words = (*(one for one in BEGINNINGS if "\x00" not in one), HOSTILE.replace("\x1b", "").replace("\x07", ""))
    lines = [f'"{safe_cell(word).replace(chr(34), chr(34) * 2)}","{number}"\r\n' for number, word in enumerate(words)]
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbf" + "".join(lines).encode())
    # Comma, quotation mark, UTF-8, from the first line on: what the import dialogue proposes for such a file.
    options = ("--headless", f"-env:UserInstallation=file://{tmp_path}/profile", "--infilter=CSV:44,34,76,1")
    argv = (SOFFICE, *options, "--convert-to", "fods", "--outdir", tmp_path, tmp_path / "t.csv")
    subprocess.run(argv, check=True, capture_output=True, timeout=120)
    cells = _first_column(tmp_path / "t.fods")
    # White space is markup of its own in such a file, so letters are compared.
    assert ["".join(shown.split()) for shown in cells] == ["".join(f"'{word}".split()) for word in words]


def _first_column(path: Path) -> list[str]:
    """The text of each first cell; a formula, a link or a number is a failure."""
    tree = ET.parse(path)  # noqa: S314 - written by the spreadsheet itself, in this test
    found = []
    for row in tree.iter(f"{TABLE}table-row"):
        cell = row.find(f"{TABLE}table-cell")
        if cell is None or cell.find(f"{TEXT}p") is None:
            continue
        assert cell.get(f"{TABLE}formula") is None
        assert cell.get(f"{OFFICE}value-type") == "string"
        assert cell.find(f".//{TEXT}a") is None
        found.append("\n".join("".join(line.itertext()) for line in cell.iter(f"{TEXT}p")))
    return found
