"""Certificates as text."""

import ssl

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.pem import pem_of


@given(st.binary(min_size=1, max_size=300))
def test_the_text_is_that_of_the_standard_library(der: bytes) -> None:
    """Lines of 64 characters between the two marks, and the same bytes again."""
    assert pem_of(der).decode() == ssl.DER_cert_to_PEM_cert(der)
    assert ssl.PEM_cert_to_DER_cert(pem_of(der).decode()) == der
