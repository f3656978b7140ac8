"""Field cases G: secrets of a store are never read, whatever leads to them; content leaves `data/` nowhere."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agentaudit.acquire import hands
from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from agentaudit.format import layout
from tests.cli.terminal import Terminal
from tests.support.disks import FailingDisk, Killed
from tests.support.storing import Storing, entries, gaps, is_intact, once_copying, payload, storing

TOKEN = "-".join(("canary", "token", "of", "an", "account"))
CANARY = "Kanarienvogel7319"
PEOPLE = ("--examiner", "E. Examiner", "--authority", "Order 7")
S, T = session_id("one"), session_id("two")
LINE = lines(Talk(S, turns=1).records()[:1])

SECRETS = (
    ".credentials.json", ".Credentials.JSON", ".credentials.json.bak", "credentials.json.old", "ide/12345.lock",
    "channels/telegram/.env", "daemon/roster.json", "daemon.lock", "backups/.claude.json.1", ".claude.json",
    ".claude.json.backup", "o/a/local_1/.claude/.credentials.json", "o/a/local_1/.audit-key",
    "o/a/local_1/.claude/.claude.json", "projects/-w/.credentials.json",
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """A store with a token in every place of secrets, and links to them under innocent names."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.transcript("-w", Talk(S, turns=1))
    for name in SECRETS:
        builder.put(name, f'{{"t":"{TOKEN} {name}"}}'.encode())
    root, results = builder.root, builder.root / "projects" / "-w" / S / "tool-results"
    results.mkdir(parents=True)
    (results / "notes.txt").hardlink_to(root / ".credentials.json")
    (root / "projects" / "-w" / f"{T}.jsonl").hardlink_to(root / ".credentials.json")
    (results / "config.txt").hardlink_to(root / ".claude.json")
    (results / "linked.txt").symlink_to(root / ".credentials.json")
    (root / "projects" / "-w" / "agent-0a.jsonl").symlink_to(root / "ide" / "12345.lock")
    return builder


def holders(case: Path, mark: str = TOKEN) -> list[str]:
    """The files of a case that hold the mark."""
    found = (path for path in case.rglob("*") if path.is_file())
    return [path.relative_to(case).as_posix() for path in found if mark.encode() in path.read_bytes()]


def test_g01_and_g03_secrets_are_denied_by_place_name_and_inode(tmp_path: Path, store: StoreBuilder) -> None:
    """Listed with their rule, under every spelling, in roots inside the root, through hard links; never a byte."""
    job = storing(tmp_path, store.root)
    job.preserve()
    assert holders(job.case) == []
    found = entries(job.sealed)
    assert {found[f"r1/{name}"]["decision"] for name in SECRETS} == {"exclude"}
    hard = [
        f"projects/-w/{S}/tool-results/notes.txt",
        f"projects/-w/{T}.jsonl",
        f"projects/-w/{S}/tool-results/config.txt",
    ]
    assert {str(found[f"r1/{name}"]["rule"]) for name in hard} == {"credentials_inode"}
    assert gaps(job.sealed)["credentials"] == len(SECRETS) + 3
    assert "sha256" not in found["r1/.credentials.json"]
    assert is_intact(job.sealed)


def test_g01_what_is_asked_for_makes_no_difference(tmp_path: Path, store: StoreBuilder) -> None:
    """Every category taken in: no token comes with it."""
    terminal, case = Terminal(), tmp_path / "case"
    assert terminal.run("open", str(case), "--number", "N-1", "--title", "T", *PEOPLE) == 0
    everything = [word for name in ("history", "settings", "memory", "other", "caches", "running", "jobs", "plugins")
                  for word in ("--include", name)]  # fmt: skip
    assert terminal.run("preserve-local-bundle", str(case), "--root", str(store.root), "--all", *everything) == 0
    assert holders(case) == []
    assert TOKEN not in terminal.both


def test_g03_an_account_file_beside_a_root_is_known_by_its_inode(tmp_path: Path) -> None:
    """`~/.claude.json` lies beside `~/.claude`: a hard link to it inside is denied."""
    builder = StoreBuilder(tmp_path / "home" / ".claude", marked=False)
    (tmp_path / "home" / ".claude.json").write_text(TOKEN)
    place = builder.put(f"projects/-w/{S}.jsonl", b"")
    place.unlink()
    place.hardlink_to(tmp_path / "home" / ".claude.json")
    job = storing(tmp_path, builder.root)
    job.preserve()
    assert holders(job.case) == []
    assert gaps(job.sealed)["credentials"] == 1


def test_g01_a_hard_link_that_appears_during_the_run_is_denied(tmp_path: Path, store: StoreBuilder) -> None:
    """The file that was seen is replaced by a link to the secret: what is opened is looked at before it is read."""
    place = store.root / f"projects/-w/{S}.jsonl"

    def swap() -> None:
        place.unlink()
        place.hardlink_to(store.root / ".credentials.json")

    job = storing(tmp_path, store.root)
    job.preserve(act=once_copying(swap))
    assert holders(job.case) == []
    assert gaps(job.sealed)["credentials"] > len(SECRETS)


def test_g01_a_token_that_was_renewed_during_the_run_is_denied(tmp_path: Path, store: StoreBuilder) -> None:
    """Its inode is a new one, which the survey did not see."""
    place, secret = store.root / f"projects/-w/{S}.jsonl", store.root / ".credentials.json"

    def renew() -> None:
        fresh = tmp_path / "fresh"
        fresh.write_text(f"renewed {TOKEN}")
        fresh.rename(secret)
        place.unlink()
        place.hardlink_to(secret)

    job = storing(tmp_path, store.root)
    job.preserve(act=once_copying(renew))
    assert holders(job.case) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_g01_swapped_all_the_while_the_secret_is_never_read(
    tmp_path: Path, store: StoreBuilder, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders and files change places with links to the secrets as fast as they can, in this and other processes."""
    monkeypatch.setattr(hands, "ALONE_BYTES", 0)
    for number in range(60):
        store.put(f"projects/-z/{session_id(str(number))}.jsonl", LINE)
    vault, over = tmp_path / "vault", threading.Event()
    vault.mkdir()
    folder = store.root / "projects" / "-z"
    for path in folder.iterdir():
        (vault / path.name).hardlink_to(store.root / ".credentials.json")
    rounds = 0

    def swap() -> None:
        nonlocal rounds
        away = store.root / "projects" / ".away"
        while not over.is_set():
            folder.rename(away)
            folder.symlink_to(vault)
            folder.unlink()
            vault.rename(folder)
            folder.rename(vault)
            away.rename(folder)
            rounds += 1

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for number in range(4):
            job = storing(tmp_path / str(number), store.root)
            job.preserve(workers=workers)
            assert holders(job.case) == []
    finally:
        over.set()
        thread.join()
    assert rounds > 100


def test_g01_a_resumed_run_denies_what_became_a_secret(tmp_path: Path, store: StoreBuilder) -> None:
    """Between interruption and resume a file was replaced by a hard link to a secret that is new."""
    job = storing(tmp_path, store.root)
    with pytest.raises(Killed):
        job.preserve(disk=(disk := FailingDisk(2, only="create")))
    disk.release()
    store.put("ide/777.lock", f"fresh {TOKEN}".encode())
    place = store.root / f"projects/-w/{S}.jsonl"
    place.unlink()
    place.hardlink_to(store.root / "ide" / "777.lock")
    job.resume()
    assert holders(job.case) == []
    assert gaps(job.sealed)["credentials"] == len(SECRETS) + 4


# --- the canary of G02 ------------------------------------------------------------------------------------------------

# Names of files and folders stand in rows about entries and sessions; nothing else of a store stands outside `data/`.
# `#` is any index.
ALLOWED = {
    "journal.jsonl": {"/entry/name", "/entry/target", "/transcript/spilled/#/name"},
    "entries.jsonl": {"/name", "/target"},
    "items.jsonl": {"/facts/transcript/spilled/#/name"},
    "sessions.jsonl": {"/bundle/project", "/bundle/spilled_absent/#", "/bundle/spilled_unnamed/#"},
}


def canary_store(root: Path) -> Path:
    """The canary in prompts, results, answers, folders of records, bad lines, keys, names, history and settings."""
    store = StoreBuilder(root, marked=False)
    mark = f"{CANARY} "
    store.transcript("-w", Talk(S, mark=mark, spilled=f"{CANARY}.txt", subagent="a1"))
    store.subagent("-w", Talk(S, mark=mark, agent="a1", turns=1))
    bad = b'{"' + CANARY.encode() + b'":1}\n{"type":"' + CANARY.encode() + b'"}\n{"x":"' + CANARY.encode()
    latin = (
        b'\n{"x":"caf\xe9 '
        + CANARY.encode()
        + b'"}\n{"version":"'
        + CANARY.encode()
        + b'","sessionId":"a b '
        + CANARY.encode()
        + b'"}\n'
    )
    store.put(f"projects/-w-{CANARY}/{T}.jsonl", bad + latin + CANARY.encode() + b'{"a":')
    store.put(f"projects/-w/{S}/tool-results/{CANARY}-unnamed.txt", CANARY.encode())
    store.put(f"projects/-w/{S}/tool-results/x.txt", CANARY.encode())
    store.put("history.jsonl", b'{"display":"%s","sessionId":"%s"}\n' % (CANARY.encode(), S.encode()))
    store.put("settings.json", json.dumps({"cleanupPeriodDays": CANARY, "env": {"KEY": CANARY}}).encode())
    store.put(f"sessions/{CANARY}.json", json.dumps({"pid": 1, "sessionId": f"{CANARY} x", "cwd": CANARY}).encode())
    store.put(f"todos/{S}-agent-{S}.json", CANARY.encode())
    (store.root / "projects" / "-linked").symlink_to(f"/nowhere/{CANARY}")
    return store.root


@dataclass
class Screened:
    """What a series of command lines wrote, and the case that they worked on."""

    case: Path
    root: Path
    told: list[tuple[tuple[str, ...], str]] = field(default_factory=list)

    def run(self, *argv: str, status: int = 0) -> None:
        """Run a command line, remember both streams, and expect a status."""
        terminal = Terminal(tty="--json" not in argv)
        got = terminal.run(*argv)
        self.told.append((argv, terminal.both))
        assert got == status, terminal.both

    def preserve(self, *options: str, status: int = 0) -> None:
        """Preserve the store."""
        self.run("preserve-local-bundle", str(self.case), "--root", str(self.root), *options, status=status)


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screened]:
    """All commands that a store meets, run once."""
    top = tmp_path_factory.mktemp("canary")
    screen = Screened(top / "case", canary_store(top / "store"))
    case = str(screen.case)
    screen.run("open", case, "--number", "N-1", "--title", "A matter", *PEOPLE)
    screen.preserve("--dry-run")
    screen.preserve("--dry-run", "--json")
    screen.preserve("--dry-run", "--show-names")
    screen.preserve("--all", "--include", "history", "--include", "settings")
    screen.preserve("--all", "--json")
    job = Storing(screen.case, (screen.root,))
    for _ in range(2):
        with pytest.raises(Killed):
            job.preserve(disk=(disk := FailingDisk(4, only="create")))
        disk.release()
    screen.run("show", f"{case}/EX-0003.partial")
    screen.run("preserve-local-bundle", case, "--resume", "EX-0003")
    screen.run("seal", f"{case}/EX-0004.partial", status=3)
    screen.preserve("--session", S, "--json")
    for path in (case, f"{case}/EX-0001", f"{case}/EX-0003", f"{case}/EX-0004"):
        for options in ((), ("--show-names",), ("--json",), ("--json", "--show-names")):
            screen.run("show", path, *options)
        for options in ((), ("--json",), ("--bytes-only",)):
            screen.run("verify", path, *options)
    yield screen
    shutil.rmtree(screen.case)


def _places(item: object, mark: str, at: str = "") -> Iterator[str]:
    """The pointers of the strings, and of the names of members, that hold the mark."""
    if isinstance(item, dict):
        for name, inner in item.items():
            yield from ((f"{at}/<name>",) if mark in name else ())
            yield from _places(inner, mark, f"{at}/{name}")
    elif isinstance(item, list):
        for inner in item:
            yield from _places(inner, mark, f"{at}/#")
    elif isinstance(item, str) and mark in item:
        yield at


def test_g02_the_canary_is_in_the_payload(screened: Screened) -> None:
    """The planting works: transcripts, subagents, results, history, settings and todos hold it."""
    held = holders(screened.case, CANARY)
    for part in ("/transcript", "/subagents/", "/tool-results/", "/history/", "/settings/", "/todos/"):
        assert any(f"/{layout.DATA}/" in f"/{path}" and part in path for path in held), part


def test_g02_no_command_shows_the_canary(screened: Screened) -> None:
    """On no stream of any command; where names were asked for, names of folders and links alone."""
    named = 0
    for argv, text in screened.told:
        if "--show-names" in argv:
            named += CANARY in text
        else:
            assert CANARY not in text, argv
    assert named > 0


def test_g02_outside_the_payload_the_canary_stands_in_names_alone(screened: Screened) -> None:
    """Each place outside `data/` that holds it is the name of an entry; each such place is met."""
    met: dict[str, set[str]] = {}
    for name in holders(screened.case, CANARY):
        if name.split("/")[1] == layout.DATA:
            continue
        for line in (screened.case / name).read_bytes().splitlines():
            found = set(_places(json.loads(line), CANARY))
            if found:
                met.setdefault(Path(name).name, set()).update(found)
    assert met == ALLOWED


def test_g02_words_that_are_no_ids_are_labels(screened: Screened) -> None:
    """A session id, a version, a type or a switch of another form than such words have is not repeated."""
    text = (screened.case / "EX-0001" / layout.JOURNAL).read_text(encoding="utf-8")
    (facts,) = [json.loads(line) for line in text.splitlines() if '"event":"store_facts"' in line]
    assert facts["running"][0]["session"].startswith("#")
    assert facts["switches"] == [
        {"entry": facts["switches"][0]["entry"], "root": "r1", "switch": {"name": "cleanupPeriodDays", "value": None}}
    ]


def test_a_bug_in_the_middle_of_a_copy_shows_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an exception holds: types and places are printed, no message and no value."""
    root = canary_store(tmp_path / "store")
    case = tmp_path / "case"
    terminal = Terminal()
    assert terminal.run("open", str(case), "--number", "N-1", "--title", "T", *PEOPLE) == 0

    def broken(*_given: object, **_named: object) -> None:
        raise ValueError(CANARY)

    monkeypatch.setattr("agentaudit.acquire.preserve.Preserving._journal", broken)
    assert terminal.run("preserve-local-bundle", str(case), "--root", str(root), "--all") == 1
    assert CANARY not in terminal.both
    assert "ValueError" in terminal.err


def test_nothing_is_written_in_a_store(tmp_path: Path, store: StoreBuilder) -> None:
    """Not a byte, not a name, not a time, not even that of a last access."""

    def states() -> dict[Path, tuple[int, ...]]:
        found: dict[Path, tuple[int, ...]] = {}
        for path in sorted((store.root, *store.root.rglob("*"))):
            look = path.lstat()
            found[path] = (
                look.st_mode,
                look.st_size,
                look.st_mtime_ns,
                look.st_ctime_ns,
                look.st_atime_ns,
                look.st_nlink,
            )
        return found

    os.utime(store.root / f"projects/-w/{S}.jsonl", ns=(1, 1))
    before = states()
    job = storing(tmp_path, store.root)
    job.survey()
    job.preserve()
    after = states()
    files = {path for path in before if path.is_file() and not path.is_symlink()}
    assert {path: before[path] for path in files} == {path: after[path] for path in files}
    assert [state[:4] for state in before.values()] == [state[:4] for state in after.values()]
    assert payload(job.sealed)
