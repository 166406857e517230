"""Corrections to what the notes say of certificates and kubeconfigs."""

from __future__ import annotations

from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hardway.checks.files.artifacts import Artifacts
from hardway.pki import bundles, families
from tests.docs import notes
from tests.support.clusters import install_config
from tests.support.entropy import NOW
from tests.support.forge import forge
from tests.support.trees import build_folder, copy_of, write_folder

SERVER_ONLY = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
BOOTSTRAPPER = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "system:bootstrapper")])


def test_what_root_ca_signs_is_believed_by_nobody_else(tmp_path: Path):
    """One root for everything: the API server's faces, a client and etcd, all signed by root-ca."""
    world = copy_of("default", tmp_path)
    for name in ("kube-apiserver-lb-server", "admin-kubeconfig-client", "etcd-client"):
        forge(world, name, signer="root-ca")
    found = notes.found_by(world)
    subjects = {line.split(":")[0] for line in found["pki.chain"]}
    assert subjects == {f"tls/{n}.crt" for n in ("kube-apiserver-lb-server", "admin-kubeconfig-client", "etcd-client")}
    assert not notes.openssl_accepts(world, "etcd-client", trust="etcd-ca-bundle")
    assert not notes.openssl_accepts(world, "admin-kubeconfig-client", trust="kube-apiserver-complete-client-ca-bundle")


def test_there_are_eleven_signers_besides_etcds_two():
    signers = [row for row in families.TABLE if row.is_ca]
    assert len([row for row in signers if row.family != "etcd"]) == 11
    assert len([b for b in bundles.TABLE if not b.name.startswith("etcd")]) == 12
    of_root = [row.name for row in families.TABLE if row.signer == "root-ca"]
    assert of_root == ["machine-config-server", "journal-gatewayd"]


def test_the_installer_makes_no_certificate_of_etcd_and_ours_are_handed_over(tmp_path: Path):
    """Without its annotations, etcd's operator takes the signer for stale and makes another."""
    assert not [path for path in notes.installer_paths() if "etcd" in path]
    world = copy_of("default", tmp_path)

    def change(document):
        document["metadata"].pop("annotations")

    notes.edit(world, "manifests/openshift-etcd-etcd-signer.yaml", change)
    assert "manifest.signers" in notes.found_by(world)


def test_all_three_certificates_of_a_member_need_both_uses(tmp_path: Path):
    """The notes found it for the serving certificate; peer and metrics fail in the same way."""
    world = copy_of("default", tmp_path)
    names = [f"{kind}-bootstrap" for kind in ("etcd-peer", "etcd-serving", "etcd-serving-metrics")]
    for name in names:
        forge(world, name, drop=(x509.ExtendedKeyUsage,), add=((SERVER_ONLY, False),))
    found = notes.found_by(world)["pki.usages"]
    assert sorted(line.split(":")[0] for line in found) == sorted(f"tls/{name}.crt" for name in names)
    dial = ("-purpose", "sslclient")
    assert not notes.openssl_accepts(world, "etcd-peer-bootstrap", trust="etcd-ca-bundle", options=dial)


def test_localhost_has_a_face_of_its_own(tmp_path: Path):
    """One certificate from one signer works on the bootstrap node, and then the masters sign with three."""
    world = copy_of("default", tmp_path)
    local = ("-verify_hostname", "localhost")
    default_face, own_face = "kube-apiserver-service-network-server", "kube-apiserver-localhost-server"
    bundle = "kube-apiserver-complete-server-ca-bundle"
    assert not notes.openssl_accepts(world, default_face, trust=bundle, options=local)
    assert notes.openssl_accepts(world, own_face, trust=bundle, options=local)
    forge(world, own_face, signer="kube-apiserver-service-network-signer")
    assert "pki.chain" in notes.found_by(world)
    assert not notes.openssl_accepts(world, own_face, trust="kube-apiserver-localhost-ca-bundle", options=local)


def test_system_bootstrapper_is_nobody(tmp_path: Path):
    """The identity of new kubelets is a service account with two groups, to the letter."""
    world = copy_of("default", tmp_path)
    forge(world, "kubelet-client", subject=BOOTSTRAPPER)
    found = notes.found_by(world)
    assert any("must be system:serviceaccount:" in line for line in found["pki.subject"])
    assert "manifest.node-bootstrap" in found


def test_kube_proxy_is_not_the_bootstrap_identity(tmp_path: Path):
    folder = write_folder(tmp_path / "c", install_config(), keys="ecdsa-p256", kubeProxy=True)
    workspace = build_folder(folder)
    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
    forge(world, "kube-control-plane-kube-proxy-client", subject=BOOTSTRAPPER)
    [line] = notes.found_by(world)["pki.subject"]
    assert "must be system:kube-proxy" in line


def test_the_installer_runs_the_control_plane_as_administrator_and_we_do_not(tmp_path: Path):
    """The notes give both components names of their own; 4.18 has no such kubeconfigs, and we keep them."""
    written = notes.installer()["certificates"]
    for name in ("controller-manager", "scheduler"):
        [cert] = written[f"/opt/openshift/tls/kube-control-plane-kube-{name}-client.crt"]
        assert cert["subject"] == "CN=system:admin,O=system:masters"
        assert f"/opt/openshift/auth/{name}.kubeconfig" not in notes.installer_paths()
    world = copy_of("default", tmp_path)
    for name in ("controller-manager", "scheduler"):
        pod = f"bootstrap-manifests/kube-{name}-pod.yaml"
        notes.replace_flag(world, pod, f"--kubeconfig=/etc/kubernetes/secrets/{name}.kubeconfig", "--kubeconfig=/admin")
    assert len(notes.found_by(world)["pod.identity"]) == 2


def test_a_machine_config_server_of_another_signer_is_refused(tmp_path: Path):
    world = copy_of("default", tmp_path)
    forge(world, "machine-config-server", signer="kube-apiserver-lb-signer")
    assert "pki.chain" in notes.found_by(world)
    assert not notes.openssl_accepts(world, "machine-config-server", trust="root-ca")


def test_a_front_proxy_by_its_usual_name_is_a_stranger(tmp_path: Path):
    world = copy_of("default", tmp_path)
    usual = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "front-proxy-client")])
    forge(world, "aggregator-client", subject=usual)
    assert "pod.request-header" in notes.found_by(world)
