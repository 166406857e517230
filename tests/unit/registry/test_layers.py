"""Layers on top of each other, read newest first: what a container would see, which is built oldest first."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardway.registry.errors import Damaged
from hardway.registry.layer import read_layer
from hardway.registry.merge import Merged
from tests.support.registry import images


def merged(*layers, prefix="d"):
    """From archives, the oldest first."""
    result = Merged(where="here")
    for content in reversed(layers):
        result.add(read_layer(io.BytesIO(content), prefix, "here"))
    return result


def seen(*layers, prefix="d"):
    return merged(*layers, prefix=prefix).result()


def test_the_newest_wins():
    assert seen(images.tar({"d/a": b"old", "d/b": b"b"}), images.tar({"d/a": b"new"})) == {"a": b"new", "b": b"b"}


def test_a_whiteout_hides_what_is_beneath_and_not_what_is_above_or_beside():
    old = images.tar({"d/a": b"1", "d/ab": b"2", "d/sub/x": b"3"})
    assert seen(old, images.tar({"d/.wh.a": b"", "d/.wh.sub": b""})) == {"ab": b"2"}
    assert seen(old, images.tar({"d/.wh.a": b""}), images.tar({"d/a": b"back"}))["a"] == b"back"
    assert seen(images.tar({"d/.wh.a": b""}), old)["a"] == b"1"
    assert seen(old, images.tar({"d/.wh.a": b"", "d/a": b"own"}))["a"] == b"own"


def test_an_opaque_folder_starts_anew():
    old = images.tar({"d/sub/x": b"1", "d/y": b"2"})
    assert seen(old, images.tar({"d/sub/.wh..wh..opq": b"", "d/sub/z": b"3"})) == {"sub/z": b"3", "y": b"2"}


@pytest.mark.parametrize("marker", ["d/.wh..wh..opq", ".wh.d", ".wh..wh..opq"])
def test_nothing_older_is_read_once_the_folder_is_gone(marker):
    result = merged(images.tar({marker: b"", "d/new": b"n"}))
    assert result.closed
    assert seen(images.tar({"d/old": b"o"}), images.tar({marker: b"", "d/new": b"n"})) == {"new": b"n"}


def test_the_folder_above_can_be_taken_away_too():
    assert seen(images.tar({"p/d/old": b"o"}), images.tar({".wh.p": b""}), prefix="p/d") == {}
    assert seen(images.tar({"p/d/old": b"o"}), images.tar({"p/.wh.x": b""}), prefix="p/d") == {"old": b"o"}


def test_a_file_replaces_a_folder_and_a_folder_a_file():
    assert seen(images.tar({"d/x/a": b"1"}), images.tar({"d/x": b"file"})) == {"x": b"file"}
    assert seen(images.tar({"d/x": b"file"}), images.tar({"d/x/a": b"1"})) == {"x/a": b"1"}
    folder = images.tar({}, images.member("d/x", tarfile.DIRTYPE))
    assert seen(images.tar({"d/x": b"file"}), folder) == {}
    assert seen(images.tar({"d/x/b": b"0"}), images.tar({"d/x": b"file"}), images.tar({"d/x/a": b"2"})) == {"x/a": b"2"}


def test_links_within_the_folder_are_followed():
    hard = images.tar({"d/a": b"1"}, images.member("d/h", tarfile.LNKTYPE, "d/a"))
    soft = images.tar({}, images.member("d/s", tarfile.SYMTYPE, "sub/../h"), images.member("d/t", tarfile.SYMTYPE, "s"))
    assert seen(hard, soft) == {"a": b"1", "h": b"1", "s": b"1", "t": b"1"}
    assert seen(soft, hard, images.tar({"d/t": b"own"}))["t"] == b"own"


@pytest.mark.parametrize("target", ["nothing", "l"])
def test_a_link_to_nothing_or_to_itself(target):
    with pytest.raises(Damaged, match="the link 'l' leads to no file"):
        seen(images.tar({}, images.member("d/l", tarfile.SYMTYPE, target)))


def test_names_with_a_dot_in_front_are_the_same_names():
    assert seen(images.tar({"./d/a": b"1", "./e": b"2"})) == {"a": b"1"}


def test_the_empty_prefix_is_everything():
    assert seen(images.tar({"a": b"1", "d/b": b"2"}), prefix="") == {"a": b"1", "d/b": b"2"}


def test_what_is_outside_the_folder_is_not_held():
    layer = read_layer(io.BytesIO(images.tar({"big": bytes(1 << 20), "d/a": b"1"})), "d", "here")
    assert (layer.files, layer.room.content) == ({"a": b"1"}, 1)


NAMES = st.sampled_from(["a", "b", "x/a", "x/b", "x", "x/y/a", "x/y"])
LAYERS = st.lists(
    st.dictionaries(NAMES, st.sampled_from(["file", "gone", "opaque"]), max_size=4).map(
        lambda rows: {n: k for n, k in rows.items() if not (k == "file" and any(o.startswith(f"{n}/") for o in rows))}
    ),
    min_size=1,
    max_size=4,
)


def archive_of(rows, number):
    names = {"file": "d/{0}", "gone": "d/{1}.wh.{2}", "opaque": "d/{0}/.wh..wh..opq"}
    files = {}
    for name, kind in rows.items():
        folder, slash, last = name.rpartition("/")
        files[names[kind].format(name, folder + slash, last)] = f"{number}".encode() if kind == "file" else b""
    return images.tar(files)


def on_disk(rows_of_layers):
    """The plain way: oldest first, first what a layer takes away, then what it brings."""
    tree: dict[str, bytes] = {}
    for number, rows in enumerate(rows_of_layers):
        for name, kind in rows.items():
            drop = {"gone": (name, f"{name}/"), "opaque": (None, f"{name}/"), "file": (name, f"{name}/")}[kind]
            tree = {n: c for n, c in tree.items() if n != drop[0] and not n.startswith(drop[1])}
        for name, kind in rows.items():
            folders = [str(p) for p in Path(name).parents if str(p) != "."]
            implied = [name, *folders] if kind == "opaque" else folders
            tree = {n: c for n, c in tree.items() if n not in implied}
            if kind == "file":
                tree[name] = f"{number}".encode()
    return tree


@settings(max_examples=150)
@given(LAYERS)
def test_newest_first_gives_what_oldest_first_gives(rows):
    assert seen(*(archive_of(r, n) for n, r in enumerate(rows))) == on_disk(rows)
