"""A policy that also looks for keys that may delete: collecting needs none (trap 25).

- It changes no judgement. Each warning is given once.
"""

from collections.abc import Callable

from agentaudit.adapters.compliance.directory import delete_scope_warning
from agentaudit.model.walk import Answer, Ask, Failure, Judgement, Policy

_OK = 200


class WatchfulPolicy:
    """Another policy's judgements, and a warning when an answer shows a `delete:` scope."""

    def __init__(self, policy: Policy, warn: Callable[[str], None]) -> None:
        """Judge as `policy` does; `warn` takes a sentence."""
        self._policy = policy
        self._warn = warn
        self._said: set[str] = set()

    def judge(self, ask: Ask, attempt: int, outcome: Answer | Failure) -> Judgement:
        """What the policy says."""
        if isinstance(outcome, Answer) and (ask.optional or outcome.status != _OK):
            self._look(outcome)
        return self._policy.judge(ask, attempt, outcome)

    def _look(self, answer: Answer) -> None:
        sentence = delete_scope_warning(answer.status, answer.headers, answer.body)
        if sentence is not None and sentence not in self._said:
            self._said.add(sentence)
            self._warn(sentence)
