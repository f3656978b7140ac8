"""The command line with framing left out, for the benchmark alone: `python -m benchmarks.unframed ARGUMENTS`."""

from agentaudit.adapters.claude_code import planning
from agentaudit.cli.main import entry

if __name__ == "__main__":
    vars(planning)["JSON_LINES_ROLES"] = frozenset()
    entry()
