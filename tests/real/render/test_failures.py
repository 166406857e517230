"""A render that fails says what was run, what it printed, and what it is due to."""

from __future__ import annotations

import json
import shlex
import subprocess
from dataclasses import replace

import pytest
import yaml

from hardway.model.errors import ToolError
from hardway.registry.choose import access_of
from hardway.render.failures import CAUSES, cause_of
from hardway.render.mco import run as mco
from hardway.workspace.folder import open_workspace
from hardway.workspace.keep import references


@pytest.fixture
def job(built):
    workspace = open_workspace(built)
    store, loaded = workspace.store, workspace.loaded
    return mco.prepare(workspace.graph, store, loaded.cluster.release, references(store.root), access_of(loaded))


def edited(content, change):
    document = yaml.safe_load(content)
    change(document)
    return yaml.safe_dump(document).encode()


def other_version(job):
    def change(gate):
        gate["status"]["featureGates"][0]["version"] = "4.17.0"

    name = "99_feature-gate.yaml"
    return replace(job, manifests={**job.manifests, name: edited(job.manifests[name], change)})


def notes_field(job):
    """The field as the notes call it."""

    def change(infrastructure):
        status = infrastructure["status"]
        status["apiServerInternalURL"] = status.pop("apiServerInternalURI")

    name = "cluster-infrastructure-02-config.yml"
    return replace(job, files={**job.files, name: edited(job.files[name], change)})


def missing_image(job):
    def change(stream):
        stream["spec"]["tags"] = [tag for tag in stream["spec"]["tags"] if tag["name"] != "keepalived-ipfailover"]

    content = edited(job.files["image-references"], change)
    return replace(job, files={**job.files, "image-references": json.dumps(yaml.safe_load(content)).encode()})


def absent_image(job):
    spec = job.release.image_for(mco.IMAGE)
    other = spec[:-64] + "0" * 64
    return replace(job, release=replace(job.release, images={**job.release.images, mco.IMAGE: other}))


PLANTED = [
    (other_version, "cause: the FeatureGate has no status for release 4.18.0-lab.core (F41)"),
    (notes_field, "cause: the Infrastructure has no usable status.apiServerInternalURI"),
    (missing_image, "cause: the release has no image called keepalived-ipfailover"),
    (absent_image, "cause: the registry does not have the image"),
]


@pytest.mark.parametrize(("plant", "cause"), PLANTED, ids=lambda x: getattr(x, "__name__", ""))
def test_the_cause_is_named(job, tmp_path, plant, cause):
    with pytest.raises(ToolError) as caught:
        mco.make(plant(job), tmp_path / "mco", lambda _: None)
    message = str(caught.value)
    assert cause in message
    assert "    fix: " in message
    assert not (tmp_path / "mco").exists()


def test_the_command_can_be_pasted(job, tmp_path, monkeypatch):
    with pytest.raises(ToolError) as caught:
        mco.make(missing_image(job), tmp_path / "mco", lambda _: None)
    line = next(x for x in str(caught.value).splitlines() if "command: " in x)
    words = shlex.split(line.partition("command: ")[2])
    settings = tmp_path / "containers.conf"
    from hardway.registry.podman import containers_conf

    settings.write_text(containers_conf())
    monkeypatch.setenv("CONTAINERS_CONF", str(settings))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "Failed to find keepalived-ipfailover in image references" in done.stderr
    mco.make(job, tmp_path / "mco", lambda _: None)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["containers.conf", "mco"]


def test_podman_is_missing(job, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match=r"podman: program not found\.\n    fix: install it"):
        mco.make(job, tmp_path / "mco", lambda _: None)


SAID = {
    "no controllerconfig found": "error: no controllerconfig found in dir",
    "failed to execute template": "F1 failed to execute template: template: /etc/x.yaml:5:1",
    "unauthorized": "Error: reading manifest: unauthorized: authentication required",
    "x509": "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    "dial tcp": "pinging container registry: dial tcp 192.0.2.1:443: i/o timeout",
    "executable file": "runc: exec: executable file `/usr/bin/machine-config-operator` not found in $PATH",
    "flag": "Error: unknown flag: --operand-kubernetes-version",
    "unshare": "unshare: unshare failed: Operation not permitted",
    "setrlimit": "Error: crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted",
    "cgroups": "crun: cgroups in hybrid mode not supported",
    "space": "write /var/lib/containers/x: no space left on device",
}


def test_every_cause_has_words_that_it_is_known_by():
    planted = {cause for _, cause in PLANTED}
    texts = [cause_of(text) for text in SAID.values()]
    found = {cause for cause in (*texts,) if cause}
    assert len(found) == len(SAID)
    assert len(found) + len(planted) == len(CAUSES)
