"""The chats of the demo's story: an upload, a table that was made of it, a project, a deleted chat, a code artifact.

Laws:
    - Times are counted back from the moment the world is made.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.chats import Said
from agentaudit.demo.projects import Grant
from agentaudit.demo.stored import Upload

if TYPE_CHECKING:
    from agentaudit.demo.story import Cast
    from agentaudit.demo.world import World

_MINUTE = timedelta(minutes=1)
_CONTRACT = Upload("contract.pdf", b"The contract runs until May.\n", "application/pdf")
_TABLE = Upload("customers.csv", b"name,since\nNorth Quay,2019\n", "text/csv")
_LETTER = Upload("letter.md", b"# To our customers\n", "text/markdown")
_RULES = Upload("house-rules.txt", b"No customer data in chats.\n")


def add_talks(world: World, cast: Cast) -> None:
    """A project with a document, a chat in it with a thing of each kind, a deleted chat, a code artifact."""
    ada, bruno, *_ = world.users
    grants = (Grant("user", "user_id", bruno.id, "viewer"),)
    project = world.library.add_project(
        "Customer letters", cast.ago(20), ada, cast.holding, documents=(_RULES,), grants=grants
    )
    at = cast.ago(4)
    messages = (
        Said("user", at, "Make a table of the customers in this contract.", files=(_CONTRACT,)),
        Said("assistant", at + _MINUTE, "Here it is, and a letter.", generated=(_TABLE,), artifacts=(_LETTER,)),
    )
    world.add_chat("Letter to customers", messages, ada, cast.holding, project=project)
    gone = world.add_chat("Another", (Said("user", cast.ago(3), "Never mind."),), bruno, cast.holding)
    world.delete_chat(gone, cast.ago(2))
    world.library.add_code_artifact("Customer board", cast.ago(3), ada, cast.holding)
