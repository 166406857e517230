"""What the tests are given in the cluster and in the registry."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

from hardway.lab import services
from hardway.lab.conformance import ground, images
from hardway.labrelease.components.table import component
from hardway.labrelease.images.conformance import TABLE, components
from hardway.labrelease.images.table import Data, Own, Program
from tests.support.clusters import load_cluster
from tests.support.lab import programs as lab_programs


def test_only_two_constraints_are_granted_and_only_to_service_accounts():
    role, binding = ground.objects()
    [rule] = role["rules"]
    assert (rule["resourceNames"], rule["verbs"]) == (["anyuid", "privileged"], ["use"])
    assert (rule["apiGroups"], rule["resources"]) == (["security.openshift.io"], ["securitycontextconstraints"])
    assert [row["name"] for row in binding["subjects"]] == ["system:serviceaccounts"]
    assert binding["roleRef"]["name"] == role["metadata"]["name"]


def test_every_registry_of_the_tests_is_the_labs():
    cluster = load_cluster().cluster
    lines = images.mapping(cluster, Path("cache/c0ffee")).splitlines()
    assert {line.split(": ")[1] for line in lines} == {f"{services.registry(cluster)}/e2e-c0ffee"}
    assert len(lines) == len(images.REGISTRIES)


def test_every_image_has_a_name_of_its_own_a_reason_and_parts_that_exist():
    assert len({row.name for row in TABLE}) == len(TABLE)
    for row in TABLE:
        assert row.why.what
        assert row.tags
        for part in row.parts:
            if isinstance(part, Program):
                assert part.name in {program.file for program in component(part.component).programs}
            elif isinstance(part, Data):
                assert part.folder in component(part.component).data


def stand_ins(folder):
    for row in TABLE:
        for part in row.parts:
            if isinstance(part, Own):
                continue
            kind, name = ("bin", part.name) if isinstance(part, Program) else ("data", f"{part.folder}/data.json")
            path = folder / part.component / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
    return {name: folder / name for name in components()}


def packed(tmp_path):
    folders = stand_ins(tmp_path / "programs")
    return images.pack(folders, lambda *_: None, root=tmp_path, foundation=lab_programs.base)


def content(layout, name):
    """Of an image: its configuration, and its files by path."""
    blobs = layout / "blobs/sha256"
    rows = json.loads((layout / "index.json").read_bytes())["manifests"]
    [digest] = [row["digest"] for row in rows if name in row["annotations"].values()]
    manifest = json.loads((blobs / digest.removeprefix("sha256:")).read_bytes())
    config = json.loads((blobs / manifest["config"]["digest"].removeprefix("sha256:")).read_bytes())["config"]
    members = {}
    for layer in manifest["layers"]:
        with tarfile.open(blobs / layer["digest"].removeprefix("sha256:")) as archive:
            members |= {member.name: member for member in archive.getmembers()}
    return config, members


def test_agnhost_is_where_tests_call_it(tmp_path):
    config, members = content(packed(tmp_path), "agnhost")
    assert (config["Entrypoint"], config["Cmd"]) == (["/agnhost"], ["pause"])
    for link in ("agnhost", "agnhost-2"):
        assert members[link].linkname in members
    assert members["uploads"].isdir()


def test_pictures_are_where_the_web_server_looks_for_them(tmp_path):
    _, members = content(packed(tmp_path), "nautilus")
    assert members["data.json"].isreg()


def test_busybox_is_its_program_under_many_names_and_serves_pages(tmp_path):
    layout = packed(tmp_path)
    config, members = content(layout, "httpd")
    assert config["Entrypoint"][:2] == ["/bin/busybox", "httpd"]
    assert members[config["Entrypoint"][-1].removeprefix("/") + "/index.html"].isreg()
    assert members["bin/sh"].linkname == "busybox"
    assert "usr/bin/bash" not in members
    assert content(layout, "busybox")[0]["Cmd"] == ["sh"]


def test_packed_twice_it_is_the_same(tmp_path):
    assert packed(tmp_path) == packed(tmp_path)
