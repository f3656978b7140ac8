"""Which secrets are no key of this source: a key of another vendor is told before it is sent anywhere.

- A key of an unknown form is sent: prefixes are the vendor's to change.
"""

from typing import Final

from agentaudit.errors import SourceRefused
from agentaudit.sources.compliance.keys import Key

_ANOTHER_VENDOR: Final = "sk-ant-"


def refuse_foreign(key: Key) -> None:
    """A key of another vendor ends in SourceRefused (5): it is nobody's business here."""
    if key.reveal().startswith(_ANOTHER_VENDOR):
        raise SourceRefused(
            "this is a key of another vendor, not one of OpenAI's Compliance API: it was not sent",
            "give the key that OpenAI's support enabled for the Compliance API",
        )
