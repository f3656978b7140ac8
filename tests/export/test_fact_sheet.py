"""The fact sheet: what the program knows is filled in, what only a person can say is blank."""

from agentaudit.export.certificate import BLANK, certification
from agentaudit.export.dossier import Part
from agentaudit.export.render.fact_sheet import WIDTH, render_fact_sheet
from tests.export.dossiers import DIGEST, HOSTILE, dossier, facts, joined, rows


def sheet(word: str = "plain") -> str:
    """The sheet."""
    (file,) = render_fact_sheet(dossier(word=word))
    return joined(file.pieces).decode()


def test_it_says_what_it_is_not() -> None:
    """It certifies nothing, is no legal advice, and says that this is a demonstration."""
    words = " ".join(sheet().split())
    assert "certifies nothing by itself and is no legal advice" in words
    assert "DEMONSTRATION." in words


def test_a_person_speaks_for_a_person() -> None:
    """Name, statement, signature and the comparison of seals are blanks; the exhibits have none."""
    told = dict(certification(dossier()))
    assert {answer for _, answer in told["The person"]} == {BLANK}
    assert {answer for _, answer in told["The comparison, by a person"]} == {BLANK}
    assert BLANK not in {answer for _, answer in told["Exhibit EX-0001"]}
    assert sheet().count("_" * (WIDTH - 4)) == len(told["The person"]) + len(told["The comparison, by a person"])


def test_it_names_process_tool_hashes_and_dates() -> None:
    """The seal, the program with its digest, begin and end stand in it."""
    one = dict(dict(certification(dossier()))["Exhibit EX-0001"])
    assert one["Seal (SHA-256)"] == DIGEST
    assert one["Program"].startswith("agentaudit 0.1.0, code sha256:")
    assert one["Begun and ended (UTC)"] == f"{facts().begun_at} to {facts().ended_at}"
    assert "median -3 ms, within 506 ms, over 3 answers" in one["Clock"]


def test_an_uncompared_clock_is_said_to_be_one() -> None:
    """Where the source stated no time, no comparison is made up; without a case there is no head."""
    told = dict(certification(dossier(Part(facts(clock=None, attention=None), rows()), alone=True)))
    assert dict(told["Exhibit EX-0001"])["Clock"].endswith("no comparison with the source's clock")
    assert [question for question, _ in told["The matter"]] == ["This sheet was made by"]


def test_lines_are_short_and_hostile_words_harmless() -> None:
    """No word adds a line of its own or a character that cannot be seen."""
    lines = sheet(HOSTILE).splitlines()
    assert max(len(line) for line in lines) <= WIDTH
    assert not set(sheet(HOSTILE)) & set("\x1b\x07\u202e")
    assert "# top" not in {line.strip() for line in lines}
