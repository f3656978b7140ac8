"""One text from its first byte to its last, from a file, a pipe, a stream or a compressed one."""

import gzip
import io
import os
import stat
import subprocess
import sys
import threading
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.lanes import HereLane
from agentaudit.framing import opening
from agentaudit.framing.check import Checked, check
from agentaudit.framing.opening import Unread, opened, reason_of, refused, stream
from agentaudit.model.framing import Compression
from tests.encoding.compressing import gzipped, zstd
from tests.encoding.jsonl.records import lines, record

SAMPLES = Path(__file__).resolve().parents[2].parent / "shared" / "samples"
TEXT = lines(*[record(number, "é" * 300) for number in range(1_000)], record(1)[:50], b"[]") + record(2)


def checked(source: opening.Readable, named: Compression | None = None) -> Checked:
    """The check of a source in this process."""
    return check(source, HereLane(Asked()), named, lambda _octets: None)


def of_file(path: Path, named: Compression | None = None) -> Checked:
    """The check of a file."""
    source, size = opened(path)
    assert size == path.stat().st_size
    try:
        return checked(source, named)
    finally:
        source.close()


def digest(octets: bytes) -> str:
    """The digest as the house writes it."""
    return f"sha256:{sha256(octets).hexdigest()}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the text."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(TEXT)
    return path


def test_a_file_a_pipe_and_a_compressed_one_say_the_same(path: Path) -> None:
    """Facts are of the text; the digest is of the bytes as they lie there."""
    plain = of_file(path)
    assert (plain.bytes, plain.sha256) == (len(TEXT), digest(TEXT))
    assert [(one.fault, one.line) for one in plain.framed.facts.findings] == [("cut", 1_001), ("non_object", 1_002)]
    for octets, compression in ((gzipped(TEXT), "gzip"), (zstd(TEXT), "zstd"), (zstd(TEXT, sized=False), "zstd")):
        path.write_bytes(octets)
        packed = of_file(path)
        assert (packed.framed, packed.compression, packed.fault) == (plain.framed, compression, None)
        assert (packed.bytes, packed.sha256, packed.text_sha256) == (len(octets), digest(octets), digest(TEXT))
        assert checked(stream(io.BytesIO(octets))) == packed
    assert checked(stream(io.BytesIO(TEXT))) == plain
    assert of_pipe(TEXT) == plain


def of_pipe(octets: bytes) -> Checked:
    """The check of what a pipe gives, in dribs and drabs."""
    ours, theirs = os.pipe()

    def write() -> None:
        for begin, end in pairwise((0, 1, 3, 1_000, len(octets))):
            os.write(theirs, octets[begin:end][:60_000])
            for at in range(begin + 60_000, end, 60_000):
                os.write(theirs, octets[at : min(at + 60_000, end)])
        os.close(theirs)

    writer = threading.Thread(target=write)
    writer.start()
    with os.fdopen(ours, "rb") as pipe:
        result = checked(stream(pipe))
    writer.join()
    return result


@pytest.mark.parametrize("octets", [b"", b"{", b"{}\n", b"\x1f"])
def test_a_text_may_be_shorter_than_what_tells_its_compression(path: Path, octets: bytes) -> None:
    """Nothing is lost of it."""
    path.write_bytes(octets)
    assert (of_file(path).bytes, of_file(path).sha256) == (len(octets), digest(octets))
    assert of_file(path).framed.facts.bytes == len(octets)


@pytest.mark.parametrize(("named", "octets"), [("gzip", TEXT), ("zstd", TEXT), ("gzip", b""), ("zstd", b"")])
def test_a_name_that_says_compressed_is_believed(path: Path, named: Compression, octets: bytes) -> None:
    """Bytes that are none of the kind are a fault of the stream."""
    path.write_bytes(octets)
    assert of_file(path, named).fault == ("corrupt" if octets else "truncated")


def test_a_broken_stream_is_judged_as_far_as_it_goes_and_hashed_to_its_end(path: Path) -> None:
    """The digest is that of the whole file, the tail of the text is incomplete."""
    octets = gzip.compress(TEXT)
    path.write_bytes(octets[:-8] + bytes(8) + b"more")
    found = of_file(path)
    assert (found.fault, found.bytes) == ("corrupt", len(octets) + 4)
    assert found.sha256 == digest(path.read_bytes())
    assert 0 < found.framed.facts.bytes <= len(TEXT)


def test_progress_is_told_of_every_byte(path: Path) -> None:
    """In pieces, up to the last."""
    seen: list[int] = []
    source, _ = opened(path)
    check(source, HereLane(Asked()), None, seen.append)
    source.close()
    assert seen == sorted(seen)
    assert seen[-1] == len(TEXT)
    assert len(seen) > 3


class Failing:
    """A source whose disk breaks after so many reads."""

    def __init__(self, reads: int) -> None:
        self.reads = reads

    def readinto(self, room: memoryview, /) -> int:
        """Spaces, then an error that names what it must not."""
        self.reads -= 1
        if self.reads < 0:
            raise OSError(5, "secret name")
        room[:] = b" " * len(room)
        return len(room)

    def close(self) -> None:
        """Nothing to do."""


@pytest.mark.parametrize("reads", [0, 1, 5])
def test_a_file_that_cannot_be_read_on_is_unread(reads: int) -> None:
    """The reason is a word of ours, and the lane is left to the next text."""
    lane = HereLane(Asked())
    with pytest.raises(Unread) as caught:
        check(Failing(reads), lane, None, lambda _octets: None)
    assert (caught.value.reason, str(caught.value)) == ("unreadable", "unreadable")
    assert check(stream(io.BytesIO(TEXT)), lane, None, lambda _octets: None).framed.facts.lines == 1_003


def test_only_regular_files_are_opened(tmp_path: Path, path: Path) -> None:
    """A FIFO, a folder and a device are refused at once; a link to a file is followed."""
    fifo = tmp_path / "fifo.jsonl"
    os.mkfifo(fifo)
    named = {fifo: "a FIFO", tmp_path: "a folder", Path(os.devnull): "a device", path: None, tmp_path / "none": None}
    for one, kind in named.items():
        assert refused(one) == kind
    for one in (fifo, tmp_path, Path(os.devnull)):
        with pytest.raises(Unread, match="special"):
            opened(one)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    assert (refused(link), of_file(link).bytes) == (None, len(TEXT))


def test_a_socket_is_refused(tmp_path: Path) -> None:
    """It gives no bytes to whoever opens it."""
    socket = tmp_path / "s.jsonl"
    os.mknod(socket, stat.S_IFSOCK | 0o600)
    assert refused(socket) == "a socket"
    with pytest.raises(Unread, match="special"):
        opened(socket)


def test_why_a_file_cannot_be_opened_is_a_coded_word(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own words, which hold the name, are not repeated."""
    for one in (tmp_path / "none", path / "below", tmp_path / ("x" * 300)):
        with pytest.raises(Unread, match=r"^(not_found|unreadable)$"):
            opened(one)

    def denied(*_arguments: object) -> int:
        raise PermissionError(13, "secret name")

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(Unread, match=r"^denied$"):
        opened(path)
    assert reason_of(OSError(28, "x")) == "unreadable"


@pytest.mark.parametrize(
    "variables", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_b05_the_answer_is_the_same_in_every_locale(path: Path, variables: dict[str, str]) -> None:
    """Bytes that other codecs refuse are UTF-8 here, and nothing else."""
    if variables.get("PYTHONUTF8") == "0" and not str(Path.cwd()).isascii():
        pytest.skip("where such a name holds an installation, Python itself does not start in this locale")
    path.write_bytes(lines('{"text":"\u0081\u00cf\u011d\U0001f600"}'.encode()))
    code = "from agentaudit.cli.main import entry; entry()"
    argv = (sys.executable, "-c", code, "verify-jsonl", "--json", str(path))
    said = subprocess.run(argv, capture_output=True, check=True, env={**os.environ, **variables})
    plain = subprocess.run(argv, capture_output=True, check=True)
    assert said.stdout == plain.stdout
    assert b'"clean":true' in said.stdout


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")
def test_the_transcripts_of_the_samples_are_sound() -> None:
    """Genuine transcripts, rollouts and telemetry have no finding."""
    transcripts = sorted(
        [
            *SAMPLES.glob("claude-code-*/*/claude-home/.claude/projects/**/*.jsonl"),
            *SAMPLES.glob("codex-*/**/rollout-*.jsonl"),
            *SAMPLES.glob("claude-code-*/*/logs.jsonl"),
        ]
    )
    assert len(transcripts) >= 6
    for transcript in transcripts:
        found = of_file(transcript).framed.facts
        assert (found.findings, found.ok_lines) == ((), found.lines)
