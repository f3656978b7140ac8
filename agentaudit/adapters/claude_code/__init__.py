"""Claude Code's local store, read without I/O: what a path is, what may be kept, what a transcript shows, what lacks.

- One adapter, one version: what it says of a store is said by `ADAPTER`.
"""

from typing import Final

ADAPTER: Final = "claude-code/1"
