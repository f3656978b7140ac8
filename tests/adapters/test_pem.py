"""Certificates as text."""

import ssl

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.pem import ders_of, pem_of


@given(st.binary(min_size=1, max_size=300))
def test_the_text_is_that_of_the_standard_library(der: bytes) -> None:
    """Lines of 64 characters between the two marks, and the same bytes again."""
    assert pem_of(der).decode() == ssl.DER_cert_to_PEM_cert(der)
    assert ssl.PEM_cert_to_DER_cert(pem_of(der).decode()) == der


@given(st.lists(st.binary(min_size=1, max_size=90), max_size=4))
def test_every_certificate_of_a_text_is_found(ders: list[bytes]) -> None:
    """Several in one text are several, whatever stands between them."""
    text = b"a word of the authority\n".join((b"", *map(pem_of, ders)))
    assert list(ders_of(text)) == ders


def test_what_is_no_base64_is_passed_over() -> None:
    """A block that cannot be undone is no certificate, and hides no other."""
    broken = pem_of(b"abc").replace(b"YWJj", b"Y")
    assert list(ders_of(broken + pem_of(b"x"))) == [b"x"]
