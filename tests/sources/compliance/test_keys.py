"""The key: held, told by its family, never shown."""

import pytest

from agentaudit.errors import SourceRefused
from agentaudit.sources.compliance.keys import Key, refuse_family


def made(family: str) -> Key:
    """A fake key of a family, built from parts."""
    return Key("-".join(("sk", "ant", family, "x" * 20)))


def test_a_key_shows_its_length_only() -> None:
    """repr, str and format alike; the surrounding white space is no part of it."""
    key = Key("  secretsecret\n")
    assert {repr(key), str(key), f"{key}", f"{key:>40}"} == {"Key(12 characters)"}
    assert key.reveal() == "secretsecret"


@pytest.mark.parametrize(
    ("family", "name"), [("api01", "compliance"), ("admin01", "admin"), ("api03", "api"), ("new", "unknown")]
)
def test_the_family_is_told_from_the_prefix(family: str, name: str) -> None:
    """Four families, one of them unknown."""
    assert made(family).family == name


@pytest.mark.parametrize("family", ["admin01", "api03"])
def test_a_key_that_reads_no_session_is_refused_before_it_is_sent(family: str) -> None:
    """With the one next step, and without a part of the key."""
    with pytest.raises(SourceRefused) as refused:
        refuse_family(made(family))
    assert refused.value.hint
    assert "xxx" not in refused.value.message


@pytest.mark.parametrize("family", ["api01", "new"])
def test_a_fitting_key_and_one_of_an_unknown_form_are_sent(family: str) -> None:
    """Prefixes are the vendor's to change."""
    refuse_family(made(family))


def test_a_fingerprint_tells_keys_apart() -> None:
    """Sixteen hex digits."""
    assert made("api01").fingerprint != made("new").fingerprint
    assert len(made("api01").fingerprint) == 16


def test_a_key_is_found_in_bytes_and_nothing_is_found_for_an_empty_one() -> None:
    """An echo is noticed; an empty key stands nowhere."""
    assert made("api01").appears_in(f"x{made('api01').reveal()}y".encode())
    assert not made("api01").appears_in(b"nothing")
    assert not Key("").appears_in(b"nothing")
