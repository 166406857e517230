"""For each check of the static pods a planted defect: exactly that check must find it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml

from hardway.checks.files import cis
from hardway.checks.files.pods import PODS as FILES
from hardway.checks.files.pods import Pod
from hardway.checks.files.release import REFERENCES
from hardway.checks.files.table import PODS
from hardway.model.check import run
from hardway.staticpods.controller_manager import pod as controller_manager
from hardway.staticpods.controller_manager import policy
from tests.support.edited import dumped, edit_file
from tests.support.trees import built, spare


def read(root, name):
    return yaml.load((root / FILES[name]).read_text(), yaml.CSafeLoader)


def edit(world, name, change):
    edit_file(world.root / FILES[name], change)


def words(pod):
    """The list that holds the flags."""
    return next(
        c[k] for c in pod["spec"]["containers"] for k in ("args", "command") if any("--" in w for w in c.get(k, []))
    )


def with_flag(pod, flag, value):
    listed = words(pod)
    listed[:] = [w for w in listed if not w.startswith(f"{flag}=")] + ([f"{flag}={value}"] if value is not None else [])


def set_flag(world, name, flag, value):
    edit(world, name, lambda pod: with_flag(pod, flag, value))


def plant_missing(world):
    (world.root / FILES["kube-scheduler"]).unlink()


def plant_no_containers(world):
    edit(world, "kube-scheduler", lambda pod: pod["spec"].update(containers=[]))


def plant_pod_network(world):
    edit(world, "etcd", lambda pod: pod["spec"].pop("hostNetwork"))


def plant_tag(world):
    edit(world, "etcd", lambda pod: pod["spec"]["containers"][0].update(image="quay.io/example/etcd:latest"))


def plant_prefix(world):
    set_flag(world, "kube-apiserver", "--etcd-prefix", "/registry")


def plant_member_name(world):
    """The name in the notes on rendered manifests."""

    def change(pod):
        for container in pod["spec"]["containers"]:
            for variable in container.get("env", []):
                if variable["name"] == "ETCD_NAME":
                    variable["value"] = "etcd-0"
            for key in ("args", "command"):
                container[key] = [w.replace("--name=etcd-bootstrap", "--name=etcd-0") for w in container.get(key, [])]

    edit(world, "etcd", change)


def plant_old_front_proxy(world):
    """What the rendered bootstrap API server does: a certificate of another CA."""
    secrets = "/etc/kubernetes/secrets"
    set_flag(world, "kube-apiserver", "--proxy-client-cert-file", f"{secrets}/apiserver-proxy.crt")


def plant_allowed_names(world):
    set_flag(world, "kube-apiserver", "--requestheader-allowed-names", "front-proxy-client")


def plant_csr_signer(world):
    set_flag(world, "kube-controller-manager", "--cluster-signing-cert-file", "/etc/kubernetes/secrets/root-ca.crt")


def plant_one_key(world):
    key = "/etc/kubernetes/secrets/service-account.pub"
    set_flag(world, "kube-apiserver", "--service-account-key-file", key)


def plant_admin(world):
    """The controller-manager as the administrator, as the installer has it."""
    flag = "--kubeconfig"
    set_flag(world, "kube-controller-manager", flag, "/etc/kubernetes/secrets/kubeconfig")


def plant_operator_image(world):
    """The learning of the notes: CVO's own image has no /release-manifests."""
    image = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "0" * 64
    edit(world, "cluster-version-operator", lambda pod: pod["spec"]["containers"][0].update(image=image))


def plant_listen(world):
    set_flag(world, "cluster-version-operator", "--listen", "0.0.0.0:9099")


def plant_profiling(world):
    set_flag(world, "kube-scheduler", "--profiling", "true")


CONFIGS = "bootstrap-configs/"
SERVER_CONFIG, POLICY_CONFIG = f"{CONFIGS}kube-apiserver-config.yaml", f"{CONFIGS}cluster-policy-controller-config.yaml"


def plant_no_admission(world):
    set_flag(world, "kube-apiserver", "--openshift-config", None)


def plant_no_config(world):
    (world.root / SERVER_CONFIG).unlink()


def plant_silent_config(world):
    edit_file(world.root / SERVER_CONFIG, lambda config: config.pop("servicesSubnet"))


def plant_other_config(world):
    edit_file(world.root / SERVER_CONFIG, lambda config: config["servingInfo"].update(bindAddress="0.0.0.0:8443"))


def plant_no_masters(world):
    set_flag(world, "kube-apiserver", "--authorization-mode", "RBAC,Node")


def policed(world):
    """The release is known to have the image, and the pod on disk is made with it."""
    images = {**world.cluster.release.images, policy.IMAGE: f"quay.io/example/policy@sha256:{'0' * 64}"}
    world.cluster = replace(world.cluster, release=replace(world.cluster.release, images=images))
    pod = controller_manager.pod(world.cluster, world.cluster.bootstrap)
    (world.root / FILES["kube-controller-manager"]).write_text(dumped(pod))


def plant_no_policy_controller(world):
    policed(world)
    edit(world, "kube-controller-manager", lambda pod: pod["spec"]["containers"].pop())


def plant_release_without_it(world):
    (world.root / REFERENCES).parent.mkdir(parents=True)
    tags = [{"name": "etcd", "from": {"kind": "DockerImage", "name": f"quay.io/example/etcd@sha256:{'0' * 64}"}}]
    (world.root / REFERENCES).write_text(json.dumps({"spec": {"tags": tags}}))


def plant_policy_controller_with_few_rights(world):
    policed(world)
    own = "--kubeconfig=/etc/kubernetes/secrets/controller-manager.kubeconfig"

    def change(pod):
        args = pod["spec"]["containers"][1]["args"]
        args[:] = [own if word.startswith("--kubeconfig=") else word for word in args]

    edit(world, "kube-controller-manager", change)


def plant_admin_beside_the_policy_controller(world):
    policed(world)
    admin = "--kubeconfig=/etc/kubernetes/kubeconfig"
    edit(world, "kube-controller-manager", lambda pod: pod["spec"]["containers"][0]["args"].append(admin))


def plant_no_ranges(world):
    policed(world)
    edit_file(world.root / POLICY_CONFIG, lambda config: config["controllers"].pop(0))


def plant_no_rights(world):
    policed(world)
    (world.root / "manifests/00_namespace-security-allocation-controller-clusterrolebinding.yaml").unlink()


PLANTED = [
    ("pod.admission", plant_no_admission),
    ("pod.admission", plant_no_config),
    ("pod.admission", plant_silent_config),
    ("pod.admission", plant_other_config),
    ("pod.admission", plant_no_masters),
    ("pod.policy-controller", plant_no_policy_controller),
    ("pod.policy-controller", plant_release_without_it),
    ("pod.policy-controller", plant_policy_controller_with_few_rights),
    ("pod.policy-controller", plant_no_ranges),
    ("pod.policy-controller", plant_no_rights),
    ("pod.present", plant_missing),
    ("pod.present", plant_no_containers),
    ("pod.host-network", plant_pod_network),
    ("pod.images", plant_tag),
    ("pod.etcd-prefix", plant_prefix),
    ("pod.etcd-name", plant_member_name),
    ("pod.request-header", plant_old_front_proxy),
    ("pod.request-header", plant_allowed_names),
    ("pod.csr-signer", plant_csr_signer),
    ("pod.service-account", plant_one_key),
    ("pod.identity", plant_admin),
    ("pod.identity", plant_admin_beside_the_policy_controller),
    ("pod.version-operator", plant_operator_image),
    ("pod.version-operator", plant_listen),
    ("pod.cis", plant_profiling),
]


@pytest.mark.parametrize(("check", "plant"), PLANTED, ids=[p.__name__ for _, p in PLANTED])
def test_a_planted_defect_is_found_by_its_check_and_no_other(check, plant):
    world = spare("default")
    plant(world)
    found = run(PODS, world).findings
    assert {f.check for f in found} == {check}
    assert all(f.fix and f.message for f in found)


@pytest.mark.parametrize("variant", ["default", "single", "ipv6", "dual-stack"])
def test_a_good_tree_has_no_finding(variant):
    assert run(PODS, spare(variant)).findings == ()


def test_a_good_tree_with_the_policy_controller_has_no_finding():
    world = spare("default")
    policed(world)
    assert run(PODS, world).findings == ()


def test_every_check_has_a_planted_defect():
    assert {check for check, _ in PLANTED} == {check.name for check in PODS if not check.general}


BREAKING = {
    "1.2.2": ("--token-auth-file", "/tokens"),
    "1.2.4": ("--kubelet-client-key", None),
    "1.2.5": ("--kubelet-certificate-authority", None),
    "1.2.6": ("--authorization-mode", "AlwaysAllow,Node,RBAC"),
    "1.2.7": ("--authorization-mode", "RBAC"),
    "1.2.8": ("--authorization-mode", "Node"),
    "1.2.10": ("--enable-admission-plugins", "NodeRestriction,AlwaysAdmit"),
    "1.2.12": ("--disable-admission-plugins", "ServiceAccount"),
    "1.2.13": ("--disable-admission-plugins", "NamespaceLifecycle"),
    "1.2.14": ("--enable-admission-plugins", "NamespaceLifecycle"),
    "1.2.15": ("--profiling", None),
    "1.2.16": ("--audit-log-path", None),
    "1.2.17": ("--audit-log-maxage", "29"),
    "1.2.18": ("--audit-log-maxbackup", "9"),
    "1.2.19": ("--audit-log-maxsize", "99"),
    "1.2.21": ("--service-account-lookup", "false"),
    "1.2.22": ("--service-account-key-file", None),
    "1.2.23": ("--etcd-keyfile", None),
    "1.2.24": ("--tls-private-key-file", None),
    "1.2.25": ("--client-ca-file", None),
    "1.2.26": ("--etcd-cafile", None),
    "1.2.30": ("--service-account-extend-token-expiration", "true"),
    "1.3.2": ("--profiling", "true"),
    "1.3.3": ("--use-service-account-credentials", "false"),
    "1.3.4": ("--service-account-private-key-file", None),
    "1.3.5": ("--root-ca-file", None),
    "1.3.6": ("--feature-gates", "RotateKubeletServerCertificate=false"),
    "1.3.7": ("--bind-address", "0.0.0.0"),
    "1.4.1": ("--profiling", None),
    "1.4.2": ("--bind-address", "0.0.0.0"),
    "2.1": ("--key-file", None),
    "2.2": ("--client-cert-auth", "false"),
    "2.3": ("--auto-tls", "true"),
    "2.4": ("--peer-key-file", None),
    "2.5": ("--peer-client-cert-auth", None),
    "2.6": ("--peer-auto-tls", "true"),
}


@pytest.mark.parametrize("rule", cis.TABLE, ids=lambda r: r.number)
def test_each_of_the_36_cis_checks_passes_and_can_fail(rule):
    document = read(built().store.root, rule.program)
    assert rule.holds(Pod(FILES[rule.program], document))
    with_flag(document, *BREAKING[rule.number])
    broken = Pod(FILES[rule.program], document)
    assert [r.number for r in cis.TABLE if r.program == rule.program and not r.holds(broken)] == [rule.number]


def test_there_are_36_of_them_and_no_waiver():
    assert len(cis.TABLE) == 36
    assert {r.number for r in cis.TABLE} == set(BREAKING)
