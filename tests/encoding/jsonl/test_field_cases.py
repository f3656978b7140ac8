"""What happened to transcripts in the field, framed: each case with its identifier."""

import json

import pytest

from agentaudit.encoding.jsonl.asked import Asked
from tests.encoding.jsonl.records import facts, framed, lines, noted, places, record

R1, R2, R3, R4 = (record(number) for number in range(1, 5))


def test_a01_a_cut_record_with_a_whole_one_behind_it() -> None:
    """The line is `cut+object`, with the offset at which the whole object begins; its neighbours are good."""
    kept = len(R2) * 6 // 10
    found = facts(lines(R1, R2[:kept] + R3, R4))
    assert places(found) == [("cut+object", 2, len(R1) + 1, kept + len(R3))]
    assert found.findings[0].values == (len(R1) + 1 + kept,)
    assert (found.lines, found.ok_lines, found.ok_after_first_finding, found.values) == (3, 2, 1, 3)


def test_a01_holds_wherever_the_first_record_was_cut_inside_a_token() -> None:
    """A cut at any byte is recognised, unless what follows could be the very value that the cut took away."""
    before_a_value = {at for at in range(1, len(R2)) if R2[at - 1 : at] in (b":", b"[") or R2[at - 2 : at] == b"[,"}
    for kept in range(1, len(R2)):
        one = facts(lines(R2[:kept] + R3)).findings[0]
        if kept in before_a_value:
            assert (one.fault, one.values) in (("cut", ()), ("cut+object", (kept,)))
        else:
            assert (one.fault, one.values) == ("cut+object", (kept,)), kept


def test_a02_two_records_on_one_line() -> None:
    """Both values are readable and counted; the line is one finding."""
    found = facts(lines(R1, R2 + R3, R4))
    assert places(found) == [("glued", 2, len(R1) + 1, len(R2) + len(R3))]
    assert found.findings[0].values == (len(R1) + 1, len(R1) + 1 + len(R2))
    assert (found.findings[0].value_count, found.values, found.ok_lines) == (2, 4, 2)


def test_a03_glue_after_a_file_lost_its_last_line_feed() -> None:
    """What was appended to a file without a last line feed is glued to its last record."""
    summary = b'{"type":"summary","leafUuid":"x"}'
    found = facts(lines(R1) + R2 + lines(summary))
    assert [one.fault for one in found.findings] == ["glued"]
    assert found.kinds == (("object", 3),)


def test_a04_a_run_of_nul_bytes_and_what_follows_it() -> None:
    """The run is one finding of its length; appends after it are good."""
    found = facts(lines(R1, bytes(512), R2))
    assert places(found) == [("nul_run", 2, len(R1) + 1, 512)]
    assert (found.findings[0].nul_bytes, found.ok_after_first_finding) == (512, 1)


@pytest.mark.parametrize(
    ("line", "fault"), [(bytes(9) + R1, "nul_prefix"), (R1 + bytes(9), "nul_suffix"), (R1 + bytes(9) + R2, "glued")]
)
def test_nul_bytes_beside_a_record_are_told_from_those_alone(line: bytes, fault: str) -> None:
    """The record on the line is found, and the NUL bytes are counted."""
    found = facts(lines(line)).findings[0]
    assert (found.fault, found.nul_bytes) == (fault, 9)
    assert found.value_count == (2 if fault == "glued" else 1)


def test_a07_power_loss_cuts_the_last_record() -> None:
    """The tail is incomplete and everything before it is good."""
    found = facts(lines(*[R1] * 300) + R2[:50])
    assert places(found) == [("incomplete_tail", 301, 300 * (len(R1) + 1), 50)]
    assert (found.ok_lines, found.final_newline) == (300, False)


@pytest.mark.parametrize("tail", [R2 + bytes(100), bytes(100), R2[:40] + bytes(100)])
def test_a_tail_of_nul_bytes_without_a_line_feed_is_counted_and_kept(tail: bytes) -> None:
    """After a crash of the system the last block may be zero."""
    one = facts(lines(R1) + tail).findings[0]
    assert one.fault in ("nul_suffix", "nul_run", "incomplete_tail")
    assert one.nul_bytes == 100


def test_a08_malformed_records_in_the_middle_end_nothing() -> None:
    """Both are reported, and how many good lines come after the first of them."""
    rows = [R1] * 100
    rows[39], rows[69] = R2[:30], R3[:77]
    found = facts(lines(*rows))
    assert [(one.fault, one.line) for one in found.findings] == [("cut", 40), ("cut", 70)]
    assert (found.ok_lines, found.ok_after_first_finding) == (98, 59)


def test_a09_an_empty_line_is_a_note_and_a_value_that_is_no_object_a_finding() -> None:
    """Neither ends the check; what kind of value it was is counted."""
    found = facts(lines(R1, b"", b"[]", b'"x"', b"1", b"null", b"true", R2))
    assert [(one.fault, one.line) for one in found.findings] == [("non_object", line) for line in (3, 4, 5, 6, 7)]
    assert noted(found) == {"empty_line": 1}
    assert dict(found.kinds) == {"array": 1, "string": 1, "number": 1, "null": 1, "boolean": 1, "object": 2}


def test_a11_a_partial_record_a_blank_line_and_the_record_again() -> None:
    """Nothing is taken for a duplicate."""
    found = facts(lines(R2[:30], b"", b" \t", R2))
    assert [(one.fault, one.line) for one in found.findings] == [("cut", 1)]
    assert noted(found) == {"empty_line": 1, "whitespace_line": 1}
    assert found.ok_lines == 1


@pytest.mark.parametrize("ending", [b"", b"\n"])
@pytest.mark.parametrize("many", [1, 3])
def test_a13_pretty_printed_documents_are_one_finding(ending: bytes, many: int) -> None:
    """The text is no JSON Lines: said once, with the number of documents, not once a line."""
    document = json.dumps({"messages": [json.loads(R1)] * 60}, indent=2).encode()
    text = b"\n".join([document] * many) + ending
    found = facts(text)
    assert places(found) == [("not_json_lines", 1, 0, len(text))]
    assert (found.findings[0].value_count, found.values, found.ok_lines) == (many, many, 0)
    assert found.lines == many * len(document.splitlines())


def test_one_record_spread_over_two_lines_among_good_ones_is_no_document() -> None:
    """A file of records stays one, with a finding at each line that is broken."""
    found = facts(lines(b'{"a":1,', b'"b":2}', *[R1] * 10))
    assert [(one.fault, one.line) for one in found.findings] == [("cut", 1), ("bad_json", 2)]
    assert found.ok_lines == 10


def test_a14_an_empty_file_and_one_without_a_conversation() -> None:
    """Both are sound."""
    empty = facts(b"")
    assert (empty.clean, empty.lines, empty.final_newline, noted(empty)) == (True, 0, None, {"empty_file": 1})
    snapshot = b'{"type":"file-history-snapshot","messageId":"m","snapshot":{}}'
    assert facts(lines(snapshot, snapshot)).ok_lines == 2


def test_a15_a_last_record_without_a_line_feed_is_whole() -> None:
    """It is a note, not an incomplete tail."""
    found = facts(lines(R1) + R2)
    assert (found.clean, found.ok_lines, found.final_newline) == (True, 2, False)
    assert noted(found) == {"no_final_lf": 1}


def test_a16_a_byte_order_mark_is_noted_and_its_line_is_good() -> None:
    """It is passed over at the begin of a line, and counts among the bytes."""
    found = facts(lines(b"\xef\xbb\xbf" + R1, R2))
    assert (found.clean, found.ok_lines, noted(found)) == (True, 2, {"bom": 1})
    assert found.bytes == len(R1) + len(R2) + 5
    assert noted(facts(b"\xef\xbb\xbf")) == {"bom": 1, "empty_line": 1, "no_final_lf": 1}


def test_a17_carriage_returns_are_counted_and_change_nothing() -> None:
    """CR LF ends and a lone CR between tokens are notes; one inside a string is no JSON."""
    found = facts(lines(R1 + b"\r", R2, R3 + b"\r", b'{"a":\r1}', b"\r"))
    assert (found.clean, found.ok_lines) == (True, 4)
    assert noted(found) == {"crlf": 3, "lone_cr": 1, "whitespace_line": 1}
    assert facts(b'{"a":"\r"}\n').findings[0].fault == "bad_json"
    assert noted(facts(R1 + b"\r")) == {"lone_cr": 1, "no_final_lf": 1}


def test_a18_only_the_line_feed_ends_a_line() -> None:
    """U+2028, U+2029, U+0085, and escaped VT and FF stand inside one line; the first two are noted."""
    found = facts(lines(record(1, "a\u2028b\u2029c\u0085d\u000b\u000c")))
    assert (found.lines, found.ok_lines, noted(found)) == (1, 1, {"line_separator": 1})
    assert noted(facts(lines(record(1, "\u2027\u202a\u20a8")))) == {}


def test_b01_half_a_surrogate_pair_is_valid_and_noted() -> None:
    """A truncated emoji is no fault of the framing."""
    found = facts(lines(b'{"text":"\\ud83d\xe2\x80\xa6"}', b'{"text":"\\ud83d\\ude00"}'))
    assert (found.clean, found.ok_lines, noted(found)) == (True, 2, {"lone_surrogate": 1})


def test_b04_escaped_nul_characters_are_not_nul_bytes() -> None:
    """A thousand of them are an ordinary string."""
    found = facts(lines(b'{"text":"' + b"\\u0000" * 1_000 + b'"}'))
    assert (found.clean, found.ok_lines, found.notes) == (True, 1, ())


@pytest.mark.parametrize(("octets", "at"), [(b"\xe9", 0), (b"\xed\xa0\xbd\xed\xb8\x80", 0), (b"abc\xf0\x9f\x98", 3)])
def test_b06_bytes_that_are_not_utf8_are_found_at_their_offset(octets: bytes, at: int) -> None:
    """Latin-1, CESU-8 and a cut character: the line is a finding, the next is good, nothing is replaced."""
    found = facts(lines(R1, b'{"text":"' + octets + b'"}', R2))
    assert [(one.fault, one.line) for one in found.findings] == [("invalid_utf8", 2)]
    assert found.findings[0].bad_utf8_at == len(R1) + 1 + 9 + at
    assert (found.ok_lines, found.values) == (2, 2)


def test_b08_what_parsers_disagree_about_is_told_apart() -> None:
    """Duplicate keys at any depth and huge integers are notes; NaN, Infinity and 100,000 levels are findings."""
    deep = b"[" * 100_000 + b"]" * 100_000
    huge = b'{"a":' + b"9" * 5_000 + b"}"
    found = facts(lines(b'{"a":1,"\\u0061":2}', b'{"x":[{"b":1,"b":2}]}', b'{"a":NaN}', b'{"a":-Infinity}', huge, deep))
    assert [(one.fault, one.line) for one in found.findings] == [("bad_json", 3), ("bad_json", 4), ("depth", 6)]
    assert noted(found) == {"duplicate_key": 2, "huge_integer": 1}
    assert found.ok_lines == 3


@pytest.mark.parametrize("size", [300_000, 2_000_000, 6_000_000])
def test_c01_c04_long_lines_are_judged_beside_their_neighbours(size: int) -> None:
    """A line far beyond a slot, and beyond what the fast parser is given, is judged like any other."""
    long = record(2, "x\\\u00e9" * (size // 4))
    found = facts(lines(R1, long, R3))
    assert (found.clean, found.ok_lines, found.longest_line_bytes) == (True, 3, len(long))
    broken = facts(lines(R1, long[:-1], R3))
    assert places(broken) == [("cut", 2, len(R1) + 1, len(long) - 1)]


def test_c04_a_line_above_the_limit_is_counted_and_not_judged() -> None:
    """It is a finding of its full length; its neighbours are judged, and no byte is left out of the counts."""
    long = record(2, "x" * 300_000)
    for limit in (1_000, 200_000):
        found = facts(lines(R1, long, R3), max_line_bytes=limit)
        assert places(found) == [("over_limit", 2, len(R1) + 1, len(long))]
        assert (found.ok_lines, found.longest_line_bytes) == (2, len(long))
        assert found.bytes == len(R1) + len(long) + len(R3) + 3
    assert facts(R1 + b"\n" + long, max_line_bytes=1_000).findings[0].fault == "over_limit"
    assert facts(lines(long), max_line_bytes=len(long)).clean


def test_c08_near_identical_lines_are_all_counted() -> None:
    """Nothing is taken for a repetition."""
    line = b'{"timestamp":"2026-03-01T09:00:00Z","type":"compacted","payload":{"m":"' + b"y" * 900_000 + b'"}}'
    found = facts(lines(line, line, line))
    assert (found.ok_lines, found.values, found.types[0].lines) == (3, 3, 3)


@pytest.mark.parametrize(
    "rows",
    [
        [R1, R2, R1, R2],
        [b'{"type":"saved_hook_context","uuid":"u"}'] * 274,
        [b'{"type":"pr-link","prNumber":1}', R1],
        [b'{"type":"mode"}', b'{"type":"permission-mode"}', b'{"type":"file-history-snapshot"}', R1],
        [b'{"type":"started","agent":"a"}', b'{"type":"result","agent":"a"}'],
        [b'{"_audit_hmac":"00","session_id":"s","type":"result"}', R1],
        [b'{"timestamp":"t","type":"session_meta","payload":{}}'] * 29,
        [b'{"event_type":"x"}', b'{"event_type":"y"}'],
    ],
)
def test_d01_to_d18_and_g05_structure_is_never_a_framing_fault(rows: list[bytes]) -> None:
    """Repeated ids, unknown types, bookkeeping, journals, audit rows and telemetry are sound lines."""
    found = facts(lines(*rows))
    assert (found.clean, found.ok_lines) == (True, len(rows))


def test_types_and_key_sets_are_counted_as_labels() -> None:
    """What a record is called is in the facts as a label; the words are handed out beside them."""
    text = lines(
        R1, R2, b'{"type":"mode","a":1}', b'{"a":1,"type":"mode"}', b'{"type":{}}', b'{"type":"' + b"t" * 200 + b'"}'
    )
    told = framed(text, Asked(keys=True))
    words = dict(told.words)
    assert [(words[one.label], one.lines) for one in told.facts.types] == [("user", 2), ("mode", 2)]
    assert told.facts.types_beyond == 1
    assert isinstance(told.facts.key_sets, tuple)
    assert [(sorted(words[key] for key in one.keys), one.lines) for one in told.facts.key_sets][:3] == [
        (["message", "timestamp", "type", "uuid"], 2),
        (["a", "type"], 2),
        (["type"], 2),
    ]
    assert "user" not in repr(told.facts)
