"""Law 5: no evidence content leaves `data/`; the key leaves nowhere at all.

One string is planted in everything that is content, and one key is used; then the commands are run as a user
would run them, and every stream and every file is searched.
"""

import base64
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from agentaudit.cli.keys import VARIABLE
from agentaudit.demo.errors import Documented
from agentaudit.demo.render import Place
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.world import World
from agentaudit.format import layout
from tests.cli.terminal import Terminal, made_key

CANARY = "Kanarienvogel7319"
PLACES: tuple[Place, ...] = ("envelope", "session", "message", "block", "provenance", "organization", "user")
PEOPLE = ("--examiner", "E. Examiner", "--authority", "Order 7")
JSON_FILES = (".json", ".jsonl")

# Where a source's words may stand outside `data/` (evidence format, section 4): verbatim headers, addresses of
# people, names of tools. `#` is any index.
ALLOWED = {
    "journal.jsonl": {"/exchange/headers/#/#"},
    "sessions.jsonl": {f"/{said}/user_email_address" for said in ("listed", "retrieved", "envelope")},
    "records.jsonl": {"/blocks/#/name"},
}


def canary_world() -> World:
    """The demo's organisation with the canary in everything, also in members that nobody documents."""
    world = demo_world(lambda: datetime.now(UTC), canary=CANARY)
    for place in PLACES:
        world.inject_unknown(place, "unheard_of", {"deep": [f"{CANARY} in a member of {place}"]})
    world.set_budget(shared=1_000_000, remote=1_000_000)
    return world


@dataclass
class Screened:
    """What a series of command lines wrote, and the case that they worked on."""

    case: Path
    world: World
    root: str
    key: str
    told: list[tuple[tuple[str, ...], str]] = field(default_factory=list)

    def run(self, *argv: str, status: int = 0) -> str:
        """Run a command line, remember both streams, and expect a status."""
        terminal = Terminal({VARIABLE: self.key}, tty="--json" not in argv)
        got = terminal.run(*argv)
        self.told.append((argv, terminal.both))
        assert got == status, terminal.both
        return terminal.out

    def collect(self, *options: str, status: int = 3) -> str:
        """Collect from the served world."""
        reach = ("--api-root", self.root, "--requests-per-minute", "600000")
        return self.run("collect-sessions", str(self.case), *reach, *options, status=status)

    def exhibit(self, number: int) -> str:
        """The path of an exhibit."""
        return str(self.case / layout.exhibit_name(number))


def _everything(screen: Screened) -> None:
    """Every command that acts on a case, with and without names, as text and as documents."""
    case, locked = str(screen.case), "sessions/local/"
    screen.run("open", case, "--number", "N-1", "--title", "A matter", *PEOPLE)
    screen.collect("--dry-run", status=0)
    screen.collect("--list-only", "--family", "both", "--with-directory", status=0)
    screen.collect("--from", "EX-0001", "--surface", "cowork", "--json", status=0)
    screen.world.problem_next(Documented.BAD_KEY, match=locked)
    screen.collect("--family", "both", status=5)
    screen.run("show", f"{screen.exhibit(3)}.partial")
    screen.run("verify", f"{screen.exhibit(3)}.partial", status=9)
    screen.collect("--resume", "EX-0003")
    screen.world.problem_next(Documented.BAD_KEY, match=locked)
    screen.collect("--json", status=5)
    screen.run("seal", f"{screen.exhibit(4)}.partial", status=3)
    for number in (5, 6):
        screen.world.problem_next(Documented.BAD_KEY, match=locked)
        screen.collect(status=5)
        assert Path(f"{screen.exhibit(number)}.partial").is_dir()
    screen.collect("--resume", "EX-0005", "--json")
    screen.run("seal", f"{screen.exhibit(6)}.partial", "--json", status=3)
    screen.collect("--session", "clls_nobody", "--quiet", status=0)
    beside = ("--with-files", "--with-artifacts", "--with-code-artifacts", "--with-projects", "listed")
    reach = ("--api-root", screen.root, "--requests-per-minute", "600000")
    screen.run("collect-chats", case, *reach, *beside)
    for path in (case, screen.exhibit(1), screen.exhibit(3), screen.exhibit(4), screen.exhibit(8)):
        for options in ((), ("--show-names",), ("--json",), ("--json", "--show-names")):
            screen.run("show", path, *options)
        for options in ((), ("--json",), ("--bytes-only",), ("--record",)):
            screen.run("verify", path, *options)
    screen.run("verify", screen.exhibit(3), "--require-all-given", status=3)


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screened]:
    """All commands, run once."""
    world = canary_world()
    with LoopbackServer(world) as server:
        screen = Screened(tmp_path_factory.mktemp("canary") / "case", world, server.url, world.key())
        _everything(screen)
        yield screen


def _files(case: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(case.rglob("*")):
        if path.is_file():
            yield path, path.read_bytes()


def _is_payload(case: Path, path: Path) -> bool:
    return path.relative_to(case).parts[1:2] == (layout.DATA,)


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


def test_the_canary_is_in_the_payload(screened: Screened) -> None:
    """The planting works: transcripts, lists, directory and refusals hold it."""
    held = [
        path.relative_to(screened.case).as_posix()
        for path, octets in _files(screened.case)
        if _is_payload(screened.case, path) and CANARY.encode() in octets
    ]
    for part in ("/lists/", "/messages/", "/session/", "/settings/", "/users/", "/organizations/", ".refused", ".bin"):
        assert any(part in path for path in held), part


def test_no_command_shows_the_canary(screened: Screened) -> None:
    """On no stream of any command; with `--show-names` in addresses of people alone."""
    address = re.compile(rf"{CANARY}\+[a-z]+@")
    shown = 0
    for argv, text in screened.told:
        named = "--show-names" in argv
        shown += named and CANARY in text
        assert CANARY not in (address.sub("", text) if named else text), argv
    assert shown > 0


def test_outside_the_payload_the_canary_stands_only_where_names_and_headers_may(screened: Screened) -> None:
    """Each place outside `data/` that holds it is one that the format names; each such place is met."""
    met: dict[str, set[str]] = {}
    for path, octets in _files(screened.case):
        if _is_payload(screened.case, path) or CANARY.encode() not in octets:
            continue
        assert path.suffix in JSON_FILES, path
        for line in octets.splitlines():
            met.setdefault(path.name, set()).update(_places(json.loads(line), CANARY))
    for name, places in met.items():
        assert places <= ALLOWED.get(name, set()), name
    assert met.keys() == ALLOWED.keys()
    assert "/blocks/#/name" in met["records.jsonl"]


def test_the_search_can_find(screened: Screened) -> None:
    """A row with the canary in a member, or in a member's name, is found at its place."""
    assert list(_places({"a": [{"b": f"x{CANARY}"}], CANARY: 1}, CANARY)) == ["/a/#/b", "/<name>"]
    assert screened.told


# --- the key ----------------------------------------------------------------------------------------------------------


def _forms(secret: str) -> set[bytes]:
    """The secret as it is, percent-encoded, in hex, and in base64 at each of its three alignments."""
    octets = secret.encode()
    encoded = {base64.b64encode(b"\0" * shift + octets)[4:-4] for shift in range(3)}
    percent = "".join(f"%{octet:02x}" for octet in octets)
    plain = {octets, quote(secret, safe="").encode(), percent.encode(), percent.upper().encode(), octets.hex().encode()}
    return plain | encoded | {form.replace(b"+", b"-").replace(b"/", b"_") for form in encoded}


def _members(octets: bytes) -> Iterator[bytes]:
    """The bytes, and what every gzip member in them expands to."""
    yield octets
    for match in re.finditer(rb"\x1f\x8b\x08", octets):
        try:
            yield zlib.decompressobj(47).decompress(octets[match.start() :])
        except zlib.error:
            continue


def holds(octets: bytes, secret: str) -> bool:
    """True when the secret stands in the bytes in any of its forms."""
    return any(form in member for member in _members(octets) for form in _forms(secret))


def test_the_search_for_the_key_can_find() -> None:
    """Plain, compressed, in base64 at any alignment, percent-encoded, in hex; and another key is not found."""
    secret, other = made_key("api01", "demo", "found"), made_key("api01", "demo", "other")
    octets = secret.encode()
    hidden = [
        b"key=" + octets,
        b"head" + gzip.compress(b"x" + octets),
        b"?k=" + "".join(f"%{octet:02X}" for octet in octets).encode(),
        octets.hex().encode(),
        *(b'"' + base64.b64encode(b"abc"[:shift] + octets + b"tail") + b'"' for shift in range(3)),
    ]
    for found in hidden:
        assert holds(found, secret)
        assert not holds(found, other)


def test_no_command_shows_or_stores_the_key(screened: Screened) -> None:
    """Neither a stream nor a file, the payload included, holds it in any form; its fingerprint is there."""
    for argv, text in screened.told:
        assert not holds(text.encode(), screened.key), argv
    for path, octets in _files(screened.case):
        assert not holds(octets, screened.key), path
    journal = (screened.case / "EX-0001" / layout.JOURNAL).read_bytes()
    assert b'"key_fingerprint":"' in journal


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Screened]:
    """A new case and a small world with one local session."""
    world = World(lambda: datetime.now(UTC))
    world.add_session()
    world.set_budget(shared=1_000_000, remote=1_000_000)
    with LoopbackServer(world) as server:
        screen = Screened(tmp_path / "case", world, server.url, world.key())
        screen.run("open", str(screen.case), "--number", "N-1", "--title", "A matter", *PEOPLE)
        yield screen


def _nowhere(screen: Screened, secret: str) -> None:
    for argv, text in screen.told:
        assert not holds(text.encode(), secret), argv
    for path, octets in _files(screen.case):
        assert not holds(octets, secret), path


@pytest.mark.parametrize("way", ["environment", "file", "stdin"])
def test_whichever_way_the_key_comes_it_is_kept_nowhere(quiet: Screened, tmp_path: Path, way: str) -> None:
    """From the environment, a file, or standard input."""
    key, path = quiet.key, tmp_path / "key"
    path.touch(0o600)
    path.write_text(f"{key}\n")
    options = {"environment": (), "file": ("--key-file", str(path)), "stdin": ("--key-stdin",)}[way]
    environ = {VARIABLE: key} if way == "environment" else {}
    terminal = Terminal(environ, stdin=key.encode() if way == "stdin" else b"")
    assert terminal.run("collect-sessions", str(quiet.case), "--api-root", quiet.root, *options) == 0, terminal.err
    quiet.told.append((options, terminal.both))
    _nowhere(quiet, key)


def _in_body(octets: bytes, key: str) -> bytes:
    return octets.replace(b'"text":"', b'"text":"' + key.encode())


Echo = Callable[[World, str], None]


def _body(match: str) -> Echo:
    def plan(world: World, key: str) -> None:
        world.rewrite_next(lambda octets: octets + key.encode(), match=match, times=9)

    return plan


def _compressed(world: World, key: str) -> None:
    _body("/messages")(world, key)
    world.gzip_next(match="/messages", times=9)


def _error(world: World, key: str) -> None:
    world.fail_next(500, message=f"unexpected header x-api-key: {key}", match="/messages", times=9)


def _header(world: World, key: str) -> None:
    world.fail_next(404, message="Local session not found.", headers=(("x-echo", f"<{key}>"),), match="/messages")


def _of_page(world: World, key: str) -> None:
    world.fail_next(404, message=key, match="/messages", headers=(("content-type", f"text/{key}"),))


def _location(world: World, key: str) -> None:
    world.redirect_next(f"http://127.0.0.1:9/?key={key}", match="/messages")


ECHOES: dict[str, tuple[Echo, int]] = {
    "in a list": (_body("sessions/local"), 5),
    "in a transcript": (_body("/messages"), 3),
    "in a compressed transcript": (_compressed, 3),
    "in an error": (_error, 3),
    "in a header": (_header, 0),
    "in the media type": (_of_page, 3),
    "in the place of a redirect": (_location, 5),
}


@pytest.mark.parametrize("echo", ECHOES)
def test_a_key_that_the_source_echoes_is_kept_nowhere(quiet: Screened, echo: str) -> None:
    """The answer costs what it concerns, or ends the run; what is left is closed, and holds no key."""
    plan, status = ECHOES[echo]
    plan(quiet.world, quiet.key)
    quiet.collect(status=status)
    if status == 5:
        quiet.run("seal", f"{quiet.exhibit(1)}.partial", status=3)
    quiet.run("verify", quiet.exhibit(1))
    _nowhere(quiet, quiet.key)


@pytest.mark.parametrize("form", [("--proxy", "{}"), ("--proxy={}",), ("--api-root", "{}"), ("{}",), ("--prox", "{}")])
def test_the_password_of_an_address_is_refused_and_repeated_nowhere(quiet: Screened, form: tuple[str, ...]) -> None:
    """However the address is given: nothing is begun, and neither stream nor case holds the password."""
    password = made_key("pass", "word")
    words = tuple(word.format(f"http://user:{password}@127.0.0.1:1") for word in form)
    quiet.collect(*words, status=2)
    _nowhere(quiet, password)
    assert [path.name for path in quiet.case.iterdir() if path.is_dir()] == []
