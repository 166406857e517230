"""What git says of a checkout, and what the checkout cannot make it do."""

from __future__ import annotations

import pytest

from hardway.labrelease.checkouts.git import State, state
from tests.support.lab import checkout


def test_a_tag_the_commit_and_whether_files_were_changed(tmp_path):
    folder = checkout.write(tmp_path)
    commit = checkout.commit(folder, "v4.18.0")
    assert state(folder) == State(describe=f"v4.18.0-0-g{commit[:12]}", commit=commit, dirty=False)
    (folder / "pkg/words/words.go").write_text("package words\n")
    found = state(folder)
    assert (found.describe, found.dirty) == (f"v4.18.0-0-g{commit[:12]}-dirty", True)
    assert found.version == found.describe


def test_without_a_tag_it_is_the_commit_and_still_a_version(tmp_path):
    folder = checkout.write(tmp_path)
    commit = checkout.commit(folder)
    assert state(folder).describe == commit[:12]
    assert state(folder).version == f"v0.0.0-g{commit[:12]}"


def test_a_folder_without_git_has_no_state_and_none_of_the_folder_around_it(tmp_path):
    folder = checkout.write(tmp_path)
    checkout.commit(tmp_path)
    assert state(folder) == State()
    assert (state(folder).told, state(folder).version) == ("not in git", "v0.0.0-no-git")


def test_odd_characters_of_a_tag_stay_out(tmp_path):
    folder = checkout.write(tmp_path)
    checkout.commit(folder, "v1/\N{SNOWMAN}(x)")
    assert state(folder).describe.startswith("v1-x-")


@pytest.mark.parametrize(
    ("setting", "attributes"),
    [("core.fsmonitor", ""), ("filter.evil.clean", "* filter=evil\n"), ("filter.a=b.process", "* filter=a=b\n")],
)
def test_programs_that_the_checkout_names_are_not_run(tmp_path, setting, attributes):
    folder = checkout.write(tmp_path)
    checkout.commit(folder)
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    checkout.git(folder, "config", setting, str(trap))
    (folder / ".git/info/attributes").write_text(attributes)
    words = folder / "pkg/words/words.go"
    words.write_text(words.read_text().swapcase())  # of the same size, so that git has to read it
    checkout.git(folder, "status")
    sprung.unlink()  # it is a trap
    assert state(folder).dirty
    assert not sprung.exists()


def test_a_submodule_is_not_entered(tmp_path):
    folder, inner = checkout.write(tmp_path), tmp_path / "inner"
    inner.mkdir()
    (inner / "file").write_text("1")
    checkout.commit(inner)
    checkout.git(tmp_path, "clone", "--quiet", str(inner), str(folder / "inner"))
    checkout.commit(folder)
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    checkout.git(folder / "inner", "config", "core.fsmonitor", str(trap))
    (folder / "inner/file").write_text("2")
    checkout.git(folder, "describe", "--always", "--dirty")
    sprung.unlink()  # it is a trap
    assert not state(folder).dirty
    assert not sprung.exists()
