"""The notes' calls of the operators, tried with the real ones: what these say to them."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
import yaml

from hardway.bootkube.operators import table
from hardway.io.folder import fill
from hardway.registry import podman
from hardway.registry.choose import access_of
from hardway.render.operators.inputs import facts, inputs
from hardway.render.operators.run import execute, planned_machine
from hardway.workspace.folder import open_workspace


@pytest.fixture
def bench(operated, tmp_path):
    """A folder as containers see it at /assets, and a way to call programs on it."""
    return Bench(operated, tmp_path / "assets")


class Bench:
    def __init__(self, folder, place):
        self.workspace = open_workspace(folder)
        self.facts = facts(self.workspace)
        self.access = access_of(self.workspace.loaded)
        self.place = place
        fill(place, inputs(self.workspace))

    def run(self, image, program, *argv, writable=True, machine=None):
        mounts = [podman.Mount(source=self.place, target="/assets", writable=writable)]
        spec = self.facts.image(image)
        return podman.run_program(spec, program, argv, mounts=mounts, access=self.access, machine=machine)

    def render(self, name, **changes):
        """bootkube's own call, with other values for some flags."""
        row = table.find(name)
        flags = tuple(replace(f, value=changes.get(f.name.lstrip("-").replace("-", "_"), f.value)) for f in row.flags)
        machine = planned_machine(self.workspace.loaded.cluster) if row.on_machine else None
        return execute(replace(row, flags=flags), self.facts, self.place, self.access, machine)[0]


def test_the_etcd_operator_takes_no_folder_of_certificates(bench):
    """Stage 7 of the notes: it makes its own, and would not know what to do with ours."""
    done = bench.run(
        "cluster-etcd-operator",
        "/usr/bin/cluster-etcd-operator",
        "render",
        "--asset-input-dir=/assets/tls",
        "--asset-output-dir=/assets/etcd-bootstrap",
    )
    assert "unknown flag: --asset-input-dir" in done.errors
    assert bench.render("etcd").ok
    assert (bench.place / "etcd-bootstrap/tls/etcd-client.key").exists()


def test_the_etcd_operator_renders_nothing_without_the_machines_network(bench):
    """The notes call podman without --net=host."""
    row = table.find("etcd")
    done = bench.run(row.image, row.program, *row.argv(bench.facts))
    assert not done.ok
    assert "couldn't find a suitable bootstrap node IP" in done.errors


def test_the_config_operators_program_is_not_called_config_operator(bench):
    """Stage 5 of the notes."""
    done = bench.run("cluster-config-operator", "/usr/bin/config-operator", "render")
    assert done.code == 127
    assert bench.render("config").ok


def test_the_api_is_not_rendered_by_the_kube_apiserver_operator(bench):
    """Stage 3 of the notes: that operator brings no type of config.openshift.io, another image does."""
    assert bench.render("kube-apiserver").ok
    assert bench.render("api").ok
    kinds = [p.name for p in (bench.place / "kube-apiserver-bootstrap").rglob("*config-operator*.crd.yaml")]
    assert kinds == []
    assert len(list((bench.place / "api-bootstrap/manifests").glob("*.crd.yaml"))) == 22


def test_a_path_for_etcds_authority_ends_up_below_the_secrets(bench):
    """The notes give /assets/tls/etcd-ca.crt: the API server would look for a file that nobody puts there."""
    assert bench.render("kube-apiserver", manifest_etcd_serving_ca="/assets/tls/etcd-ca.crt").ok
    config = yaml.safe_load((bench.place / "kube-apiserver-bootstrap/config").read_text())
    assert config["apiServerArguments"]["etcd-cafile"] == ["/etc/kubernetes/secrets//assets/tls/etcd-ca.crt"]


def test_the_key_of_bound_tokens_is_made_in_the_folder_that_the_notes_mount_read_only(bench):
    """It makes that key if there is none, and the installer brings none."""
    for path in (bench.place / "tls").glob("bound-service-account-signing-key.*"):
        path.unlink()
    row = table.find("kube-apiserver")
    argv = row.argv(bench.facts, without=[f.name for f in row.flags if f.late])
    done = bench.run(row.image, row.program, *argv, writable=False)
    assert not done.ok
    assert "read-only file system" in done.errors
    shutil.rmtree(bench.place / row.output, ignore_errors=True)
    assert bench.run(row.image, row.program, *argv).ok
    assert (bench.place / "tls/bound-service-account-signing-key.key").exists()
