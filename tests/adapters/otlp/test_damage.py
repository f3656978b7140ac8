"""Damage of each form of telemetry: stated, bounded, and what is whole is read all the same."""

import gzip
import json
from collections.abc import Callable, Sequence

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.adapters.otlp.jsontext import DOCUMENT_MAX
from agentaudit.encoding import expanding
from agentaudit.encoding.canonical import encode_line
from tests.support.telemetry import Sent, collector_json, framed, log, own_json, pretty_json, protobuf, read

SENTS = [Sent([log("api_request", 2 * number), log("api_error", 2 * number + 1)]) for number in range(3)]
LINES = [collector_json(one) + b"\n" for one in SENTS]
JSON_FRAMES = framed(map(collector_json, SENTS))
ZSTD_FRAMES = framed(map(collector_json, SENTS), packed=True)
PROTO_FRAMES = framed(map(protobuf, SENTS))
FIRST = {octets: 4 + int.from_bytes(octets[:4], "big") for octets in (JSON_FRAMES, ZSTD_FRAMES, PROTO_FRAMES)}


def offsets(octets: bytes, piece: int = 1_000, document_max: int = DOCUMENT_MAX) -> list[tuple[str, int]]:
    """Each fault of a file, and where it is."""
    found = read(octets, piece=piece, document_max=document_max).tallies[0].findings()
    return [(one.code, place.offset) for one in found for place in one.places]


def orders(octets: bytes, piece: int = 1_000, document_max: int = DOCUMENT_MAX) -> list[object]:
    """The numbers of the events that were read."""
    return [event.order for event in read(octets, piece=piece, document_max=document_max).events]


@pytest.mark.parametrize("piece", [1, 7, 1_000_000])
def test_a_cut_last_line_is_said_to_be_the_last(piece: int) -> None:
    """The writer was stopped, or the file was copied while it grew: that is another thing than damage inside."""
    octets = b"".join(LINES)[:-40]
    assert offsets(octets, piece=piece) == [("last_document_cut", len(LINES[0] + LINES[1]))]
    assert orders(octets, piece=piece) == [0, 1, 2, 3]


def test_a_cut_line_inside_is_damage() -> None:
    """A line that lost its end gives nothing, and the next one is read."""
    octets = LINES[0] + LINES[1][:50] + b"\n" + LINES[2]
    assert offsets(octets) == [("line_unreadable", len(LINES[0]))]
    assert orders(octets) == [0, 1, 4, 5]


def test_a_writer_that_began_again_on_a_cut_line_loses_the_cut_document_only() -> None:
    """The whole document behind the broken one is read."""
    octets = LINES[0][:50] + LINES[1] + LINES[2]
    assert offsets(octets) == [("line_cut", 0)]
    assert orders(octets) == [2, 3, 4, 5]
    assert offsets(LINES[0][:50] + LINES[1][:-9]) == [("last_document_cut", 50)]


def test_rubbish_is_told_and_passed_over() -> None:
    """Bytes that are no JSON, a text, a number: neither of them stops the reading; empty lines are nothing."""
    octets = LINES[0] + b"\xff\x00rubbish\n7\n\n  \r\n" + LINES[1] + b"the end"
    assert offsets(octets) == [
        ("line_unreadable", len(LINES[0])), ("line_unreadable", len(LINES[0]) + 10),
        ("line_unreadable", len(octets) - 7),
    ]  # fmt: skip
    assert orders(octets) == [0, 1, 2, 3]


def test_a_flipped_byte_in_a_line_costs_that_line() -> None:
    """Nothing else is lost."""
    octets = bytearray(b"".join(LINES))
    octets[len(LINES[0])] ^= 0xFF
    assert offsets(bytes(octets)) == [("line_unreadable", len(LINES[0]))]
    assert orders(bytes(octets)) == [0, 1, 4, 5]


def test_a_cut_document_between_pretty_ones_costs_that_document() -> None:
    """The next line that begins with a brace begins the next document."""
    first, second, third = map(pretty_json, SENTS)
    octets = first + b"\n" + second[:200] + b"\n" + third + b"\n"
    assert offsets(octets) == [("document_cut", len(first) + 1)]
    assert orders(octets) == [0, 1, 4, 5]
    assert offsets(first + b"\n" + second[:-30]) == [("last_document_cut", len(first) + 1)]


def test_a_pretty_document_with_damage_inside_costs_that_document() -> None:
    """It is whole by its braces, and no JSON."""
    first, second, third = map(pretty_json, SENTS)
    octets = first + b"\n" + second.replace(b":", b";", 1) + b"\n" + third + b"\n"
    assert offsets(octets) == [("document_unreadable", len(first) + 1)]
    assert orders(octets) == [0, 1, 4, 5]


def test_the_end_of_a_pretty_document_need_not_end_the_line() -> None:
    """What follows the closing brace is read as what it is; a document without a last line break is whole."""
    first, second = map(pretty_json, SENTS[:2])
    assert orders(first + second) == [0, 1, 2, 3]
    assert offsets(first + b"rubbish\n" + second) == [("line_unreadable", len(first))]
    assert orders(second.removesuffix(b"\n}") + b"\n }") == [2, 3]


def test_glued_documents_with_damage_between_them_are_read() -> None:
    """What lies between two documents on one line is told."""
    line = LINES[0][:-1]
    assert orders(line + LINES[1]) == [0, 1, 2, 3]
    octets = line + b"{rubbish}" + LINES[1]
    assert offsets(octets) == [("line_cut", len(line))]
    assert orders(octets) == [0, 1, 2, 3]


def test_braces_inside_a_line_are_tried_a_bounded_number_of_times() -> None:
    """A line made to be split in vain is given up."""
    octets = b'{"a":"' + b"}{" * 3_000 + b"x\n" + LINES[0]
    assert offsets(octets) == [("line_unreadable", 0)]
    assert orders(octets) == [0, 1]


@pytest.mark.parametrize("piece", [5, 100_000])
def test_a_document_beyond_the_bound_is_passed_over(piece: int) -> None:
    """A line, a pretty document, a last line: each is told, none is held, the rest is read."""
    long = b'{"resourceLogs":[],"x":"' + b"y" * 20_000 + b'"}\n'
    octets = LINES[0] + long + LINES[1]
    assert offsets(octets, piece=piece, document_max=5_000) == [("document_over_limit", len(LINES[0]))]
    assert orders(octets, piece=piece, document_max=5_000) == [0, 1, 2, 3]
    assert offsets(LINES[0] + long[:-1], piece=piece, document_max=5_000) == [("document_over_limit", len(LINES[0]))]
    pretty = pretty_json(SENTS[0])
    assert offsets(pretty + b"\n" + LINES[1], piece=piece, document_max=2_000) == [("document_over_limit", 0)]
    assert orders(pretty + b"\n" + LINES[1], piece=piece, document_max=2_000) == [2, 3]
    assert offsets(pretty[:-3], piece=piece, document_max=2_000) == [("document_over_limit", 0)]


@pytest.mark.parametrize("octets", [JSON_FRAMES, ZSTD_FRAMES, PROTO_FRAMES])
@pytest.mark.parametrize("piece", [1, 1_000_000])
def test_a_cut_last_frame_is_told(octets: bytes, piece: int) -> None:
    """The frames before it are read."""
    third = FIRST[octets] + 4 + int.from_bytes(octets[FIRST[octets] : FIRST[octets] + 4], "big")
    assert offsets(octets[:-9], piece=piece) == [("last_frame_cut", third)]
    assert orders(octets[:-9], piece=piece) == [0, 1, 2, 3]
    assert offsets(octets[: third + 3], piece=piece) == [("last_frame_cut", third)]


@pytest.mark.parametrize("octets", [JSON_FRAMES, ZSTD_FRAMES, PROTO_FRAMES])
def test_a_length_of_2_to_31_ends_the_reading_and_says_how_much_was_not_read(octets: bytes) -> None:
    """Nothing says where the next frame begins: what follows is counted, and nothing is allocated for it."""
    first = FIRST[octets]
    broken = octets[:first] + (2**31).to_bytes(4, "big") + octets[first + 4 :]
    found = read(broken, piece=97)
    assert offsets(broken) == [("length_over_limit", first)]
    assert [event.order for event in found.events] == [0, 1]
    assert found.tallies[0].counts["bytes_not_read"] == len(octets) - first
    assert read((2**31).to_bytes(4, "big") + octets[4:]).faults == [("length_over_limit", 1)]


@pytest.mark.parametrize(
    ("octets", "code"),
    [(JSON_FRAMES, "frame_unreadable"), (ZSTD_FRAMES, "frame_corrupt"), (PROTO_FRAMES, "frame_unreadable")],
)
def test_a_flipped_byte_in_a_frame_costs_that_frame(octets: bytes, code: str) -> None:
    """The length in front leads to the next one."""
    first = FIRST[octets]
    broken = bytearray(octets)
    broken[first + 4 + 6 if octets is ZSTD_FRAMES else first + 5] ^= 0xFF
    assert offsets(bytes(broken)) == [(code, first)]
    assert orders(bytes(broken)) == [0, 1, 4, 5]


def test_a_frame_that_holds_no_request_is_told() -> None:
    """JSON that is no object, and fields that no request has; an empty request is one."""
    other = framed([protobuf(SENTS[0]), b"\x12\x00", b"", b"{7}"])
    assert read(other).faults == [("frame_unreadable", 2)]
    assert read(framed([collector_json(SENTS[0]), b"{]"])).faults == [("frame_unreadable", 1)]


def test_a_frame_that_expands_beyond_the_bound_is_passed_over() -> None:
    """The bound is that of a document, and the next frame is read."""
    bomb = zstandard.compress(bytes(50_000_000))
    octets = len(bomb).to_bytes(4, "big") + bomb + ZSTD_FRAMES
    assert offsets(octets, document_max=100_000) == [("document_over_limit", 0)]
    assert orders(octets, document_max=100_000) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "gzip"), (zstandard.compress, "zstd")])
def test_a_compressed_file_that_breaks_off_gives_what_came(pack: Callable[[bytes], bytes], name: str) -> None:
    """The stream's end is missing, and so is that of the last document in it."""
    several: Sequence[Sent] = [Sent([log("api_request", order)]) for order in range(2_000)]
    octets = pack(b"".join(collector_json(one) + b"\n" for one in several))
    found = read(octets[: len(octets) // 2])
    assert dict(found.faults)["stream_truncated"] == 1
    assert found.tallies[0].compression == name
    assert 0 < len(found.events) < 2_000
    broken = bytearray(octets)
    broken[len(octets) // 2] ^= 0xFF
    assert dict(read(bytes(broken)).faults)["stream_corrupt"] == 1
    assert read(octets + b"rubbish behind the end", piece=10).faults == [("stream_corrupt", 1)]
    assert read(octets + b"rubbish behind the end", piece=10).tallies[0].counts["bytes_not_read"] > 0


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_bomb_is_not_unpacked(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a bound on how much a byte may become nothing more is read, and that is told."""
    monkeypatch.setattr(expanding, "EXPANSION_FREE_BYTES", 1_000_000)
    monkeypatch.setattr(expanding, "EXPANSION_MAX", 100)
    found = read(pack(LINES[0] + bytes(50_000_000)))
    assert dict(found.faults)["stream_expansion_over_limit"] == 1
    assert [event.order for event in found.events] == [0, 1]
    assert found.tallies[0].counts["text_bytes"] < 2_000_000


def test_a_body_that_does_not_add_up_is_told() -> None:
    """One broken file of Protocol Buffers, one that is too long."""
    octets = protobuf(SENTS[0])
    assert read(octets[:-5]).faults == [("document_unreadable", 1)]
    assert read(octets, document_max=len(octets) - 1).faults == [("document_over_limit", 1)]
    assert read(octets, document_max=len(octets)).faults == []


def test_nesting_without_end_ends_nothing() -> None:
    """A document that nests too deep for any reader is passed over, the next one is read."""
    deep = b'{"resourceLogs":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    found = read(deep + LINES[0], piece=50_000)
    assert [event.order for event in found.events] == [0, 1]
    within = json.loads(collector_json(SENTS[0]))
    nested: object = {"stringValue": "x"}
    for _ in range(200):
        nested = {"arrayValue": {"values": [nested]}}
    within["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["attributes"].append({"key": "prompt", "value": nested})
    assert orders(json.dumps(within).encode()) == [0, 1]


def test_a_file_of_which_no_document_can_be_read_has_no_other_form() -> None:
    """It begins like documents, and none of them is whole."""
    for octets in (LINES[0][:-50], PROTO_FRAMES[:50], pretty_json(SENTS[0])[:90]):
        assert read(octets).tallies[0].form == "unreadable"


def test_a_lone_surrogate_does_not_lose_a_document() -> None:
    """The slower reader reads it, and that is counted; its id is told as what it is."""
    octets = own_json(Sent([log("api_request", 0, request_id="req_@")])).replace(b"@", b"\\ud800")
    found = read(octets)
    assert len(found.events) == 1
    assert found.tallies[0].counts["documents_read_tolerantly"] == 1
    assert found.faults == []


FORMS = (
    b"".join(LINES), b"".join(own_json(one) for one in SENTS), b"\n".join(map(pretty_json, SENTS)), JSON_FRAMES,
    ZSTD_FRAMES, PROTO_FRAMES, protobuf(SENTS[0]), gzip.compress(b"".join(LINES), mtime=0),
    zstandard.compress(b"".join(LINES)),
)  # fmt: skip


@given(st.sampled_from(FORMS), st.lists(st.tuples(st.integers(0, 4_000), st.binary(max_size=4)), max_size=6), st.data())
@settings(max_examples=150, deadline=None)
def test_no_damage_ends_a_reading(octets: bytes, written: list[tuple[int, bytes]], data: st.DataObject) -> None:
    """Whatever is written over a file, and wherever it is cut: no failure, and every row can be written."""
    broken = bytearray(octets)
    for at, new in written:
        broken[at % len(octets) : at % len(octets) + data.draw(st.integers(0, 4))] = new
    found = read(bytes(broken), piece=data.draw(st.integers(1, 5_000)))
    for row in (*found.events, *found.streams.values(), *found.ledger.clipped()):
        encode_line(row)


@given(st.binary(max_size=200), st.sampled_from([b"", b"{", b"\x0a\x07\x0a\x05", b"\0\0\0\x20\x0a\x1e\x0a\x02"]))
def test_whatever_the_bytes_a_reading_ends(octets: bytes, begin: bytes) -> None:
    """Also those that begin like a form."""
    found = read(begin + octets, piece=7)
    assert found.tallies[0].form is not None
    for row in (*found.events, *found.streams.values()):
        encode_line(row)
