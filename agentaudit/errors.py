"""The one tree of errors: each class owns its exit status and says what to do next.

- An error means that this command cannot do its job; an imperfection of the world is a value instead.
- The text names the thing (a path, a host, an option), never its content.
- `hint` is the one next step, in one line.
"""

from typing import ClassVar


class AgentAuditError(Exception):
    """A command cannot do its job; `status` is the exit status of `commands.md`."""

    status: ClassVar[int] = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def exit_status(self) -> int:
        """The status that the command ends with."""
        return self.status


class UsageFault(AgentAuditError):
    """The arguments make no sense, alone or together; nothing was started."""

    status = 2


class SourceRefused(AgentAuditError):
    """The source refused: key, scope, endpoint switched off, permission."""

    status = 5


class SourceUnreachable(AgentAuditError):
    """The source could not be reached: DNS, TLS, time-outs, retries used up."""

    status = 6


class DestinationFault(AgentAuditError):
    """The destination exists, is not empty, is not writable, is full, or is in use."""

    status = 7


class NotAPackage(AgentAuditError):
    """The path is not a package of ours, or one of a newer format."""

    status = 8


class NotSealed(AgentAuditError):
    """A sealed exhibit is needed and this one is not sealed."""

    status = 9


class PackageFault(AgentAuditError):
    """A package is not intact where an intact one is needed to go on."""

    status = 4


class Interrupted(AgentAuditError):
    """A signal ended the run; the partial exhibit is kept, where one was `begun`."""

    def __init__(self, signum: int, *, begun: bool = True) -> None:
        kept, next_step = (
            ("what was journalled is kept", "go on with --resume, or close it as it stands with `agentaudit seal`")
            if begun
            else ("no exhibit was begun", "run it again")
        )
        super().__init__(f"interrupted by signal {signum}; {kept}", next_step)
        self.signum = signum

    @property
    def exit_status(self) -> int:
        """128 plus the signal's number, as shells report it."""
        return 128 + self.signum
