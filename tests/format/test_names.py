"""Names that every system reads alike."""

import pytest

from agentaudit.format.names import is_portable, twin_key


@pytest.mark.parametrize(
    "name", ["data/script/000001-2.json", "bag-info.txt", "agentaudit/VERIFY.txt", ".hidden", "_x"]
)
def test_a_plain_name_is_portable(name: str) -> None:
    """ASCII letters, digits, dot, underscore, hyphen."""
    assert is_portable(name)


@pytest.mark.parametrize(
    "name",
    [
        "a b", "a:b", "a\\b", "a%b", "é", "-x", "..", ".", "a/../b", "", "a//b", "a/", "x.", "NUL", "data/com1.json",
        "a" * 101, "/".join(["aaaa"] * 50), "a\n", "\udcff",
    ],
)  # fmt: skip
def test_a_name_that_some_system_reads_otherwise_is_not(name: str) -> None:
    """Spaces, separators of others, devices, dots alone, and whatever is too long."""
    assert not is_portable(name)


def test_twins_have_one_key() -> None:
    """Case and Unicode normalisation make no difference; letters do."""
    assert twin_key("data/\u00c9.json") == twin_key("DATA/e\u0301.JSON")
    assert twin_key("data/a") != twin_key("data/b")
