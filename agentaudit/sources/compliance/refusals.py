"""Why the source refused, and the one next step, in the user's words (compliance reference, section 5).

- Each cause that the API tells apart is told apart here.
- Nothing from the answer is repeated: an error's text may hold evidence.
"""

from agentaudit.adapters.compliance.errors import ErrorClass
from agentaudit.model.walk import Stop

_RESUME = "go on later with --resume; what was answered is kept"


def _refused(message: str, hint: str) -> Stop:
    return Stop("refused", message, hint)


REDIRECTED = _refused(
    "the source answered with a redirect, which is never followed: the key went nowhere else",
    "give the API's own address with --api-root",
)
KEY_ECHOED = _refused(
    "an answer holds the key itself; it was not kept",
    "check --api-root and --proxy, and replace the key",
)
UNTRUSTED = Stop(
    "unreachable",
    "the connection's TLS certificate could not be verified",
    "give the authority of a proxy that inspects TLS with --ca-file",
)
UNREACHABLE = Stop("unreachable", "the source could not be reached", f"check network and --proxy; {_RESUME}")
GAVE_UP = Stop("unreachable", "a list could not be read: every attempt failed", _RESUME)
BUSY = Stop(
    "unreachable", "the request budget of the organisation stayed used up", f"lower --requests-per-minute; {_RESUME}"
)

REFUSALS: dict[ErrorClass, Stop] = {
    "key_unknown": _refused(
        "the source does not know this kind of key (404 `Not found`): no key, or one of another family",
        "use a Compliance Access Key, made in claude.ai under Organization settings > API",
    ),
    "key_invalid": _refused(
        "the key is invalid, deactivated or expired (401)",
        "make a new Compliance Access Key, or check that it was pasted whole",
    ),
    "scope_missing": _refused(
        "the key lacks a scope (403); a Console Admin key never has it",
        "make a Compliance Access Key with read:compliance_user_data, or read:org_audit",
    ),
    "family_off": _refused(
        "the session endpoints are not available to this organisation at the moment",
        f"ask the organisation's owner, then {_RESUME}",
    ),
    "not_enabled": _refused(
        "the Compliance API is not enabled for this organisation",
        "an owner enables it in claude.ai under Organization settings",
    ),
    "endpoint_missing": _refused(
        "the source has no such endpoint for this key (404)",
        "check --api-root, and that the organisation has Claude Enterprise",
    ),
    "bad_request": _refused(
        "the source does not accept the request (400)",
        "the API may have changed: look for a newer agentaudit",
    ),
    "not_the_api": _refused(
        "the answer does not come from the API: something stands between",
        "check --api-root and --proxy",
    ),
    "unknown_status": _refused(
        "the source answered with a status that its documentation does not list",
        "the API may have changed: look for a newer agentaudit",
    ),
}
