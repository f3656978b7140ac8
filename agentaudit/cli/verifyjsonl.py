"""`agentaudit verify-jsonl`: the framing of JSON Lines, byte-exact and without content.

- 0: every line of every text is one complete JSON object. 4: something is not. 6: a file could not be read, whatever
  the others came to; they are checked all the same. 2: a FILE that is a folder, a FIFO, a socket or a device.
- File names, values of `type` and key names are printed as labels, unless `--show-names`.
"""

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import JsonOption, QuietOption, invocation, plain
from agentaudit.cli.console import Console
from agentaudit.cli.framingtables import tell
from agentaudit.cli.words import sized
from agentaudit.encoding.canonical import encode
from agentaudit.encoding.jsonl.asked import HEAD_BYTES, Asked
from agentaudit.errors import UsageFault
from agentaudit.framing.check import Checked, check
from agentaudit.framing.opening import Unread, opened, refused, stream
from agentaudit.framing.pool import Pool
from agentaudit.model.base import UNSET
from agentaudit.model.framing import Compression, JsonlFile, JsonlVerdict, UnreadReason, label_of
from agentaudit.model.text import source_text

FINDINGS = 4
UNREAD = 6
STDIN = "-"

REDRAW_S = 0.1
PIPE_S = 10.0
_SIZE = re.compile(r"([0-9]{1,15})(?:([KMG])(?:i?B)?)?\Z")
_UNITS = {None: 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_SUFFIXES: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("verify-jsonl", verify_jsonl)


FilesArgument = Annotated[list[str], typer.Argument(metavar="FILE...", hidden=True)]
KeysOption = Annotated[bool, typer.Option("--keys", help="Count the sets of top-level keys too.")]
ThoroughOption = Annotated[
    bool,
    typer.Option(
        "--thorough",
        help="Look for duplicate keys and raw U+2028 and U+2029 in every line, not in the first 4 MiB alone.",
    ),
]
MaxLineOption = Annotated[
    str, typer.Option(metavar="SIZE", help="Do not judge a longer line, only count and hash it; 256M.")
]
ShowNamesOption = Annotated[
    bool, typer.Option("--show-names", help="Print file names, types and key names, not their labels.")
]


def verify_jsonl(
    context: typer.Context,
    files: FilesArgument,
    *,
    keys: KeysOption = False,
    thorough: ThoroughOption = False,
    max_line: MaxLineOption = "256M",
    show_names: ShowNamesOption = False,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> int:
    """Check the framing of JSON Lines files, without content.

    FILE is a regular file, plain or compressed (.gz, .zst), or - for standard input. Each line, split at 0x0A
    only, must be one complete JSON object. Ends with 0 when all are, with 4 for findings, and with 6 when a file
    could not be read; the others are checked all the same.
    """
    console = invocation(context).console
    asked = Asked(max_line_bytes=_size(max_line), keys=keys, second_look_bytes=None if thorough else HEAD_BYTES)
    _refuse_special(files)
    verdict = _verdict(console, files, asked, names=show_names, quiet=quiet)
    if as_json:
        console.document(encode(verdict))
    else:
        tell(console, verdict)
    if any(text.unread for text in verdict.files):
        return UNREAD
    return 0 if verdict.clean else FINDINGS


def _verdict(console: Console, files: Sequence[str], asked: Asked, *, names: bool, quiet: bool) -> JsonlVerdict:
    progress = _Progress(console, len(files), time.monotonic, quiet=quiet)
    console.watch(progress)
    try:
        with Pool(asked) as pool:
            texts = tuple(_one(console, name, pool, progress, names=names) for name in files)
    finally:
        progress.clear()
        console.watch(None)
    return JsonlVerdict(clean=all(map(_clean, texts)), max_line_bytes=asked.max_line_bytes, files=texts)


def _size(word: str) -> int:
    """A size in bytes, or with K, M or G of 1,024."""
    match = _SIZE.match(word)
    if match is None or not int(match.group(1)):
        raise UsageFault("--max-line is no size", "give bytes, or a number with K, M or G, such as 256M")
    return int(match.group(1)) * _UNITS[match.group(2)]


def _refuse_special(files: Sequence[str]) -> None:
    """What has no bytes of its own, or no end, is refused before anything is read."""
    if files.count(STDIN) > 1:
        raise UsageFault("standard input can be read once", "give - once")
    for place, name in enumerate(files, 1):
        kind = None if name == STDIN else refused(Path(name))
        if kind is not None:
            raise UsageFault(
                f"FILE number {place} is {kind}, not a regular file",
                "name regular files, or give - and let the shell open it",
            )


def _one(console: Console, name: str, pool: Pool, progress: "_Progress", *, names: bool) -> JsonlFile:
    """Check one text, or say why it cannot be read."""
    checked: Checked | None = None
    unread: UnreadReason | None = None
    try:
        checked = _checked(console, name, pool, progress)
    except Unread as error:
        unread = error.reason
    framed = checked.framed if checked is not None else None
    return JsonlFile(
        label=STDIN if name == STDIN else label_of(name),
        name=source_text(name) if names else None,
        bytes=checked.bytes if checked is not None else 0,
        sha256=checked.sha256 if checked is not None else None,
        compression=checked.compression if checked is not None else None,
        text_sha256=checked.text_sha256 if checked is not None else None,
        stream_fault=checked.fault if checked is not None else None,
        unread=unread,
        facts=framed.facts if framed is not None else None,
        words=tuple((label, source_text(word)) for label, word in framed.words) if names and framed else UNSET,
    )


def _checked(console: Console, name: str, pool: Pool, progress: "_Progress") -> Checked:
    if name == STDIN:
        progress.begin(None)
        return check(stream(console.stdin), pool, None, progress.show)
    source, size = opened(Path(name))
    named = _SUFFIXES.get(Path(name).suffix.lower())
    try:
        progress.begin(size)
        relay = pool.relay(source, size, named)
        checked = check(source, pool, named, progress.show, relay)
    finally:
        source.close()
    if checked.again:
        console.say("a process of this check ended too early; the text was read again from its first byte")
    return checked


def _clean(text: JsonlFile) -> bool:
    return text.facts is not None and text.facts.clean and text.stream_fault is None


class _Progress:
    """How far the check is: a live line on a terminal, a line now and then in a pipe."""

    def __init__(self, console: Console, files: int, monotonic: Callable[[], float], *, quiet: bool) -> None:
        self._console = console
        self._files = files
        self._now = monotonic
        self._quiet = quiet
        self._every = REDRAW_S if console.interactive else PIPE_S
        self._number = 0
        self._size: int | None = None
        self._began = self._drawn = monotonic()

    def begin(self, size: int | None) -> None:
        """The next text, of so many bytes; None when that is not known."""
        self._number += 1
        self._size = size
        self._began = self._now()

    def show(self, octets: int) -> None:
        """So many bytes of it are read."""
        now = self._now()
        if self._quiet or now - self._drawn < self._every:
            return
        self._drawn = now
        line = self._sentence(octets, now - self._began)
        if self._console.interactive:
            self._console.redraw(line)
        else:
            self._console.say(line)

    def clear(self) -> None:
        """Leave the live line empty."""
        if self._console.interactive and not self._quiet:
            self._console.redraw("")

    def _sentence(self, octets: int, seconds: float) -> str:
        which = f"text {self._number} of {self._files}, " if self._files > 1 else ""
        much = (
            f"{sized(octets)} of {sized(self._size)} ({100 * octets // self._size} %)" if self._size else sized(octets)
        )
        rate = f", {sized(int(octets / seconds))} a second" if seconds > 0 else ""
        return f"checking {which}{much}{rate}"
