"""The names of what attests a seal."""

import pytest

from agentaudit.format.attestations import Mark, chain_name, next_number, read_name, signature_name, stamp_name

BASE = "tagmanifest-sha256.txt"


@pytest.mark.parametrize(
    ("suffix", "mark"),
    [
        ("1.sig", Mark("signature", 1)),
        ("9999.sig", Mark("signature", 9999)),
        ("12.tsr", Mark("stamp", 12)),
        ("12.tsr.pem", Mark("chain", 12)),
        ("3.sig.4.tsr", Mark("stamp", 4, 3)),
        ("3.sig.4.tsr.pem", Mark("chain", 4, 3)),
    ],
)
def test_a_name_says_kind_number_and_what_it_is_over(suffix: str, mark: Mark) -> None:
    """Signatures, tokens, tokens over signatures, and the certificates beside a token."""
    assert read_name(f"{BASE}.{suffix}") == mark


@pytest.mark.parametrize(
    "suffix",
    [
        "0.sig",
        "01.sig",
        "sig",
        "1.asc",
        "1.tsr.1.sig",
        "1.sig.0.tsr",
        "10000.sig",
        "1.sig\n",
        "1.sig.pem",
        "1.pem",
        "1.tsr.pem.pem",
    ],
)
def test_any_other_name_is_no_attestation(suffix: str) -> None:
    """The set of unlisted names is closed."""
    assert read_name(f"{BASE}.{suffix}") is None


def test_what_is_named_is_read_again() -> None:
    """Writing and reading names are inverse."""
    names = {
        signature_name(2): Mark("signature", 2),
        stamp_name(2): Mark("stamp", 2),
        stamp_name(5, 2): Mark("stamp", 5, 2),
        chain_name(stamp_name(5, 2)): Mark("chain", 5, 2),
    }
    assert {name: read_name(name) for name in names} == names


def test_names_are_put_in_order_by_kind_and_number() -> None:
    """Ten comes after nine; a stamp over the seal before one over a signature."""
    marks = [Mark("stamp", 1, 1), Mark("stamp", 10), Mark("signature", 2), Mark("stamp", 9)]
    assert sorted(marks, key=lambda one: one.place) == [marks[2], marks[3], marks[1], marks[0]]


def test_a_number_is_never_used_twice() -> None:
    """The next number is above all of its kind, also where one between is free, and a token's certificates take it."""
    names = [f"{BASE}.1.sig", f"{BASE}.4.sig", f"{BASE}.2.tsr.pem", f"{BASE}.4.sig.1.tsr", "other"]
    assert next_number(names, "signature") == 5
    assert next_number(names, "stamp") == 3
    assert next_number(names, "stamp", 4) == 2
    assert next_number(names, "stamp", 1) == 1
    assert next_number([], "signature") == 1
