"""One stored thing: what the source says of it, then its bytes, held against that (compliance reference, section 7.1).

- A thing that is not found is one loss: its bytes are not asked for. What message named it stands in the pages.
- Bytes that are not those that were stated are asked for once more, under their own name; both are kept. If it does not
  help that is a loss: what came is here, and it is not what the source says that it gave.
- The name that the source gives a file is evidence: it never becomes a path.
"""

from collections.abc import Generator
from dataclasses import replace

from agentaudit.adapters.compliance.naming import STORED_KINDS, Thing, stored_walk
from agentaudit.adapters.compliance.stored import Stated, Verdict, judge, read_stated
from agentaudit.model.losses import GapCode
from agentaudit.model.walk import Ask, Ended, Kept, Missed, Task
from agentaudit.sources.compliance.chatrequests import stored_request
from agentaudit.sources.compliance.gaps import Where, end_of, is_over, lost_gap, missed_gap, when_gone
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import ask_object, why_gap

_GONE: GapCode = "content_not_found"


def read_thing(thing: Thing, number: int, identifier: str) -> Task:
    """The metadata and the bytes of one thing."""
    about = stored_walk(thing, number, "about")
    told = yield from ask_object(Trail(about, STORED_KINDS[thing], stored_request(thing, identifier, "about")))
    gaps = why_gap(told.why, Where(about, page=1), code=when_gone(told.why, _GONE))
    if is_over(told.why):
        return Ended((*told.learned, *gaps))
    walk = stored_walk(thing, number, "content")
    trail = Trail(walk, STORED_KINDS[thing], stored_request(thing, identifier, "content"))
    ask = trail.ask(1, None, None, (*told.learned, *gaps, trail.began()))
    answer = yield from _held(replace(ask, file=thing != "document"), thing, read_stated(told.found))
    where = Where(walk, page=1)
    if isinstance(answer, Missed):
        return Ended((trail.ended(end_of(answer), 0, 0), missed_gap(answer, where, code=when_gone(answer, _GONE))))
    if answer.is_faulty:
        lost: GapCode = "unreadable_answer" if "no_text" in answer.doubts else "digest_mismatch"
        return Ended((trail.ended("unreadable", 0, 0), lost_gap(lost, where, "field")))
    return Ended((trail.ended("exhausted", 1, 0),))


def _held(ask: Ask, thing: Thing, stated: Stated) -> Generator[Ask, Kept | Missed, Verdict | Missed]:
    """The bytes held against what is stated of them; where they differ, once more."""
    answer = yield ask
    if isinstance(answer, Missed):
        return answer
    verdict = judge(thing, answer.body, answer.headers, stated)
    if not verdict.is_faulty:
        return verdict
    answer = yield replace(ask, ask=ask.ask + 1, learned=())
    return answer if isinstance(answer, Missed) else judge(thing, answer.body, answer.headers, stated)
