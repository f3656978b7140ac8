"""The JSON Schema of every document that `--json` prints, and of every tag file: drawn from the types when asked for.

- A result is named by its command's word; the type is imported only when its schema is printed.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

RESULTS: Mapping[str, str] = MappingProxyType(
    {
        "added": "agentaudit.cli.custodyadding:AddedResult",
        "case": "agentaudit.cli.show:CaseResult",
        "case-verdict": "agentaudit.model.verdict:CaseVerdict",
        "custody": "agentaudit.cli.custody:CustodyResult",
        "dry-run": "agentaudit.cli.dryrun:DryRunResult",
        "exhibit": "agentaudit.cli.show:ExhibitResult",
        "exported": "agentaudit.export.request:ExportedResult",
        "extract-verdict": "agentaudit.extract.document:ExtractVerdict",
        "extracted": "agentaudit.extract.run:ExtractedResult",
        "opened": "agentaudit.cli.open:OpenedResult",
        "playbook": "agentaudit.cli.playbook:ShowResult",
        "playbooks": "agentaudit.cli.playbook:ListResult",
        "requested": "agentaudit.cli.timestamp:RequestedResult",
        "sealed": "agentaudit.model.results:SealedResult",
        "signed": "agentaudit.cli.sign:SignedResult",
        "stamped": "agentaudit.cli.timestamp:StampedResult",
        "survey": "agentaudit.model.results:SurveyResult",
        "transcribed": "agentaudit.transcript.run:TranscribedResult",
        "verdict": "agentaudit.model.verdict:Verdict",
    }
)


def schema_text(name: str) -> str | None:
    """The schema of a result or of a tag file, indented; None for a name that has none."""
    # Imported here: the list of documents does not pay for it.
    from agentaudit.encoding.schemas import schema_of  # noqa: PLC0415
    from agentaudit.format.schemas import schema, schema_names  # noqa: PLC0415

    if name in RESULTS:
        module, _, kind = RESULTS[name].partition(":")
        return schema_of(getattr(import_module(module), kind), name).decode()
    tag_file = next((one for one in schema_names() if one.rpartition("/")[2].partition(".")[0] == name), None)
    return None if tag_file is None else schema(tag_file).decode()
