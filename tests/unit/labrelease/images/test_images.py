"""The table of images, and what is in the images that are packed from it."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from hardway.labrelease import deviations
from hardway.labrelease.components import table as components
from hardway.labrelease.images import table as images
from hardway.labrelease.images.files import PYTHON, Sources, entries
from hardway.release.catalogue import release_for
from tests.support.lab import programs as lab_programs


def programs_of(name):
    return {program.file for program in components.component(name).programs}


def test_every_program_and_folder_of_the_table_is_one_that_a_component_has():
    for row in images.TABLE:
        for part in row.parts:
            if isinstance(part, images.Program):
                assert part.name in programs_of(part.component), (row.name, part.name)
            elif isinstance(part, images.Data):
                known = components.component(part.component).data
                assert any(part.folder.split("/")[0] == folder.split("/")[0] for folder in known), (row.name, part)


def test_every_image_has_a_name_of_its_own_and_a_reason():
    names = [row.name for row in images.TABLE]
    assert len(names) == len(set(names))
    assert all(row.why.what for row in images.TABLE)


def test_no_image_names_a_user():
    """As a vendor's: admission has to choose one for a pod that must not be root."""
    assert {row.name for row in images.TABLE if row.user} == set()


def test_every_name_of_the_catalogue_has_an_image_or_a_reason():
    known = {row.name for row in images.TABLE} | set(deviations.STAND_INS)
    assert set(release_for("4.18.0").images) <= known


def test_no_stand_in_is_listed_for_an_image_that_exists():
    assert not {row.name for row in images.TABLE} & set(deviations.STAND_INS)


def manifest(built, name):
    digest = built.digest if name == "release" else built.images[name]
    return json.loads((built.folder / "blobs/sha256" / digest.removeprefix("sha256:")).read_bytes())


def files(built, name):
    found = {}
    for layer in manifest(built, name)["layers"]:
        with tarfile.open(built.folder / "blobs/sha256" / layer["digest"].removeprefix("sha256:")) as archive:
            found |= {member.name: member for member in archive.getmembers()}
    return found


def test_hyperkube_has_its_programs_and_the_dispatcher(tmp_path):
    built = lab_programs.build(tmp_path)
    found = files(built, "hyperkube")
    for program in ("kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "hyperkube"):
        assert found[f"usr/bin/{program}"].mode == 0o755
    assert found["usr/bin/bash"].isreg()


def test_the_pause_image_has_no_base_and_two_static_programs(tmp_path):
    built = lab_programs.build(tmp_path)
    programs = {name for name, member in files(built, "pod").items() if member.isreg()}
    assert programs == {"usr/bin/pod", "usr/bin/busybox", "usr/bin/catatonit"}


def test_cli_answers_to_both_names(tmp_path):
    found = files(lab_programs.build(tmp_path), "cli")
    assert found["usr/bin/kubectl"].isreg()
    assert found["usr/bin/oc"].linkname == "kubectl"


def test_images_share_the_layers_of_programs_they_share(tmp_path):
    built = lab_programs.build(tmp_path)
    kubernetes, cli = (
        {layer["digest"] for layer in manifest(built, name)["layers"]} for name in ("hyperkube", "kube-proxy")
    )
    assert len(kubernetes & cli) == 1  # the base
    assert manifest(built, "release")["layers"][:-1] == manifest(built, "cluster-version-operator")["layers"]


@pytest.mark.parametrize("name", ["operator", "member"])
def test_a_module_of_ours_in_an_image_finds_all_that_it_imports(name, tmp_path):
    """Python alone, as in the image: nothing that is installed here."""
    for entry in entries(name, Sources(blobs=None, base=None, folders={})):
        path = tmp_path / entry.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(entry.source)
    place = tmp_path / Path(PYTHON).parent
    modules = [".".join(path.relative_to(place).with_suffix("").parts) for path in place.rglob("*.py")]
    assert f"hardway.labrelease.{name}.__init__" in modules
    script = "\n".join(
        ["import sys", f"sys.path.insert(0, {str(place)!r})", *(f"import {module}" for module in modules)]
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
