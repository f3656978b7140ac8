"""Which secrets are no token of the bridge: keys of a model's vendor are told before they are sent anywhere.

- A token of an unknown form is sent: prefixes are the vendor's to change.
"""

from agentaudit.errors import SourceRefused
from agentaudit.sources.compliance.keys import Key

_VENDOR = "sk-"


def refuse_foreign(key: Key) -> None:
    """A key of a model's vendor ends in SourceRefused (5): it is nobody's business on another listener."""
    if key.reveal().startswith(_VENDOR):
        raise SourceRefused(
            "this is a key of a model's vendor, not a token of the bridge: it was not sent",
            "make a token with the scope `read` in the bridge's console",
        )
