"""Mounts: the last line of the table that contains a path is its mount."""

import pytest

from agentaudit.sources.local.mounts import Mount, mount_of

TABLE = (
    b"22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/a rw,errors=remount-ro\n"
    b"30 22 8:2 / /home rw,noatime - xfs /dev/b rw\n"
    b"31 22 8:3 / /mnt/im\\040age ro,relatime master:1 propagate_from:2 - ext4 /dev/c ro\n"
    b"32 22 0:5 / /home rw - nfs4 host:/x rw,vers=4.2\n"
    b"33 22 0:6 / /odd - \n"
    b"short line\n"
    b"34 22 0:7 / /bare rw - tmpfs\n"
)


@pytest.mark.parametrize(
    ("path", "kind", "read_only", "kept"),
    [
        (b"/etc/x", "ext4", False, False),
        (b"/home/u/.claude", "nfs4", False, False),
        (b"/home", "nfs4", False, False),
        (b"/homely", "ext4", False, False),
        (b"/mnt/im age/home", "ext4", True, True),
        (b"/bare/x", "tmpfs", False, False),
    ],
)
def test_a_path_has_the_mount_that_hides_the_others(path: bytes, kind: str, read_only: bool, kept: bool) -> None:
    """A later mount on the same point counts; a beginning of a name is no folder; escapes are undone."""
    mount = mount_of(path, TABLE)
    assert mount is not None
    assert (mount.file_system, mount.read_only, mount.access_times_kept) == (kind, read_only, kept)


def test_a_mount_without_access_times_keeps_them() -> None:
    """`noatime` is enough."""
    assert Mount(b"/", "xfs", ("rw", "noatime")).access_times_kept
    assert not Mount(b"/", "xfs", ("rw", "relatime")).access_times_kept


def test_a_table_without_the_path_has_no_mount() -> None:
    """Nothing is guessed."""
    assert mount_of(b"/x", b"") is None
