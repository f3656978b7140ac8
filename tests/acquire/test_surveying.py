"""The open store: which roots, who may read what, and what is looked at again."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from agentaudit.acquire.surveying import Store, digest_of_excluded, open_roots, open_store, take_survey
from agentaudit.demo.store import StoreBuilder, Talk, session_id
from agentaudit.errors import Interrupted, SourceRefused
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from agentaudit.model.survey import Seen
from agentaudit.sources.local.read import Unread
from tests.support.storing import surrounding

S = session_id("one")
NAME = f"projects/-w/{S}.jsonl"


@pytest.fixture
def builder(tmp_path: Path) -> StoreBuilder:
    """A store with one session and one secret."""
    made = StoreBuilder(tmp_path / "store", marked=False)
    made.transcript("-w", Talk(S, turns=1))
    made.put(".credentials.json", b"token")
    made.put(".claude.json", b"account")
    return made


def selection(*roots: Path) -> BundleSelection:
    """Everything in these roots."""
    return BundleSelection(
        agent="claude-code", roots=tuple(true_name(os.fsencode(root)) for root in roots), everything=True
    )


def entry(store: Store, name: str) -> Seen:
    """One entry of the first root."""
    return next(seen for seen in store.entries(lambda: None) if seen.path == name)


def octets_of(store: Store, seen: Seen, *, measure: bool = False) -> bytes | Unread:
    """What a reader of the store hands over."""
    into = bytearray()
    reader = (store.measures if measure else store.readers)[seen.root]
    read = reader.read(seen, into.extend)
    return read if isinstance(read, Unread) else bytes(into)


def test_where_nothing_lies_the_source_refuses(tmp_path: Path) -> None:
    """A folder that is not there, a file in its place, no home at all."""
    (tmp_path / "file").touch()
    cases = (selection(tmp_path / "none"), selection(tmp_path / "file"), selection())
    for one in cases:
        with pytest.raises(SourceRefused, match="no store at the place") as told, open_store(one, surrounding()):
            pass
        assert told.value.exit_status == 5


def test_a_root_that_went_between_two_runs_is_a_refusal(tmp_path: Path, builder: StoreBuilder) -> None:
    """A resumed run does not go on with half of its roots."""
    one = selection(builder.root)
    with open_store(one, surrounding()) as store:
        recorded = [root.facts for root in store.roots.chosen]
    with open_roots(recorded, surrounding(), one) as again:
        assert [root.facts for root in again.roots.chosen] == recorded
    builder.root.rename(tmp_path / "away")
    with pytest.raises(SourceRefused, match="cannot be entered any more"), open_roots(recorded, surrounding(), one):
        pass


def test_a_reported_root_is_not_opened_by_a_later_run(tmp_path: Path) -> None:
    """It was named and never asked for."""
    home = tmp_path / "home"
    StoreBuilder(home / ".claude", marked=False)
    (home / ".claude-work").mkdir()
    one = selection()
    with open_store(one, surrounding(home)) as store:
        recorded = [root.facts for root in (*store.roots.chosen, *store.roots.reported)]
    assert [root.found for root in recorded] == ["default", "reported"]
    with open_roots(recorded, surrounding(home), one) as again:
        assert list(again.readers) == ["r1"]


def test_a_token_is_read_by_nobody_and_an_account_file_for_its_digest_alone(builder: StoreBuilder) -> None:
    """Under their own names and under that of a hard link."""
    (builder.root / "projects/-w/notes.jsonl").hardlink_to(builder.root / ".credentials.json")
    (builder.root / "projects/-w/more.jsonl").hardlink_to(builder.root / ".claude.json")
    with open_store(selection(builder.root), surrounding()) as store:
        entries = {seen.path: seen for seen in store.entries(lambda: None)}
        store.deny(entries.values())
        for name in (".credentials.json", "projects/-w/notes.jsonl"):
            for measure in (False, True):
                assert isinstance(octets_of(store, entries[name], measure=measure), Unread)
        for name in (".claude.json", "projects/-w/more.jsonl"):
            assert isinstance(octets_of(store, entries[name]), Unread)
            assert octets_of(store, entries[name], measure=True) == b"account"
        assert octets_of(store, entries[NAME]) == (builder.root / NAME).read_bytes()


def test_looking_again_knows_a_secret_that_was_renewed(builder: StoreBuilder) -> None:
    """The token has a new inode since the survey; a path that leads to it now is denied, the old one stays so."""
    with open_store(selection(builder.root), surrounding()) as store:
        store.deny(store.entries(lambda: None))
        seen = entry(store, NAME)
        fresh = builder.put("fresh", b"renewed token")
        fresh.rename(builder.root / ".credentials.json")
        (builder.root / NAME).unlink()
        (builder.root / NAME).hardlink_to(builder.root / ".credentials.json")
        now = store.look_again(seen)
        assert now.look is not None
        assert seen.look is not None
        assert now.look.inode != seen.look.inode
        assert isinstance(octets_of(store, now), Unread)


def test_what_became_of_an_entry_is_seen_again(builder: StoreBuilder) -> None:
    """Gone, or a link: an entry that is told, and nothing is followed."""
    with open_store(selection(builder.root), surrounding()) as store:
        store.deny(store.entries(lambda: None))
        seen = entry(store, NAME)
        (builder.root / NAME).unlink()
        assert store.look_again(seen).problem == "vanished"
        (builder.root / NAME).symlink_to("elsewhere")
        assert (store.look_again(seen).kind, store.look_again(seen).target) == ("link", "elsewhere")


def test_a_digest_is_of_the_whole_file_or_none(builder: StoreBuilder) -> None:
    """An empty file has one; one that is gone has none; a signal ends it."""
    builder.put("empty", b"")
    with open_store(selection(builder.root), surrounding()) as store:
        one, reader = entry(store, NAME), store.measures["r1"]
        octets = (builder.root / NAME).read_bytes()
        assert digest_of_excluded(one, reader, lambda: None) == f"sha256:{sha256(octets).hexdigest()}"
        assert digest_of_excluded(entry(store, "empty"), reader, lambda: None) == f"sha256:{sha256().hexdigest()}"

        def stop() -> None:
            raise Interrupted(15)

        with pytest.raises(Interrupted):
            digest_of_excluded(one, reader, stop)
        (builder.root / NAME).unlink()
        assert digest_of_excluded(one, reader, lambda: None) is None


def test_a_signal_ends_a_survey(builder: StoreBuilder) -> None:
    """Before everything was seen."""

    def stop() -> None:
        raise Interrupted(2)

    with open_store(selection(builder.root), surrounding()) as store, pytest.raises(Interrupted):
        take_survey(store, selection(builder.root), 1, stop)


def test_a_root_that_was_swapped_for_a_link_leads_nowhere_else(tmp_path: Path, builder: StoreBuilder) -> None:
    """The handle stays on the folder that was opened, whatever its name leads to now."""
    with open_store(selection(builder.root), surrounding()) as store:
        store.deny(store.entries(lambda: None))
        seen, octets = entry(store, NAME), (builder.root / NAME).read_bytes()
        other = StoreBuilder(tmp_path / "other", marked=False)
        other.put(NAME, b"another store")
        builder.root.rename(tmp_path / "away")
        builder.root.symlink_to(other.root)
        assert octets_of(store, seen) == octets


def test_the_same_survey_comes_out_twice(builder: StoreBuilder) -> None:
    """Nothing of it depends on the run; what changes is told."""
    one = selection(builder.root)
    with open_store(one, surrounding()) as store:
        first, second = (take_survey(store, one, 1, lambda: None).plan.planned for _ in range(2))
        assert first == second
        builder.put("plans/p.md", b"x")
        assert take_survey(store, one, 1, lambda: None).plan.planned != first
