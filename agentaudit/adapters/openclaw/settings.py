"""What a configuration says of the ledger's coverage: the values of `logging.audit`, and nothing else of the file.

- The rest of the file holds tokens and addresses: it is not kept and not looked at.
- A default that nobody wrote down is `unset`, never filled in. A switch that was off left no rows, and nothing is
  filled in later.
- A block `audit` at the root is no setting: the Gateway rejects it, and that it is there is all that is said.
"""

from collections.abc import Mapping
from typing import Final, Literal

from agentaudit.encoding.foreign import NotJson, decode
from agentaudit.encoding.skeleton import Json

SwitchName = Literal["enabled", "executionIdentity", "messages", "root_block"]
Switch = Literal["true", "false", "off", "direct", "all", "unset", "other"]

_SWITCHES: Final[tuple[SwitchName, ...]] = ("enabled", "executionIdentity", "messages")
_MODES: Final[Mapping[str, Switch]] = {"off": "off", "direct": "direct", "all": "all"}


def audit_settings(octets: bytes) -> tuple[tuple[SwitchName, Switch], ...] | None:
    """Each switch as `true`, `false`, a mode of messages, `unset` or `other`; None when the file is not plain JSON."""
    try:
        value = decode(octets)
    except NotJson:
        return None
    root = _mapping(value)
    audit = _mapping(_mapping(root.get("logging")).get("audit"))
    block: Switch = "true" if "audit" in root else "false"
    return (*((name, _said(audit, name)) for name in _SWITCHES), ("root_block", block))


def _said(audit: Mapping[str, Json], name: str) -> Switch:
    if name not in audit:
        return "unset"
    value = audit[name]
    if isinstance(value, bool):
        return "true" if value else "false"
    return _MODES.get(value, "other") if isinstance(value, str) else "other"


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
