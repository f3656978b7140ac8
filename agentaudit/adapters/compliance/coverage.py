"""The coded limits of this source: what it can never contain, how far the key reached, what is provisional.

- Codes are stable; a sentence says what is so, not whose fault it is.
- Absence has many innocent causes, and every package says which (compliance reference, trap 24).
- `values` narrow a limit to one exhibit and hold neither names nor identifiers.
"""

from dataclasses import dataclass

from agentaudit.model.selection import Family
from agentaudit.model.tagfiles import CoverageLimit

_LOCAL = (
    (
        "local.api_off",
        "What ran while the Compliance API was switched off, or before it was enabled, was not captured.",
    ),
    ("local.auth_console_key", "Claude Code signed in with a Console API key is not recorded."),
    ("local.auth_third_party", "Claude Code through Bedrock, Google Cloud or Foundry is not recorded."),
    ("local.binary_replaced", "Images, documents and other content that is no text appear as placeholders."),
    ("local.call_cap", "Of a session with more than 100,000 calls only the earliest are given."),
    ("local.client_asserted", "Text marked client_asserted was supplied by the client; its authorship is unverified."),
    ("local.cloud_code", "Claude Code sessions in the cloud belong to neither family and are not listed."),
    ("local.created_moves", "A session's created_at is its first retained call and moves as calls age out."),
    ("local.hipaa", "A HIPAA-ready organisation gives Cowork and Claude Code only, for a shorter time."),
    ("local.never_reached_api", "What never reached the API, such as local commands without a call, is not there."),
    ("local.no_context", "System prompt, tool definitions, MCP configuration, costs and host facts are never given."),
    ("local.no_thinking", "The model's thinking is never given."),
    ("local.not_captured", "The reason not_captured does not prove that nothing was stored."),
    ("local.window_is_overlap", "An activity window finds sessions that overlap it; they may be silent within it."),
    ("local.zero_retention", "Sessions under zero data retention are neither listed nor found."),
)
_REMOTE = (
    ("remote.deleted", "A session that its user deleted is not listed, and nothing of it can be recovered."),
    ("remote.no_placeholders", "Content that is no text is left out without a placeholder."),
    ("remote.no_provenance", "Messages state neither model nor provenance; equal completeness is not implied."),
    ("remote.no_retrieve", "Metadata comes from the list alone; the transcript's envelope blanks some of it."),
)
_ALWAYS = (
    ("footprints", "Each request of this collection is itself an activity in the organisation's feed."),
    ("list.others_metadata", "List pages hold the metadata of other people's sessions; they are kept as they came."),
    ("no_checksums", "The source states neither totals nor checksums: completeness cannot be proved from it."),
    ("server_limits", "Texts and tool strings end at about 1 MiB, whatever limit is asked for."),
)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What narrows the limits to one exhibit.

    `organizations_listed` is None when the list of organisations was not obtained; `retention` holds
    (organisation number and kind of data, period).
    """

    begun_at: str
    families: tuple[Family, ...]
    organizations_seen: int
    organizations_listed: int | None
    settings_obtained: int
    retention: tuple[tuple[str, str], ...]


def coverage_limits(exhibit: Narrowed) -> tuple[CoverageLimit, ...]:
    """The limits that apply to this exhibit, by code."""
    plain = (
        *_ALWAYS,
        *(_LOCAL if "local" in exhibit.families else ()),
        *(_REMOTE if "remote" in exhibit.families else ()),
    )
    limits = [CoverageLimit(code=code, statement=statement) for code, statement in plain]
    return tuple(sorted((*limits, *_narrowed(exhibit)), key=lambda limit: limit.code))


def _narrowed(exhibit: Narrowed) -> tuple[CoverageLimit, ...]:
    listed = exhibit.organizations_listed
    return (
        CoverageLimit(
            code="families",
            statement="Only the session families that were asked for are here.",
            values=tuple(("family", family) for family in exhibit.families),
        ),
        CoverageLimit(
            code="fresh_edge",
            statement="New calls appear after minutes, without a stated bound: the last minutes are provisional.",
            values=(("begun_at", exhibit.begun_at),),
        ),
        CoverageLimit(
            code="key_reach",
            statement="No answer states how far the key reaches: organisations beyond it are silently absent.",
            values=(
                ("organizations_list", "not_obtained" if listed is None else "obtained"),
                ("organizations_listed", "unknown" if listed is None else str(listed)),
                ("organizations_seen", str(exhibit.organizations_seen)),
            ),
        ),
        CoverageLimit(
            code="retention",
            statement="What passed its retention period is gone call by call; the periods are those in force now.",
            values=(("settings_obtained", str(exhibit.settings_obtained)), *exhibit.retention),
        ),
    )
