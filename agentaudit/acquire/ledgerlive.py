"""The ledger of a Gateway that runs, asked for with its own command: every answer a file, one note of all calls.

- Pages are asked for to their end, then the kind of event that an unfiltered question hides, then, where it is wanted,
  the explanation of each run and of each execution of a run that is ambiguous.
- What could not be had to its end is a gap; without a single page nothing is begun.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import file_digest
from pathlib import Path
from typing import Final, assert_never

from agentaudit.acquire.progress import Progress, State
from agentaudit.adapters.openclaw.documents import Document, Explained, Failed, Other, Page, read_document
from agentaudit.adapters.openclaw.livenote import LiveCall, LiveFound, LiveNote, LiveWalk, WalkEnd, WalkName
from agentaudit.encoding.canonical import encode
from agentaudit.errors import SourceUnreachable
from agentaudit.model.base import Digest, digest_of, instant_of
from agentaudit.model.local import true_name
from agentaudit.model.losses import Gap, GapCode
from agentaudit.model.text import SourceText, source_text
from agentaudit.sources.openclaw.command import GatewayCommand
from agentaudit.sources.openclaw.walking import Walk, candidates_of, events_walk, explanation_walk, is_askable, runs_of

EXPLAINED_MAX: Final = 2_000
NOTE: Final = "agentaudit-live.json"

_HIDDEN: Final = "skill_selection"
_VERSION_MAX: Final = 200
_CODES: Final[Mapping[WalkEnd, GapCode]] = {
    "failed": "retries_exhausted",
    "cursor_repeated": "cursor_repeated",
    "cursor_odd": "cursor_refused",
    "page_cap": "interrupted",
}


@dataclass(slots=True)
class Live:
    """One run over the command; `folder` is a private one of ours, which is handed over at the end."""

    command: GatewayCommand
    folder: Path
    now: Callable[[], datetime]
    progress: Progress
    explain: bool = False
    explained_max: int = EXPLAINED_MAX
    _calls: list[LiveCall] = field(default_factory=list)
    _walks: list[LiveWalk] = field(default_factory=list)
    _runs: dict[str, None] = field(default_factory=dict)
    _executions: dict[str, None] = field(default_factory=dict)
    _left: int = 0

    def collect(self) -> tuple[Gap, ...]:
        """Write every answer and the note into the folder; what was not obtained.

        Raises SourceUnreachable (6) where not one page came, Interrupted, and UsageFault (2) where nothing can be run.
        """
        version = self._version()
        self._walk("events", events_walk())
        if not self._walks[0].pages:
            raise SourceUnreachable(
                "the Gateway's command gave no page", "see that the Gateway runs and that you may read its ledger"
            )
        self._walk("skill_selection", events_walk(_HIDDEN))
        if self.explain:
            self._explain("run", self._runs)
            self._explain("execution", self._executions)
        note = LiveNote(
            command=true_name(bytes(self.command.place)),
            command_sha256=_digest_of(self.command.place),
            version=version,
            calls=tuple(self._calls),
            walks=tuple(self._walks),
            not_explained=self._left,
        )
        (self.folder / NOTE).write_bytes(encode(note))
        return tuple(self._gaps())

    def _explain(self, option: str, subjects: dict[str, None]) -> None:
        for number, subject in enumerate(tuple(subjects)):
            if number < self.explained_max and is_askable(subject):
                self._walk("explanation", explanation_walk(option, subject))
            else:
                self._left += 1

    def _walk(self, name: WalkName, walk: Walk) -> None:
        self._walks.append(self._driven(name, walk))

    def _driven(self, name: WalkName, walk: Walk) -> LiveWalk:
        """Drive a walk: each question a call, each answer told; how it ended."""
        try:
            words = next(walk)
            while True:
                words = walk.send(self._call(name, words))
        except StopIteration as ended:
            done: LiveWalk = ended.value
            return done

    def _call(self, name: WalkName, words: tuple[str, ...]) -> Document:
        number = len(self._calls) + 1
        out = self.folder / f"live-{number:06d}.json"
        err = self.folder / f"live-{number:06d}.stderr.txt"
        began = self.now()
        ran = self.command.run(words, out, err)
        octets = out.read_bytes()
        if not err.stat().st_size:
            err.unlink()
        document = _judged(read_document(octets), whole=ran.ended == "exited" and ran.status == 0)
        self._runs |= dict.fromkeys(runs_of(document))
        self._executions |= dict.fromkeys(candidates_of(document))
        self._calls.append(
            LiveCall(
                walk=name,
                arguments=tuple(map(source_text, words)),
                began_at=instant_of(began),
                ended_at=instant_of(self.now()),
                ended=ran.ended,
                status=ran.status,
                file=out.name,
                bytes=len(octets),
                sha256=digest_of(octets),
                found=_found(document),
            )
        )
        self.progress.show(State("asking the Gateway", pages=number, octets=len(octets)))
        return document

    def _version(self) -> SourceText | None:
        """What the command says of itself; None where it says nothing that fits a line."""
        out, err = self.folder / "version", self.folder / "version.stderr"
        ran = self.command.run(("--version",), out, err)
        said = out.read_bytes()[: _VERSION_MAX + 1].strip()
        out.unlink()
        err.unlink()
        if ran.status or ran.ended != "exited" or not said or len(said) > _VERSION_MAX:
            return None
        return true_name(said)

    def _gaps(self) -> list[Gap]:
        """By code; a release that does not know the hidden kind lacks nothing."""
        counts: dict[GapCode, int] = {}
        for walk in self._walks:
            code = _CODES.get(walk.ended)
            if code is not None and (walk.walk != "skill_selection" or walk.pages):
                counts[code] = counts.get(code, 0) + 1
        if self._left:
            counts["interrupted"] = counts.get("interrupted", 0) + self._left
        return [
            Gap(kind="not_obtained", code=code, basis="status", count=count) for code, count in sorted(counts.items())
        ]


def _judged(document: Document, *, whole: bool) -> Document:
    """A page of a command that did not end well is none: it may have been cut."""
    return document if whole or isinstance(document, Failed) else Other("not-whole")


def _found(document: Document) -> LiveFound:
    match document:
        case Page():
            return "page"
        case Explained():
            return "explanation"
        case Failed():
            return "failure"
        case Other():
            return "other"
        case _:
            assert_never(document)


def _digest_of(path: Path) -> Digest:
    with path.open("rb") as stream:
        return Digest(f"sha256:{file_digest(stream, 'sha256').hexdigest()}")
