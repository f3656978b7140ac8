"""The ids of sessions in a file."""

from pathlib import Path

import pytest

from agentaudit.cli.idfile import ids_in_file
from agentaudit.errors import UsageFault


def test_a_file_of_ids_may_hold_blank_lines_and_remarks(tmp_path: Path) -> None:
    """One id a line; a byte-order mark and CRLF do no harm."""
    path = tmp_path / "ids"
    path.write_bytes("\ufeff# reviewed\r\n\r\nclls_1\r\n  cse_2  \n".encode())
    assert ids_in_file(path) == ("clls_1", "cse_2")


@pytest.mark.parametrize("content", [b"", b"# nothing\n\n", b"\xff\xfe\n"])
def test_a_file_that_names_no_session_is_refused(tmp_path: Path, content: bytes) -> None:
    """An empty selection is never taken for everything."""
    path = tmp_path / "ids"
    path.write_bytes(content)
    with pytest.raises(UsageFault):
        ids_in_file(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The reason is the system's own."""
    with pytest.raises(UsageFault, match="No such file"):
        ids_in_file(tmp_path / "ids")


def test_a_file_beyond_all_measure_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of ids has a bound."""
    monkeypatch.setattr("agentaudit.cli.idfile.FILE_MAX_BYTES", 4)
    path = tmp_path / "ids"
    path.write_bytes(b"clls_1\n")
    with pytest.raises(UsageFault, match="larger"):
        ids_in_file(path)
