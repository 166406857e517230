"""Stage 17's check of the hand-made signers, with a real API server that has what bootkube.sh creates."""

from __future__ import annotations

import shutil
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from hardway.checks.live import signers as final_signers
from hardway.drive.client import Trouble, path
from hardway.manifests import handover
from tests.support.operators.ground import cluster_folder, control_plane, manifests
from tests.support.operators.stories import MAPS, SECRETS, final, fingerprint, signers_of

SIGNER = path(SECRETS, "aggregator-client-signer", namespace="openshift-kube-apiserver-operator")
NAME = "Secret openshift-kube-apiserver-operator/aggregator-client-signer"
BUNDLE = path(MAPS, "admin-kubeconfig-client-ca", namespace="openshift-config")
MANIFEST = "manifests/secret-aggregator-client-signer.yaml"


@pytest.fixture(scope="module")
def ground(tmp_path_factory):
    """Every Secret and ConfigMap of the cluster; each test leaves them as they were."""
    folder = tmp_path_factory.mktemp("signers")
    with control_plane(cluster_folder(folder / "cluster", "ecdsa-p256"), folder / "nodes") as at:
        for body in sorted(manifests(at.workspace), key=lambda b: b["kind"] != "Namespace"):
            if body["kind"] in ("Namespace", "Secret", "ConfigMap"):
                at.create(body)
        yield at


@pytest.fixture
def other(ground):
    """The signer is replaced by another one; what the check says afterwards is the test's."""
    before = ground.api.get(SIGNER)
    another = b64encode((ground.workspace.store.root / "tls/root-ca.crt").read_bytes()).decode()
    assert not isinstance(ground.api.patch(SIGNER, {"data": {"tls.crt": another}}), Trouble)
    yield before, ground.api.get(SIGNER)
    meta = {"annotations": before["metadata"]["annotations"]}
    assert not isinstance(ground.api.patch(SIGNER, {"metadata": meta, "data": before["data"]}), Trouble)


def annotate(ground, **changes):
    names = {"not_before": handover.NOT_BEFORE, "not_after": handover.NOT_AFTER}
    annotations = {names[key]: value for key, value in changes.items()}
    ground.api.patch(SIGNER, {"metadata": {"annotations": annotations}})


def event(ground, text):
    about = {"name": f"e{abs(hash(text))}", "namespace": "openshift-kube-apiserver-operator"}
    involved = {"kind": "Namespace", "name": "openshift-kube-apiserver-operator", "namespace": about["namespace"]}
    body = {"apiVersion": "v1", "kind": "Event", "metadata": about, "involvedObject": involved}
    said = {"reason": "SignerUpdateRequired", "message": text, "type": "Normal"}
    made = ground.api.create(path(final_signers.EVENTS, namespace=about["namespace"]), {**body, **said})
    assert not isinstance(made, Trouble), made
    return path(final_signers.EVENTS, about["name"], namespace=about["namespace"])


def test_what_bootkube_creates_is_found_as_it_is_on_disk(ground):
    assert signers_of(ground) == []


def test_every_signer_and_bundle_of_the_tables_is_looked_at():
    assert len({(row.namespace, row.name) for row in final_signers.SIGNERS}) == 9
    assert {row.name for row in final_signers.BUNDLES} >= {"csr-controller-ca", "etcd-ca-bundle", "etcd-all-bundles"}


def test_a_replaced_signer_is_named_with_both_fingerprints(ground, other):
    [(subject, message)] = signers_of(ground)
    before, after = (fingerprint(secret) for secret in other)
    assert subject == NAME
    assert f"tls/aggregator-signer.crt is {before}, the cluster has {after}" in message
    assert "SignerUpdateRequired" in message


def test_an_annotation_that_is_missing_is_the_cause(ground, other):
    annotate(ground, not_after=None)
    [(_, message)] = signers_of(ground)
    assert f"It has no {handover.NOT_AFTER}" in message


@pytest.mark.parametrize(
    ("reason", "name"), [("missing notAfter", handover.NOT_AFTER), ('bad expiry: ""', handover.NOT_BEFORE)]
)
def test_the_operators_own_word_is_the_cause(ground, other, reason, name):
    said = f'"aggregator-client-signer" in "x" requires a new signing cert/key pair: {reason}'
    where = event(ground, said)
    [(_, message)] = signers_of(ground)
    ground.api.delete(where)
    assert f"The operator reported: {said}" in message
    assert f"the annotation {name}" in message


def test_a_manifest_that_was_applied_without_is_the_cause(ground, other):
    file = ground.workspace.store.root / MANIFEST
    text = file.read_text()
    body = yaml.safe_load(text)
    body["metadata"]["annotations"].pop(handover.NOT_AFTER)
    file.write_text(yaml.safe_dump(body))
    [(_, message)] = signers_of(ground)
    file.write_text(text)
    assert f"Its manifest was applied without {handover.NOT_AFTER}" in message


def test_a_signer_that_has_aged_may_have_been_renewed(ground, other):
    assert signers_of(ground, datetime.now(UTC) + timedelta(days=6)) == []


def test_a_bundle_that_forgot_ours_is_named(ground):
    before = ground.api.get(BUNDLE)["data"]
    another = b64decode(ground.api.get(SIGNER)["data"]["tls.crt"]).decode()
    ground.api.patch(BUNDLE, {"data": {"ca-bundle.crt": another}})
    [(subject, message)] = signers_of(ground)
    ground.api.patch(BUNDLE, {"data": {"ca-bundle.crt": another + before["ca-bundle.crt"]}})
    more = signers_of(ground)
    ground.api.patch(BUNDLE, {"data": before})
    assert subject == "ConfigMap openshift-config/admin-kubeconfig-client-ca"
    assert "no longer trusts" in message
    assert "tls/admin-kubeconfig-ca-bundle.crt" in message
    assert more == []


def test_a_secret_that_is_gone_is_named(ground):
    body = ground.api.get(SIGNER)
    ground.api.delete(SIGNER)
    [(subject, message)] = signers_of(ground)
    meta = {key: body["metadata"][key] for key in ("name", "namespace", "annotations", "labels")}
    ground.create({"apiVersion": "v1", "kind": "Secret", "type": body["type"], "metadata": meta, "data": body["data"]})
    assert subject == NAME
    assert "not found" in message


@pytest.fixture
def by_operator(ground):
    """The file that the bootstrap node of the rendered road gives away, which is the test's; and such a cluster."""
    place = ground.workspace.store.root / "bootkube/tls/etcd-ca-bundle.crt"
    place.parent.mkdir(parents=True)
    given = final(ground)
    cluster = replace(given.live.cluster, road="rendered")
    yield place, replace(given, live=replace(given.live, cluster=cluster))
    shutil.rmtree(place.parents[1])


def test_on_the_rendered_road_the_signer_of_etcd_is_the_operators(ground, by_operator):
    place, given = by_operator
    tls = ground.workspace.store.root / "tls"
    shutil.copy(tls / "etcd-signer.crt", place)
    assert list(final_signers.survived(given)) == []
    shutil.copy(tls / "root-ca.crt", place)
    found = {flaw.subject: flaw.message for flaw in final_signers.survived(given)}
    assert sorted(found) == [
        "ConfigMap openshift-etcd/etcd-all-bundles",
        "ConfigMap openshift-etcd/etcd-ca-bundle",
        "Secret openshift-etcd/etcd-signer",
    ]
    assert all("bootkube/tls/etcd-ca-bundle.crt" in message for message in found.values())
