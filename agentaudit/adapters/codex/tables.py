"""What is read of the databases: identifiers, paths, offsets and ordinals; no title, no prompt, no item.

- A table is known by name and columns; whether a release has it, and which columns, its reader finds out.
- A row is a plain tuple in the order of the columns, text as the bytes it is.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

Row: TypeAlias = tuple[int | float | bytes | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table that is read: the family of its database, its name, and its columns in the order of a row."""

    family: str
    name: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of one table, text as bytes; a column that the table lacks is None. `cut`: there are more.

    `present` is false when the database has no such table, or something else of that name.
    """

    table: Table
    present: bool
    rows: tuple[Row, ...] = ()
    cut: bool = False


THREADS: Final = Table("state", "threads", ("id", "rollout_path", "archived"))
EDGES: Final = Table("state", "thread_spawn_edges", ("parent_thread_id", "child_thread_id"))
PROJECTED: Final = Table(
    "thread_history",
    "thread_history_projection_state",
    ("thread_id", "next_rollout_byte_offset", "next_rollout_ordinal"),
)
TURNS: Final = Table("thread_history", "thread_turns", ("thread_id", "rollout_end_byte_offset", "rollout_end_ordinal"))
