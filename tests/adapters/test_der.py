"""DER: what is read, what is written, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.der import INTEGER, NULL, OCTETS, OID, SEQUENCE, SET, NotDer, element, number, read


@given(st.binary(max_size=70_000) | st.integers(0, 70_000).map(bytes))
def test_what_is_written_is_read_again(content: bytes) -> None:
    """Short and long lengths alike."""
    node = read(element(OCTETS, content))
    assert (node.tag, node.content) == (OCTETS, content)


@given(st.integers(0, 2**64))
def test_a_number_is_read_again(value: int) -> None:
    """A leading zero keeps it from being negative."""
    assert read(number(value)).integer() == value


@pytest.mark.parametrize(
    ("hexed", "dotted"),
    [("06092a864886f70d010702", "1.2.840.113549.1.7.2"), ("0603550403", "2.5.4.3"), ("06022a03", "1.2.3")],
)
def test_an_object_identifier_is_dotted(hexed: str, dotted: str) -> None:
    """The first octet holds two arcs (X.690, section 8.19)."""
    assert read(bytes.fromhex(hexed)).oid() == dotted


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"\x30",
        b"\x30\x05\x00",
        b"\x30\x80\x00\x00",
        b"\x30\x85\x01\x00\x00\x00\x00\x00",
        b"\x30\x82\x01",
        b"\x1f\x01\x00",
        b"\x05\x00\x05\x00",
    ],
)
def test_what_is_cut_short_or_indefinite_is_refused(octets: bytes) -> None:
    """No length is believed beyond the bytes that are there, and one element is one."""
    with pytest.raises(NotDer):
        read(octets)


def test_another_type_than_the_one_expected_is_refused() -> None:
    """Each question names the type that it is about."""
    null, two = read(element(NULL, b"")), read(element(SEQUENCE, number(1) + number(2)))
    for question in (null.integer, null.oid, lambda: two.parts(SET), lambda: two.one(INTEGER)):
        with pytest.raises(NotDer):
            question()
    for octets in (element(INTEGER, b""), element(OID, b""), element(OID, b"\x81")):
        node = read(octets)
        with pytest.raises(NotDer):
            (node.integer if node.tag == INTEGER else node.oid)()
    assert [part.integer() for part in two.parts(SEQUENCE)] == [1, 2]
    with pytest.raises(NotDer):
        read(element(SEQUENCE, number(1))).one(SET)
