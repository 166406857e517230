"""Every certificate before two engines, and every pair of the table in a real TLS handshake."""

from __future__ import annotations

import ssl
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.verification import Criticality, ExtensionPolicy, PolicyBuilder
from cryptography.x509.verification import Store as TrustStore

from hardway.kubeconfigs import table as kubeconfigs
from hardway.pki import families
from hardway.pki.assets import file_name, nodes_of
from tests.support.clusters import TOPOLOGIES
from tests.support.entropy import NOW
from tests.support.trees import built, built_now

KINDS = ("rsa-2048", "ecdsa-p256")  # rsa-4096 takes its time: tests/real
VARIANT_OF = {"3+2": "default", "3+0": "compact", "1+0": "single"}


def leaves(workspace):
    cluster = workspace.loaded.cluster
    for row in families.rows(cluster):
        if row.signer:
            for node in nodes_of(row, cluster):
                yield row, workspace.store.root / f"tls/{file_name(row, node)}.crt"


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_cryptography_accepts_every_leaf_for_each_of_its_uses(topology):
    workspace = built(VARIANT_OF[topology])
    for row, path in leaves(workspace):
        leaf = x509.load_pem_x509_certificates(path.read_bytes())[0]
        signer = x509.load_pem_x509_certificate((workspace.store.root / f"tls/{row.signer}.crt").read_bytes())
        for usage in row.says.usages:
            verify_with_cryptography(leaf, signer, usage)


def verify_with_cryptography(leaf, signer, usage):
    wanted = {"server": ExtendedKeyUsageOID.SERVER_AUTH, "client": ExtendedKeyUsageOID.CLIENT_AUTH}[usage]

    def has_usage(policy, cert, extension):
        assert wanted in extension

    ends = ExtensionPolicy.permit_all().require_present(x509.ExtendedKeyUsage, Criticality.AGNOSTIC, has_usage)
    builder = PolicyBuilder().store(TrustStore([signer])).time(NOW)
    builder = builder.extension_policies(ca_policy=ExtensionPolicy.webpki_defaults_ca(), ee_policy=ends)
    chain = builder.build_client_verifier().verify(leaf, []).chain
    assert chain == [leaf, signer]


def context(root, purpose, *, cert, trust):
    made = ssl.SSLContext(purpose)
    made.verify_mode = ssl.CERT_REQUIRED
    made.load_verify_locations(root / f"tls/{trust}.crt")
    made.load_cert_chain(root / f"tls/{cert}.crt", root / f"tls/{cert}.key")
    return made


def shake(server, client, name):
    """A whole handshake in memory; raises when one side refuses the other."""
    a, b, c, d = (ssl.MemoryBIO() for _ in range(4))
    ends = [client.wrap_bio(a, b, server_hostname=name), server.wrap_bio(c, d, server_side=True)]
    done = set()
    for _ in range(12):
        for index, end in enumerate(ends):
            try:
                end.do_handshake()
                done.add(index)
            except ssl.SSLWantReadError:
                pass
            c.write(b.read())
            a.write(d.read())
    assert done == {0, 1}
    ends[1].write(b"ok")
    a.write(d.read())
    assert ends[0].read(2) == b"ok"
    return ends


def api_pairs(cluster):
    """Which face a kubeconfig's server name ends at, and by which names it is reached."""
    for row in kubeconfigs.rows(cluster):
        host = row.tls_server_name or row.server(cluster).removeprefix("https://").removesuffix(":6443")
        faces = {
            cluster.api_host: "kube-apiserver-lb-server",
            cluster.api_int_host: "kube-apiserver-internal-lb-server",
        }
        yield row, faces.get(host, "kube-apiserver-localhost-server"), host


@pytest.mark.parametrize("kind", KINDS)
def test_every_kubeconfig_reaches_its_face_of_the_api_server(kind):
    workspace = built_now(keys=kind)
    root, cluster = workspace.store.root, workspace.loaded.cluster
    for row, face, host in api_pairs(cluster):
        server = context(root, ssl.PROTOCOL_TLS_SERVER, cert=face, trust="kube-apiserver-complete-client-ca-bundle")
        client = context(root, ssl.PROTOCOL_TLS_CLIENT, cert=row.identity, trust=row.trust)
        shake(server, client, host)


@pytest.mark.parametrize("variant", ["default", "dual-stack", "ipv6"])
def test_the_default_face_is_valid_on_the_vip_and_on_every_control_plane_address(variant):
    workspace = built_now(variant)
    root, cluster = workspace.store.root, workspace.loaded.cluster
    face, trust = "kube-apiserver-service-network-server", "kube-apiserver-complete-server-ca-bundle"
    server = context(root, ssl.PROTOCOL_TLS_SERVER, cert=face, trust="kube-apiserver-complete-client-ca-bundle")
    client = context(root, ssl.PROTOCOL_TLS_CLIENT, cert="admin-kubeconfig-client", trust=trust)
    nodes = (cluster.bootstrap, *cluster.masters)
    for address in (*cluster.api_vips, *(a for node in nodes for a in node.addresses)):
        shake(server, client, address)


def test_pods_reach_the_api_server_by_its_service_names():
    workspace = built_now()
    root = workspace.store.root
    face, trust = "kube-apiserver-service-network-server", "kube-apiserver-complete-server-ca-bundle"
    server = context(root, ssl.PROTOCOL_TLS_SERVER, cert=face, trust="kube-apiserver-complete-client-ca-bundle")
    client = context(root, ssl.PROTOCOL_TLS_CLIENT, cert="admin-kubeconfig-client", trust=trust)
    for name in ("kubernetes", "kubernetes.default.svc", "openshift.default.svc.cluster.local", "172.30.0.1"):
        shake(server, client, name)


@pytest.mark.parametrize("kind", KINDS)
def test_etcd_members_talk_to_each_other_and_to_their_clients(kind):
    workspace = built_now(keys=kind)
    root, cluster = workspace.store.root, workspace.loaded.cluster
    nodes = (cluster.bootstrap, *cluster.masters)
    for pair, client, trust in (
        ("etcd-serving", "etcd-client", "etcd-ca-bundle"),
        ("etcd-serving-metrics", "etcd-metric-client", "etcd-metrics-ca-bundle"),
    ):
        for node in nodes:
            server = context(root, ssl.PROTOCOL_TLS_SERVER, cert=f"{pair}-{node.name}", trust=trust)
            for caller in (client, f"{pair}-{node.name}"):
                shake(server, context(root, ssl.PROTOCOL_TLS_CLIENT, cert=caller, trust=trust), node.address)
    for one in nodes:
        server = context(root, ssl.PROTOCOL_TLS_SERVER, cert=f"etcd-peer-{one.name}", trust="etcd-ca-bundle")
        for other in nodes:
            client = context(root, ssl.PROTOCOL_TLS_CLIENT, cert=f"etcd-peer-{other.name}", trust="etcd-ca-bundle")
            shake(server, client, one.address)


@pytest.mark.parametrize(
    ("server", "server_trusts", "client", "client_trusts", "name"),
    [
        ("machine-config-server", "root-ca", "journal-gatewayd", "root-ca", "api-int.ocp4.example.com"),
        ("machine-config-server", "root-ca", "journal-gatewayd", "root-ca", "192.168.126.10"),
    ],
)
def test_what_root_ca_signs(server, server_trusts, client, client_trusts, name):
    root = built_now().store.root
    shake(
        context(root, ssl.PROTOCOL_TLS_SERVER, cert=server, trust=server_trusts),
        context(root, ssl.PROTOCOL_TLS_CLIENT, cert=client, trust=client_trusts),
        name,
    )


def signed_here(root, tmp_path, signer, name, usage):
    """A leaf of a party that is not in the table: a kubelet's serving certificate, an extension API server."""
    key = rsa.generate_private_key(65537, 2048)
    ca = x509.load_pem_x509_certificate((root / f"tls/{signer}.crt").read_bytes())
    ca_key = serialization.load_pem_private_key((root / f"tls/{signer}.key").read_bytes(), None)
    cert = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(ca.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ca.not_valid_before_utc)
        .not_valid_after(ca.not_valid_before_utc + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    (tmp_path / "leaf.crt").write_bytes(cert.public_bytes(Encoding.PEM))
    (tmp_path / "leaf.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return tmp_path / "leaf.crt", tmp_path / "leaf.key"


def test_the_api_server_and_a_kubelet_trust_each_other(tmp_path):
    root = built_now().store.root
    pair = signed_here(root, tmp_path, "kubelet-signer", "worker-0", ExtendedKeyUsageOID.SERVER_AUTH)
    kubelet = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    kubelet.verify_mode = ssl.CERT_REQUIRED
    kubelet.load_cert_chain(*pair)
    kubelet.load_verify_locations(root / "tls/kube-apiserver-complete-client-ca-bundle.crt")
    client = "kube-apiserver-to-kubelet-client"
    shake(kubelet, context(root, ssl.PROTOCOL_TLS_CLIENT, cert=client, trust="kubelet-client-ca-bundle"), "worker-0")


def test_an_extension_api_server_believes_the_front_proxy(tmp_path):
    root = built_now().store.root
    pair = signed_here(root, tmp_path, "root-ca", "metrics.svc", ExtendedKeyUsageOID.SERVER_AUTH)
    extension = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    extension.verify_mode = ssl.CERT_REQUIRED
    extension.load_cert_chain(*pair)
    extension.load_verify_locations(root / "tls/aggregator-ca-bundle.crt")
    shake(extension, context(root, ssl.PROTOCOL_TLS_CLIENT, cert="aggregator-client", trust="root-ca"), "metrics.svc")


@pytest.mark.parametrize(
    ("server", "server_trusts", "client", "client_trusts", "name"),
    [
        (
            "kube-apiserver-lb-server",
            "etcd-ca-bundle",
            "admin-kubeconfig-client",
            "kube-apiserver-lb-ca-bundle",
            "api.ocp4.example.com",
        ),
        ("etcd-serving-bootstrap", "etcd-ca-bundle", "etcd-metric-client", "etcd-ca-bundle", "localhost"),
        ("etcd-serving-bootstrap", "etcd-ca-bundle", "etcd-client", "etcd-ca-bundle", "192.168.126.99"),
        (
            "kube-apiserver-lb-server",
            "kube-apiserver-complete-client-ca-bundle",
            "apiserver-proxy",
            "kube-apiserver-lb-ca-bundle",
            "api.ocp4.example.com",
        ),
    ],
)
def test_strangers_are_refused(server, server_trusts, client, client_trusts, name):
    root = built_now().store.root
    with pytest.raises(ssl.SSLError):
        shake(
            context(root, ssl.PROTOCOL_TLS_SERVER, cert=server, trust=server_trusts),
            context(root, ssl.PROTOCOL_TLS_CLIENT, cert=client, trust=client_trusts),
            name,
        )
