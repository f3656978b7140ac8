"""One planted string in everything that is content, so that tests can hunt for leaks.

Laws:
    - It stands at the front, so that cutting a long string never removes it.
    - A tool input that was a JSON object stays one.
    - Identifiers, enumerations and exact error texts stay as they are: clients match on them.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentaudit.demo.jsontext import text_of

_EXACT = "Not found"


@dataclass(frozen=True, slots=True)
class Canary:
    """The planted string; empty: nothing is planted."""

    mark: str = ""

    def text(self, text: str) -> str:
        """A text, a name, a settings value."""
        return f"{self.mark} {text}" if self.mark else text

    def mail(self, address: str) -> str:
        """An address that still has one ``@``."""
        return f"{self.mark}+{address}" if self.mark else address

    def tool_name(self, name: str) -> str:
        """The name of a connector's tool, which a customer chose; names of built-in tools stay."""
        return f"{name}_{self.mark}" if self.mark and name.startswith("mcp__") else name

    def tool_input(self, raw: str) -> str:
        """A JSON-encoded tool input with one more member at its front."""
        if not self.mark or not raw.startswith("{"):
            return self.text(raw)
        rest = raw[1:].lstrip()
        return f'{{"canary":{text_of(self.mark)}{"" if rest.startswith("}") else ","}{rest}'

    def complaint(self, message: str) -> str:
        """The message of an error, unless it must be exact."""
        return f"{message} {self.mark}" if self.mark and message != _EXACT else message

    def headers(self) -> tuple[tuple[str, str], ...]:
        """One extra header that nobody documents."""
        return (("x-canary", self.mark),) if self.mark else ()
