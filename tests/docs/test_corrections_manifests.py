"""Corrections to what the notes say of cluster manifests and CRDs."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.docs import notes
from tests.support import crds
from tests.support.manifests import configured
from tests.support.trees import built, copy_of

FILES = {
    "infrastructure": "manifests/cluster-infrastructure-02-config.yml",
    "dns": "manifests/cluster-dns-02-config.yml",
    "network": "manifests/cluster-network-02-config.yml",
    "operator network": "manifests/cluster-network-03-config.yml",
    "feature gate": "openshift/99_feature-gate.yaml",
    "endpoints": "manifests/00_etcd-endpoints-cm.yaml",
    "config": "manifests/cluster-config.yaml",
}


def test_the_internal_url_is_refused_by_the_real_schema(tmp_path: Path):
    body = configured("default").body("cluster-infrastructure-02-config.yml")
    body["status"]["apiServerInternalURL"] = body["status"].pop("apiServerInternalURI")
    [problem] = crds.problems(body)
    assert "'apiServerInternalURL' was unexpected" in problem
    world = copy_of("default", tmp_path)
    notes.edit(world, FILES["infrastructure"], lambda d: d.update(status=body["status"]))
    assert set(notes.found_by(world)) == {"manifest.infrastructure"}


def test_an_infrastructure_without_platform_status_is_incomplete(tmp_path: Path):
    world = copy_of("default", tmp_path)
    notes.edit(world, FILES["infrastructure"], lambda d: d["status"].pop("platformStatus"))
    assert set(notes.found_by(world)) == {"manifest.infrastructure"}


def test_dns_names_the_cluster_and_not_the_base_domain(tmp_path: Path):
    world = copy_of("default", tmp_path)
    notes.edit(world, FILES["dns"], lambda d: d["spec"].update(baseDomain="example.com"))
    assert set(notes.found_by(world)) == {"manifest.domains"}


def test_a_feature_gate_of_spec_alone_has_no_version(tmp_path: Path):
    world = copy_of("default", tmp_path)

    def change(document):
        document.pop("status")
        document["spec"] = {"featureSet": ""}

    notes.edit(world, FILES["feature gate"], change)
    assert set(notes.found_by(world)) == {"manifest.feature-gate"}


def test_without_a_feature_gate_cvo_would_stop(tmp_path: Path):
    world = copy_of("default", tmp_path)
    (world.root / FILES["feature gate"]).unlink()
    assert set(notes.found_by(world)) == {"manifest.present"}


def test_the_network_of_the_notes_lets_services_claim_external_addresses():
    """The installer writes an empty policy, which forbids them; the notes' object has none."""
    [installers] = notes.installer()["documents"]["/opt/openshift/manifests/cluster-network-02-config.yml"]
    theirs = {key: installers["spec"][key] for key in ("clusterNetwork", "serviceNetwork", "networkType")}
    assert installers["spec"] != theirs
    assert installers["spec"]["externalIP"] == {"policy": {}}
    ours = yaml.safe_load((built().store.root / FILES["network"]).read_text())
    assert ours == installers


def test_the_operators_network_follows_from_the_other_one(tmp_path: Path):
    """The installer writes none, as the operator makes it; ours has to say the same as the first, or is found."""
    assert not [path for path in notes.installer_paths() if path.endswith("cluster-network-03-config.yml")]
    world = copy_of("default", tmp_path)
    other = [{"cidr": "10.132.0.0/14", "hostPrefix": 23}]
    notes.edit(world, FILES["operator network"], lambda d: d["spec"].update(clusterNetwork=other))
    assert set(notes.found_by(world)) == {"manifest.networks"}


def test_bootstrap_etcd_is_named_by_an_annotation_and_not_by_data(tmp_path: Path):
    world = copy_of("default", tmp_path)

    def change(document):
        document["metadata"].pop("annotations")
        document["data"] = {"etcd-bootstrap": "192.168.126.100"}

    notes.edit(world, FILES["endpoints"], change)
    found = notes.found_by(world)
    assert set(found) == {"manifest.etcd-endpoints"}
    assert len(found["manifest.etcd-endpoints"]) == 2


def test_the_preserved_install_config_is_not_the_file_itself(tmp_path: Path):
    """The file as it was written has the pull secret in it, and a bare pool lacks what the operators read."""
    world = copy_of("default", tmp_path)
    raw = yaml.safe_dump(notes.INSTALL_CONFIG)
    notes.edit(world, FILES["config"], lambda d: d["data"].update({"install-config": raw}))
    [line] = notes.found_by(world)["manifest.cluster-config"]
    assert "pull secret" in line


def test_four_kinds_drop_their_status_when_they_are_created():
    """Not Infrastructure alone: wherever the real CRD has a status subresource and our manifest has a status."""
    found = set()
    for document in configured("proxy").documents:
        body = configured("proxy").body(document.file)
        if body.get("status") and body["apiVersion"].startswith("config.openshift.io/"):
            [version] = [v for v in definition(body["kind"])["spec"]["versions"] if v["name"] == "v1"]
            assert version["subresources"] == {"status": {}}
            found.add(body["kind"])
    assert found == {"FeatureGate", "Infrastructure", "Ingress", "Proxy"}


def definition(kind: str) -> dict:
    found = (yaml.load(path.read_text(), crds.LOADER) for path in crds.files(kind))
    return next(d for d in found if d["spec"]["group"] == "config.openshift.io")


def test_all_crd_files_together_are_not_a_set_of_types():
    """Most names occur in several files, one a feature set and profile; the last file wins if all are applied."""
    by_name: dict[str, list[str]] = {}
    for path in sorted((crds.module() / "payload-manifests" / "crds").glob("*.yaml")):
        name = yaml.load(path.read_text(), crds.LOADER)["metadata"]["name"]
        by_name.setdefault(name, []).append(path.name)
    several = {name: files for name, files in by_name.items() if len(files) > 1}
    assert sum(map(len, by_name.values())) > 90
    assert len(by_name) < 60
    assert len(several) > 10
    assert "TechPreviewNoUpgrade" in by_name["authentications.config.openshift.io"][-1]


def test_a_signer_that_is_not_handed_over_is_replaced(tmp_path: Path):
    world = copy_of("default", tmp_path)
    (world.root / "manifests/secret-loadbalancer-serving-signer.yaml").unlink()
    assert set(notes.found_by(world)) == {"manifest.signers"}


def test_later_machines_trust_the_root_ca_that_signed_their_server(tmp_path: Path):
    world = copy_of("default", tmp_path)
    other = (world.root / "tls/admin-kubeconfig-signer.crt").read_text()
    path = "manifests/kube-system-configmap-root-ca.yaml"
    notes.edit(world, path, lambda d: d["data"].update({"ca.crt": other}))
    assert set(notes.found_by(world)) == {"manifest.root-ca"}


def test_cvo_is_told_to_leave_our_objects_alone():
    """As in the installer's own output, for the same objects."""
    [theirs] = notes.installer()["documents"]["/opt/openshift/manifests/cvo-overrides.yaml"]
    ours = yaml.safe_load((built().store.root / "manifests/cvo-overrides.yaml").read_text())
    assert ours["spec"]["overrides"] == theirs["spec"]["overrides"]
    assert len(ours["spec"]["overrides"]) == 14
