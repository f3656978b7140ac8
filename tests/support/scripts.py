"""Executable scripts of tests, wherever the project lies."""

import sys
from pathlib import Path


def first_line(folder: Path) -> str:
    """The first line of a script in that folder: this interpreter by a link, for its own path may hold blanks."""
    link = folder / "interpreter"
    if not link.is_symlink():
        link.symlink_to(sys.executable)
    return f"#!{link}\n"
