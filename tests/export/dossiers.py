"""Dossiers in memory: facts with chosen words, and rows that can be walked through again and again."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from agentaudit.export.document import (
    ActsMade,
    AttestedBy,
    CheckMade,
    CustodyLine,
    EntryTotal,
    ExhibitFacts,
    ExportFacts,
)
from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.lines import (
    EntryLine,
    EventLine,
    GapLine,
    ItemLine,
    SessionLine,
    StreamLine,
    TruncationLine,
    WalkLine,
    Way,
)
from agentaudit.export.words import attention
from agentaudit.model.actors import Actors
from agentaudit.model.base import Digest, Instant
from agentaudit.model.custody import CaseFile
from agentaudit.model.journal import Counts, CustodyHead, LossCounts
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import SessionCounts
from agentaudit.model.tagfiles import ClockComparison, CoverageLimit
from agentaudit.model.verdict import TestedAgainst
from tests.support.around import HOST, TOOL

HOSTILE = (
    '=HYPERLINK("http://evil.example","x")</td><script>alert(1)</script>\x1b]52;c;\x07`|\u202egpj.exe'
    "[a](http://evil.example) www.evil.example a@evil.example\n# top"
)
"""A name that wants to be a formula, markup, a link, a heading, a terminal's master."""

DIGEST = Digest("sha256:" + "ab" * 32)
AT = Instant("2026-10-01T08:00:00.000000Z")


@dataclass(frozen=True)
class MemoryRows:
    """Rows at hand."""

    held_items: tuple[ItemLine, ...] = ()
    held_sessions: tuple[SessionLine, ...] = ()
    held_truncations: tuple[TruncationLine, ...] = ()
    held_gaps: tuple[GapLine, ...] = ()
    held_walks: tuple[WalkLine, ...] = ()
    held_entries: tuple[EntryLine, ...] = ()
    held_streams: tuple[StreamLine, ...] = ()
    held_events: tuple[EventLine, ...] = ()

    def items(self) -> Iterator[ItemLine]:
        """The payload files."""
        return iter(self.held_items)

    def sessions(self) -> Iterator[SessionLine]:
        """The sessions."""
        return iter(self.held_sessions)

    def truncations(self) -> Iterator[TruncationLine]:
        """What is clipped."""
        return iter(self.held_truncations)

    def gaps(self) -> Iterator[GapLine]:
        """What is missing."""
        return iter(self.held_gaps)

    def streams(self) -> Iterator[StreamLine]:
        """The streams."""
        return iter(self.held_streams)

    def events(self) -> Iterator[EventLine]:
        """The events."""
        return iter(self.held_events)

    def entries(self) -> Iterator[EntryLine]:
        """The directory entries."""
        return iter(self.held_entries)

    def walks(self) -> Iterator[WalkLine]:
        """The walks."""
        return iter(self.held_walks)


def way(item: str | None = "data/w/000001.json", pointer: str | None = "/data/0") -> Way:
    """A way back."""
    return Way(item=item, pointer=pointer, sha256=DIGEST if item else None, request_id="req_1", row=7)


def item(path: str = "data/w/000001.json", *, word: str = "application/json") -> ItemLine:
    """A payload file."""
    return ItemLine(
        exhibit="EX-0001", path=path, bytes=1_200, sha256=DIGEST, role="answer", media_type=word,
        content_encoding=None, row=7, walk="w", page=1, ask=1, request_id="req_1", received_at=AT,
        more=(("provenance.root", word),),
    )  # fmt: skip


def session(key: str = "s000001", *, word: str = "claude_code", **more: object) -> SessionLine:
    """A session; `more` replaces fields."""
    line = SessionLine(
        exhibit="EX-0001", session=key, family="local", id=word, decision="kept", rule=None, outcome="all_given",
        surface=word, status=None, created_at="2026-09-01T08:00:00Z", updated_at="2026-09-03T08:00:00Z",
        truncated_at_source=False, user_id=word, user_email_address=None, started_by_user_id=None, agent_id=None,
        organization_uuid=None, workspace_id=None, claude_project_id=None, disagree=("status",),
        counts=SessionCounts(
            pages=2, messages=9, gaps=1, clipped_marker=1, provenance=((None, None, 8), ("x", "y", 1))
        ),
        said=(("listed", way()),), more=(),
    )  # fmt: skip
    return msgspec.structs.replace(line, **more)


def truncation(key: str = "s000001", page: int = 1, *, word: str = "text") -> TruncationLine:
    """A clipped thing."""
    return TruncationLine(
        exhibit="EX-0001", session=key, walk="w", page=page, block_type=word, by="our_limit",
        basis=("parameter", "flag"), kept_bytes=64, limit_bytes=64, raise_parameter="tool_input_max_bytes", way=way(),
    )  # fmt: skip


def gap(key: str | None = "s000001", page: int | None = 2, *, kind: str = "not_obtained", word: str = "x") -> GapLine:
    """A gap."""
    return GapLine(
        exhibit="EX-0001", kind=kind, code="page_unreadable_at_source", basis="status", session=key, walk="w",
        page=page, index=0, count=1, status=400, subject=word, source=(("type", word), ("reason", None)),
        way=way(None, None),
    )  # fmt: skip


def entry(number: int = 1, *, word: str = "sessions/a.jsonl", **more: object) -> EntryLine:
    """A directory entry that stays out; `more` replaces fields."""
    line = EntryLine(
        exhibit="EX-0001", survey=1, root="r1", number=number, name=word, kind="file", role="settings",
        category="settings", decision="exclude", rule="category_opt_in", session="s000001", owner=None, target=word,
        problem=None, sha256=DIGEST, size_bytes=12, modified_at=AT, more=(("mode", "384"), ("owner", word)),
    )  # fmt: skip
    return msgspec.structs.replace(line, **more)


def stream(*, word: str = "00000000-1111") -> StreamLine:
    """A stream with a finding."""
    return StreamLine(
        exhibit="EX-0001", stream="session/000001", kind="session", within=None, name=word, form=word, events=3,
        first_at=word, last_at=None, findings=(("sequence_gap", 1),), more=(("producer", word),), way=way(),
    )  # fmt: skip


def event(*, word: str = "tool_decision") -> EventLine:
    """An event of it."""
    return EventLine(
        exhibit="EX-0001", stream="session/000001", kind=word, at=word, order=4, id=word, keys=(("session", word),),
        words=(("decision", word),), numbers=(("bytes", 9),), marks=("cut",), offset=17, table_row=None, way=way(),
    )  # fmt: skip


def walk(*, word: str = "100") -> WalkLine:
    """A walk."""
    return WalkLine(
        exhibit="EX-0001", walk="w", kind="local_messages", session="s000001", parameters=(("limit", word),),
        limits=ByteLimits(), cursors=(None, "c1"), pages=1, records=9, ended="exhausted",
    )  # fmt: skip


def facts(*, word: str = "plain", **more: object) -> ExhibitFacts:
    """The facts of an exhibit; `word` stands wherever somebody's words do; `more` replaces fields."""
    one = ExhibitFacts(
        exhibit="EX-0001", case="N-1", seal=DIGEST, attention=attention("loopback"), endpoint_class="loopback",
        source="compliance", adapter="compliance/1", asked=(("What", "transcripts"), *(("Session", word),) * 6),
        window=(AT, None), limits=(("tool_input_max_bytes", "64"),), reach=(("api_root", word), ("proxy", "null")),
        actors=Actors(examiner=word, authority=word, note=word, clock_note=word), tool=TOOL, host=HOST,
        custody_head=CustodyHead(seq=2, digest=DIGEST), begun_at=AT, ended_at=AT, outcome="incomplete",
        counts=Counts(
            items=1, payload_bytes=1_200, walks=1, pages=1, sessions_seen=2, sessions_kept=1, sessions_excluded=1,
            messages=9, losses=LossCounts(clipped_by_our_limit=1, sessions_truncated_at_source=1, not_obtained=1),
        ),
        clock=ClockComparison(answers=3, offset_min_ms=-4, offset_median_ms=-3, offset_max_ms=5, bound_max_ms=506),
        acts=ActsMade(
            rows=9, answered=3, retried=1, gave_up=0, waited_ms=5, resumed=((AT, "resume", word),),
            certificates=(DIGEST,), command_line=("agentaudit", word),
        ),
        check=CheckMade(
            integrity="intact", outcome="incomplete", authenticity="unsigned",
            attested=AttestedBy(tested=TestedAgainst(), signatures=(), stamps=(), existed_by=None),
            codes=(("S002", 1),), findings=(), not_checked=(),
        ),
        coverage=(CoverageLimit(code="local.x", statement=word, values=(("period", word),)),),
        gap_totals=(("excluded", "brand_new_code", 3), ("not_obtained", "page_unreadable_at_source", 1)),
        session_outcomes=(("incomplete", 1),),
        entry_totals=(
            EntryTotal(survey=1, decision="exclude", rule="category_opt_in", kind="file", entries=1, bytes=12),
            EntryTotal(survey=1, decision="list", rule="brand_new_rule", kind="link", entries=2, bytes=0),
        ),
        tag_files=(("bagit.txt", DIGEST),),
    )  # fmt: skip
    return msgspec.structs.replace(one, **more)


def custody(seq: int = 1, *, word: str = "plain", event: str = "opened") -> CustodyLine:
    """A row of the custody log."""
    return CustodyLine(
        seq=seq, at=AT, event=event, actors=Actors(examiner=word, authority=word, note=word), host=word, user=word,
        tool="agentaudit 0.1.0", facts=(("exhibit", "EX-0001"), ("note", word)), prev="0" * 64, sha256=DIGEST,
    )  # fmt: skip


def rows(*, word: str = "plain") -> MemoryRows:
    """One row of each kind."""
    return MemoryRows(
        (item(word=word),),
        (session(word=word),),
        (truncation(word=word),),
        (gap(word=word),),
        (walk(word=word),),
        (entry(word=word),),
        (stream(word=word),),
        (event(word=word),),
    )


def dossier(*parts: Part, word: str = "plain", alone: bool = False) -> Dossier:
    """A dossier of these parts, of one with a row of each kind where none is given; `alone`: no case around it."""
    told = parts or (Part(facts(word=word), rows(word=word)),)
    case = CaseFile(
        format="agentaudit-case/1", number="N-1", title=word, opened_at=AT, examiner=word, authority=word, handling=word
    )
    said = tuple(dict.fromkeys(part.facts.attention for part in told if part.facts.attention))
    return Dossier(
        ExportFacts(
            attention=said,
            format="agentaudit-manifest/1",
            case=None if alone else case,
            custody_head=None if alone else CustodyHead(seq=1, digest=DIGEST),
            made_by="agentaudit 0.1.0",
            names_shown=False,
            left_out=(("EX-0002", "not sealed yet"),),
        ),
        told,
        () if alone else (custody(word=word), custody(2, word=word, event="sealed")),
    )


def joined(pieces: object) -> bytes:
    """The pieces of one file as its bytes."""
    assert isinstance(pieces, Iterator)
    return b"".join(pieces)
