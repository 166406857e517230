"""What the command lines must say, and how it follows from the cluster."""

from __future__ import annotations

import pytest

from hardway.staticpods import kube_proxy, scheduler
from hardway.staticpods.apiserver import pod as apiserver
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.etcd import pod as etcd
from hardway.staticpods.paths import host_files
from tests.support.clusters import DUAL_STACK, VARIANTS
from tests.support.manifests import made

ISSUER = "https://kubernetes.default.svc"
SECRETS = "/etc/kubernetes/secrets"
REPEATED = {"--tls-sni-cert-key": 3, "--service-account-key-file": 2}

FACTS = [
    ("etcd", "--name", "etcd-bootstrap"),
    ("etcd", "--data-dir", "/var/lib/etcd"),
    ("etcd", "--initial-advertise-peer-urls", "https://192.168.126.100:2380"),
    ("etcd", "--advertise-client-urls", "https://192.168.126.100:2379"),
    ("etcd", "--listen-client-urls", "https://0.0.0.0:2379"),
    ("etcd", "--listen-peer-urls", "https://0.0.0.0:2380"),
    ("etcd", "--listen-metrics-urls", "https://0.0.0.0:9978"),
    ("etcd", "--trusted-ca-file", "/etc/ssl/etcd/ca.crt"),
    ("etcd", "--cert-file", "/etc/ssl/etcd/etcd-all-certs/etcd-serving-{bootstrap}.crt"),
    ("etcd", "--peer-key-file", "/etc/ssl/etcd/etcd-all-certs/etcd-peer-{bootstrap}.key"),
    ("etcd", "--heartbeat-interval", "100"),
    ("etcd", "--election-timeout", "1000"),
    ("etcd", "--experimental-initial-corrupt-check", "true"),
    ("kube-apiserver", "--etcd-prefix", "kubernetes.io"),
    ("kube-apiserver", "--etcd-servers", "https://localhost:2379"),
    ("kube-apiserver", "--advertise-address", "192.168.126.100"),
    ("kube-apiserver", "--bind-address", "0.0.0.0"),
    ("kube-apiserver", "--authorization-mode", "Scope,SystemMasters,RBAC,Node"),
    ("kube-apiserver", "--client-ca-file", f"{SECRETS}/kube-apiserver-complete-client-ca-bundle.crt"),
    ("kube-apiserver", "--tls-cert-file", f"{SECRETS}/kube-apiserver-service-network-server.crt"),
    ("kube-apiserver", "--proxy-client-cert-file", f"{SECRETS}/aggregator-client.crt"),
    ("kube-apiserver", "--requestheader-client-ca-file", f"{SECRETS}/aggregator-ca-bundle.crt"),
    (
        "kube-apiserver",
        "--requestheader-allowed-names",
        "kube-apiserver-proxy,system:kube-apiserver-proxy,system:openshift-aggregator",
    ),
    ("kube-apiserver", "--kubelet-certificate-authority", f"{SECRETS}/kubelet-client-ca-bundle.crt"),
    ("kube-apiserver", "--kubelet-preferred-address-types", "InternalIP"),
    ("kube-apiserver", "--service-account-issuer", ISSUER),
    ("kube-apiserver", "--api-audiences", ISSUER),
    ("kube-apiserver", "--service-account-signing-key-file", f"{SECRETS}/bound-service-account-signing-key.key"),
    ("kube-apiserver", "--service-cluster-ip-range", "172.30.0.0/16"),
    ("kube-apiserver", "--endpoint-reconciler-type", "lease"),
    ("kube-apiserver", "--shutdown-delay-duration", "70s"),
    ("kube-apiserver", "--audit-policy-file", "/etc/kubernetes/config/audit-policy.yaml"),
    ("kube-apiserver", "--audit-log-path", "/var/log/kube-apiserver/audit.log"),
    ("kube-controller-manager", "--kubeconfig", f"{SECRETS}/controller-manager.kubeconfig"),
    ("kube-controller-manager", "--authentication-kubeconfig", f"{SECRETS}/controller-manager.kubeconfig"),
    ("kube-controller-manager", "--authorization-kubeconfig", f"{SECRETS}/controller-manager.kubeconfig"),
    ("kube-controller-manager", "--cluster-signing-cert-file", f"{SECRETS}/kubelet-signer.crt"),
    ("kube-controller-manager", "--cluster-signing-key-file", f"{SECRETS}/kubelet-signer.key"),
    ("kube-controller-manager", "--cluster-signing-duration", "720h"),
    ("kube-controller-manager", "--root-ca-file", f"{SECRETS}/kube-apiserver-complete-server-ca-bundle.crt"),
    ("kube-controller-manager", "--service-account-private-key-file", f"{SECRETS}/service-account.key"),
    ("kube-controller-manager", "--controllers", "*,-ttl,-bootstrapsigner,-tokencleaner"),
    ("kube-controller-manager", "--allocate-node-cidrs", "false"),
    ("kube-controller-manager", "--cluster-cidr", "10.128.0.0/14"),
    ("kube-controller-manager", "--leader-elect", "true"),
    ("kube-controller-manager", "--leader-elect-renew-deadline", "12s"),
    ("kube-controller-manager", "--leader-elect-retry-period", "3s"),
    ("kube-scheduler", "--kubeconfig", f"{SECRETS}/scheduler.kubeconfig"),
    ("kube-scheduler", "--authentication-kubeconfig", f"{SECRETS}/scheduler.kubeconfig"),
    ("kube-scheduler", "--authorization-kubeconfig", f"{SECRETS}/scheduler.kubeconfig"),
    ("kube-scheduler", "--leader-elect", "true"),
    ("kube-proxy", "--kubeconfig", "/etc/kubernetes/kube-proxy/kubeconfig"),
    ("kube-proxy", "--hostname-override", "$(NODE_NAME)"),
    ("kube-proxy", "--proxy-mode", "iptables"),
    ("kube-proxy", "--cluster-cidr", "10.128.0.0/14"),
    ("kube-proxy", "--conntrack-max-per-core", "0"),
]

SERVICES = "--service-cluster-ip-range"
PEERS = "--initial-advertise-peer-urls"
FOLLOWS = {
    "single": {
        ("kube-apiserver", "--shutdown-delay-duration"): "0s",
        ("kube-apiserver", "--goaway-chance"): "0",
    },
    "ipv6": {
        ("etcd", "--listen-client-urls"): "https://[::]:2379",
        ("etcd", "--listen-peer-urls"): "https://[::]:2380",
        ("etcd", PEERS): "https://[{address}]:2380",
        ("kube-apiserver", "--bind-address"): "::",
        ("kube-apiserver", "--advertise-address"): "{address}",
        ("kube-apiserver", SERVICES): "fd02::/112",
        ("kube-controller-manager", "--cluster-cidr"): "fd01::/48",
        ("kube-controller-manager", SERVICES): "fd02::/112",
        ("kube-controller-manager", "--bind-address"): "127.0.0.1",
        ("kube-proxy", "--cluster-cidr"): "fd01::/48",
    },
    "dual-stack": {
        ("etcd", "--listen-client-urls"): "https://0.0.0.0:2379",
        ("etcd", PEERS): "https://{address}:2380",
        ("kube-apiserver", "--advertise-address"): "{address}",
        ("kube-apiserver", SERVICES): "172.30.0.0/16,fd02::/112",
        ("kube-controller-manager", "--cluster-cidr"): "10.128.0.0/14,fd01::/48",
        ("kube-controller-manager", SERVICES): "172.30.0.0/16,fd02::/112",
        ("kube-proxy", "--cluster-cidr"): "10.128.0.0/14,fd01::/48",
    },
}


def filled(text, made):
    node = made.cluster.bootstrap
    return text.replace("{bootstrap}", node.name).replace("{address}", node.address)


@pytest.mark.parametrize(("name", "flag", "value"), FACTS)
def test_a_fact(tree, flags, name, flag, value):
    made = tree("default")
    value = value.replace("192.168.126.100", made.cluster.bootstrap.address)
    assert flags(name)[flag] == [filled(value, made)]


@pytest.mark.parametrize("variant", FOLLOWS)
def test_what_follows_from_the_cluster(tree, flags, variant):
    made = tree(variant)
    found = {(name, flag): flags(name, variant)[flag] for name, flag in FOLLOWS[variant]}
    assert found == {key: [filled(value, made)] for key, value in FOLLOWS[variant].items()}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "module", [etcd, apiserver, controller_manager, scheduler, kube_proxy], ids=lambda m: m.__name__
)
def test_a_flag_is_given_once_unless_it_is_a_list(flags, module, variant):
    name = module.DOCUMENT.address.removeprefix("pod/")
    several = {flag: len(values) for flag, values in flags(name, variant).items() if len(values) > 1}
    assert several == (REPEATED if name == "kube-apiserver" else {})


def test_the_two_kinds_of_tokens_are_verified(flags):
    assert flags("kube-apiserver")["--service-account-key-file"] == [
        f"{SECRETS}/service-account.pub",
        f"{SECRETS}/bound-service-account-signing-key.pub",
    ]


def test_etcd_learns_from_every_master_at_once(pod):
    [program] = pod("etcd", "five")["spec"]["containers"]
    assert program["env"] == [{"name": "ETCD_EXPERIMENTAL_MAX_LEARNERS", "value": "5"}]


@pytest.mark.parametrize(("variant", "seconds"), [("default", 135), ("single", 15)])
def test_the_api_server_drains(pod, variant, seconds):
    assert pod("kube-apiserver", variant)["spec"]["terminationGracePeriodSeconds"] == seconds


def test_kube_proxy_gets_one_pod_network_per_family_the_controller_manager_all():
    second = {"cidr": "10.200.0.0/14", "hostPrefix": 23}
    first, six = DUAL_STACK["clusterNetwork"]
    cluster = made(networking=DUAL_STACK | {"clusterNetwork": [first, second, six]}).cluster
    [proxy] = kube_proxy.pod(cluster, cluster.masters[0])["spec"]["containers"]
    [manager] = controller_manager.pod(cluster, cluster.bootstrap)["spec"]["containers"]
    assert "--cluster-cidr=10.128.0.0/14,fd01::/48" in proxy["args"]
    assert "--cluster-cidr=10.128.0.0/14,10.200.0.0/14,fd01::/48" in manager["args"]


def test_cvo_is_the_release_image_with_exactly_its_arguments(tree, pod):
    image = tree("default").cluster.release.image
    [program] = pod("cluster-version-operator")["spec"]["containers"]
    assert "@sha256:" in image
    assert program["image"] == image
    assert program["args"] == [
        "start",
        f"--release-image={image}",
        "--enable-auto-update=false",
        "--listen=",
        "--v=2",
        "--kubeconfig=/etc/kubernetes/kubeconfig",
    ]
    assert {e["name"]: e.get("value", e.get("valueFrom")) for e in program["env"]} == {
        "KUBERNETES_SERVICE_HOST": "127.0.0.1",
        "KUBERNETES_SERVICE_PORT": "6443",
        "NODE_NAME": {"fieldRef": {"fieldPath": "spec.nodeName"}},
        "CLUSTER_PROFILE": "self-managed-high-availability",
    }
    assert pod("cluster-version-operator")["spec"]["terminationGracePeriodSeconds"] == 130


def test_a_master_gets_its_own_addresses_and_name(tree):
    cluster = tree("default").cluster
    node = cluster.masters[1]
    member = etcd.pod(cluster, node)["spec"]["containers"][0]["args"]
    assert f"--name={node.name}" in member
    assert f"--initial-advertise-peer-urls=https://{node.address}:2380" in member
    assert f"--cert-file=/etc/ssl/etcd/etcd-all-certs/etcd-serving-{node.name}.crt" in member
    server = apiserver.pod(cluster, node)
    assert f"--advertise-address={node.address}" in server["spec"]["containers"][0]["args"]
    for document in (server, controller_manager.pod(cluster, node), scheduler.pod(cluster, node)):
        assert not document["metadata"]["name"].startswith("bootstrap")
        assert not any(file.startswith("/etc/kubernetes/bootstrap") for file in host_files(document))
