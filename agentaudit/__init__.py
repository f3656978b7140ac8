"""agentaudit: a forensic collector and evidence packager for the records of AI coding agents."""

__version__ = "0.1.0"
