"""Components from checkouts: compiled by the real Go, only what changed, and into nothing half."""

from __future__ import annotations

import subprocess
import time

import pytest

from hardway.labrelease import places
from hardway.labrelease.checkouts.git import State
from hardway.labrelease.checkouts.read import read
from hardway.labrelease.compile.checkout import compile_checkouts, stamped
from hardway.labrelease.components.table import component
from hardway.model.errors import ToolError
from tests.support.lab import checkout

WORDS = "pkg/words/words.go"


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    """A build cache that has the standard library after the first test."""
    return tmp_path_factory.mktemp("go-build")


@pytest.fixture
def folder(tmp_path, monkeypatch, cache):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GOCACHE", str(cache))
    monkeypatch.setenv("GOPROXY", "off")
    return checkout.write(tmp_path)


def compiled(folder):
    """The component, and the packages that the Go command named while it compiled."""
    told = []
    file = checkout.describe(folder.parent)
    [made] = compile_checkouts(
        read([f"{checkout.NAME}={folder}"], [file]), progress=lambda *words: told.append(words[3].partition(": ")[2])
    )
    return made, [what for what in told if what.startswith("example.test/")]


def said(made):
    done = subprocess.run([made.folder / "bin" / checkout.NAME], capture_output=True, text=True, check=True)
    return done.stderr.strip()


def kept():
    return sorted(path.name for path in places.programs().iterdir() if path.name != ".lock")


def test_the_program_and_the_manifests_are_those_of_the_checkout(folder):
    commit = checkout.commit(folder, "v1.2.3")
    made, packages = compiled(folder)
    assert said(made) == "the first words"
    assert (made.folder / "data/manifests/image-references").read_text() == checkout.REFERENCES
    assert made.labels == {
        "io.openshift.build.commit.id": commit,
        "hardway.lab/describe": f"v1.2.3-0-g{commit[:12]}",
        "hardway.lab/dirty": "false",
    }
    assert set(packages) == {f"{checkout.MODULE}/pkg/words", f"{checkout.MODULE}/cmd/small-operator"}


def test_a_second_build_compiles_nothing_and_changes_no_name(folder):
    first, _ = compiled(folder)
    assert compiled(folder) == (first, [])
    assert kept() == [first.folder.name]


def test_after_an_edit_only_what_changed_is_compiled(folder):
    (folder / "pkg/other").mkdir()
    (folder / "pkg/other/other.go").write_text('package other\n\nconst Word = "!"\n')
    main = folder / "cmd/small-operator/main.go"
    text = checkout.MAIN.replace("words.First", "words.First + other.Word")
    main.write_text(text.replace("import", f'import "{checkout.MODULE}/pkg/other"\nimport', 1))
    first, _ = compiled(folder)
    (folder / WORDS).write_text('package words\n\nconst First = "other words"\n')
    second, packages = compiled(folder)
    assert (said(first), said(second)) == ("the first words!", "other words!")
    assert f"{checkout.MODULE}/pkg/words" in packages
    assert f"{checkout.MODULE}/pkg/other" not in packages
    assert len(kept()) == 2


def test_a_vendored_checkout_needs_no_module_proxy(folder):
    vendored = folder / "vendor/example.test/dependency"
    vendored.mkdir(parents=True)
    (vendored / "d.go").write_text('package dependency\n\nconst Word = "vendored"\n')
    (folder / "go.mod").write_text(checkout.FILES["go.mod"] + "\nrequire example.test/dependency v1.0.0\n")
    modules = "# example.test/dependency v1.0.0\n## explicit\nexample.test/dependency\n"
    (folder / "vendor/modules.txt").write_text(modules)
    (folder / WORDS).write_text(
        'package words\n\nimport "example.test/dependency"\n\nconst First = dependency.Word\n',
    )
    assert said(compiled(folder)[0]) == "vendored"
    (folder / "vendor/modules.txt").write_text(modules.replace("v1.0.0", "v1.0.1"))
    assert "cause: go.mod and the folder vendor do not belong together" in failure(folder)


def failure(folder):
    before = kept()
    with pytest.raises(ToolError) as caught:
        compiled(folder)
    assert kept() == before
    return str(caught.value)


def test_what_does_not_compile_names_the_place_and_leaves_what_was_made_before(folder):
    first, _ = compiled(folder)
    (folder / WORDS).write_text("package words\n\nconst First = nothing\n")
    message = failure(folder)
    assert f"small-operator from {folder} does not compile: go failed with exit code 1" in message
    assert "pkg/words/words.go:3:15: undefined: nothing" in message
    assert "fix: correct the code, and run the same command again" in message
    assert said(first) == "the first words"


def test_a_newer_go_than_there_is(folder):
    (folder / "go.mod").write_text(f"module {checkout.MODULE}\n\ngo 1.99\n")
    places.programs().mkdir(parents=True)
    assert "cause: the checkout asks for a newer Go" in failure(folder)


def test_a_checkout_that_changes_meanwhile_is_not_kept(folder, monkeypatch, tmp_path):
    """By a Go command that edits a file when it has compiled."""
    compiled(folder)
    go = subprocess.run(["sh", "-c", "command -v go"], capture_output=True, text=True, check=True).stdout.strip()
    fake = tmp_path / "bin/go"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\n{go} "$@" || exit\n[ "$1" != build ] || echo "// more" >>{folder / WORDS}\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    message = failure(folder)
    assert f"{folder}: {WORDS} changed during the build, so nothing of small-operator was kept" in message


def test_a_link_that_leads_out_of_the_checkout_is_not_packed(folder):
    (folder / "manifests/passwd.yaml").symlink_to("/etc/passwd")
    places.programs().mkdir(parents=True)
    assert "is a link that leads out of" in failure(folder)


def test_files_that_go_passes_over_may_change(folder):
    first, _ = compiled(folder)
    (folder / ".words.go.swp").write_text(str(time.time()))
    (folder / "_output").mkdir()
    assert compiled(folder)[0] == first


@pytest.mark.parametrize(
    ("name", "variable", "value"),
    [
        ("kubernetes", "gitCommit", "c0ffee"),
        ("kubernetes", "gitTreeState", "dirty"),
        ("kubernetes", "gitVersion", f"v{component('kubernetes').version}"),
        ("cluster-version-operator", "Raw", "v1.0.0-3-gc0ffee-dirty"),
        ("machine-config-operator", "Hash", "c0ffee"),
        ("cluster-etcd-operator", "versionFromGit", "v1.0.0-3-gc0ffee-dirty"),
    ],
)
def test_programs_are_stamped_with_what_git_says_in_the_place_of_the_pin(name, variable, value):
    state = State(describe="v1.0.0-3-gc0ffee-dirty", commit="c0ffee", dirty=True)
    stamps = {key.rpartition(".")[2]: stamp for key, stamp in stamped(component(name), state).stamps}
    assert stamps[variable] == value
