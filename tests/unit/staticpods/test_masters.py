"""The control plane on a master: the bootstrap node's own flags but for the node, and files that no Ignition holds."""

from __future__ import annotations

import pytest
import yaml

from hardway.pki import families
from hardway.staticpods import masters, scheduler
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.etcd import pod as etcd
from hardway.staticpods.paths import host_files
from tests.support.clusters import VARIANTS, made_by
from tests.support.ignition.files import files as laid_by_ignition
from tests.support.trees import built

MAKERS = {
    "etcd": etcd.pod,
    "kube-apiserver": apiserver.pod,
    "kube-controller-manager": controller_manager.pod,
    "kube-scheduler": scheduler.pod,
}


def arguments(pod) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in pod["spec"]["containers"][0]["args"]:
        name, _, value = word.partition("=")
        found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize(
    ("name", "own"),
    [
        (
            "etcd",
            {
                "--name",
                "--initial-advertise-peer-urls",
                "--advertise-client-urls",
                "--cert-file",
                "--key-file",
                "--peer-cert-file",
                "--peer-key-file",
            },
        ),
        ("kube-apiserver", {"--advertise-address", "--disable-admission-plugins"}),
        ("kube-controller-manager", set()),
        ("kube-scheduler", set()),
    ],
)
def test_only_what_names_the_node_differs_from_the_bootstrap_pod(name, own):
    cluster = built().loaded.cluster
    first = arguments(MAKERS[name](cluster, cluster.bootstrap))
    other = arguments(masters.pod(name, cluster, cluster.masters[0]))
    assert {flag for flag in first.keys() | other.keys() if first.get(flag) != other.get(flag)} == own


def test_etcd_joins_what_exists():
    cluster = made_by(built().loaded.cluster)
    pod = yaml.safe_load(masters.manifest("etcd", cluster, cluster.masters[1], "a=https://a:2380"))
    environment = {e["name"]: e["value"] for e in pod["spec"]["containers"][0]["env"]}
    assert environment["ETCD_INITIAL_CLUSTER"] == "a=https://a:2380"
    assert environment["ETCD_INITIAL_CLUSTER_STATE"] == "existing"
    assert arguments(pod)["--initial-advertise-peer-urls"] == ["https://etcd-1.ocp4.example.com:2380"]


def test_mirrors_have_the_names_of_the_pods_that_are_laid():
    cluster = made_by(built().loaded.cluster)
    for row in masters.PROGRAMS:
        about = masters.pod(row.name, cluster, cluster.masters[0])["metadata"]
        place = f"{about['namespace']}/{about['name']}-master-0"
        assert masters.mirror(cluster, row.name, cluster.masters[0]) == place


@pytest.mark.parametrize(
    ("operators", "places"),
    [
        (
            (),
            "openshift-etcd/etcd openshift-kube-apiserver/kube-apiserver kube-system/kube-controller-manager "
            "kube-system/kube-scheduler",
        ),
        (
            ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"),
            "openshift-etcd/etcd openshift-kube-apiserver/kube-apiserver "
            "openshift-kube-controller-manager/kube-controller-manager "
            "openshift-kube-scheduler/openshift-kube-scheduler",
        ),
    ],
)
def test_each_part_has_one_maker_and_is_looked_for_under_the_names_of_that_one(operators, places):
    cluster = made_by(built().loaded.cluster, *operators)
    assert " ".join(masters.pods(cluster, row.name) for row in masters.PROGRAMS) == places
    assert {row.name for row in masters.by_hand(cluster)} | set(operators) == {row.name for row in masters.PROGRAMS}
    assert {row.name for row in masters.by_hand(cluster)}.isdisjoint(operators)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_file_that_a_pod_reads_is_laid_from_a_file_that_was_built(variant):
    workspace = built(variant)
    cluster = made_by(workspace.loaded.cluster)
    for node in cluster.masters:
        laid = {row.path: row for row in masters.files(cluster, node)}
        read = {path for row in masters.PROGRAMS for path in host_files(masters.pod(row.name, cluster, node))}
        assert laid.keys() == read
        assert [row.source for row in laid.values() if not (workspace.store.root / row.source).is_file()] == []
        assert {row.mode for row in laid.values()} == {0o600}


def test_of_the_signers_only_the_kubelets_own_is_on_a_master():
    cluster = made_by(built().loaded.cluster)
    keys = {row.source for row in masters.files(cluster, cluster.masters[0]) if row.source.endswith(".key")}
    signers = {f"tls/{row.name}.key" for row in families.TABLE if row.is_ca}
    assert keys & signers == {"tls/kubelet-signer.key"}
    foreign = {key for key in keys if "etcd-" in key} - {"tls/etcd-client.key"}
    assert foreign == {"tls/etcd-peer-master-0.key", "tls/etcd-serving-master-0.key"}


def test_no_master_gets_any_of_it_by_ignition():
    workspace = built()
    cluster = made_by(workspace.loaded.cluster)
    contents = {(workspace.store.root / row.source).read_bytes() for row in masters.files(cluster, cluster.masters[0])}
    secret = {content for content in contents if b"PRIVATE KEY" in content}
    assert len(secret) > 10
    for node in (*cluster.masters, *cluster.workers):
        laid = laid_by_ignition(workspace.store.read(f"{node.name}.ign"))
        assert [path for path, file in laid.items() if file.content in secret] == []


def test_each_program_waits_for_the_one_it_needs():
    order = [row.name for row in masters.PROGRAMS]
    for row in masters.PROGRAMS:
        assert all(order.index(name) < order.index(row.name) for name in row.after)
