"""A second look at a root: what came, what went, and what is another now."""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.model.local import LaterChange
from agentaudit.model.survey import Look, Parts, Seen
from agentaudit.sources.local.compare import became
from agentaudit.sources.local.handles import Handles, Refused
from agentaudit.sources.local.later import Known, survey_later
from agentaudit.sources.local.owners import Owners
from tests.sources.local.places import entry, put, surveyed


def look(
    root: Path,
    before: list[Seen],
    looked_at: Callable[[Seen], bool] = lambda _: True,
    only: Callable[[bytes], bool] | None = None,
) -> dict[str, LaterChange | None]:
    """What became of each entry that is told of, in the order of the telling."""
    known = [Known(number, seen, looked_at(seen)) for number, seen in enumerate(before, 1)]
    found: dict[str, LaterChange | None] = {}
    with Handles(os.fsencode(root)) as handles:
        for one in survey_later("r1", known, handles, Owners(), only):
            found[str(one.seen.path)] = "appeared" if one.known is None else became(one.known.seen, one.now)
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store of two folders, three files and a link."""
    put(tmp_path, "a/one")
    put(tmp_path, "a/two")
    put(tmp_path, "b/c/three")
    (tmp_path / "link").symlink_to("a/one")
    return tmp_path


def test_a_store_that_holds_still_is_as_it_was(root: Path) -> None:
    """Every entry is told of, in the order of the survey, and none of a change; reading is none."""
    before = surveyed(root)
    (root / "a" / "one").read_bytes()
    assert look(root, before) == dict.fromkeys(["a", "a/one", "a/two", "b", "b/c", "b/c/three", "link"])


def test_what_appeared_is_told_with_all_that_it_holds(root: Path) -> None:
    """A folder, what is in it, a file beside known ones; folders do not change by it."""
    before = surveyed(root)
    put(root, "a/new/deep/file")
    put(root, "b/c/x")
    found = look(root, before)
    assert {name for name, change in found.items() if change is not None} == {
        "a/new", "a/new/deep", "a/new/deep/file", "b/c/x",
    }  # fmt: skip
    assert list(found) == sorted(found, key=lambda name: name.split("/"))


def test_what_is_gone_is_told_with_all_that_it_held(root: Path) -> None:
    """Also when nothing is left in a folder, and when a file took its place."""
    before = surveyed(root)
    (root / "a" / "one").unlink()
    (root / "b" / "c" / "three").unlink()
    (root / "b" / "c").rmdir()
    (root / "b").rmdir()
    put(root, "b")
    found = look(root, before)
    assert {name: change for name, change in found.items() if change is not None} == {
        "a/one": "vanished", "b": "replaced", "b/c": "vanished", "b/c/three": "vanished",
    }  # fmt: skip


def test_an_emptied_folder_loses_what_it_held(root: Path) -> None:
    """It is there itself."""
    before = surveyed(root)
    for name in ("one", "two"):
        (root / "a" / name).unlink()
    assert {name: change for name, change in look(root, before).items() if name.startswith("a")} == {
        "a": None, "a/one": "vanished", "a/two": "vanished",
    }  # fmt: skip


def grown(path: Path) -> None:
    """Longer by a byte."""
    path.write_bytes(path.read_bytes() + b"x")


def touched(path: Path) -> None:
    """Of another time."""
    os.utime(path, ns=(0, 0))


def closed(path: Path) -> None:
    """Of other rights."""
    path.chmod(0o600)


def linked(path: Path) -> None:
    """With one more name, which only its change time tells."""
    (path.parent / "zz").hardlink_to(path)


def swapped(path: Path) -> None:
    """Another file of the same content."""
    octets = path.read_bytes()
    other = path.with_name("other")
    other.write_bytes(octets)
    other.rename(path)


def pointed(path: Path) -> None:
    """A link in its place."""
    path.unlink()
    path.symlink_to("two")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (grown, "changed"), (touched, "changed"), (closed, "changed"), (linked, "changed"), (swapped, "replaced"),
        (pointed, "replaced"), (Path.unlink, "vanished"),
    ],
)  # fmt: skip
def test_a_listed_file_that_is_another_is_told(root: Path, change: Callable[[Path], None], word: str) -> None:
    """By its marks, or by the file that its name leads to."""
    before = surveyed(root)
    change(root / "a" / "one")
    assert look(root, before)["a/one"] == word


def test_of_a_file_that_is_not_looked_at_only_the_name_counts(root: Path) -> None:
    """What became of it was said when it was read."""
    before = surveyed(root)
    grown(root / "a" / "one")
    (root / "a" / "two").unlink()
    found = look(root, before, lambda seen: seen.kind != "file")
    assert "a/one" not in found
    assert found["a/two"] == "vanished"


def test_the_rights_of_a_folder_count_and_its_times_do_not(root: Path) -> None:
    """It changes with what it holds, which is told of the entries."""
    before = surveyed(root)
    os.utime(root / "a", ns=(0, 0))
    (root / "b").chmod(0o711)
    found = look(root, before)
    assert (found["a"], found["b"]) == (None, "changed")


def test_only_what_the_survey_looked_at_is_looked_at(root: Path) -> None:
    """The bound of a root holds for what appears, too."""
    only = b"a".__eq__
    before = [seen for seen in surveyed(root) if seen.parts[0] == b"a"]
    put(root, "zz")
    assert list(look(root, before, only=only)) == ["a", "a/one", "a/two"]


def test_a_root_that_cannot_be_listed_is_one_entry_with_its_problem(root: Path, tmp_path: Path) -> None:
    """Nothing is said of what it holds."""
    before = surveyed(root)
    with Handles(os.fsencode(root), by_handle=False) as handles:
        root.rename(tmp_path.with_name("moved"))
        (only,) = survey_later("r1", [Known(1, before[0], looked_at=True)], handles, Owners())
    assert only.known is None
    assert only.now is not None
    assert (only.now.parts, only.now.problem) == ((), "vanished")


def test_a_root_that_was_not_listed_is_no_entry_of_itself(root: Path) -> None:
    """Its own row of the survey has no name below it."""
    alone = Seen(root="r1", parts=(), kind="folder", problem="unreadable")
    assert set(look(root, [alone]).values()) == {"appeared"}


def test_what_could_not_be_looked_at_is_told_once_that_changes(root: Path) -> None:
    """The problem is a mark like others; one that stays is none, and so is a name that was gone and is."""
    one = entry(root, "a/one")
    blind = Seen(root="r1", parts=one.parts, kind="unknown", problem="unreadable")
    assert became(blind, blind) is None
    assert became(blind, one) == became(one, blind) == "changed"
    gone = Seen(root="r1", parts=one.parts, kind="unknown", problem="vanished")
    assert became(gone, None) is became(gone, gone) is None
    assert became(one, gone) == became(blind, None) == "vanished"
    folder = entry(root, "a")
    assert became(folder, msgspec.structs.replace(folder, problem="unreadable")) == "changed"


class Blind(Handles):
    """Handles that the system lets list every folder but one."""

    def names(self, parts: Parts, expected: Look | None = None) -> list[bytes] | Refused:
        """Refused for that one."""
        return Refused("unreadable", "EACCES") if parts == (b"b", b"c") else super().names(parts, expected)


def test_of_a_folder_that_cannot_be_listed_any_more_nothing_is_said_of_what_it_held(root: Path) -> None:
    """The folder is told of with its problem."""
    known = [Known(number, seen, looked_at=True) for number, seen in enumerate(surveyed(root), 1)]
    with Blind(os.fsencode(root)) as handles:
        found = {str(one.now.path): one.now.problem for one in survey_later("r1", known, handles, Owners()) if one.now}
    assert (found["b"], found["b/c"]) == (None, "unreadable")
    assert "b/c/three" not in found
