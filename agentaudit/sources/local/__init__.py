"""Local stores as a source: roots, a survey of every entry, one read of one file. Nothing is written in a store.

- Nothing below a root is reached through a link.
- What can fail for one file is a value; a bad entry never ends a survey.
"""
