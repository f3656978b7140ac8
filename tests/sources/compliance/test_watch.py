"""Keys that may delete are warned about."""

from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Answer, Ask, Failure, Request
from agentaudit.sources.compliance.policy import CompliancePolicy
from agentaudit.sources.compliance.watch import WatchfulPolicy

SETTINGS = b'{"api_keys":[{"id":"k","is_active":true,"scopes":["read:x","delete:compliance_user_data"]}]}'
ASK = Ask("compliance/context/o0001/settings", 1, Request("/v1/x"), optional=True)


def test_settings_with_a_deleting_key_are_warned_about_once() -> None:
    """An active key with a delete scope in the settings gives one warning, however often it is seen."""
    said: list[str] = []
    policy = WatchfulPolicy(CompliancePolicy(ReadLimits()), said.append)
    for _ in range(2):
        assert policy.judge(ASK, 1, Answer(200, (), SETTINGS)) == CompliancePolicy(ReadLimits()).judge(
            ASK, 1, Answer(200, (), SETTINGS)
        )
    assert len(said) == 1


def test_a_refusal_that_lists_a_delete_scope_is_warned_about() -> None:
    """A 403 that says what the key holds shows its delete scope."""
    said: list[str] = []
    body = b'{"error":{"type":"permission_error","message":"Missing required scopes; has delete:compliance_user_data"}}'
    WatchfulPolicy(CompliancePolicy(ReadLimits()), said.append).judge(ASK, 1, Answer(403, (), body))
    assert said == ["this key may be able to delete: collect with a key that only reads"]


def test_pages_and_failures_are_not_looked_into() -> None:
    """A transcript that speaks of scopes is no settings, and a failure has no words."""
    said: list[str] = []
    policy = WatchfulPolicy(CompliancePolicy(ReadLimits()), said.append)
    messages = Ask("compliance/local/s000001/messages", 1, Request("/v1/x"))
    policy.judge(messages, 1, Answer(200, (), SETTINGS))
    policy.judge(ASK, 1, Failure("reset"))
    policy.judge(ASK, 1, Answer(200, (), b'{"api_keys":[]}'))
    assert said == []
