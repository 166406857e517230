"""What the real operators say of a cluster as the notes leave it in stage 12, and what takes each obstacle away."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hardway.staticpods.apiserver.flags import ADMISSION
from tests.support import node_roots
from tests.support.operators import ground as operators
from tests.support.operators import stories as operators_stories
from tests.support.operators.stories import MIGRATIONS, Story

SCC = "security.openshift.io/SecurityContextConstraint"
DEFAULTS = "data/bindata/assets/config/defaultconfig.yaml"


@pytest.fixture(scope="module")
def apiserver(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return operators_stories.kube_apiserver(tmp_path_factory.mktemp("apiserver"))


@pytest.fixture(scope="module")
def etcd(tmp_path_factory: pytest.TempPathFactory) -> Story:
    return operators_stories.etcd(tmp_path_factory.mktemp("etcd"))


def test_without_the_type_of_machines_no_member_is_added(etcd: Story):
    assert "failed to list *v1beta1.Machine: the server could not find the requested resource" in etcd.before
    assert "Waiting for caches to sync for ClusterMemberController" in etcd.before
    assert "Caches are synced for ClusterMemberController" not in etcd.before
    assert [member.name for member in etcd.seen["members before"]] == ["etcd-bootstrap"]
    assert len(etcd.seen["members"]) == 2


def test_the_etcd_operator_adds_members_by_address(etcd: Story):
    [learner] = [member for member in etcd.seen["members"] if member.learner]
    assert learner.peers == (f"https://{etcd.seen['master']}:2380",)


def test_the_etcd_operator_fills_its_placeholders_from_ours(etcd: Story):
    """They are empty in its own manifests, and stay so for whoever applies those again."""
    placeholder = next(b for b in operators.manifests_of(operators.ETCD) if b["kind"] == "Secret")
    assert placeholder["data"] == {"tls.crt": "", "tls.key": ""}
    assert placeholder["metadata"]["annotations"]["release.openshift.io/create-only"] == "true"
    assert etcd.seen["client"] == etcd.seen["our client"] != ""


def test_the_etcd_operator_adopts_the_signers_and_replaces_one_without_an_end(etcd: Story):
    assert etcd.problems == []
    [(subject, message)] = etcd.replaced
    ours, theirs = etcd.seen["fingerprints"]
    assert subject == "Secret openshift-etcd/etcd-signer"
    assert f"tls/etcd-signer.crt is {ours}, the cluster has {theirs}" in message
    assert "SignerUpdateRequired" in message or "missing notAfter" in message


def test_a_network_without_status_gives_the_operator_another_service_network(apiserver: Story):
    said = "Required status.serviceNetwork field is not set in networks.config.openshift.io/cluster"
    assert said in apiserver.before
    assert apiserver.seen["subnet before"] is None
    assert "servicesSubnet: 10.3.0.0/16" in (operators.program(operators.KUBE_APISERVER) / DEFAULTS).read_text()
    assert apiserver.seen["subnet"] == "172.30.0.0/16"


def test_the_networks_status_cannot_be_written_by_itself(apiserver: Story):
    assert apiserver.seen["status alone"] == "not-found"


def test_types_of_others_are_missed(apiserver: Story):
    missing = "the server could not find the requested resource"
    assert f"{missing} (get {MIGRATIONS})" in apiserver.before
    assert f"Resource=prometheusrules: {missing}" in apiserver.before


def test_what_the_controller_manager_operator_would_make_is_waited_for(apiserver: Story):
    missed = [line for line in apiserver.before.splitlines() if "RequiredInstallerResourcesMissing" in line]
    assert any("sa-token-signing-certs-" in line for line in missed)


def test_the_kubelets_serving_ca_is_the_operators_own(apiserver: Story):
    said = "Deleted target configmap openshift-config-managed/kubelet-serving-ca because source config does not exist"
    assert said in apiserver.before
    assert apiserver.seen["kubelet-serving-ca before"] == {}
    assert apiserver.seen["kubelet-serving-ca"] == apiserver.seen["csr-controller-ca"]


def test_an_operators_api_server_has_no_certificate_with_addresses(apiserver: Story):
    for names in apiserver.seen["names"].values():
        assert not names & apiserver.seen["masters"]


def test_the_kube_apiserver_operator_adopts_the_signers_and_replaces_one_without_an_end(apiserver: Story):
    assert apiserver.problems == []
    [(subject, message)] = apiserver.replaced
    ours, theirs = apiserver.seen["fingerprints"]
    assert subject == "Secret openshift-kube-apiserver-operator/loadbalancer-serving-signer"
    assert f"tls/kube-apiserver-lb-signer.crt is {ours}, the cluster has {theirs}" in message
    assert "requires a new signing cert/key pair: missing notAfter" in message
    assert "auth.openshift.io/certificate-not-after" in message


def test_operators_cannot_sign_with_keys_on_a_curve(tmp_path: Path):
    """They adopt the signer, since its annotations are right, and then issue nothing."""
    log = operators_stories.elliptic(tmp_path)
    assert "CertRotationController reconciliation failed: x509: requested SignatureAlgorithm does not match" in log
    assert 'loadbalancer-serving-signer" in "openshift-kube-apiserver-operator" requires' not in log


def test_flags_cannot_ask_for_security_context_constraints():
    words = [
        str(node_roots.program("kube-apiserver")),
        f"--enable-admission-plugins={SCC}",
        "--etcd-servers=https://x:1",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert f'enable-admission-plugins plugin "{SCC}" is unknown' in done.stderr.replace("\\", "")
    assert SCC not in ADMISSION
