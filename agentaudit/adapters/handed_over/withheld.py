"""The word that a file may not be packed, and which form it has; whoever copies knows it, whatever is copied."""

from typing import Literal, TypeAlias

Form: TypeAlias = Literal["credentials", "databases", "settings"]


class Withheld(Exception):
    """What was fed may not be packed; `form` is all that it says of it."""

    def __init__(self, form: Form = "credentials") -> None:
        """Name the form; nothing of the bytes is in it."""
        super().__init__(form)
        self.form: Form = form
