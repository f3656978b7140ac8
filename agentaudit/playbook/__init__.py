"""Playbooks: investigations as data, each with what it shows and what it cannot show.

- A playbook is a TOML file in `playbooks/`; the wheel ships them as they are. Nothing in one is run by this program.
- The tests hold every command in them against the real command line.
"""
