"""What lies beside a root: names and the text of a link, and nothing through a link."""

from pathlib import Path

import pytest

from agentaudit.sources.local.beside import names_below, target_below
from tests.sources.local.unprivileged import as_nobody

PLACE = (b"a", b"b")


def test_the_names_of_a_folder_below(tmp_path: Path) -> None:
    """Sorted as bytes."""
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    for name in ("2", "1"):
        (folder / name).touch()
    assert names_below(bytes(tmp_path), PLACE) == (b"1", b"2")


def test_a_link_on_the_way_is_not_followed(tmp_path: Path) -> None:
    """Neither for names nor for the text of a link."""
    (tmp_path / "real" / "b").mkdir(parents=True)
    (tmp_path / "real" / "b" / "secret").touch()
    (tmp_path / "real" / "link").symlink_to("secret")
    (tmp_path / "a").symlink_to("real")
    assert names_below(bytes(tmp_path), PLACE) == ()
    assert target_below(bytes(tmp_path), (b"a", b"link")) is None


def test_what_is_not_there_says_nothing(tmp_path: Path) -> None:
    """No folder, no top, a file in the place of a folder, a file in the place of a link."""
    (tmp_path / "file").touch()
    for top in (tmp_path, tmp_path / "none", tmp_path / "file"):
        assert names_below(bytes(top), PLACE) == ()
        assert target_below(bytes(top), PLACE) is None
    assert target_below(bytes(tmp_path), (b"file",)) is None
    assert names_below(bytes(tmp_path), (b"file",)) == ()


def test_the_text_of_a_link_is_told_and_not_where_it_leads(tmp_path: Path) -> None:
    """It may dangle."""
    (tmp_path / "command").symlink_to("/nowhere/2.1.0")
    assert target_below(bytes(tmp_path), (b"command",)) == "/nowhere/2.1.0"


@pytest.mark.parametrize("mode", [0, 0o111])
def test_a_wall_says_nothing(tmp_path: Path, mode: int) -> None:
    """What may not be listed or entered is no error."""
    (tmp_path / "top" / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "top" / "a" / "b").chmod(mode)
    assert as_nobody(tmp_path / "top", lambda _top: names_below(b".", PLACE)) == ()
