"""A Codex home is preserved: rollouts plain, compressed and archived, databases as sets, secrets never."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from agentaudit.acquire import hands
from agentaudit.errors import SourceRefused
from agentaudit.format import layout
from agentaudit.model.selection import BundleSelection
from tests.adapters.codex.homes import SAMPLE
from tests.support.homing import CANARY, SECRET, A, B, C, Home, asked, found_in, homing, line, lines, only, path_of
from tests.support.storing import (
    Storing,
    copy_of,
    dict_of,
    entry,
    gaps,
    is_intact,
    is_kept,
    journal,
    kept,
    list_of,
    rows,
    sessions,
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one rollout."""
    built = Home(tmp_path / "home")
    built.rollout(A)
    return built


def preserved(tmp_path: Path, home: Home, selection: BundleSelection | None = None, workers: int = 1) -> Storing:
    """The home, preserved and checked."""
    job = homing(tmp_path, home.root)
    job.preserve(selection or asked(home.root), workers=workers)
    assert is_intact(job.sealed)
    return job


def session_of(job: Storing, thread: str) -> dict[str, object]:
    """The row of a thread."""
    return only([row for row in sessions(job.sealed) if dict_of(row["bundle"])["session"] == thread])


def test_a_rollout_is_kept_with_its_facts(tmp_path: Path, home: Home) -> None:
    """Its bytes are those of the store; its row states records, ordinals and release."""
    job = preserved(tmp_path, home)
    assert copy_of(job.sealed, path_of()) == lines()
    row = kept(job.sealed, path_of())[0]
    facts = dict_of(row["rollout"])
    assert (facts["records"], facts["thread"], facts["own_thread"]) == (5, A, True)
    assert dict_of(facts["ordinals"])["state"] == "contiguous"
    assert row["transcript"] is None
    assert dict_of(row["framing"])["lines"] == 5
    assert session_of(job, A)["versions"] == [["0.171.0", 1]]
    assert session_of(job, A)["outcome"] == "all_given"
    assert gaps(job.sealed) == {}


def test_content_stands_in_payload_alone(tmp_path: Path, home: Home) -> None:
    """Prompts, titles and working folders are in no tag file."""
    home.state((A, path_of()))
    job = preserved(tmp_path, home)
    assert found_in(job.sealed, CANARY)
    for word in (CANARY, "/w/project", "/somewhere/"):
        assert all(name.startswith("data/") for name in found_in(job.sealed, word))


def test_a_compressed_rollout_is_kept_as_it_is_and_read_from_its_copy(tmp_path: Path, home: Home) -> None:
    """The facts are those of its text; plain and compressed twins are both kept."""
    name = home.rollout(B, packed=True)
    home.rollout(A, packed=True)
    job = preserved(tmp_path, home)
    row = kept(job.sealed, name)[0]
    assert copy_of(job.sealed, name) == (home.root / name).read_bytes()
    assert dict_of(row["rollout"])["records"] == 5
    assert dict_of(row["framing"])["bytes"] == len(lines(B))
    assert row["stream_fault"] is None
    assert session_of(job, A)["preserved_files"] == 2
    path = str(dict_of(row["item"])["path"])
    assert (job.sealed / path).stat().st_mtime_ns == (home.root / name).stat().st_mtime_ns


def test_a_compressed_rollout_that_breaks_off_says_so(tmp_path: Path, home: Home) -> None:
    """What came before the break is counted, and its size is not known."""
    name = home.rollout(B, packed=True)
    whole = (home.root / name).read_bytes()
    (home.root / name).write_bytes(whole[:-3])
    home.projection((B, 10**6, 10**6))
    job = preserved(tmp_path, home)
    assert kept(job.sealed, name)[0]["stream_fault"] == "truncated"
    assert dict_of(session_of(job, B)["standing"])["size"] == "unknown"


def test_a_bomb_ends_at_the_bound(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that grows beyond all measure is kept and not read to its end."""
    name = home.rollout(B, bytes(4_000_000), packed=True)
    monkeypatch.setattr("agentaudit.encoding.streams.EXPANSION_FREE_BYTES", 1_000_000)
    job = preserved(tmp_path, home)
    assert kept(job.sealed, name)[0]["stream_fault"] == "expansion_over_limit"


def test_archived_rollouts_belong_to_their_threads(tmp_path: Path, home: Home) -> None:
    """A thread that was archived is whole with its archived rollout."""
    home.rollout(B, archived=True)
    job = preserved(tmp_path, home)
    assert dict_of(session_of(job, B)["bundle"])["transcript"] == "present"
    assert gaps(job.sealed) == {}


def test_secrets_are_denied_by_place_name_and_inode(tmp_path: Path, home: Home) -> None:
    """Under any spelling, in a root inside the root, and by a hard link with the name of a rollout."""
    secret = SECRET.encode()
    for name in ("auth.json", "AUTH.JSON", "Auth.json.bak", ".codex/auth.json", ".sandbox-secrets/a", "keyring/b"):
        home.put(name, secret)
    os.link(home.root / "auth.json", home.root / path_of(B))
    job = preserved(tmp_path, home, asked(home.root, included=("settings", "app-state")))
    assert found_in(job.sealed, SECRET) == []
    assert entry(job.sealed, "auth.json")["rule"] == "credentials_name"
    assert entry(job.sealed, ".sandbox-secrets/a")["rule"] == "credentials_location"
    assert entry(job.sealed, path_of(B))["rule"] == "credentials_inode"
    assert "sha256" not in entry(job.sealed, "auth.json")
    assert gaps(job.sealed)["credentials"] == 7


def test_a_secret_that_takes_the_place_of_a_rollout_is_not_read(tmp_path: Path, home: Home) -> None:
    """The inode that is opened decides, also when the survey saw another file."""
    home.put("auth.json", SECRET.encode())
    target = home.root / path_of()

    def swap(_state: object) -> None:
        if not target.samefile(home.root / "auth.json"):
            target.unlink()
            os.link(home.root / "auth.json", target)

    job = homing(tmp_path, home.root)
    job.preserve(asked(home.root), act=lambda state: swap(state) if state.phase == "copying" else None)
    assert found_in(job.sealed, SECRET) == []


def test_opt_in_files_stay_out_unless_asked_for(tmp_path: Path, home: Home) -> None:
    """The history is counted all the same, and the switches of the configuration are read."""
    home.put("history.jsonl", b'{"session_id":"%s","ts":1,"text":"x"}\n' % B.encode())
    home.put("config.toml", b'[history]\npersistence = "none"\n')
    job = preserved(tmp_path, home)
    assert not is_kept(job.sealed, "history.jsonl")
    facts = only(journal(job.sealed, "store_facts"))
    assert list_of(facts["history"])[0]["session"] == B
    switch = dict_of(list_of(facts["switches"])[0]["switch"])
    assert (switch["name"], switch["value"]) == ("history.persistence", "none")
    again = homing(tmp_path / "again", home.root)
    again.preserve(asked(home.root, included=("history", "settings")))
    assert is_intact(again.sealed)
    assert kept(again.sealed, "history.jsonl")[0]["rollout"] is None
    assert is_kept(again.sealed, "config.toml")


def test_a_selection_by_session_leaves_other_threads_and_databases_out(tmp_path: Path, home: Home) -> None:
    """The databases tell of every thread; a session that is nowhere is a gap."""
    home.rollout(B)
    home.state((A, path_of()), (B, path_of(B)), (C, path_of(C)))
    job = preserved(tmp_path, home, asked(home.root, sessions=(A, "nowhere")))
    assert is_kept(job.sealed, path_of())
    assert not is_kept(job.sealed, path_of(B))
    assert not is_kept(job.sealed, "state_5.sqlite")
    assert gaps(job.sealed) == {"session_absent": 1, "not_selected": 1, "category_opt_in": 3}
    assert session_of(job, B)["decision"] == "excluded"


def test_databases_that_are_asked_for_speak_of_the_selected_threads_alone(tmp_path: Path, home: Home) -> None:
    """A thread of which only a database knows is no gap of a selection without it."""
    home.state((A, path_of()), (C, path_of(C)))
    job = preserved(tmp_path, home, asked(home.root, sessions=(A,), included=("databases",)))
    assert is_kept(job.sealed, "state_5.sqlite-wal")
    assert gaps(job.sealed) == {}


@pytest.mark.parametrize("packed", [False, True])
def test_a_project_is_the_folder_that_a_rollout_names(tmp_path: Path, home: Home, packed: bool) -> None:
    """By its path or its last component; the name is read and written nowhere."""
    home.rollout(B, lines(B, cwd="/w/other"), packed=packed)
    job = preserved(tmp_path, home, asked(home.root, projects=("other", "/w/none")))
    assert is_kept(job.sealed, path_of(B, packed=packed))
    assert not is_kept(job.sealed, path_of())
    assert gaps(job.sealed)["project_absent"] == 1


def test_a_rollout_whose_name_has_no_thread_belongs_to_the_one_of_its_head(tmp_path: Path, home: Home) -> None:
    """Its entry says whose it is, and a resumed run knows it again."""
    name = "sessions/2026/11/29/rollout-old.jsonl"
    home.put(name, lines(B))
    job = preserved(tmp_path, home)
    assert entry(job.sealed, name)["owner"] == B
    assert entry(job.sealed, name)["session"] == session_of(job, B)["session"]
    assert dict_of(kept(job.sealed, name)[0]["rollout"])["own_thread"] is None


def test_ordinals_that_no_record_has_are_unavailable(tmp_path: Path, home: Home) -> None:
    """The gap counts them; the session was given with losses."""
    home.rollout(B, line(0, "session_meta", {"id": B}) + line(3, "event_msg", {}))
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"ordinal_absent": 2}
    assert session_of(job, B)["outcome"] == "all_given_with_losses"


def test_forks_name_their_origin(tmp_path: Path, home: Home) -> None:
    """A thread that names one that is there is linked; one whose origin is nowhere is a gap."""
    home.rollout(B, lines(B, forked_from_id=A))
    home.rollout(C, lines(C, parent_thread_id="9" * 8))
    job = preserved(tmp_path, home)
    assert gaps(job.sealed) == {"origin_absent": 1}
    assert len(journal(job.sealed, "thread_linked")) == 2
    assert dict_of(session_of(job, B)["links"])["forked_from"] == [A]
    assert "links" not in session_of(job, A)


def test_workers_copy_what_one_process_copies(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts of plain and compressed rollouts come back from other processes as they are."""
    home.rollout(B, packed=True)
    home.state((A, path_of()), (B, path_of(B)))
    alone = preserved(tmp_path / "1", home)
    monkeypatch.setattr(hands, "ALONE_BYTES", 0)
    many = preserved(tmp_path / "2", home, workers=2)
    for name in (layout.ITEMS, layout.SESSIONS):
        assert len(rows(many.sealed, name)) == len(rows(alone.sealed, name))
    name = path_of(B, packed=True)
    assert kept(many.sealed, name)[0]["rollout"] == kept(alone.sealed, name)[0]["rollout"]


def test_nothing_of_the_home_changes_and_no_private_copy_stays(
    tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, bytes and times are what they were; the folder of private copies is empty."""
    home.state((A, path_of()))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    before = _picture(home.root)
    preserved(tmp_path, home)
    assert _picture(home.root) == before
    assert list(scratch.iterdir()) == []


def test_a_home_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """There is nothing to look into."""
    job = homing(tmp_path)
    with pytest.raises(SourceRefused):
        job.preserve(asked(tmp_path / "nowhere"))


def test_d16_many_heads_in_one_rollout_are_a_number(tmp_path: Path, home: Home) -> None:
    """Forks repeat the heads of their origins: 29 of them are no fault, and the thread is that of the name."""
    threads = [A, *(f"{number:08x}-0000-4000-8000-000000000000" for number in range(1, 29))]
    home.rollout(A, b"".join(line(at, "session_meta", {"id": one}) for at, one in enumerate(threads)))
    job = preserved(tmp_path, home)
    (row,) = [row for row in journal(job.sealed, "kept") if row["role"] == "rollout"]
    facts = dict_of(row["rollout"])
    assert (facts["session_metas"], facts["own_thread"], facts["threads"]) == (29, True, sorted(threads))
    assert dict_of(row["framing"])["findings_by_class"] == []
    assert len(sessions(job.sealed)) == 1
    assert "not_selected" not in gaps(job.sealed)


def test_the_survey_shows_threads_by_label(tmp_path: Path, home: Home) -> None:
    """Nothing is written, and no id is shown unless names are asked for."""
    home.put("auth.json", SECRET.encode())
    job = homing(tmp_path, home.root)
    found = job.survey(selection=asked(home.root))
    assert found.agent == "codex"
    assert str(found.sessions[0].id).startswith("#")
    assert found.files == 1
    assert dict(found.left_out)["credentials_name"] == 1
    assert job.survey(selection=asked(home.root), names=True).sessions[0].id == A


@pytest.mark.skipif(not SAMPLE.exists(), reason="the samples are not here")
def test_the_sample_home_is_preserved_with_the_facts_that_it_has(tmp_path: Path) -> None:
    """40 lines with ordinals 0 to 39; the state database has 18 tables with its `-wal`."""
    shutil.copytree(SAMPLE, tmp_path / "home")
    job = homing(tmp_path, tmp_path / "home")
    job.preserve(asked(tmp_path / "home"))
    assert is_intact(job.sealed)
    (row,) = [row for row in journal(job.sealed, "kept") if row["role"] == "rollout"]
    ordinals = dict_of(dict_of(row["rollout"])["ordinals"])
    assert (dict_of(row["rollout"])["records"], dict_of(row["item"])["bytes"]) == (40, 141_638)
    assert (ordinals["state"], ordinals["first"], ordinals["last"]) == ("contiguous", 0, 39)
    looks = list_of(only(journal(job.sealed, "projection_compared"))["databases"])
    assert {look["family"]: look["tables"] for look in looks} == {"state": 18, "thread_history": 5}
    assert len(journal(job.sealed, "database_copied")) == 6
    standing = dict_of(sessions(job.sealed)[0]["standing"])
    assert (standing["size"], standing["ordinal"], standing["file"]) == ("equal", "equal", "present")


def _picture(root: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        str(path): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns, path.stat().st_ctime_ns)
        for path in sorted(root.rglob("*"))
    }
