"""The law of names: each is made once, read back, safe on every system, and written to manifests unharmed."""

from io import BytesIO
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.adapters.compliance.naming import (
    ORGANIZATIONS_WALK,
    context_walk,
    list_walk,
    messages_walk,
    place_of,
    session_walk,
)
from agentaudit.adapters.compliance.numbering import session_key
from agentaudit.format.bagit import Fault, Listed, manifest_line, read_manifest
from agentaudit.format.layout import (
    DATA,
    PARTIAL,
    TAG_FILES,
    answer_path,
    exhibit_name,
    exhibit_number,
    is_payload_name,
)
from agentaudit.format.names import is_portable, twin_key
from agentaudit.model.selection import Family

FAMILIES: st.SearchStrategy[Family] = st.sampled_from(["local", "remote"])
NUMBERS = st.integers(1, 999_999)
SUFFIXES = st.sampled_from(["json", "json.gz", "json.encoded", "refused"])
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)


@st.composite
def walks(draw: st.DrawFn) -> str:
    """The id of any walk of the compliance source."""
    family: Family = draw(FAMILIES)
    key = session_key(draw(NUMBERS))
    return draw(
        st.sampled_from(
            [
                ORGANIZATIONS_WALK,
                context_walk(draw(st.integers(1, 9_999)), draw(st.sampled_from(["settings", "users"]))),
                list_walk(family, draw(st.integers(1, 99))),
                session_walk("local", key),
                messages_walk(family, key, draw(st.integers(1, 99))),
            ]
        )
    )


PATHS = st.builds(answer_path, walks(), NUMBERS, st.integers(1, 9), SUFFIXES)
ODD_PARTS = (
    DATA, "agentaudit", "..", ".", "", "a", "A", "0", "-", "con", "nul.txt", "a.", "a b", "a\\b", "ü", "é", "x" * 120,
)  # fmt: skip
ODD_PATHS = st.lists(st.sampled_from(ODD_PARTS), min_size=1, max_size=5).map("/".join)


@given(st.integers(1, 10**9))
def test_the_number_of_an_exhibit_is_read_from_its_name(number: int) -> None:
    """Sealed or partial; and from no other name."""
    name = exhibit_name(number)
    assert exhibit_number(name) == exhibit_number(name + PARTIAL) == number
    assert exhibit_number(name.lower()) is exhibit_number(f"{name}.old") is exhibit_number(f"x{name}") is None


@given(walks())
def test_a_walk_is_known_by_its_name(walk: str) -> None:
    """And a name that is a little otherwise is none."""
    assert place_of(walk) is not None
    assert place_of(f"{walk}/") is place_of(f"x{walk}") is place_of(walk.upper()) is None


@given(FAMILIES, NUMBERS, st.integers(1, 99))
def test_the_parts_of_a_walks_name_come_back(family: Family, number: int, again: int) -> None:
    """Family, session and how often it began."""
    place = place_of(messages_walk(family, session_key(number), again))
    assert place is not None
    assert (place.family, place.session, place.number) == (family, session_key(number), again)
    assert place.kind == f"{family}_messages"
    listed = place_of(list_walk(family, again))
    assert listed is not None
    assert (listed.kind, listed.family, listed.number) == (f"{family}_list", family, again)


@given(PATHS)
def test_every_name_that_is_made_is_safe(path: str) -> None:
    """A payload name, portable, its own twin, and free of anything but counters and our own words."""
    assert is_payload_name(path)
    assert is_portable(path)
    assert twin_key(path) == path


@given(st.text(max_size=30) | ODD_PATHS | st.text("ab./-", max_size=12).map(f"{DATA}/".__add__))
def test_no_accepted_name_leads_anywhere_else(path: str) -> None:
    """Below `data/`, without a step up, without a part that a system reads otherwise."""
    parts = path.split("/")
    harmless = (
        parts[0] == DATA
        and len(parts) > 1
        and all(parts)
        and not {".", ".."} & set(parts)
        and path.isascii()
        and path == path.lower()
        and not set(path) & set("\\: %\0\n\"'*?<>|")
        and is_portable(path)
    )
    assert harmless or not is_payload_name(path)


@given(st.lists(st.tuples(walks(), NUMBERS, st.integers(1, 9)), min_size=2, max_size=8, unique=True))
def test_no_two_answers_share_a_name(places: list[tuple[str, int, int]]) -> None:
    """Walk, page and ask make a name of their own, on systems that fold case too."""
    paths = [answer_path(*place, "json") for place in places]
    assert len({twin_key(path) for path in paths}) == len(paths)


@given(walks(), st.lists(st.integers(1, 999_999), min_size=2, max_size=6, unique=True))
def test_names_sort_as_pages_do(walk: str, pages: list[int]) -> None:
    """The order of the paths is the order of the pages, a page that was asked for again beside itself."""
    ordered = [answer_path(walk, page, ask, "json") for page in sorted(pages) for ask in (1, 2)]
    by_page = sorted(ordered)
    assert [path.rpartition("/")[2][:6] for path in by_page] == [path.rpartition("/")[2][:6] for path in ordered]


@given(FAMILIES, st.lists(st.tuples(NUMBERS, st.integers(1, 99)), min_size=2, max_size=6, unique=True))
def test_walks_sort_as_they_are_numbered(family: Family, named: list[tuple[int, int]]) -> None:
    """Sessions by number, and of one session the walks in the order in which they began."""
    ordered = [
        answer_path(messages_walk(family, session_key(key), again), 1, 1, "json") for key, again in sorted(named)
    ]
    assert all(one < two for one, two in pairwise(ordered))


# --- manifests --------------------------------------------------------------------------------------------------------


def _read(octets: bytes, *, tags: bool = False) -> list[Listed | Fault]:
    return list(read_manifest(BytesIO(octets), tags=tags))


@given(st.dictionaries(PATHS, DIGESTS, max_size=8))
def test_a_manifest_is_read_as_it_was_written(digests: dict[str, str]) -> None:
    """Each path with its digest, in the order of the paths, and no fault."""
    octets = b"".join(manifest_line(path, f"sha256:{digests[path]}") for path in sorted(digests))
    assert _read(octets) == [Listed(path, digests[path]) for path in sorted(digests)]


@given(st.sets(st.sampled_from(TAG_FILES)), DIGESTS)
def test_a_tag_manifest_is_read_as_it_was_written(names: set[str], digest: str) -> None:
    """And its names are no names of a payload manifest."""
    octets = b"".join(manifest_line(name, digest) for name in sorted(names))
    assert _read(octets, tags=True) == [Listed(name, digest) for name in sorted(names)]
    assert all(isinstance(row, Fault) and row.rule == "name" for row in _read(octets))


@given(st.lists(PATHS, min_size=2, max_size=6), DIGESTS)
def test_an_order_that_is_not_the_paths_own_is_a_fault(paths: list[str], digest: str) -> None:
    """A path twice, or one that comes too late: faults are counted, and the other lines are read."""
    rows = _read(b"".join(manifest_line(path, digest) for path in paths))
    assert len(rows) == len(paths)
    assert all(isinstance(row, Listed) for row in rows) == (paths == sorted(set(paths)))


@settings(max_examples=150)
@given(st.dictionaries(PATHS, DIGESTS, min_size=1, max_size=4), st.data())
def test_a_manifest_with_another_bit_declares_something_else(digests: dict[str, str], data: st.DataObject) -> None:
    """A fault, or another path or digest: never the same declarations."""
    octets = bytearray(b"".join(manifest_line(path, digests[path]) for path in sorted(digests)))
    before = _read(bytes(octets))
    octets[data.draw(st.integers(0, len(octets) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert _read(bytes(octets)) != before
