"""The catalogue of findings, and the text that explains it."""

import re
from importlib import resources

import pytest

from agentaudit.format import layout
from agentaudit.format.codes import CATALOGUE, SUBJECT_MAX, finding, printable

TEXT = resources.files("agentaudit.format").joinpath("FORMAT.md").read_text(encoding="utf-8")
HEADINGS = set(re.findall(r"^##+ (\d+(?:\.\d+)?)\.? ", TEXT, re.MULTILINE))


def test_every_code_has_its_form_and_its_clause() -> None:
    """A letter of the eight, three digits, and a clause that is a heading of FORMAT.md."""
    for code, entry in CATALOGUE.items():
        assert re.fullmatch(r"[PMJWRLSC]\d{3}", code)
        assert entry.code == code
        assert entry.clause in HEADINGS, code


def test_the_text_lists_exactly_the_catalogue() -> None:
    """Section 13 of FORMAT.md has one row for each code, in the words of the catalogue."""
    rows = re.findall(r"^\| ([A-Z]\d{3}) \| (\w+) \| (.+) \| ([\d.]+) \|$", TEXT, re.MULTILINE)
    assert rows == [(one.code, one.severity, one.title, one.clause) for one in CATALOGUE.values()]


def test_the_text_cites_every_code_where_it_states_the_rule() -> None:
    """A code without a rule in the text would be an opinion."""
    cited = set(re.findall(r"[PMJWRLSC]\d{3}", TEXT.partition("## 13.")[0]))
    assert cited == set(CATALOGUE)


def test_the_text_names_every_file() -> None:
    """Every tag file stands in the table of section 2."""
    for name in (*layout.TAG_FILES, layout.TAG_MANIFEST, layout.CASE, layout.CUSTODY, layout.REPORTS):
        assert name.rpartition("/")[2] in TEXT


def test_a_finding_takes_severity_and_clause_from_the_catalogue() -> None:
    """Only the subject and a word about it are new; without a word the title stands."""
    one = finding("M005", "data/x.json")
    assert (one.severity, one.clause, one.detail) == ("error", "2.3", CATALOGUE["M005"].title)
    assert finding("M005", "data/x.json", "why").detail == "why"


def test_what_is_not_in_the_catalogue_cannot_be_found() -> None:
    """An unknown code is a bug, not a finding."""
    with pytest.raises(KeyError):
        finding("M007", "data/x.json")


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\nb", "\u202eb", "\udcff", "\U0001f600", "a" * 1000, "é" * 300])
def test_a_subject_is_printable_and_short(name: str) -> None:
    """Control characters, bidi marks, surrogates and length never get out."""
    safe = printable(name)
    assert safe.isascii()
    assert safe.isprintable()
    assert len(safe) <= SUBJECT_MAX


def test_a_plain_name_stays_as_it_is() -> None:
    """Names of ours are printed unchanged."""
    assert printable("data/script/000001.json") == "data/script/000001.json"
