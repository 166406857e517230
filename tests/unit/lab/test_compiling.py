"""Nothing is compiled in silence: what a command would compile is known, and told, before."""

from __future__ import annotations

import pytest

from hardway.cli.lab.compiling import announce
from hardway.lab.prepared import opened, to_compile
from hardway.labrelease.release import to_compile as to_compile_for
from hardway.model.errors import ToolError
from tests.support.trees import built


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_a_lab_whose_programs_are_gone_says_so_and_compiles_nothing(tmp_path):
    with pytest.raises(ToolError, match="fix: compile them with `hardway lab up`"):
        opened(built().store.root.parent)
    assert not list(tmp_path.rglob("*"))


def test_what_is_missing_is_named_before_it_is_compiled(capsys):
    names = to_compile(built().loaded.cluster)
    assert {"kubernetes", "cri-o", "ignition"} <= set(names)
    assert set(to_compile_for("core")) <= set(names)
    announce(names)
    said = capsys.readouterr().err
    assert said.startswith(f"{len(names)} components will be compiled first: ")
    assert "about twelve minutes on two cores" in said


def test_where_nothing_is_missing_nothing_is_said(capsys):
    announce([])
    assert capsys.readouterr().err == ""
