"""Every file and unit on a node has its reason, and every reason has its file or unit."""

from __future__ import annotations

import re

import pytest
import yaml

from hardway.ignition.base import read_base
from hardway.ignition.bootstrap import UNITS
from hardway.ignition.node import table
from hardway.lines.default import DEFAULT
from hardway.workspace.catalogue import node_reasons
from tests.support.clusters import VARIANTS
from tests.support.ignition.files import files, units
from tests.support.trees import MCO_BASE, built

NODES = {"bootstrap": "bootstrap.ign", "master": "master-0.ign", "worker": "worker-0.ign"}


def addresses(variant: str) -> set[str]:
    found = set()
    for node, name in NODES.items():
        content = built(variant).store.read(name)
        if content:
            found |= {f"file/{node}:{path}" for path in files(content)}
            found |= {f"unit/{node}:{unit}" for unit in units(content)}
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_files_and_units_are_explained_and_nothing_else_is(variant: str) -> None:
    known = node_reasons(built(variant).loaded.cluster, base=read_base(MCO_BASE, DEFAULT))
    without_workers = {a for a in known if ":" in a and a.split(":")[0].endswith("/worker")}
    expected = set(known) if built(variant).loaded.cluster.workers else set(known) - without_workers
    assert addresses(variant) == expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_reason_is_complete(variant: str) -> None:
    for address, why in node_reasons(built(variant).loaded.cluster, base=read_base(MCO_BASE, DEFAULT)).items():
        assert why.what, address
        assert why.readers, address
        assert why.breaks, address
        assert why.source, address


def test_crds_are_explained_too() -> None:
    known = node_reasons(built().loaded.cluster, crds={"a.yaml": b""})
    assert known["file/bootstrap:/opt/openshift/crds/a.yaml"].readers.startswith("bootkube.sh")


def test_without_a_render_the_rest_is_still_explained() -> None:
    known = node_reasons(built().loaded.cluster)
    assert known["file/worker:/etc/hostname"] == table.HOSTNAME.why
    assert {f"unit/bootstrap:{unit.name}" for unit in UNITS} <= set(known)


def test_a_secret_says_who_reads_it_on_this_node() -> None:
    known = node_reasons(built().loaded.cluster)
    why = known["file/bootstrap:/etc/kubernetes/bootstrap-secrets/kubelet-signer.key"]
    assert why.readers == "kube-controller-manager, --cluster-signing-key-file"


def test_the_flag_that_a_reason_names_is_the_one_that_reads_the_file() -> None:
    """A row says who reads the file and with which flag; the pods themselves must say the same."""
    known = node_reasons(built().loaded.cluster)
    laid = files(built().store.read("bootstrap.ign") or b"")
    pods = [yaml.safe_load(f.content) for p, f in laid.items() if p.startswith("/etc/kubernetes/manifests/")]
    words = [w for pod in pods for c in pod["spec"]["containers"] for w in (*c.get("command", ()), *c.get("args", ()))]
    places = {
        "/etc/kubernetes/bootstrap-secrets/": "/etc/kubernetes/secrets/",
        "/etc/kubernetes/static-pod-resources/etcd-member/": "/etc/ssl/etcd/",
    }
    checked = 0
    for path in laid:
        for host, inside in places.items():
            if path.startswith(host):
                flags = {w.split("=")[0] for w in words if re.search(re.escape(path.replace(host, inside)) + r"\b", w)}
                assert flags, path
                assert any(f in known[f"file/bootstrap:{path}"].readers for f in flags), (path, flags)
                checked += 1
    assert checked > 30
