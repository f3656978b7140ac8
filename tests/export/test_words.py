"""The words of the documents."""

from typing import get_args

import pytest

from agentaudit.export.sentences import AUTHENTICITY, KINDS, OUTCOMES, WHY
from agentaudit.export.words import attention, label, number, plainly, sentence, value
from agentaudit.model.actors import EndpointClass
from agentaudit.model.journal import Outcome
from agentaudit.model.losses import GapKind, Truncation
from agentaudit.model.verdict import Authenticity


@pytest.mark.parametrize("endpoint_class", [*get_args(EndpointClass), "brand_new", None])
def test_what_is_not_the_vendor_s_is_headed(endpoint_class: str | None) -> None:
    """Only the vendor's API and a real store are told without attention; a service here is no demonstration."""
    words = attention(endpoint_class)
    assert (words is None) == (endpoint_class in ("vendor", "store"))
    assert words is None or words.startswith("DEMONSTRATION") == (endpoint_class != "local_service")


def test_every_outcome_kind_and_verdict_has_a_sentence() -> None:
    """No coded word that a reader meets at the head of a document is left without a sentence."""
    assert set(OUTCOMES) == set(get_args(Outcome))
    assert set(KINDS) == {"clipped", *get_args(GapKind)}
    assert set(AUTHENTICITY) == set(get_args(Authenticity))
    assert set(get_args(Truncation.__annotations__["by"])) <= set(WHY)


def test_a_code_without_a_sentence_is_told_as_the_code() -> None:
    """A new code is never dropped; nothing at all is told as such."""
    assert sentence(WHY, "brand_new_code") == "brand new code"
    assert sentence(WHY, None) == "not stated"
    assert plainly("a_b") == "a b"


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("attempts", "Attempts at one question"),
        ("request_headers.accept", "Request header accept"),
        ("new_key", "new key"),
    ],
)
def test_a_key_has_a_name(key: str, name: str) -> None:
    """Limits and facts of the machine are named as people name them."""
    assert label(key) == name


def test_values_are_told_as_people_write_them() -> None:
    """Null, truth values and long numbers; a text that is no number stays."""
    assert [value(text) for text in ("null", "true", "false", "x")] == ["none", "yes", "no", "x"]
    assert [number(text) for text in ("67108864", "max", "\u0661")] == ["67,108,864", "max", "\u0661"]
