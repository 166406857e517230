"""Folders outside a checkout that would be compiled with it."""

from __future__ import annotations

import pytest

from hardway.labrelease.checkouts import outside
from hardway.labrelease.checkouts.read import read
from tests.support.lab import checkout as small


@pytest.fixture
def folder(tmp_path):
    return small.write(tmp_path)


def told(folder):
    described = small.describe(folder.parent)
    [found] = read([f"{small.NAME}={folder}"], [described])
    return [(row.file, row.line, row.message.partition(",")[0]) for row in outside.warnings(found)]


def add(folder, text, name="go.mod"):
    file = folder / name
    file.write_text((file.read_text() if file.exists() else "") + text)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("replace example.test/a => ../a\n", 4, "example.test/a is compiled from ../a"),
        ('replace example.test/a v1.2.3 => "/srv/a" // mine\n', 4, "example.test/a is compiled from /srv/a"),
        (
            "replace (\n\texample.test/b => ./b\n\texample.test/a => ./../a\n)\n",
            6,
            "example.test/a is compiled from ./../a",
        ),
    ],
)
def test_a_replaced_module_outside_is_named_with_its_line(folder, text, line, message):
    add(folder, text)
    assert told(folder) == [(str(folder / "go.mod"), line, message)]


@pytest.mark.parametrize(
    "text",
    [
        "replace example.test/a => ./staging/a\n",
        "replace example.test/a => example.test/fork v1.0.0\n",
        "// replace example.test/a => ../a\n",
        "require (\n\texample.test/a v1.0.0\n)\n",
    ],
)
def test_what_is_inside_or_comes_from_a_proxy_is_no_warning(folder, text):
    add(folder, text)
    assert told(folder) == []


def test_a_link_that_leads_out_is_outside(folder):
    (folder / "a").symlink_to(folder.parent)
    add(folder, "replace example.test/a => ./a\n")
    assert [row[2] for row in told(folder)] == ["example.test/a is compiled from ./a"]


def test_a_workspace_may_use_folders_outside(folder):
    add(folder, "go 1.24\nuse .\nuse (\n\t./staging\n\t../a\n)\n", "go.work")
    assert told(folder) == [(str(folder / "go.work"), 5, "a module is compiled from ../a")]


def test_what_is_vendored_is_in_the_checkout(folder):
    add(folder, "replace example.test/a => ../a\n")
    (folder / "vendor/example.test").mkdir(parents=True)
    (folder / "vendor/modules.txt").touch()
    assert told(folder) == []
