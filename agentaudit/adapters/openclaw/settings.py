"""What a configuration says of the ledger's coverage: the values of `logging.audit`, and nothing else of the file.

- The rest of the file holds tokens and addresses: it is not kept and not looked at.
- A default that nobody wrote down is `unset`, never filled in. A switch that was off left no rows, and nothing is
  filled in later.
"""

from collections.abc import Mapping
from typing import Final

from agentaudit.encoding.foreign import NotJson, decode
from agentaudit.encoding.skeleton import Json

SWITCHES: Final = ("enabled", "executionIdentity", "messages")
_MODES: Final = frozenset({"off", "direct", "all"})


def audit_settings(octets: bytes) -> dict[str, str] | None:
    """Each switch as `true`, `false`, a mode of messages, `unset` or `other`; None when the file is not plain JSON."""
    try:
        value = decode(octets)
    except NotJson:
        return None
    audit = _object(_object(_mapping(value), "logging"), "audit")
    return {name: _said(audit, name) for name in SWITCHES}


def _said(audit: Mapping[str, Json], name: str) -> str:
    if name not in audit:
        return "unset"
    value = audit[name]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) and value in _MODES else "other"


def _object(value: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    return _mapping(value.get(name))


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}
