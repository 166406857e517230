"""Corrections to what the notes say of Ignition files."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path

from tests.docs import notes
from tests.support.trees import built, copy_of


def node(name: str) -> dict:
    return json.loads((built().store.root / f"{name}.ign").read_text())


def content(name: str, path: str) -> str:
    [entry] = [f for f in node(name)["storage"]["files"] if f["path"] == path]
    return b64decode(entry["contents"]["source"].split(",", 1)[1]).decode()


def test_the_installers_file_has_no_static_pod_and_ours_has_all():
    assert not [path for path in notes.installer_paths() if path.startswith("/etc/kubernetes/manifests")]
    ours = [f["path"] for f in node("bootstrap")["storage"]["files"]]
    assert len([path for path in ours if path.startswith("/etc/kubernetes/manifests/")]) == 5


def test_the_kubelets_unit_comes_from_ignition():
    """The program is in the image; the unit is in the file, in the installer's and in ours."""
    assert "kubelet.service" in [u["name"] for u in notes.installer()["units"]]
    [unit] = [u for u in node("bootstrap")["systemd"]["units"] if u["name"] == "kubelet.service"]
    assert unit["enabled"]
    assert "ExecStart=" in unit["contents"]


def test_without_the_server_five_files_are_missing_and_not_one(tmp_path: Path):
    """The notes add the kubeconfig; the kubelet's CA, the annotations and both copies of the MachineConfig are lost."""
    world = copy_of("default", tmp_path)
    others = (
        "/etc/kubernetes/kubelet-ca.crt",
        "/etc/machine-config-daemon/node-annotations.json",
        "/etc/mcs-machine-config-content.json",
        "/etc/ignition-machine-config-encapsulated.json",
    )
    notes.edit_ignition(world, "master-0", notes.drop(*others))
    found = notes.found_by(world)
    assert set(found) == {"ignition.from-mcs"}
    assert len(found["ignition.from-mcs"]) == len(others)


def test_the_pause_image_needs_its_command():
    """The release's image has its program under another name than CRI-O starts by default."""
    paths = [f["path"] for f in node("bootstrap")["storage"]["files"]]
    assert "/etc/crio/crio.conf.d/00-pause.conf" not in paths
    text = content("bootstrap", "/etc/crio/crio.conf.d/50-bootstrap-override.conf")
    assert 'pause_command = "/usr/bin/pod"' in text
    assert "pause_image = " in text


def test_the_bootstrap_kubelet_has_no_kubeconfig(tmp_path: Path):
    world = copy_of("default", tmp_path)
    path = "/usr/local/bin/kubelet.sh"
    text = content("bootstrap", path).replace("--node-ip", "--kubeconfig=/etc/kubernetes/kubeconfig --node-ip")
    notes.edit_ignition(world, "bootstrap", notes.drop(path))
    notes.edit_ignition(world, "bootstrap", lambda files: files.append(notes.entry(path, text.encode(), 493)))
    assert set(notes.found_by(world)) == {"ignition.kubelet"}
