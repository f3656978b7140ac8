"""From a verified exhibit to the copy of one of its sessions."""

import shutil
from pathlib import Path

import msgspec
import pytest

from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.demo.errors import Documented
from agentaudit.errors import AgentAuditError, PackageFault, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.model.selection import SessionSelection
from agentaudit.model.workingcopy import NotRead
from agentaudit.transcript.document import Loss
from agentaudit.transcript.opening import Copy, opened
from agentaudit.transcript.reader import CopyReader
from agentaudit.transcript.render.as_jsonl import render_jsonl
from tests.integration.runs import served, town
from tests.support.collecting import collecting, small_world
from tests.transcript.odd import checked

READERS: tuple[CopyReader, ...] = (ComplianceCopyReader(),)


def loose(exhibit: Checked, folder: Path) -> Checked:
    """A copy of the exhibit that a test may change, with the old verdict."""
    path = folder / "EX-0001"
    shutil.copytree(exhibit.path, path)
    for one in path.rglob("*"):
        one.chmod(0o700 if one.is_dir() else 0o600)
    return Checked(path, exhibit.verdict)


def test_a_session_is_found_by_its_id_too(exhibit: Checked, odd: tuple[Path, str], copy: Copy) -> None:
    """Key and id lead to the same copy."""
    with opened(exhibit, odd[1], READERS) as named:
        assert named.key == copy.key == "s000001"
        assert b"".join(render_jsonl(named)) == b"".join(render_jsonl(copy))


def test_the_head_tells_where_the_copy_comes_from(copy: Copy, exhibit: Checked) -> None:
    """Exhibit, seal, reader, limits, totals and files stand in it, and no moment of making."""
    head = copy.head
    assert (head.exhibit, head.seal, head.read_by, head.integrity) == (
        "EX-0001",
        exhibit.verdict.seal,
        "compliance-copy/1",
        "intact",
    )
    assert (head.totals.messages, head.limits and head.limits.tool_input_max_bytes) == (16, 200)
    assert [part.item for part in head.parts] == ["data/compliance/local/s000001/messages/000001.json"]


@pytest.mark.parametrize("word", ["s000099", "clls_nobody", ""])
def test_a_session_that_is_not_here_is_refused(exhibit: Checked, word: str) -> None:
    """Nothing is guessed: a name that no session has ends the command with 2, and is not echoed."""
    with pytest.raises(UsageFault) as caught, opened(exhibit, word, READERS):
        pass
    assert word == "" or word not in str(caught.value)


def test_an_exhibit_with_faults_gives_no_copy(exhibit: Checked) -> None:
    """What is not intact is not copied, whoever asks."""
    faulty = msgspec.structs.replace(exhibit.verdict, integrity="faults")
    with pytest.raises(PackageFault), opened(Checked(exhibit.path, faulty), "s000001", READERS):
        pass


def test_an_exhibit_that_no_reader_reads_is_refused(exhibit: Checked) -> None:
    """Without a reader of its source there is no copy."""
    with pytest.raises(UsageFault), opened(exhibit, "s000001", ()):
        pass


def test_a_page_that_changed_after_the_check_is_a_fault(exhibit: Checked, tmp_path: Path) -> None:
    """Bytes that are not those of their item are never shown."""
    changed = loose(exhibit, tmp_path)
    page = changed.path / "data/compliance/local/s000001/messages/000001.json"
    page.write_bytes(page.read_bytes().replace(b"Working.", b"Waiting."))
    with pytest.raises(PackageFault), opened(changed, "s000001", READERS):
        pass


def test_a_seal_that_changed_meanwhile_is_a_fault(exhibit: Checked, tmp_path: Path) -> None:
    """The exhibit must be the verified one at the end too."""
    changed = loose(exhibit, tmp_path)

    def act() -> None:
        with opened(changed, "s000001", READERS):
            (changed.path / "tagmanifest-sha256.txt").write_bytes(b"")

    with pytest.raises(PackageFault):
        act()


def test_a_tag_file_that_is_none_is_a_fault(exhibit: Checked, tmp_path: Path) -> None:
    """A row of another form after the check ends the copy with 4, and shows nothing of the row."""
    changed = loose(exhibit, tmp_path)
    (changed.path / "agentaudit/sessions.jsonl").write_bytes(b'{"canary":1}\n')
    with pytest.raises(PackageFault) as caught, opened(changed, "s000001", READERS):
        pass
    assert "canary" not in str(caught.value)


def test_a_lost_page_stands_in_its_place_with_the_answer_that_was_kept(tmp_path: Path) -> None:
    """What could not be obtained is a piece of the copy, and leads to the refusal's body."""
    place = town()
    with served(tmp_path, place) as job:
        place.world.problem_next(Documented.UNREADABLE_PAGE, match=place.pages(place.long))
        job.collect(SessionSelection(families=("local",)))
        one = checked(job.case / "EX-0001")
        with opened(one, place.long, READERS) as copy:
            losses = [piece for piece in copy.pieces() if isinstance(piece, Loss)]
        assert [(loss.gap.code, loss.gap.page) for loss in losses] == [("page_unreadable_at_source", 1)]
        assert losses[0].way is not None
        assert losses[0].way.item.endswith(".refused")


def test_bytes_that_are_no_page_are_a_piece_too(tmp_path: Path) -> None:
    """An answer that cannot be read is here: it is named, and the copy goes on."""
    place = town()
    with served(tmp_path, place) as job:
        place.world.html_next(match=place.pages(place.short), times=2)
        job.collect(SessionSelection(families=("local",)))
        one = checked(job.case / "EX-0001")
        with opened(one, place.short, READERS) as copy:
            kinds = [type(piece) for piece in copy.pieces()]
        assert NotRead in kinds
        assert Loss in kinds


def test_a_session_without_a_transcript_says_why(tmp_path: Path) -> None:
    """What was listed only, or left out, has nothing to read: the rule is told."""
    with collecting(tmp_path, small_world()) as job:
        job.collect(SessionSelection(families=("local",), list_only=True))
        job.collect(SessionSelection(families=("local",), users=("user_nobody",)))
        for name, why in (("EX-0001", "none was asked for"), ("EX-0002", "excluded, other_user")):
            one = checked(job.case / name)
            with pytest.raises(AgentAuditError, match=why), opened(one, "s000001", READERS):
                pass
