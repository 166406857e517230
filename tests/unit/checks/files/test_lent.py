"""A tree that is lent again is as it was built, whatever was done to it."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.support.lent import lent


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    (folder / "tls").mkdir(parents=True)
    (folder / "tls/a.key").write_text("secret")
    (folder / "tls/a.key").chmod(0o600)
    (folder / "plan").write_text("plan")
    (folder / "latest").symlink_to("plan")
    return folder


def seen(folder):
    rows = [(path, path.lstat()) for path in sorted(folder.rglob("*"))]
    return {
        str(path.relative_to(folder)): (found.st_mode, os.readlink(path) if path.is_symlink() else content(path))
        for path, found in rows
    }


def content(path):
    return path.read_bytes() if path.is_file() else None


def replaced_by_folder(place):
    (place / "plan").unlink()
    (place / "plan/below").mkdir(parents=True)


def replaced_by_link(place):
    shutil.rmtree(place / "tls")
    (place / "tls").symlink_to("/nowhere")


def in_the_same_size(place):
    (place / "tls/a.key").write_text("SECRET")


CHANGES = {
    "content": in_the_same_size,
    "mode": lambda place: (place / "tls/a.key").chmod(0o644),
    "mode of a folder": lambda place: (place / "tls").chmod(0o700),
    "removed": lambda place: (place / "tls/a.key").unlink(),
    "removed folder": lambda place: shutil.rmtree(place / "tls"),
    "added": lambda place: (place / "tls/b.key").write_text("b"),
    "added folder": lambda place: (place / "new/folder").mkdir(parents=True),
    "a pipe": lambda place: os.mkfifo(place / "pipe"),
    "link": lambda place: ((place / "latest").unlink(), (place / "latest").symlink_to("none")),
    "a folder in the place of a file": replaced_by_folder,
    "a link in the place of a folder": replaced_by_link,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_is_put_right(source, change):
    before = seen(source)
    place = lent(source)
    assert seen(place) == before
    change(place)
    assert seen(place) != before
    assert lent(source) == place
    assert seen(place) == before == seen(source)
