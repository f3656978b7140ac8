"""Who appends to a custody log from the command line: the people's words, this machine, this program, its clock."""

from agentaudit.cli.console import Console
from agentaudit.cli.surroundings import host, now, tool
from agentaudit.model.actors import Said
from agentaudit.package.case import Case, Hand, system_hand


def hand_on(case: Case, said: Said, console: Console) -> Hand:
    """A hand on this case; examiner and authority are the case's where nothing was said."""
    actors = case.actors(said.examiner, said.authority, said.note, said.clock_note)
    return system_hand(actors, host(case.path, console.environ), tool(), now)
