"""One stream in every form in which it reaches a disk says the same."""

import gzip
from collections.abc import Callable, Sequence

import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.support.telemetry import (
    BEGIN_MS,
    MS,
    Held,
    Log,
    Read,
    Sent,
    collector_json,
    framed,
    log,
    own_json,
    pretty_json,
    protobuf,
    read,
    told,
)

Encode = Callable[[Sequence[Sent]], bytes]


def _lines(sents: Sequence[Sent], one: Callable[[Sent], bytes], between: bytes = b"\n") -> bytes:
    return b"".join(one(sent) + between for sent in sents)


FORMS: dict[str, Encode] = {
    "otlp_http_json": lambda sents: _lines(sents, own_json),
    "otlp_http_json glued": lambda sents: _lines(sents, own_json, b""),
    "otlp_http_json_pretty": lambda sents: _lines(sents, pretty_json),
    "otlp_http_json_pretty glued": lambda sents: _lines(sents, pretty_json, b""),
    "otlp_collector_json": lambda sents: _lines(sents, collector_json),
    "otlp_collector_json with a mark": lambda sents: b"\xef\xbb\xbf" + _lines(sents, collector_json),
    "otlp_collector_json with returns": lambda sents: _lines(sents, collector_json, b"\r\n"),
    "otlp_framed_json_zstd": lambda sents: framed(map(collector_json, sents), packed=True),
    "otlp_framed_json": lambda sents: framed(map(collector_json, sents)),
    "otlp_framed_proto": lambda sents: framed(map(protobuf, sents)),
    "otlp_framed_proto_zstd": lambda sents: framed(map(protobuf, sents), packed=True),
}
WHOLE: dict[str, Callable[[bytes], bytes]] = {
    "": lambda octets: octets,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_HELD: st.SearchStrategy[Held] = st.one_of(
    _TEXTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(allow_nan=False, allow_infinity=False),
    st.lists(_TEXTS, max_size=2),
)  # fmt: skip
_NAMES = st.sampled_from(
    ["tool_use_id", "decision", "success", "prompt", "response", "duration_ms", "model", "tool_name", "user.id",
     "error", "event.sequence", "event.timestamp", "session.id", "prompt.id", "body", "body_truncated", "unknown.name"]
)  # fmt: skip
_KINDS = st.sampled_from(["user_prompt", "tool_decision", "tool_result", "api_request", "retention_sweep", "made_up"])


@st.composite
def logs(draw: st.DrawFn) -> Log:
    """An event of one of two sessions, with whatever attributes."""
    kind, order = draw(_KINDS), draw(st.integers(0, 8))
    one = log(kind, order, session=draw(st.sampled_from(["a", "b", None])), ms=BEGIN_MS + draw(st.integers(0, 20)))
    more = draw(st.dictionaries(_NAMES, _HELD, max_size=5))
    return Log(one.moment, one.body, {**one.attributes, **more}, draw(st.integers(0, 2)))


@st.composite
def requests(draw: st.DrawFn) -> Sent:
    """An export request of an agent, or of another service."""
    service = draw(st.sampled_from(["claude-code", "claude-code-desktop", "codex_cli_rs", "checkout"]))
    return Sent(draw(st.lists(logs(), min_size=1, max_size=4)), {"service.name": service, "service.version": "1"})


UNDECIDED = Log(BEGIN_MS * MS, "claude_code.user_prompt", {"session.id": "a", "event.name": "user_prompt"}, dropped=1)


@given(st.lists(requests(), min_size=1, max_size=4), st.integers(1, 700))
@example(sents=[Sent([UNDECIDED])], piece=1)
@settings(max_examples=40)
def test_re_encodings_of_one_stream_say_the_same(sents: list[Sent], piece: int) -> None:
    """Whatever the form, whatever wraps the file, wherever the pieces break: equal events, streams and truncations."""
    first = read(_lines(sents, own_json))
    clipped = _clipped(first)
    for name, encode in FORMS.items():
        for compression, wrap in WHOLE.items():
            again = read(wrap(encode(sents)), piece=piece)
            assert told(again.events) == told(first.events), name
            assert _streams(again) == _streams(first), name
            assert _clipped(again) == clipped, name
            assert again.faults == [], name
            assert again.tallies[0].form in _forms(name), name
            assert (again.tallies[0].compression or "") == compression, name


def _forms(name: str) -> set[str]:
    """The form of that name; who wrote lines of JSON is not always told by their spelling."""
    form = name.partition(" ")[0]
    return {form, "otlp_json"} if form in {"otlp_http_json", "otlp_collector_json"} else {form}


def _streams(found: Read) -> list[object]:
    """What streams say, without where it lies."""
    return [
        (key, row.name, row.events, row.first_at, row.producers, row.kinds, row.counts, row.words, row.runs,
         found.found(key))
        for key, row in found.streams.items()
        if not key.startswith("file/")
    ]  # fmt: skip


def _clipped(found: Read) -> list[object]:
    return [(one.session, one.pointer, one.block_type, one.basis, one.kept_bytes) for one in found.ledger.clipped()]


@pytest.mark.parametrize("form", FORMS)
def test_a_place_leads_back_to_its_document(form: str) -> None:
    """The offset of an event is where its document or frame begins, whatever came before."""
    sents = [Sent([log("api_request", order)]) for order in range(3)]
    octets = FORMS[form](sents)
    offsets = [event.place.offset for event in read(octets).events]
    assert offsets[1:] == [len(FORMS[form](sents[:1])), len(FORMS[form](sents[:2]))]
    assert [event.place.pointer for event in read(octets).events] == ["/resourceLogs/0/scopeLogs/0/logRecords/0"] * 3


def test_a_request_in_a_file_of_its_own_is_read() -> None:
    """A body of Protocol Buffers as a server received it is the whole file."""
    sent = Sent([log("api_request", 0), log("api_error", 1)])
    assert told(read(protobuf(sent)).events) == told(read(own_json(sent)).events)
    assert read(protobuf(sent)).tallies[0].form == "otlp_proto"


def test_an_integer_keeps_all_its_bits() -> None:
    """The largest number that is told comes through as a number and as text; beyond it none is told."""
    for most, numbers in ((2**53 - 1, (("input_tokens", 2**53 - 1),)), (2**53, ())):
        sent = Sent([Log(BEGIN_MS * MS, "claude_code.api_request", {"session.id": "a", "input_tokens": most})])
        for encode in FORMS.values():
            assert read(encode([sent])).events[0].numbers == numbers
