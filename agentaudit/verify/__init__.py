"""Verification: a path to a verdict. Nothing is written.

- Three answers, never mixed: integrity, outcome, authenticity.
- The layers stand on each other: structure and manifests, then the journal, then what follows from it. A fault
  in one leaves those above unchecked, and that is said; so one tampering gives its own code and no other.
"""

from agentaudit.verify.case import verify_case
from agentaudit.verify.exhibit import verify_exhibit

__all__ = ["verify_case", "verify_exhibit"]
