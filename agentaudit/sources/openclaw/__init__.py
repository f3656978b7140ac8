"""A Gateway as a source: its own command, run call by call, and the walks over what it prints."""
