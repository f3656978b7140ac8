"""A session object, as a list, a retrieve call or a messages envelope states it (sections 2.1 and 3.1).

- One reader for both families: what a family does not have is absent.
- An identifier is opaque: it is kept, sent back, and never parsed.
- Some envelope fields are null by contract: such a null says nothing.
"""

from collections.abc import Callable

from agentaudit.adapters.compliance.fields import Fields, as_it_is, odd_names
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.readings import SessionSource, Word
from agentaudit.model.selection import Family

_KNOWN = frozenset({
    "type", "id", "organization_uuid", "workspace_id", "user", "agent_id", "started_by_user", "product_surface",
    "status", "claude_project_id", "created_at", "updated_at", "truncated",
})  # fmt: skip
_PERSON = frozenset({"id", "email_address"})
_UNUSABLE = frozenset({"", ".", ".."})
_COMPARED = (
    "organization_uuid", "workspace_id", "user_id", "user_email_address", "agent_id", "started_by_user_id",
    "product_surface", "status", "claude_project_id", "created_at", "updated_at", "truncated",
)  # fmt: skip
_SILENT_IN_ENVELOPE: dict[Family, frozenset[str]] = {
    "local": frozenset({"user_email_address"}),
    "remote": frozenset({"user_email_address", "started_by_user_id", "claude_project_id"}),
}


def session_id(entry: Json) -> str | None:
    """The identifier of a session object, when it is one that can be asked for."""
    found = (mapping(entry) or {}).get("id")
    if not isinstance(found, str) or found in _UNUSABLE:
        return None
    try:
        found.encode()
    except UnicodeEncodeError:
        return None
    return found


def names_another(entry: Json, asked: str) -> bool:
    """True when a session object names another session than the one that was asked for.

    A cache between us and the source can mix answers up; an identifier's form may also change (section 2.1).
    """
    found = (mapping(entry) or {}).get("id")
    return isinstance(found, str) and found != asked


def read_session(
    entry: Json, item: str, pointer: str, share: Callable[[str], str] = as_it_is, *, asked: str | None = None
) -> SessionSource | None:
    """What a session object says, verbatim; None when it is none. `asked` is the id asked for, None in a list."""
    members = mapping(entry)
    if members is None:
        return None
    fields = Fields(members, share)
    fields.unknown(_KNOWN)
    (user_id, email), (started_by, _) = _person(fields, "user"), _person(fields, "started_by_user")
    return SessionSource(
        item=item,
        pointer=pointer,
        id=fields.word("id") if asked is not None and names_another(entry, asked) else UNSET,
        organization_uuid=fields.word("organization_uuid"),
        workspace_id=fields.word("workspace_id"),
        user_id=user_id,
        user_email_address=email,
        agent_id=fields.word("agent_id"),
        started_by_user_id=started_by,
        product_surface=fields.word("product_surface"),
        status=fields.word("status"),
        claude_project_id=fields.word("claude_project_id"),
        created_at=fields.word("created_at", shared=False),
        updated_at=fields.word("updated_at", shared=False),
        truncated=fields.mark("truncated"),
        unknown_fields=odd_names(fields.odd),  # read last: by now every member of a wrong type is known
    )


def disagreements(
    family: Family, listed: SessionSource | None, retrieved: SessionSource | None, envelope: SessionSource | None
) -> tuple[str, ...]:
    """The fields on which two of the three differ where both speak; a null by contract does not speak."""
    silent = _SILENT_IN_ENVELOPE[family]
    mixed_up = any(one is not None and one.id is not UNSET for one in (retrieved, envelope))
    return (
        *(("id",) if mixed_up else ()),
        *(
            name
            for name in _COMPARED
            if _differ(
                _said(listed, name),
                _said(retrieved, name),
                UNSET if name in silent and _said(envelope, name) is None else _said(envelope, name),
            )
        ),
    )


def _person(fields: Fields, name: str) -> tuple[Word, Word]:
    person = fields.inner(name)
    if not isinstance(person, Fields):
        # A null person has a null identifier; an absent one has none.
        nothing: Word = None if person is None else UNSET
        return nothing, nothing
    person.unknown(_PERSON)
    words = person.word("id"), person.word("email_address")
    fields.odd.extend(f"{name}.{odd}" for odd in person.odd)
    return words


def _said(source: SessionSource | None, name: str) -> object:
    return UNSET if source is None else getattr(source, name)


def _differ(*words: object) -> bool:
    spoken = [word for word in words if word is not UNSET]
    return any(word != spoken[0] for word in spoken)
