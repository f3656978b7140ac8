"""Going on with an exhibit of a command that both asks an API and takes files: its own journal says which it is."""

from agentaudit.cli.app import Invocation
from agentaudit.cli.asking import Asking
from agentaudit.cli.handing import Handing
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.model.selection import HandedOver
from agentaudit.package.case import load_case


def resume_either(given: Invocation, asked: Asking, exhibit: str) -> int:
    """Go on with an interrupted exhibit of the case; the exit status."""
    case = load_case(asked.case)
    from agentaudit.acquire.runs import recorded_partial  # noqa: PLC0415 - what reads packages comes last

    if layout.exhibit_number(exhibit) is None:
        raise UsageFault("--resume takes the number of an exhibit of the case", "for example --resume EX-0002")
    opened = recorded_partial(case.path / f"{exhibit.removesuffix(layout.PARTIAL)}{layout.PARTIAL}").opened
    if isinstance(opened.selection, HandedOver):
        return Handing(asked.case, asked.manner).resume(given, exhibit)
    return asked.resume(given, exhibit)
