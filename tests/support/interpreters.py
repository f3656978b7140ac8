"""Stacks of different room, as releases of the interpreter and callers have them."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Room for what every reader needs with a bound of 256 levels, and for less than the deepest text of any test.
SHALLOW_STACK = 400
DEEP_STACK = 20_000


@contextmanager
def stack_of(room: int) -> Iterator[None]:
    """Let calls nest so many deep from here on."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + room)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
