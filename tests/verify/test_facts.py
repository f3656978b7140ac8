"""R003: the facts of preserved files are drawn from their bytes again."""

from pathlib import Path

import msgspec
import pytest

from agentaudit.adapters.claude_code.linefacts import LineFacts
from agentaudit.cli.readers import page_readers
from agentaudit.demo.store import StoreBuilder, Talk, demo_store, session_id
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.framing import FramingFacts
from agentaudit.verify import verify_exhibit
from tests.support.storing import Storing, once_copying, storing, verdict

S = session_id("one")


def codes(job: Storing, *, bytes_only: bool = False) -> set[str]:
    """The codes of a check."""
    found = verify_exhibit(job.sealed, readers=page_readers(), bytes_only=bytes_only)
    assert found.integrity == "intact"
    return {code for code, _ in found.codes}


def test_facts_that_follow_from_the_bytes_are_no_finding(tmp_path: Path) -> None:
    """Damage, an empty file, subagents: the second reading gives what the first gave."""
    job = storing(tmp_path, demo_store(tmp_path / "store"))
    job.preserve()
    assert "R003" not in codes(job)


def test_facts_of_a_file_that_changed_while_it_was_read_are_those_of_its_copies(tmp_path: Path) -> None:
    """Each read has its own facts."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    place = store.transcript("-w", Talk(S, turns=1))
    place.write_bytes(place.read_bytes() * 400)
    job = storing(tmp_path, store.root)
    job.preserve(act=once_copying(lambda: place.write_bytes(place.read_bytes()[:-100] + b"\n"), after=1))
    assert "R003" not in codes(job)


@pytest.mark.parametrize("which", ["framing", "transcript"])
def test_facts_that_are_stated_wrongly_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    """A writer that states other facts seals a consistent exhibit: only the bytes tell."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    store.transcript("-w", Talk(S, turns=1))
    job = storing(tmp_path, store.root)
    honest = LineFacts.finish

    def lying(self: LineFacts) -> tuple[FramingFacts, TranscriptFacts]:
        framing, transcript = honest(self)
        if which == "framing":
            return msgspec.structs.replace(framing, ok_lines=framing.ok_lines + 1), transcript
        return framing, msgspec.structs.replace(transcript, records=0)

    with monkeypatch.context() as patch:
        patch.setattr(LineFacts, "finish", lying)
        job.preserve()
    found = verdict(job.sealed)
    assert (found.integrity, dict(found.codes).get("R003")) == ("intact", 1)
    (one,) = [finding for finding in found.findings if finding.code == "R003"]
    assert (one.severity, one.subject) == ("warning", "data/claude-code/r1/s000001/transcript.jsonl")


def test_with_bytes_only_the_facts_are_said_to_be_unchecked(tmp_path: Path) -> None:
    """What was left out is part of the answer; for an exhibit without files of a store there is nothing to leave."""
    job = storing(tmp_path, demo_store(tmp_path / "store"))
    job.preserve()
    found = verify_exhibit(job.sealed, readers=page_readers(), bytes_only=True)
    assert "facts" in {one.part for one in found.not_checked}
    other = verify_exhibit(job.sealed, readers=(), bytes_only=False)
    assert {"facts", "readings"} <= {one.part for one in other.not_checked}
    assert "facts" not in {one.part for one in verdict(job.sealed).not_checked}
