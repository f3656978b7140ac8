"""The gate in front of every endpoint: keys, scopes and the two request budgets.

Laws:
    - No key, or a key of another family, is answered like a wrong path: a bare ``Not found`` (section 5).
    - A refused key costs nothing; a missing scope costs one request (section 1.2).
    - The budgets belong to the parent organisation, whatever key asks.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.errors import Documented, Problem, Refusal, refused
from agentaudit.demo.jsontext import stamp

if TYPE_CHECKING:
    from datetime import datetime

    from agentaudit.demo.people import Key
    from agentaudit.demo.wire import WireRequest

_WINDOW = timedelta(minutes=1)
_FAMILIES = tuple(f"sk-ant-{family}-" for family in ("api01", "admin01"))
_ALL_READS = "read:org_audit"


class Budget:
    """So many requests in a window of one minute; the window opens with the first request in it.

    The shape of the real window is not published; a fixed window is the simplest that fits the headers.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._spent = 0
        self._opened: datetime | None = None

    def take(self, now: datetime) -> bool:
        """Spends one request; False when none is left in this window."""
        if self._opened is None or not timedelta() <= now - self._opened < _WINDOW:
            self._opened, self._spent = now, 0
        if self._spent >= self.limit:
            return False
        self._spent += 1
        return True

    def seconds_left(self, now: datetime) -> int:
        """Whole seconds until the full budget returns, at least one."""
        return max(1, -int(-(self._reset(now) - now).total_seconds() // 1))

    def headers(self, now: datetime) -> tuple[tuple[str, str], ...]:
        """The three ``anthropic-ratelimit-requests-*`` headers of an authenticated answer (section 1.2)."""
        return (
            ("anthropic-ratelimit-requests-limit", str(self.limit)),
            ("anthropic-ratelimit-requests-remaining", str(self.limit - self._spent)),
            ("anthropic-ratelimit-requests-reset", stamp(self._reset(now))),
        )

    def _reset(self, now: datetime) -> datetime:
        return (self._opened or now) + _WINDOW


class Gate:
    """Knows the keys and holds the budgets."""

    def __init__(self, keys: tuple[Key, ...], shared: int, remote: int) -> None:
        self.keys = {key.name: key for key in keys}
        self.shared = Budget(shared)
        self.remote = Budget(remote)

    def admit(self, request: WireRequest) -> Key:
        """The key of a request.

        Raises:
            Refusal: a bare 404 for no key or another family, a 401 for one that is unknown or not active.
        """
        secret = request.header("x-api-key")
        if secret is None or not secret.startswith(_FAMILIES):
            raise refused(Documented.NOT_FOUND)
        key = next((known for known in self.keys.values() if known.secret == secret), None)
        if key is None or not key.active:
            raise refused(Documented.BAD_KEY)
        return key

    def spend(self, now: datetime) -> None:
        """Takes one request from the shared budget, or refuses with the seconds until it returns."""
        if not self.shared.take(now):
            raise Refusal(replace(Documented.SHARED_BUDGET.value, retry_after=self.shared.seconds_left(now)))

    def spend_remote(self, now: datetime) -> None:
        """Takes one request from the remote budget; its refusal always says one second (section 1.2)."""
        if not self.remote.take(now):
            raise refused(Documented.REMOTE_BUDGET)

    def revoke(self, name: str) -> None:
        """Deactivates a key; the next request with it is refused (section 1.1)."""
        self.keys[name] = replace(self.keys[name], active=False)


def require_scope(key: Key, scope: str) -> None:
    """Refuses a key that has neither the scope nor the one that opens every read (sections 1.1 and 5).

    Raises:
        Refusal: a 403 that lists what the key has and what is needed.
    """
    if scope in key.scopes or _ALL_READS in key.scopes:
        return
    has = ", ".join(sorted(key.scopes)) or "none"
    text = f"Missing required scopes. Needed: {scope} or {_ALL_READS}. The key has: {has}."
    raise Refusal(Problem(403, "permission_error", text))
