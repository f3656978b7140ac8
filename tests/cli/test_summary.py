"""The summary of a sealed exhibit."""

from typing import get_args

import msgspec
import pytest

from agentaudit.cli.summary import BANNERS, OUTCOMES, banner, losses, seal_groups, summary
from agentaudit.model.actors import EndpointClass
from agentaudit.model.base import Digest
from agentaudit.model.journal import Counts, LossCounts, Outcome
from agentaudit.model.results import GapTotal, Preserved, SealedResult

SEAL = Digest("sha256:" + "0123456789abcdef" * 4)


def result(endpoint_class: str = "vendor", outcome: Outcome = "incomplete") -> SealedResult:
    """An exhibit with a loss of every kind."""
    counts = Counts(
        items=3,
        payload_bytes=12_345,
        walks=1,
        pages=2,
        sessions_seen=9,
        sessions_kept=5,
        sessions_excluded=3,
        messages=1_234,
        losses=LossCounts(
            clipped_by_our_limit=3,
            clipped_by_server_limit=2,
            clipped_marker=4,
            clipped_undetermined=5,
            sessions_truncated_at_source=1,
            unavailable=6,
            not_obtained=7,
            excluded=8,
        ),
    )
    return SealedResult(
        case="N-1",
        exhibit="EX-0002",
        path="case/EX-0002",
        endpoint_class=endpoint_class,
        seal=SEAL,
        outcome=outcome,
        counts=counts,
        gaps=(
            GapTotal(kind="unavailable", code="session_call_cap", count=1),
            GapTotal(kind="not_obtained", code="refused", count=7),
        ),
        session_outcomes=(("all_given", 4), ("incomplete", 1)),
        warnings=(),
    )


def text(endpoint_class: str = "vendor", outcome: Outcome = "incomplete", width: int = 80) -> str:
    """The summary as one text."""
    return "\n".join(summary(result(endpoint_class, outcome), "agentaudit verify case", width))


def test_the_kinds_of_loss_are_told_apart_with_what_could_be_done() -> None:
    """Each count stands by itself, under its kind; session marks are beside the blocks."""
    assert "\n".join(losses(result().counts.losses, result().gaps, 200)) == (
        "Losses: four kinds, never one number\n"
        "  clipped: the content is here, shortened\n"
        "         3  by our limit           collect again with --tool-input-max-bytes max and "
        "--tool-result-max-bytes max\n"
        "         2  by the server's limit  the server gives no more; nothing lifts it\n"
        "         4  marker                 a placeholder or dropped citation; the source holds no more in text\n"
        "         5  undetermined           look at the raw bytes: truncations.jsonl points to them\n"
        "  unavailable at the source: it says that it does not give more\n"
        "         1  session_call_cap  the source gives the earliest 100,000 calls of a session; the rest cannot "
        "be asked for\n"
        "  not obtained: asked for, and it failed\n"
        "         7  refused  a key with the scope named in the answer would be given it\n"
        "  excluded: left out on purpose\n"
        "      none\n"
        "  beside these, the source marks 1 session as truncated\n"
    )


def test_no_sum_over_the_kinds_of_loss_is_ever_printed() -> None:
    """3 + 2 + 4 + 5 + 1 + 6 + 7 + 8 would be a number without a meaning."""
    assert "36" not in text()
    assert "14" not in text()


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_the_bare_word_for_a_whole_is_never_printed(outcome: Outcome) -> None:
    """An outcome says what is here and what is not."""
    assert OUTCOMES[outcome].split(":", maxsplit=1)[0] in text(outcome=outcome)
    assert "complete" not in text(outcome=outcome).replace("incomplete", "")


def test_a_source_that_is_not_the_vendor_s_heads_everything() -> None:
    """A demonstration never looks real."""
    assert text("loopback").startswith("DEMONSTRATION")
    assert text("other").startswith("NOT THE VENDOR'S")
    assert text("vendor").startswith("Case N-1")
    assert set(BANNERS) | {"vendor", "store"} == set(get_args(EndpointClass)) | {"unknown"}
    assert list(banner("vendor", 80)) == []


def test_the_seal_is_in_groups_for_copying_by_hand() -> None:
    """Two lines of four groups of eight digits, all 64."""
    groups = seal_groups(SEAL)
    assert groups == ("01234567 89abcdef 01234567 89abcdef",) * 2
    assert "".join(groups).replace(" ", "") == SEAL.removeprefix("sha256:")
    assert all(line in text() for line in groups)


def test_what_an_unsigned_seal_proves_and_what_absence_does_not_are_said() -> None:
    """The person who copies the seal learns what it is worth."""
    words = " ".join(text().split())
    assert "Unsigned, it shows accidental change and careless editing" in words
    assert "Absence of a row proves nothing" in words


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    """Words wrap under their own column."""
    assert max(len(line) for line in text(width=width).splitlines()) <= width


def test_sessions_are_counted_by_decision_and_by_outcome() -> None:
    """What is undecided is a number of its own."""
    assert "5 kept, 3 left out by the selection, 1 undecided, of 9 seen" in text()
    kept = Preserved(files=2, framed=0, lines=0, framing=(), changes=())
    of_a_store = "\n".join(summary(msgspec.structs.replace(result("store"), preserved=kept), "next", 80))
    assert "5 kept, 3 left out, 1 undecided, of 9 seen" in of_a_store
    assert "         4  all given\n" in text()
