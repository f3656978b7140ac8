"""The rows of a sealed exhibit, and where each leads back to."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import PackageFault
from agentaudit.export.acts import JournalTold, read_acts, tell_acts
from agentaudit.export.lines import Way
from agentaudit.export.lookup import ItemLookup
from agentaudit.export.rows import SealedRows, session_rows, way
from agentaudit.export.saying import gap_subject
from agentaudit.format import layout
from agentaudit.format.chain import Break, Link
from agentaudit.model.journal import PeerSeen, Resumed, Unanswered
from agentaudit.model.local import Change, FileState, NanoInstant
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import FileProvenance, ItemRow
from agentaudit.package.case import Case
from agentaudit.package.tree import Tree
from tests.export.dossiers import AT, DIGEST
from tests.golden import Script, golden_exhibit
from tests.support.around import ACTORS, HOST, TOOL


def told(tree: Tree, adapter: str = "script/1", *, names: bool = False) -> SealedRows:
    """The rows of the exhibit that the tree is open on."""
    return SealedRows(tree, "EX-0001", adapter, read_acts(tree, names=names).failures, names)


def test_every_item_has_its_question(scripted: Case) -> None:
    """A payload file names the walk, page, ask, request and journal row behind it."""
    with Tree(scripted.path / "EX-0001") as tree:
        items = list(told(tree).items())
    assert [one.path for one in items] == sorted(one.path for one in items)
    again = next(one for one in items if one.path.endswith("000002-2.json"))
    assert (again.walk, again.page, again.ask, again.request_id) == ("script/s000001", 2, 2, "req_1")
    assert again.more == ()


def test_a_session_leads_to_what_is_said_of_it(scripted: Case) -> None:
    """Each answer that speaks of a session is named with file, pointer and digest."""
    with Tree(scripted.path / "EX-0001") as tree:
        first, second = told(tree).sessions()
        items = {one.path: one for one in told(tree).items()}
    ((name, leads),) = first.said
    assert (name, leads.pointer) == ("listed", "/data/0")
    assert leads.item is not None
    assert (leads.sha256, leads.row) == (items[leads.item].sha256, items[leads.item].row)
    assert second.truncated_at_source


def test_a_clipped_thing_leads_to_its_place(scripted: Case) -> None:
    """File, pointer, digest, request and journal row of each truncation are those of its item."""
    with Tree(scripted.path / "EX-0001") as tree:
        cuts = list(told(tree).truncations())
        items = {one.path: one for one in told(tree).items()}
    assert [one.by for one in cuts] == ["our_limit", "server_limit"]
    for one in cuts:
        assert one.way.item is not None
        assert one.way.pointer is not None
        assert one.way.sha256 == items[one.way.item].sha256


def test_a_gap_leads_to_the_answer_that_says_so(scripted: Case) -> None:
    """The refusal of a session's walk, the first page of the list that left others out."""
    with Tree(scripted.path / "EX-0001") as tree:
        excluded, missing = told(tree).gaps()
    assert (excluded.kind, excluded.way.item) == ("excluded", "data/script/list/000001.json")
    assert (missing.kind, missing.way.item) == ("unavailable", "data/script/s000002/000001.json")


def failing(script: Script) -> None:
    """A walk whose only page never came, one that was never asked, and a rule."""
    script.begin("script/a")
    script.fail("script/a", 1)
    script.fail("script/a", 1)
    script.exhibit.stage(_gave_up(script, "script/a"))
    script.note(Gap(kind="not_obtained", code="retries_exhausted", basis="absence", walk="script/a", page=1))
    script.note(Gap(kind="not_obtained", code="interrupted", basis="absence", walk="script/b", page=1))
    script.note(Gap(kind="excluded", code="metadata_only", basis="rule", count=4))
    script.end("script/a", 0, 0, "failed")


def _gave_up(script: Script, walk: str) -> Unanswered:
    return Unanswered(
        walk=walk, page=1, ask=1, exchange=script.exchange(503, None), failure="status", error_type=None,
        error_code=None, body_bytes=0, body_sha256=DIGEST, next="gave_up", missed="retries_exhausted", wait_ms=0,
    )  # fmt: skip


def test_a_gap_without_an_answer_leads_to_the_journal(scripted: Case) -> None:
    """To the attempt that was given up; to the selection, for a rule; nowhere for what was never asked."""
    golden_exhibit(scripted, failing)
    with Tree(scripted.path / "EX-0003") as tree:
        acts = read_acts(tree, names=True)
        ways = {one.code: one.way for one in told(tree).gaps()}
    failed = acts.failures["script/a", 1]
    assert ways["retries_exhausted"] == Way(item=None, pointer=None, sha256=None, request_id="req_1", row=failed.row)
    assert ways["metadata_only"].row == 1
    assert ways["interrupted"] == Way(item=None, pointer=None, sha256=None, request_id=None, row=None)
    assert (acts.acts.retried, acts.acts.gave_up, acts.acts.waited_ms) == (2, 1, 10)


def test_walks_come_as_they_stand(scripted: Case) -> None:
    """A walk keeps its cursors and limits."""
    with Tree(scripted.path / "EX-0001") as tree:
        walks = {one.walk: one for one in told(tree).walks()}
    assert walks["script/s000001"].cursors == (None, "p1")


def test_the_command_line_is_a_name(scripted: Case) -> None:
    """The command line is told only with names; the counts always."""
    with Tree(scripted.path / "EX-0001") as tree:
        named, nameless = (read_acts(tree, names=names).acts for names in (True, False))
    assert named.command_line == ("agentaudit", "collect-sessions")
    assert nameless.command_line == ()
    assert (nameless.answered, nameless.retried, nameless.waited_ms) == (6, 1, 5)


def test_the_acts_of_a_real_journal_are_counted(collected: Path) -> None:
    """Answers and repeated attempts of a collection are those of its journal."""
    with Tree(collected / "EX-0001") as tree:
        acts: JournalTold = read_acts(tree, names=False)
    events = [json.loads(line)["event"] for line in (collected / "EX-0001" / layout.JOURNAL).read_bytes().splitlines()]
    assert acts.acts.answered == events.count("answered")
    assert acts.acts.rows == len(events)


def test_interruptions_and_certificates_are_told() -> None:
    """Who went on when and why, and the digest of each certificate that was met."""
    resumed = Resumed(
        at=AT, purpose="seal", actors=ACTORS, tool=TOOL, host=HOST, network=None, rows=3, set_aside=(), torn_tail=None
    )
    met = PeerSeen(certificate_sha256=DIGEST, certificate_der_base64="")
    acts = tell_acts([Link(row, 0, 1, "") for row in (resumed, met)], names=False).acts
    assert (acts.resumed, acts.certificates) == (((AT, "seal", "E. Examiner"),), (DIGEST,))


def test_a_broken_journal_is_a_fault() -> None:
    """A journal that changed after it was verified ends the export."""
    with pytest.raises(PackageFault):
        tell_acts([Break(1, 0, "canonical")], names=False)


def test_the_subject_of_a_gap_may_be_a_name() -> None:
    """A path that was asked for and is not there is told only with names; a word of ours always."""
    path = Gap(kind="not_obtained", code="root_absent", basis="absence", subject="/home/alice")
    bare = Gap(kind="not_obtained", code="root_absent", basis="absence")
    assert gap_subject("claude-code/1", path, names=False) is None
    assert gap_subject("claude-code/1", path, names=True) == "/home/alice"
    assert gap_subject("compliance/1", path, names=False) == "/home/alice"
    assert gap_subject("compliance/1", bare, names=True) is None
    session = Gap(kind="not_obtained", code="session_absent", basis="absence", subject="1234")
    assert gap_subject("claude-code/1", session, names=False) == "1234"


def test_sessions_of_every_source_are_read(collected: Path) -> None:
    """The rows of sessions.jsonl come as they are."""
    with Tree(collected / "EX-0001") as tree:
        assert [one.session for one in session_rows(tree)] == sorted(one.session for one in session_rows(tree))


def preserved() -> ItemRow:
    """A local file."""
    state = FileState(
        size_bytes=1, modified_at=NanoInstant(AT), changed_at=NanoInstant(AT), accessed_at=NanoInstant(AT),
        born_at=None, mode=0o600, user_id=501, group_id=20, owner="alice", group=None, device="1", inode="2", links=1,
        allocated_bytes=None,
    )  # fmt: skip
    change: Change = "none"
    came = FileProvenance(row=9, survey=1, root="r1", entry=4, kept_at=AT, before=state, change=change)
    return ItemRow(
        path="data/claude-code/r1/s000001/transcript.jsonl", bytes=1, sha256=DIGEST, role="preserved", media_type=None,
        content_encoding=None, provenance=came,
    )  # fmt: skip


def test_a_preserved_file_is_told_with_what_it_was(tmp_path: Path) -> None:
    """Of a local file the journal row leads back; its owner is a name."""
    (tmp_path / "agentaudit").mkdir()
    (tmp_path / layout.ITEMS).write_bytes(encode_line(preserved()))
    with Tree(tmp_path) as tree:
        rows = SealedRows(tree, "EX-0001", "claude-code/1", {}, names=False)
        (nameless,) = rows.items()
        (named,) = SealedRows(tree, "EX-0001", "claude-code/1", {}, names=True).items()
        with closing(ItemLookup(tree)) as lookup:
            there, gone = way(lookup, preserved().path, None), way(lookup, "data/gone", "/x")
    assert (nameless.row, nameless.walk, nameless.request_id) == (9, None, None)
    assert ("provenance.before.user_id", "501") in nameless.more
    assert "alice" not in str(nameless.more)
    assert ("provenance.before.owner", "alice") in named.more
    assert (there.row, there.sha256) == (9, DIGEST)
    assert gone == Way(item="data/gone", pointer="/x", sha256=None, request_id=None, row=None)
