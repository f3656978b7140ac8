"""Whether a folder is an extract: cheap, so that a check can ask before it loads anything else."""

from pathlib import Path

EXTRACT = "extract.json"


def is_extract(path: Path) -> bool:
    """True when the path is a folder that holds an extract.json."""
    return (path / EXTRACT).is_file()
