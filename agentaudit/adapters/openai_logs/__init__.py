"""The log files of OpenAI's Compliance Logs Platform, as its documentation and its public clients describe them.

- A file is JSON Lines, one record a line; a list names files with their size and digest.
- Nothing of a prompt, an answer, an input or an address is put into a row.
"""
