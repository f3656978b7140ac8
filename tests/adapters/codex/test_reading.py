"""The reading of a preserved home, drawn from rows alone."""

from collections.abc import Iterator

import msgspec

from agentaudit.adapters.codex import ADAPTER
from agentaudit.adapters.codex.databases import family_of
from agentaudit.adapters.codex.linefacts import HomeLineFacts
from agentaudit.adapters.codex.reading import CodexReader, HomeBundles
from agentaudit.model.base import UNSET, Digest, Instant
from agentaudit.model.codex import DatabaseSet, ProjectionFacts, ThreadStanding
from agentaudit.model.journal import PayloadFile
from agentaudit.model.local import Decision, EntryKind
from agentaudit.model.losses import Gap
from agentaudit.model.selection import BundleSelection
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.storejournal import (
    DatabaseCopied,
    Entry,
    HistoryCount,
    Kept,
    ProjectionCompared,
    SetMember,
    StoreFacts,
    ThreadLinked,
)
from agentaudit.model.text import SourceText, Unencodable
from tests.adapters.codex.homes import A, B, line, rollout_name, state, text
from tests.adapters.compliance.test_reading import answered
from tests.support.openings import opened_row

C = "0c3a7ab1-1111-4222-8333-444455556666"
AT = Instant("2026-11-30T00:00:00.000000Z")


def entry(
    number: int,
    name: SourceText,
    session: str | None = "s000001",
    *,
    decision: Decision = "preserve",
    role: str = "rollout",
    owner: str | None = None,
    kind: EntryKind = "file",
) -> Entry:
    """An entry of the first survey."""
    return Entry(
        survey=1,
        root="r1",
        number=number,
        name=name,
        kind=kind,
        state=state(),
        decision=decision,
        rule="selected" if decision == "preserve" else "not_selected",
        role=role,
        category="rollouts",
        session=session,
        owner=UNSET if owner is None else owner,
    )


def kept(number: int, octets: bytes, *, role: str = "rollout", stem: str | None = A, tries: int = 1) -> Kept:
    """A kept file with the facts of its lines."""
    facts = HomeLineFacts(role, stem)
    facts.feed(octets)
    framing, rollout = facts.finish()
    item = PayloadFile(path=f"data/codex/r1/s000001/{number}", bytes=len(octets), sha256=Digest("sha256:" + "0" * 64))
    return Kept(
        survey=1,
        root="r1",
        entry=number,
        role=role,
        session="s000001",
        item=item,
        before=msgspec.structs.replace(state(), size_bytes=len(octets)),
        after=None,
        change="none",
        complete=True,
        tries=tries,
        access_time_kept=True,
        framing=framing,
        rollout=rollout,
    )


def records(*ordinals: int, thread: str = A, **head: str) -> bytes:
    """A rollout with these ordinals."""
    rows = [text(line("session_meta", {"id": thread, "cli_version": "0.171.0", **head}, ordinal=ordinals[0]))]
    rows += [text(line("event_msg", {}, ordinal=one)) for one in ordinals[1:]]
    return b"\n".join(rows) + b"\n"


def projection(*threads: ThreadStanding, children: tuple[str, ...] = ()) -> ProjectionCompared:
    """What databases say of the first root."""
    facts = ProjectionFacts(
        root="r1", read=True, rows=0, odd_rows=0, cut=False, threads=threads, threads_beyond=0, missing=0, unlisted=0,
        smaller=0, larger=0, children_absent=children,
    )  # fmt: skip
    return ProjectionCompared(survey=1, databases=(), projection=facts)


def rows(reading: HomeBundles, gaps: tuple[Gap, ...] = ()) -> Iterator[BundleRow]:
    """The rows of the sessions."""
    return reading.sessions((), gaps)


def test_the_reader_has_the_name_of_its_version() -> None:
    """A package names it; a home has no pages."""
    assert CodexReader().name == ADAPTER


def test_a_thread_is_kept_with_the_facts_of_its_last_read() -> None:
    """Rows may come in any order of tries; every read counts as bytes."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    last, first = records(0, 1), records(0)
    reading.kept(kept(1, last, tries=2))
    reading.kept(kept(1, first, tries=1))
    (row,) = rows(reading)
    assert (row.decision, row.preserved_files, row.preserved_bytes) == ("kept", 1, len(last) + len(first))
    assert row.versions == (("0.171.0", 1),)
    assert reading.rollouts("r1")[0].next_ordinal == 2
    assert row.first_record_at == row.last_record_at
    assert (row.outcome, row.standing, row.links) == ("all_given", UNSET, UNSET)


def test_a_thread_that_was_left_out_says_by_which_rule() -> None:
    """It has no outcome."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name(), decision="exclude"))
    (row,) = rows(reading)
    assert (row.decision, row.rule, row.outcome, row.first_record_at) == ("excluded", "not_selected", None, None)
    assert list(reading.gaps()) == []


def test_a_thread_whose_rollout_is_a_link_was_left_out_by_nobodys_selection() -> None:
    """The rule is that of the entry which can never be copied; a folder alone is a folder."""
    for rule in ("link", "special", "folder"):
        reading = HomeBundles()
        reading.entry(msgspec.structs.replace(entry(1, rollout_name(), decision="list"), rule=rule))
        (row,) = rows(reading)
        assert (row.decision, row.rule) == ("excluded", rule)


def test_a_new_survey_begins_anew() -> None:
    """What an earlier one saw does not count."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    reading.kept(kept(1, records(0)))
    reading.entry(msgspec.structs.replace(entry(1, rollout_name(B)), survey=2))
    assert reading.survey == 2
    assert [one.session for one in reading.bundles()] == [B]
    assert reading.rollouts("r1")[0].size_bytes is None


def test_gaps_decide_the_outcome() -> None:
    """One that was not obtained makes it incomplete; one that is unavailable is a loss; one by rule is neither."""
    for kind, outcome in (
        ("not_obtained", "incomplete"), ("unavailable", "all_given_with_losses"), ("excluded", "all_given"),
    ):  # fmt: skip
        reading = HomeBundles()
        reading.entry(entry(1, rollout_name()))
        gap = msgspec.convert({"kind": kind, "code": "vanished", "basis": "rule", "session": "s000001"}, Gap)
        nowhere = Gap(kind="unavailable", code="vanished", basis="rule")
        (row,) = rows(reading, (gap, nowhere))
        assert row.outcome == outcome


def test_what_files_of_the_home_say_stands_in_bundle_and_coverage() -> None:
    """Lines of the history are witnesses; switches that are set narrow the limit on absence."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    facts = StoreFacts(
        survey=1,
        history=(HistoryCount(root="r1", session=A, lines=3),),
        history_cut=False,
        running=(),
        switches=(),
    )
    reading.store(facts)
    assert reading.bundles()[0].witnesses == (("history", 3),)
    assert [one.code for one in reading.coverage()] == sorted(one.code for one in reading.coverage())


def test_the_text_of_a_compressed_rollout_is_its_size() -> None:
    """Where its stream was whole; it is not drawn again from its bytes."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name(suffix=".jsonl.zst"), role="rollout_zst"))
    row = kept(1, records(0, 1), role="rollout_zst")
    reading.kept(row)
    assert row.framing is not None
    assert reading.rollouts("r1")[0].size_bytes == row.framing.bytes
    assert reading.recheck(row) is None
    reading.kept(msgspec.structs.replace(row, stream_fault="truncated"))
    assert reading.rollouts("r1")[0].size_bytes is None
    reading.kept(msgspec.structs.replace(row, framing=None, rollout=None))
    assert (reading.rollouts("r1")[0].size_bytes, reading.rollouts("r1")[0].next_ordinal) == (None, None)


def test_the_facts_of_a_copy_are_drawn_again() -> None:
    """They agree with the same bytes and with no other; a file without facts has none to draw."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    reading.entry(entry(2, "history.jsonl", None, role="history"))
    row, other = kept(1, records(0, 1)), kept(2, b"{}\n", role="history")
    for octets, agrees in ((records(0, 1), True), (records(0), False)):
        again = reading.recheck(row)
        assert again is not None
        again.feed(memoryview(octets))
        assert again.agrees() is agrees
    plain = reading.recheck(other)
    assert plain is not None
    plain.feed(memoryview(b"{}\n"))
    assert plain.agrees()
    assert reading.recheck(msgspec.structs.replace(row, framing=None)) is None
    assert reading.recheck(msgspec.structs.replace(row, entry=9)) is None


def test_the_last_go_at_a_database_counts() -> None:
    """Its group is that of the entries; a database that no entry names is none."""
    reading = HomeBundles()
    reading.entry(entry(1, "state_5.sqlite", None, role="database"))
    reading.entry(entry(2, "state_5.sqlite-wal", None, role="database_wal"))
    found = DatabaseSet(
        root="r1", name="state_5.sqlite", family="state", generation=5, main=True, wal=True, shm=False, journal=False,
        torn=True,
    )  # fmt: skip
    member = SetMember(entry=1, path="data/x", change="none")
    for tries, torn in ((1, True), (2, False)):
        database = msgspec.structs.replace(found, torn=torn)
        reading.database(DatabaseCopied(survey=1, tries=tries, database=database, members=(member,)))
    nowhere = msgspec.structs.replace(found, name="other.sqlite")
    reading.database(DatabaseCopied(survey=1, tries=1, database=nowhere, members=(member,)))
    ((group, go),) = reading.goes()
    assert (family_of(group), go.tries) == ("state", 2)


def test_links_and_standings_stand_in_the_row() -> None:
    """A fork names its origin; what a database says of a thread is beside it."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    reading.entry(entry(2, rollout_name(B), "s000002"))
    reading.kept(kept(1, records(0, forked_from_id=C)))
    (links,) = reading.links()
    assert links.absent == (C,)
    reading.linked(ThreadLinked(survey=1, links=links))
    standing = ThreadStanding(thread=A, files=1, listed=True, projected=False)
    reading.projection(projection(standing))
    first, second = rows(reading)
    assert (first.links, first.standing) == (links, standing)
    assert (second.links, second.standing) == (UNSET, UNSET)
    assert [gap.code for gap in reading.gaps()] == ["origin_absent"]


def test_rollouts_whose_thread_is_not_known_are_not_compared() -> None:
    """Nor are folders, nor those of another root; a name that is no text has a label."""
    reading = HomeBundles()
    reading.entry(entry(1, "sessions/rollout-x.jsonl", None))
    reading.entry(entry(2, rollout_name(B), kind="folder"))
    reading.entry(entry(3, Unencodable(hex=(b"\xff" + b"x").hex(), display="x"), None, role="unknown"))
    assert reading.rollouts("r1") == ()
    reading.entry(entry(4, "sessions/rollout-y.jsonl", owner=C))
    assert [one.thread for one in reading.rollouts("r1")] == [C]
    assert reading.rollouts("r2") == ()


def test_a_reading_is_begun_with_the_first_row_of_a_package() -> None:
    """Its instant narrows the limit on what was living; where everything was asked for, all that is named counts."""
    selection = BundleSelection(agent="codex", roots=(), everything=True)
    reading = CodexReader().open(msgspec.structs.replace(opened_row(), selection=selection, at=AT), ())
    live = next(one for one in reading.coverage() if one.code == "store.live")
    assert live.values == (("surveyed_from", AT),)
    reading.entry(entry(1, "state_5.sqlite", None, role="database"))
    reading.projection(projection(children=(C,)))
    assert [gap.code for gap in reading.gaps()] == ["subagent_absent"]
    assert reading.feed(answered("w"), b"") == ((), ())


def test_a_file_of_no_thread_is_preserved_for_none() -> None:
    """A rollout that says nothing of releases and times gives none."""
    reading = HomeBundles()
    reading.entry(entry(1, rollout_name()))
    reading.entry(entry(2, "state_5.sqlite", None, role="database"))
    reading.kept(msgspec.structs.replace(kept(2, b"x", role="database"), session=None, framing=None))
    reading.kept(kept(1, b""))
    (row,) = rows(reading)
    assert (row.preserved_files, row.first_record_at, row.versions) == (1, None, ())
    reading.entry(entry(3, f"generated_images/{A}/1.png", role="image"))
    reading.kept(msgspec.structs.replace(kept(3, b"x", role="image"), framing=None))
    (row,) = rows(reading)
    assert (row.preserved_files, row.preserved_bytes) == (2, 1)
