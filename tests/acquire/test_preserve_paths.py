"""Field cases E: names and kinds of entries, each an item, a listed entry, or a gap; never a hang, never a guess."""

import importlib.readers  # noqa: F401 - imported while everything may be read
import json
import os
import socket
import stat
import tempfile
import time
from pathlib import Path

import pytest

from agentaudit.demo.store import StoreBuilder, Talk, session_id
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.format import layout
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from tests.sources.local.unprivileged import as_nobody
from tests.support.storing import (
    Acting,
    Storing,
    copy_of,
    dict_of,
    entries,
    entry,
    gaps,
    is_intact,
    is_kept,
    kept,
    sessions,
    storing,
    true_bytes,
)

S, T = session_id("one"), session_id("two")


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """A store with one session."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.transcript("-w", Talk(S, turns=1))
    return builder


def preserved(tmp_path: Path, *roots: Path) -> Storing:
    """The roots, preserved and checked."""
    job = storing(tmp_path, *roots)
    job.preserve()
    assert is_intact(job.sealed)
    return job


def test_e01_two_working_folders_in_one_project_folder(tmp_path: Path, store: StoreBuilder) -> None:
    """Both sessions are kept; the name of the folder is a name, and how many folders records name is a number."""
    store.transcript("-w-a-b", Talk(S, cwd="/w/a_b", turns=1))
    store.transcript("-w-a-b", Talk(T, cwd="/w/a-b", turns=1))
    job = preserved(tmp_path, store.root)
    for session in (S, T):
        assert is_kept(job.sealed, f"projects/-w-a-b/{session}.jsonl")
    found = (job.sealed / layout.SESSIONS).read_text() + (job.sealed / layout.ITEMS).read_text()
    assert "/w/a" not in found
    folders = {
        str(dict_of(one["bundle"])["project"]): dict_of(one["bundle"])["project_cwds"] for one in sessions(job.sealed)
    }
    assert folders == {"-w": 1, "-w-a-b": 2}


def test_e02_a_project_folder_of_dashes_is_a_plain_name(tmp_path: Path, store: StoreBuilder) -> None:
    """What was no ASCII became dashes; nothing is decoded."""
    store.transcript("-Users-u-Documents------", Talk(T, turns=1))
    job = preserved(tmp_path, store.root)
    assert is_kept(job.sealed, f"projects/-Users-u-Documents------/{T}.jsonl")


def test_e03_long_names_are_kept_under_short_ones(tmp_path: Path, store: StoreBuilder) -> None:
    """A folder of 209 characters and a file of 255 bytes; the payload's names stay short."""
    folder = "-" + "x" * 200 + "-0a1b2c3"
    store.transcript(folder, Talk(T, turns=1))
    store.put(f"projects/-w/{S}/tool-results/{'y' * 251}.txt", b"long")
    job = preserved(tmp_path, store.root)
    assert is_kept(job.sealed, f"projects/{folder}/{T}.jsonl")
    assert copy_of(job.sealed, f"projects/-w/{S}/tool-results/{'y' * 251}.txt") == b"long"
    longest = max(len(path.relative_to(job.sealed).as_posix()) for path in job.sealed.rglob("*"))
    assert longest < 80


def test_e03_a_path_longer_than_the_system_takes_is_walked_all_the_same(tmp_path: Path, store: StoreBuilder) -> None:
    """Folder by folder through handles: sixty names of 100 bytes, and a spilled result at their end."""
    top = store.root / "projects" / "-w" / S / "tool-results"
    top.mkdir(parents=True)
    at = os.open(top, os.O_RDONLY)
    for _ in range(60):
        os.mkdir("d" * 100, dir_fd=at)
        below = os.open("d" * 100, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    descriptor = os.open("end.txt", os.O_CREAT | os.O_WRONLY, dir_fd=at)
    os.write(descriptor, b"at the end")
    os.close(descriptor)
    os.close(at)
    job = preserved(tmp_path, store.root)
    (name,) = [name for name in entries(job.sealed) if name.endswith("/end.txt")]
    assert len(name) > 6_000
    assert copy_of(job.sealed, name.removeprefix("r1/")) == b"at the end"


def test_e05_names_that_differ_in_case_or_form_alone(tmp_path: Path, store: StoreBuilder) -> None:
    """Twins of case and of Unicode form do not meet in the payload, on any file system."""
    twins = ("c--proj", "C--proj", "-caf\u00e9", "-cafe\u0301")
    for number, folder in enumerate(twins):
        store.transcript(folder, Talk(T, turns=number + 1))
    job = preserved(tmp_path, store.root)
    copies = {copy_of(job.sealed, f"projects/{folder}/{T}.jsonl") for folder in twins}
    assert len(copies) == 4
    paths = [path.relative_to(job.sealed).as_posix() for path in (job.sealed / "data").rglob("*")]
    assert len({path.casefold() for path in paths}) == len(paths)


def test_e07_links_are_listed_with_their_text_and_never_followed(tmp_path: Path, store: StoreBuilder) -> None:
    """A project folder that is a link, one that leads out of the store, and one that dangles."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / f"{T}.jsonl").write_bytes(b"{}\n")
    projects = store.root / "projects"
    for name, target in (("-x", "-w"), ("-y", tmp_path / "outside"), ("-z", "nowhere")):
        (projects / name).symlink_to(target)
    (projects / "-w" / f"{T}.jsonl").symlink_to(f"{S}.jsonl")
    job = preserved(tmp_path, store.root)
    assert entry(job.sealed, "projects/-x")["target"] == "-w"
    assert entry(job.sealed, "projects/-y")["target"] == str(tmp_path / "outside")
    assert {entry(job.sealed, f"projects/{name}")["decision"] for name in ("-x", "-y", "-z")} == {"list"}
    assert gaps(job.sealed)["link"] == 4
    assert not any(name.startswith(("r1/projects/-x/", "r1/projects/-y/")) for name in entries(job.sealed))
    (linked,) = [one for one in sessions(job.sealed) if dict_of(one["bundle"])["session"] == T]
    assert (linked["decision"], linked["rule"], dict_of(linked["bundle"])["transcript"]) == (
        "excluded",
        "link",
        "unreadable",
    )


def test_e07_projects_itself_may_be_a_link(tmp_path: Path) -> None:
    """Then nothing below it is here, and that is said."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    (tmp_path / "elsewhere").mkdir()
    (builder.root / "projects").symlink_to("../elsewhere")
    job = preserved(tmp_path, builder.root)
    assert gaps(job.sealed) == {"link": 1}
    assert sessions(job.sealed) == []


def test_a_root_that_is_named_may_be_a_link(tmp_path: Path, store: StoreBuilder) -> None:
    """It is resolved once; both paths are stated."""
    (tmp_path / "link").symlink_to(store.root)
    job = preserved(tmp_path, tmp_path / "link")
    (root,) = json.loads((job.sealed / layout.PACKAGE).read_bytes())["roots"]
    assert (root["path"], root["resolved"]) == (str(tmp_path / "link"), str(store.root))
    assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")


def test_e08_and_e09_what_is_no_file_is_never_opened(tmp_path: Path, store: StoreBuilder) -> None:
    """A folder, a pipe, a socket, a device and a link to itself under names of transcripts end at once, listed."""
    folder = store.root / "projects" / "-w"
    names = [f"{session_id(str(number))}.jsonl" for number in range(5)]
    (folder / names[0]).mkdir()
    os.mkfifo(folder / names[1])
    (folder / names[3]).symlink_to(names[3])
    held = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(folder)  # a path of a socket has at most 107 bytes
    try:
        held.bind(names[2])
    finally:
        os.chdir(here)
    if os.geteuid() == 0:
        os.mknod(folder / names[4], stat.S_IFCHR | 0o600, os.makedev(1, 3))
    began = time.monotonic()
    job = preserved(tmp_path, store.root)
    held.close()
    assert time.monotonic() - began < 5
    kinds = [entry(job.sealed, f"projects/-w/{name}")["kind"] for name in names[:4]]
    assert kinds == ["folder", "fifo", "socket", "link"]
    assert gaps(job.sealed)["special_file"] == (3 if os.geteuid() == 0 else 2)
    assert not any(is_kept(job.sealed, f"projects/-w/{name}") for name in names[:4])
    assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")


HOSTILE = (
    b"-rf",
    b"a\nb",
    b"\x1b[31m",
    b"\xff\xfe",
    b"trailing.",
    b"trailing ",
    b"\xe2\x80\xaegnp",
    b"x" * 255,
    b"$(id)",
    b"=1+1",
)


@pytest.mark.parametrize("name", HOSTILE, ids=[repr(name[:10]) for name in HOSTILE])
def test_e12_hostile_names_are_exact_in_the_inventory_and_nowhere_else(tmp_path: Path, name: bytes) -> None:
    """A project folder, and a spilled result, of any bytes: kept, with the true name in the entry's row."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    project = builder.root / "projects" / os.fsdecode(name)
    spilled = project / S / "tool-results" / os.fsdecode(name)
    spilled.parent.mkdir(parents=True)
    for place in (spilled, project / f"{S}.jsonl"):
        place.write_bytes(b"{}\n")
    job = preserved(tmp_path, builder.root)
    true = {true_bytes(one["name"]) for one in entries(job.sealed).values()}
    assert b"projects/" + name + b"/" + S.encode() + b"/tool-results/" + name in true
    assert len(list((job.sealed / "data").rglob("*.txt"))) == 1


def test_e13_two_roots_with_the_same_session(tmp_path: Path) -> None:
    """Both are kept and keyed by root; credentials are denied in both."""
    roots = []
    for number, turns in enumerate((1, 2)):
        builder = StoreBuilder(tmp_path / f"root{number}", marked=False)
        builder.transcript("-w", Talk(S, turns=turns))
        builder.put(".credentials.json", b"secret")
        roots.append(builder.root)
    job = preserved(tmp_path, *roots)
    first, second = (copy_of(job.sealed, f"projects/-w/{S}.jsonl", root) for root in ("r1", "r2"))
    assert len(second) > len(first)
    bundles = [dict_of(one["bundle"]) for one in sessions(job.sealed)]
    assert [(one["root"], one["also_in"]) for one in bundles] == [
        ("r1", ["s000002"]),
        ("r2", ["s000001"]),
    ]
    assert gaps(job.sealed)["credentials"] == 2


def test_a_root_named_twice_counts_once_and_an_absent_one_is_a_gap(tmp_path: Path, store: StoreBuilder) -> None:
    """A path twice is one root; what is not there was asked for and not obtained."""
    job = storing(tmp_path, store.root, store.root, tmp_path / "none")
    result = job.preserve()
    assert result.outcome == "incomplete"
    assert gaps(job.sealed)["root_absent"] == 1
    assert len(json.loads((job.sealed / layout.PACKAGE).read_bytes())["roots"]) == 1


def test_without_any_root_the_source_refuses(tmp_path: Path) -> None:
    """Nothing is begun: status 5, and no exhibit."""
    job = storing(tmp_path, tmp_path / "none")
    with pytest.raises(SourceRefused):
        job.preserve()
    assert not job.partial.exists()


def test_a_case_inside_the_store_is_refused(store: StoreBuilder) -> None:
    """It would be written into the evidence."""
    job = Storing(storing(store.root / "inside").case, (store.root,))
    with pytest.raises(UsageFault, match="inside the store"):
        job.preserve()
    assert not job.partial.exists()


def test_a_volume_that_is_shared_with_the_store_is_warned_about(tmp_path: Path, store: StoreBuilder) -> None:
    """Once; the run goes on."""
    listener = Acting()
    storing(tmp_path, store.root).preserve(progress=listener)
    assert sum("volume of the store" in warning for warning in listener.warnings) == 1


def _walled(top: Path) -> tuple[str, dict[str, int], list[str]]:
    """Preserve a store with a wall in it, as whoever runs this."""
    job = storing(top / "mine", top / "store")
    result = job.preserve()
    return result.outcome, gaps(job.sealed), [name for name in entries(job.sealed) if is_kept(job.sealed, name[3:])]


def test_f17_a_wall_of_permissions_ends_in_gaps() -> None:
    """A file and a folder that may not be read are listed; the rest is here; the exhibit is incomplete."""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        top = Path(name)
        store = StoreBuilder(top / "store", marked=False)
        store.transcript("-w", Talk(S, turns=1))
        store.transcript("-w", Talk(T, turns=1)).chmod(0)
        store.transcript("-closed", Talk(T, turns=1)).parent.chmod(0)
        told = as_nobody(top, lambda _top: _walled(top))
        (store.root / "projects" / "-closed").chmod(0o700)
    assert isinstance(told, tuple), told
    assert told == ("incomplete", {"unreadable": 2}, [f"r1/projects/-w/{S}.jsonl"])


def _closed_roots(top: Path) -> tuple[dict[str, int], str]:
    """Preserve an open root beside one that may not be entered, then that one alone; as whoever runs this."""
    both = storing(top / "mine", top / "store", top / "closed")
    both.preserve()
    alone = storing(top / "other", top / "closed")
    try:
        alone.preserve()
    except SourceRefused as refused:
        return gaps(both.sealed), str(refused)
    return gaps(both.sealed), ""


def test_f17_a_root_that_may_not_be_entered_is_no_root_that_is_absent() -> None:
    """Beside others it is a gap with its path; alone it is a refusal of the source, which says what to do."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        StoreBuilder(top / "store", marked=False).transcript("-w", Talk(S, turns=1))
        StoreBuilder(top / "closed", marked=False).root.chmod(0)
        told = as_nobody(top, _closed_roots)
    assert told == ({"unreadable": 1}, "the system does not let the store be entered")


def test_what_was_selected_is_all_that_its_key_holds(tmp_path: Path, store: StoreBuilder) -> None:
    """Transcript, subagents, spilled results, file history, tasks, todos, debug log and images of one session."""
    names = (
        f"projects/-w/{S}/subagents/agent-a.jsonl", f"projects/-w/{S}/subagents/agent-a.meta.json",
        f"projects/-w/{S}/tool-results/t.txt", f"projects/-w/{S}/workflows/wf_1.json", f"file-history/{S}/0a@v1",
        f"tasks/{S}/1.json", f"todos/{S}-agent-{S}.json", f"debug/{S}.txt", f"image-cache/{S}/1.png",
    )  # fmt: skip
    for name in names:
        store.put(name, b"{}\n")
        store.put(name.replace(S, T), b"{}\n")
    store.transcript("-w", Talk(T, turns=1))
    for name in (
        "history.jsonl",
        "plans/p.md",
        "shell-snapshots/s.sh",
        f"session-env/{S}/e",
        "projects/-w/memory/M.md",
    ):
        store.put(name, b"{}\n")
    job = storing(tmp_path, store.root)
    root = true_name(os.fsencode(store.root))
    job.preserve(BundleSelection(agent="claude-code", roots=(root,), sessions=(S,)))
    assert is_intact(job.sealed)
    assert all(is_kept(job.sealed, name) for name in names)
    assert not any(is_kept(job.sealed, name.replace(S, T)) for name in names)
    assert not is_kept(job.sealed, "history.jsonl")
    assert entry(job.sealed, "history.jsonl")["rule"] == "category_opt_in"
    assert str(entry(job.sealed, "history.jsonl")["sha256"]).startswith("sha256:")
    decisions = {str(dict_of(one["bundle"])["session"]): one["decision"] for one in sessions(job.sealed)}
    assert decisions == {S: "kept", T: "excluded"}


def test_categories_are_left_out_and_taken_in(tmp_path: Path, store: StoreBuilder) -> None:
    """What is excluded is listed with size and digest; a shared store comes in when it is asked for."""
    store.put(f"file-history/{S}/0a@v1", b"source")
    store.put("history.jsonl", b"{}\n")
    store.put("projects/-w/memory/M.md", b"note")
    root = true_name(os.fsencode(store.root))
    asked = BundleSelection(
        agent="claude-code", roots=(root,), everything=True, excluded=("file-history",), included=("history", "memory")
    )
    job = storing(tmp_path, store.root)
    job.preserve(asked)
    left = entry(job.sealed, f"file-history/{S}/0a@v1")
    assert (left["decision"], left["rule"]) == ("exclude", "category_excluded")
    assert str(left["sha256"]).startswith("sha256:")
    assert is_kept(job.sealed, "history.jsonl")
    assert is_kept(job.sealed, "projects/-w/memory/M.md")
    assert gaps(job.sealed)["category_excluded"] == 1


def test_a_project_is_named_by_path_folder_or_label(tmp_path: Path, store: StoreBuilder) -> None:
    """All three mean the same folder; what is nowhere is a gap."""
    store.transcript("-w-other", Talk(T, turns=1))
    (label,) = {
        one.project for one in storing(tmp_path / "look", store.root).survey().sessions if one.session == "s000001"
    }
    root = true_name(os.fsencode(store.root))
    for number, name in enumerate(("/w", "-w", str(label))):
        job = storing(tmp_path / str(number), store.root)
        job.preserve(BundleSelection(agent="claude-code", roots=(root,), projects=(name, "/nowhere")))
        assert is_kept(job.sealed, f"projects/-w/{S}.jsonl")
        assert not is_kept(job.sealed, f"projects/-w-other/{T}.jsonl")
        assert gaps(job.sealed)["project_absent"] == 1
    job = storing(tmp_path / "absent", store.root)
    job.preserve(BundleSelection(agent="claude-code", roots=(root,), sessions=(S, "no-such-session")))
    assert gaps(job.sealed)["session_absent"] == 1


def test_metadata_travels_to_the_nanosecond(tmp_path: Path, store: StoreBuilder) -> None:
    """Times stand in the row and on the copy; the store's own are as they were; attributes have their values."""
    place = store.put(f"projects/-w/{S}.jsonl", b"{}\n")
    os.utime(place, ns=(1_700_000_000_123_456_789, 1_700_000_001_987_654_321))
    os.setxattr(place, "user.note", b"a value")
    job = storing(tmp_path, store.root)
    job.preserve()
    (row,) = kept(job.sealed, f"projects/-w/{S}.jsonl")
    before, item = row["before"], row["item"]
    assert isinstance(before, dict)
    assert isinstance(item, dict)
    assert before["modified_at"].endswith(".987654321Z")
    found = (job.sealed / str(item["path"])).stat()
    assert (found.st_mtime_ns, found.st_atime_ns) == (1_700_000_001_987_654_321, 1_700_000_000_123_456_789)
    assert place.stat().st_atime_ns == 1_700_000_000_123_456_789
    assert row["access_time_kept"] is True
    assert isinstance(row["attributes"], list)
    (attribute,) = row["attributes"]
    assert attribute["name"] == "user.note"
    assert (job.sealed / attribute["path"]).read_bytes() == b"a value"
