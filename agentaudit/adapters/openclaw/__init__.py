"""OpenClaw's Gateway audit ledger: activity events of version 1, saved pages, explanations, databases, settings."""
