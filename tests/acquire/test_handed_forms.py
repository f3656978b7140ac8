"""Keys, databases and settings among files that were handed over: what stays out by its bytes, and that it does."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.kinds import kind_of
from agentaudit.acquire.progress import Progress, Silent
from agentaudit.acquire.request import PreserveBundle, ResumePreservation
from agentaudit.acquire.resurvey import surveyed
from agentaudit.acquire.sieving import held_back
from agentaudit.acquire.surveyed import survey_store
from agentaudit.errors import Interrupted
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import Deposit, HandedOver
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader
from tests.acquire.test_handed_over import Stopping
from tests.sources.local.places import entry, put
from tests.support.around import surroundings
from tests.support.storing import (
    Acting,
    Storing,
    gaps,
    is_intact,
    journal,
    list_of,
    once_copying,
    rows,
    storing,
    surrounding,
)
from tests.support.telemetry import Sent, log, own_json

CANARY = b"Kanarienvogel4711"
KEY = b"-----BEGIN " + b"PRIVATE" + b" KEY-----\n" + CANARY + b"\n"
LOGS = own_json(Sent([log("user_prompt", 0, prompt=KEY.decode())])) + b"\n"
SETTINGS = b'[otel]\nlog_user_prompt = true\nheaders = "' + CANARY + b'"\n'


@pytest.fixture
def job(tmp_path: Path) -> Storing:
    """An empty case."""
    return storing(tmp_path)


@pytest.fixture
def handed(tmp_path: Path) -> Iterator[Path]:
    """Telemetry, and beside it a key with a hard link, a database with log and a resting journal, settings."""
    folder = tmp_path / "handed"
    folder.mkdir()
    (folder / "logs.jsonl").write_bytes(LOGS.replace(CANARY, b"a text"))
    (folder / "server.crt").write_bytes(KEY)
    os.link(folder / "server.crt", folder / "innocent")
    (folder / "collector.yaml").write_bytes(b"headers: " + CANARY + b"\n")
    (folder / "config.toml").write_bytes(SETTINGS)
    (folder / "config.json").write_bytes(LOGS.replace(CANARY, b"a text"))
    with closing(sqlite3.connect(folder / "state.bak")) as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table t(x)")
        database.execute("insert into t values(?)", (CANARY.decode(),))
        database.commit()
        (folder / "state.bak-journal").write_bytes(bytes(512) + CANARY)
        yield folder


def request(case: Path, *paths: Path, included: tuple[str, ...] = (), deposit: Deposit = "telemetry") -> PreserveBundle:
    """A preservation of these paths."""
    names = tuple(true_name(os.fsencode(path)) for path in paths)
    selection = HandedOver(deposit=deposit, paths=names, included=included)
    return PreserveBundle(case, selection, surrounding(), Said(), ("agentaudit",), 1)


def preserved(asked: PreserveBundle, progress: Progress | None = None) -> SealedResult:
    """The result of a preservation."""
    return preserve_bundle(asked, surroundings(), progress or Silent())


def decided(exhibit: Path) -> dict[str, tuple[object, object]]:
    """Decision and rule of each entry."""
    return {str(row["name"]): (row["decision"], row["rule"]) for row in rows(exhibit, layout.ENTRIES)}


def holding(case: Path) -> list[str]:
    """The files of a case in which the canary stands."""
    return [path.name for path in case.rglob("*") if path.is_file() and CANARY in path.read_bytes()]


OUT = {
    "collector.yaml": ("exclude", "category_opt_in"),
    "config.json": ("preserve", "selected"),
    "config.toml": ("exclude", "category_opt_in"),
    "innocent": ("exclude", "credentials_bytes"),
    "logs.jsonl": ("preserve", "selected"),
    "server.crt": ("exclude", "credentials_bytes"),
    "state.bak": ("exclude", "category_opt_in"),
    "state.bak-journal": ("exclude", "category_opt_in"),
    "state.bak-shm": ("exclude", "category_opt_in"),
    "state.bak-wal": ("exclude", "category_opt_in"),
}


def test_strangers_stay_out_and_are_counted(job: Storing, handed: Path) -> None:
    """No byte of them is in the case; each is an entry with its rule, a gap counts them, and a check agrees."""
    result = preserved(request(job.case, handed))
    assert holding(job.case) == []
    assert decided(job.sealed) == OUT
    assert gaps(job.sealed) == {"credentials": 2, "category_opt_in": 6}
    assert (result.outcome, result.counts.items) == ("all_given", 2)
    assert is_intact(job.sealed)


def test_what_may_be_asked_for_has_a_digest_and_a_key_has_none(job: Storing, handed: Path) -> None:
    """So that a database or a settings file can be recognised later; of a key nothing is told."""
    preserved(request(job.case, handed))
    digests = {str(row["name"]): row.get("sha256") for row in rows(job.sealed, layout.ENTRIES)}
    assert digests["config.toml"] == f"sha256:{sha256(SETTINGS).hexdigest()}"
    assert digests["state.bak"] == f"sha256:{sha256((handed / 'state.bak').read_bytes()).hexdigest()}"
    assert [digests["server.crt"], digests["innocent"]] == [None, None]
    told = {str(row["name"]): (row["role"], row["category"]) for row in rows(job.sealed, layout.ENTRIES)}
    assert told["server.crt"] == ("credentials", "credentials")
    assert told["state.bak-wal"] == ("database_wal", "databases")
    assert told["collector.yaml"] == ("settings", "settings")
    assert told["logs.jsonl"] == ("handed_over", "handed-over")


@pytest.mark.parametrize(
    ("included", "names"),
    [
        (("databases",), {"state.bak", "state.bak-journal", "state.bak-shm", "state.bak-wal"}),
        (("settings",), {"collector.yaml", "config.toml"}),
        (("databases", "settings", "credentials"), {name for name, (_, rule) in OUT.items() if "opt_in" in rule}),
    ],
)
def test_what_is_asked_for_is_kept_whole_and_a_key_never(
    job: Storing, handed: Path, included: tuple[str, ...], names: set[str]
) -> None:
    """Each category lets in its own alone, and no word lets a key in."""
    preserved(request(job.case, handed, included=included))
    found = decided(job.sealed)
    assert {name for name, decision in found.items() if decision == ("preserve", "included")} == names
    assert found["server.crt"] == found["innocent"] == ("exclude", "credentials_bytes")
    kept = {str(row["sha256"]) for row in rows(job.sealed, layout.ITEMS)}
    assert {f"sha256:{sha256((handed / name).read_bytes()).hexdigest()}" for name in names} <= kept
    assert is_intact(job.sealed)


def test_a_database_under_a_name_of_its_own_is_copied_as_a_set(job: Storing, handed: Path) -> None:
    """Its bytes tell of it, and the ends of the names tell its parts: they are copied in one go, and named together."""
    preserved(request(job.case, handed, included=("databases",)))
    (go,) = journal(job.sealed, "database_copied")
    numbers = {row["number"]: str(row["name"]) for row in rows(job.sealed, layout.ENTRIES)}
    assert [numbers[member["entry"]] for member in list_of(go["members"])] == [
        "state.bak", "state.bak-wal", "state.bak-shm", "state.bak-journal",
    ]  # fmt: skip
    assert {str(member["path"]).partition("databases/")[2] for member in list_of(go["members"])} == {
        "000001.sqlite", "000001.sqlite-wal", "000001.sqlite-shm", "000001.sqlite-journal",
    }  # fmt: skip
    assert is_intact(job.sealed)


def test_a_dry_run_shows_the_same(job: Storing, handed: Path) -> None:
    """What stays out by which rule, what would be copied, and what the settings say."""
    result = survey_store(request(job.case, handed), names=False)
    assert dict(result.left_out) == {"category_opt_in": 6, "credentials_bytes": 2}
    assert result.files == 2
    assert result.switches == (("r1", "otel.log_user_prompt", "True"),)


def test_settings_that_change_while_files_are_copied_are_read_again(job: Storing, handed: Path) -> None:
    """What they said first and what they say at the end are both noted, and still they stay out."""
    other = SETTINGS.replace(b"true", b"false")
    preserved(request(job.case, handed), Acting(once_copying(lambda: (handed / "config.toml").write_bytes(other))))
    (first,) = journal(job.sealed, "store_facts")
    (later,) = journal(job.sealed, "store_looked_again")
    for row, value in ((first, True), (later["facts"], False)):
        assert isinstance(row, dict)
        assert [one["switch"] for one in row["switches"]] == [{"name": "otel.log_user_prompt", "value": value}]
    assert holding(job.case) == []


def test_a_resumed_run_agrees_with_the_rule(job: Storing, handed: Path) -> None:
    """The plan that is drawn from entries is the plan of the survey, and what stayed out stays out."""
    stopping = Stopping()
    with pytest.raises(Interrupted):
        preserve_bundle(
            request(job.case, handed, included=("databases",)), surroundings(stop=lambda: stopping.signum), stopping
        )
    kind = kind_of("telemetry")
    before = surveyed(job.partial, kind)
    planned = {str(one.entry.name): one.path for one in kind.replan(before.entries)}
    assert {name for name, path in planned.items() if path is not None} == {
        "config.json", "logs.jsonl", "state.bak", "state.bak-journal", "state.bak-shm", "state.bak-wal",
    }  # fmt: skip
    resumed = resume_preservation(
        ResumePreservation(job.case, "EX-0001", surrounding(), Said(), (), workers=1), surroundings(), Silent()
    )
    assert resumed.outcome == "all_given"
    copied = {str(row["path"]) for row in rows(job.sealed, layout.ITEMS) if row["role"] != "set_aside"}
    assert copied == {path for path in planned.values() if path is not None}
    assert not any(KEY in path.read_bytes() for path in job.case.rglob("*") if path.is_file())
    assert is_intact(job.sealed)


def _became(octets: bytes, name: str = "logs.jsonl") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(octets)


@pytest.mark.parametrize(
    ("act", "included"),
    [
        (_became(KEY), ()),
        (_became(b" " * 100 + KEY), ("databases", "settings")),
        (_became(b"SQLite format 3\0" + CANARY), ("databases", "settings")),
        (_became(b"a: " + CANARY, "config.json"), ("databases", "settings")),
        (_became(KEY, "plain.sqlite"), ("databases",)),
        (_became(b"SQLite format 3\0" + CANARY, "plain.sqlite"), ("databases",)),
    ],
)
def test_what_became_a_stranger_since_the_survey_is_not_copied(
    job: Storing, tmp_path: Path, act: Callable[[Path], object], included: tuple[str, ...]
) -> None:
    """It is judged again at the opened file by what the survey let it through as; not a byte is written."""
    folder = tmp_path / "telemetry"
    folder.mkdir()
    for name in ("logs.jsonl", "config.json", "plain.sqlite"):
        (folder / name).write_bytes(b'{"resourceLogs":[]}\n')
    result = preserved(request(job.case, folder, included=included), Acting(once_copying(lambda: act(folder))))
    assert holding(job.case) == []
    assert gaps(job.sealed) == {"credentials": 1}
    assert result.counts.items == 2
    assert is_intact(job.sealed)


def test_what_is_in_a_database_that_was_asked_for_may_change(job: Storing, tmp_path: Path) -> None:
    """It was let through as a database, and it is one when it is copied."""
    (tmp_path / "state.sqlite").write_bytes(b"SQLite format 3\0")
    asked = request(job.case, tmp_path / "state.sqlite", included=("databases",))
    octets = b"SQLite format 3\0" + bytes(2000)
    preserved(asked, Acting(once_copying(lambda: (tmp_path / "state.sqlite").write_bytes(octets))))
    assert [row["bytes"] for row in rows(job.sealed, layout.ITEMS)] == [len(octets)]


def test_a_hole_that_is_judged_whole_is_the_zeros_that_it_is(job: Storing, tmp_path: Path) -> None:
    """A short file of nothing but a hole is copied as its zeros."""
    (tmp_path / "logs.jsonl").touch()
    os.truncate(tmp_path / "logs.jsonl", 700)
    preserved(request(job.case, tmp_path / "logs.jsonl"))
    (row,) = rows(job.sealed, layout.ITEMS)
    assert (job.sealed / str(row["path"])).read_bytes() == bytes(700)


@pytest.mark.parametrize("before", [b"", b'{"a":1}\n', b'{"a":1}\n' * 200])
def test_a_sparse_file_stays_sparse(job: Storing, tmp_path: Path, before: bytes) -> None:
    """As much of a hole as has to be judged is written as zeros; the bytes are those of the file either way."""
    place, size = tmp_path / "logs.jsonl", 8 * 1024 * 1024
    place.write_bytes(before)
    os.truncate(place, size)
    preserved(request(job.case, place))
    (row,) = rows(job.sealed, layout.ITEMS)
    copy = job.sealed / str(row["path"])
    assert copy.read_bytes() == before + bytes(size - len(before))
    assert copy.stat().st_blocks * 512 < size // 2
    (kept,) = journal(job.sealed, "kept")
    assert int(str(kept["hole_bytes"])) > size // 2


def test_what_cannot_be_read_is_no_stranger(tmp_path: Path) -> None:
    """A file that is gone when it is to be judged is gone, and not called a key; a short one is judged at its end."""
    selection = HandedOver(deposit="telemetry", paths=("/x",))
    put(tmp_path, "key", KEY)
    with Handles(os.fsencode(tmp_path)) as handles:
        readers, seen = {"r1": Reader(handles, Owners())}, entry(tmp_path, "key")
        assert held_back((seen,), readers, selection) == {("r1", (b"key",)): "credentials"}
        (tmp_path / "key").unlink()
        assert held_back((seen,), readers, selection) == {}


@pytest.mark.parametrize(
    ("deposit", "included", "rule"),
    [
        ("bridge", ("databases", "settings"), ("preserve", "selected")),
        ("openai-logs", ("databases", "settings"), ("preserve", "included")),
        ("openai-logs", (), ("exclude", "category_opt_in")),
    ],
)
def test_of_other_deposits_keys_and_databases_are_denied_alike(
    job: Storing, handed: Path, deposit: Deposit, included: tuple[str, ...], rule: tuple[str, str]
) -> None:
    """No word lets a database in there; settings are looked for where folders are handed over."""
    preserved(request(job.case, handed, included=included, deposit=deposit))
    found = decided(job.sealed)
    assert {name for name, decision in found.items() if decision == ("exclude", "credentials_bytes")} == {
        "innocent", "server.crt", "state.bak", "state.bak-journal", "state.bak-shm", "state.bak-wal",
    }  # fmt: skip
    assert found["collector.yaml"] == found["config.toml"] == rule
    assert found["logs.jsonl"] == found["config.json"] == ("preserve", "selected")
    assert is_intact(job.sealed)
