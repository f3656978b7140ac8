"""The compliance API's answers, read without I/O: pages, errors, sessions, messages, and what they lack."""
