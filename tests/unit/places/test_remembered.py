"""Where a folder's cluster runs: noted below assets, read again, and nothing where the note is missing or damaged."""

from __future__ import annotations

import gc
import json
import stat

import pytest

from hardway.io.links import LinkError
from hardway.places.remembered import Place, connect_of, kept, read, remember


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "assets").mkdir()
    return tmp_path


def test_a_place_is_remembered_with_its_folder_closed_to_others(folder):
    assert read(folder) is None
    place = Place(kind="own", socket="/run/haproxy/admin.sock")
    remember(folder, place)
    assert read(folder) == place
    assert stat.S_IMODE(kept(folder).stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"kind": "moon"}', '{"kind": "own", "socket": 1}', '{"kind": "own", "more": ""}', "{}"]
)
def test_a_damaged_note_says_nothing(folder, text):
    remember(folder, Place(kind="own"))
    (kept(folder) / "place.json").write_text(text)
    assert read(folder) is None


def test_a_link_in_its_place_is_refused(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "place.json").write_text(json.dumps({"kind": "own"}))
    kept(folder).symlink_to(elsewhere)
    with pytest.raises(LinkError, match="is a symbolic link"):
        read(folder)
    with pytest.raises(LinkError, match="is a symbolic link"):
        remember(folder, Place(kind="libvirt"))


def test_the_command_line_goes_before_the_remembered_libvirt(folder):
    assert connect_of(folder, None) is None
    remember(folder, Place(kind="libvirt"))
    assert connect_of(folder, None) is None, "hardway.yaml decides"
    remember(folder, Place(kind="libvirt", connect="qemu+ssh://root@hv1/system"))
    assert connect_of(folder, None) == "qemu+ssh://root@hv1/system"
    assert connect_of(folder, "qemu:///system") == "qemu:///system"


@pytest.mark.parametrize(
    "connect",
    ["qemu+ext:///system?command=/tmp/evil", "qemu+ssh://a/system?netcat=/tmp/evil", "qemu:///system?x=1", "-oProxy"],
)
def test_an_address_that_makes_libvirt_start_a_program_is_neither_noted_nor_believed(folder, connect):
    """A folder may come from somebody else."""
    remember(folder, Place(kind="libvirt", connect=connect))
    assert connect not in (kept(folder) / "place.json").read_text()
    (kept(folder) / "place.json").write_text(json.dumps({"kind": "libvirt", "connect": connect}))
    assert read(folder) == Place(kind="libvirt")
    assert connect_of(folder, None) is None


def test_a_note_that_is_nested_without_end_is_damaged(folder):
    gc.collect()  # that of connections in other tests has to be closed, which fails as deep as this
    kept(folder).mkdir()
    (kept(folder) / "place.json").write_text("[" * 60_000)
    assert read(folder) is None
