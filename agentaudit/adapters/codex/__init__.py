"""Codex's home folder, read without I/O: what a path is, what may be kept, what a rollout and the databases show.

- One adapter, one version: what it says of a store is said by `ADAPTER`.
"""

from typing import Final

ADAPTER: Final = "codex/1"
