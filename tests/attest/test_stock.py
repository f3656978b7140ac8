"""The stock tools, run quietly."""

import os
from pathlib import Path

import pytest

from agentaudit.attest.stock import Stock
from agentaudit.errors import UsageFault
from tests.support.scripts import first_line


def tool(folder: Path, name: str, script: str) -> Stock:
    """A tool of that name that runs a script of Python; the only one on its path."""
    place = folder / name
    place.write_text(f"{first_line(folder)}{script}\n")
    place.chmod(0o700)
    return Stock({"PATH": str(folder), "HOME": "h", "SECRET": "s", "SSH_ASKPASS": "x", "DISPLAY": ":0"})


def test_a_tool_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Status 2, and what to install."""
    stock = Stock({"PATH": str(tmp_path)})
    assert stock.find("openssl") is None
    with pytest.raises(UsageFault, match="openssl was not found"):
        stock.run("openssl", "version")
    assert not stock.judges_time()


def test_a_tool_sees_only_what_it_needs(tmp_path: Path) -> None:
    """No variable but those of the list, no askpass, no terminal; the bytes come on standard input."""
    script = "import os, sys; print(*sorted(os.environ), sys.stdin.read(), os.getsid(0) == os.getpid())"
    ran = tool(tmp_path, "openssl", script).run("openssl", octets=b"in")
    seen = ran.out.decode().split()
    assert {"HOME", "LC_ALL", "PATH", "SSH_ASKPASS_REQUIRE"} <= set(seen)
    assert not {"SECRET", "SSH_ASKPASS", "DISPLAY"} & set(seen)
    assert seen[-2:] == ["in", "True"]
    assert ran.ok


def test_a_tool_that_says_no_or_takes_too_long_is_not_ok(tmp_path: Path) -> None:
    """A time-out is no yes."""
    assert not tool(tmp_path, "openssl", "raise SystemExit(3)").run("openssl").ok
    assert not tool(tmp_path, "openssl", "import time; time.sleep(9)").run("openssl", seconds=1).ok


@pytest.mark.parametrize(("words", "can"), [("OpenSSL 3.0.1 x", True), ("LibreSSL 3.3.6", False)])
def test_only_openssl_judges_a_stamp_at_its_own_time(tmp_path: Path, words: str, can: bool) -> None:
    """LibreSSL knows no -attime."""
    assert tool(tmp_path, "openssl", f"print({words!r})").judges_time() is can


def test_without_a_path_of_its_own_the_system_s_is_searched() -> None:
    """An environment that says nothing hides no tool."""
    assert (Stock({}).find("openssl") is None) == (Stock(os.environ).find("openssl") is None)
