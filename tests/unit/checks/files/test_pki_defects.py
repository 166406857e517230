"""For each check of stage 05 a planted defect: exactly that check must find it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hardway.checks.files.table import PKI
from hardway.model.check import run
from tests.support.entropy import NOW
from tests.support.forge import forge
from tests.support.trees import built, spare

ONE_DAY = timedelta(days=1)


def name(**parts):
    oids = {"cn": NameOID.COMMON_NAME, "o": NameOID.ORGANIZATION_NAME, "ou": NameOID.ORGANIZATIONAL_UNIT_NAME}
    return x509.Name([x509.NameAttribute(oids[k], v) for k, v in parts.items()])


def plant_missing(world):
    (world.root / "tls/apiserver-proxy.key").unlink()


def plant_garbage(world):
    (world.root / "tls/bootstrap-ssh.pub").write_text("not a key")


def plant_open_key(world):
    (world.root / "tls/aggregator-client.key").chmod(0o644)


def plant_open_folder(world):
    world.root.chmod(0o755)


def plant_other_key(world):
    other = (world.root / "tls/aggregator-client.key").read_bytes()
    (world.root / "tls/apiserver-proxy.key").write_bytes(other)


def plant_wrong_signer(world):
    forge(world, "journal-gatewayd", signer="admin-kubeconfig-signer")


def plant_missing_chain(world):
    forge(world, "kube-apiserver-lb-server", chain=False)


def plant_leaf_that_signs(world):
    ca = x509.BasicConstraints(ca=True, path_length=None)
    forge(world, "kubelet-client", drop=(x509.BasicConstraints,), add=((ca, True),))


def plant_path_length(world):
    short = x509.BasicConstraints(ca=True, path_length=0)
    forge(world, "aggregator-ca", drop=(x509.BasicConstraints,), add=((short, True),))


def plant_signer_that_cannot_sign(world):
    forge(world, "aggregator-ca", drop=(x509.KeyUsage,))


def plant_front_proxy_name(world):
    forge(world, "aggregator-client", subject=name(o="kube-master", cn="front-proxy-client"))


def plant_one_group(world):
    """The bootstrap identity of the notes, and only one of its groups."""
    forge(world, "kubelet-client", subject=name(o="system:serviceaccounts", cn="system:bootstrapper"))


def plant_server_only(world):
    """The first learning of the notes: etcd's certificate must be a client too."""
    server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    forge(world, "etcd-serving-bootstrap", drop=(x509.ExtendedKeyUsage,), add=((server, False),))


def plant_surplus_usage(world):
    both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
    forge(world, "kubelet-client", drop=(x509.ExtendedKeyUsage,), add=((both, False),))


def plant_no_localhost(world):
    names = x509.SubjectAlternativeName([x509.DNSName("api.ocp4.example.com")])
    forge(world, "kube-apiserver-localhost-server", drop=(x509.SubjectAlternativeName,), add=((names, False),))


def plant_expired(world):
    forge(world, "kube-apiserver-to-kubelet-client", not_after=NOW - timedelta(minutes=1))


def plant_future(world):
    forge(world, "kube-apiserver-to-kubelet-client", not_before=NOW + ONE_DAY)


def plant_weak(world):
    path = world.root / "tls/kubelet-client.key"
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    weak = rsa.generate_private_key(65537, 1024)
    path.write_bytes(weak.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))
    forge(world, "kubelet-client")


def plant_same_serial(world):
    other = x509.load_pem_x509_certificate((world.root / "tls/machine-config-server.crt").read_bytes())
    forge(world, "journal-gatewayd", serial=other.serial_number)


def plant_short_bundle(world):
    path = world.root / "tls/kube-apiserver-complete-server-ca-bundle.crt"
    certs = x509.load_pem_x509_certificates(path.read_bytes())
    from cryptography.hazmat.primitives.serialization import Encoding

    path.write_bytes(b"".join(c.public_bytes(Encoding.PEM) for c in certs[1:]))


def plant_wrong_public(world):
    other = (world.root / "tls/bound-service-account-signing-key.pub").read_bytes()
    (world.root / "tls/service-account.pub").write_bytes(other)


def plant_one_service_account_key(world):
    for kind in ("key", "pub"):
        other = (world.root / f"tls/bound-service-account-signing-key.{kind}").read_bytes()
        (world.root / f"tls/service-account.{kind}").write_bytes(other)


def plant_one_key_for_two_signers(world):
    key = (world.root / "tls/aggregator-signer.key").read_bytes()
    (world.root / "tls/admin-kubeconfig-signer.key").write_bytes(key)
    forge(world, "admin-kubeconfig-signer")
    forge(world, "admin-kubeconfig-client")
    from cryptography.hazmat.primitives.serialization import Encoding

    signer = (world.root / "tls/admin-kubeconfig-signer.crt").read_bytes()
    subject = x509.load_pem_x509_certificate(signer).subject
    for path in world.root.glob("tls/*-bundle.crt"):
        certs = x509.load_pem_x509_certificates(path.read_bytes())
        path.write_bytes(b"".join(signer if c.subject == subject else c.public_bytes(Encoding.PEM) for c in certs))


PLANTED = [
    ("pki.present", plant_missing, "tls/apiserver-proxy.key"),
    ("pki.readable", plant_garbage, "tls/bootstrap-ssh.pub"),
    ("pki.modes", plant_open_key, "tls/aggregator-client.key"),
    ("pki.modes", plant_open_folder, "."),
    ("pki.pair", plant_other_key, "tls/apiserver-proxy.crt"),
    ("pki.chain", plant_wrong_signer, "tls/journal-gatewayd.crt"),
    ("pki.chain", plant_missing_chain, "tls/kube-apiserver-lb-server.crt"),
    ("pki.authority", plant_leaf_that_signs, "tls/kubelet-client.crt"),
    ("pki.authority", plant_path_length, "tls/aggregator-ca.crt"),
    ("pki.authority", plant_signer_that_cannot_sign, "tls/aggregator-ca.crt"),
    ("pki.subject", plant_front_proxy_name, "tls/aggregator-client.crt"),
    ("pki.subject", plant_one_group, "tls/kubelet-client.crt"),
    ("pki.usages", plant_server_only, "tls/etcd-serving-bootstrap.crt"),
    ("pki.usages", plant_surplus_usage, "tls/kubelet-client.crt"),
    ("pki.names", plant_no_localhost, "tls/kube-apiserver-localhost-server.crt"),
    ("pki.validity", plant_expired, "tls/kube-apiserver-to-kubelet-client.crt"),
    ("pki.not-before", plant_future, "tls/kube-apiserver-to-kubelet-client.crt"),
    ("pki.strength", plant_weak, "tls/kubelet-client.crt"),
    ("pki.serials", plant_same_serial, "tls/journal-gatewayd.crt"),
    ("pki.signers", plant_one_key_for_two_signers, "tls/aggregator-signer.crt"),
    ("pki.bundles", plant_short_bundle, "tls/kube-apiserver-complete-server-ca-bundle.crt"),
    ("pki.key-pairs", plant_wrong_public, "tls/service-account.pub"),
    ("pki.key-pairs", plant_one_service_account_key, "tls/service-account.key"),
]


@pytest.mark.parametrize("variant", ["default", "compact", "single", "dual-stack", "ipv6", "five"])
def test_a_good_tree_has_no_finding(variant):
    workspace = built(variant)
    from hardway.checks.files.artifacts import Artifacts

    world = Artifacts(root=workspace.store.root, cluster=workspace.loaded.cluster, now=NOW)
    assert run(PKI, world).findings == ()


@pytest.mark.parametrize(("check", "plant", "subject"), PLANTED, ids=[p.__name__ for _, p, _ in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant, subject):
    world = spare("default")
    plant(world)
    found = run(PKI, world).findings
    assert {f.check for f in found} == {check}
    assert subject in {f.subject for f in found}
    assert all(f.fix and f.message for f in found)


def test_every_check_has_a_planted_defect():
    assert {check for check, _, _ in PLANTED} == {check.name for check in PKI}


def test_little_time_left_is_a_warning_and_none_is_an_error():
    world = spare("default")
    world.now = NOW + timedelta(hours=168 - 6)
    report = run([c for c in PKI if c.name == "pki.validity"], world)
    assert report.findings
    assert report.ok
    world.now = NOW + timedelta(hours=168 - 1)
    assert not run([c for c in PKI if c.name == "pki.validity"], world).ok


def test_the_end_of_the_identity_of_new_nodes_is_a_warning():
    """Nodes that have joined do without it, so a cluster of last week is not faulty for it."""
    world = spare("default")
    world.now = NOW + timedelta(hours=25)
    report = run([c for c in PKI if c.name == "pki.validity"], world)
    assert [(f.subject, f.severity) for f in report.findings] == [("tls/kubelet-client.crt", "warning")]
    assert "no new node can join" in report.findings[0].message
