"""Which certificate requests are taken for the plan's: real requests, right and wrong in every way."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding

from hardway.drive.csr.judge import judge_all
from hardway.drive.csr.memory import NOTHING, Memory
from hardway.drive.csr.parse import parse
from hardway.drive.csr.rules import RULES
from tests.support.clusters import DUAL_STACK, install_config, load_cluster
from tests.support.csr import der
from tests.support.csr.disguised import disguised
from tests.support.hostile import hostile
from tests.support.requests import (
    CLIENT,
    NODE_GROUPS,
    client_request,
    new_key,
    pem,
    serving_request,
)

CLUSTER = load_cluster().cluster
MASTER, OTHER, WORKER = CLUSTER.masters[0], CLUSTER.masters[1], CLUSTER.workers[0]
USER = f"system:node:{MASTER.name}"


def verdict(item, *, stage=11, joined=(), others=(), cluster=CLUSTER, memory=NOTHING):
    verdicts = judge_all([parse(i) for i in (item, *others)], cluster, stage=stage, joined=joined, memory=memory)
    return next(v for v in verdicts if v.request == item["metadata"]["name"])


def approved(item):
    return {**item, "status": {"conditions": [{"type": "Approved", "status": "True"}]}}


@pytest.mark.parametrize(
    ("item", "stage", "joined"),
    [
        (client_request(MASTER), 11, ()),
        (client_request(MASTER, usages=["key encipherment", "digital signature", "client auth"]), 11, ()),
        (client_request(MASTER, expirationSeconds=3600), 11, ()),
        (serving_request(MASTER), 11, (MASTER.name,)),
        (serving_request(MASTER, usages=["key encipherment", "digital signature", "server auth"]), 12, (MASTER.name,)),
        (client_request(WORKER), 14, ()),
        (serving_request(WORKER), 15, (WORKER.name,)),
        (client_request(MASTER, username=USER, groups=NODE_GROUPS), 16, (MASTER.name,)),
    ],
    ids=["first", "rsa-usages", "an-hour", "serving", "serving-rsa", "worker", "worker-serving", "renewal"],
)
def test_what_kubelets_ask_for_is_good(item, stage, joined):
    found = verdict(item, stage=stage, joined=joined)
    assert (found.good, found.reason.split(" certificate")[0]) == (
        True,
        "the client" if item["spec"]["signerName"] == CLIENT else "the serving",
    )


HOSTILE = hostile(CLUSTER)


@pytest.mark.parametrize("name", HOSTILE)
def test_everything_else_is_refused_with_its_reason(name):
    item, rule = HOSTILE[name]
    found = verdict(item)
    assert (found.good, found.rule) == (False, rule)
    assert found.reason


def test_every_rule_has_a_request_that_only_it_refuses():
    assert {rule for _, rule in HOSTILE.values()} | {"first", "rivals"} >= {rule.name for rule in RULES}


def test_a_request_that_was_tampered_with_is_refused():
    content = bytearray(x509.load_pem_x509_csr(pem(USER)).public_bytes(Encoding.DER))
    where = bytes(content).index(b"master-0")
    content[where : where + 8] = b"master-1"
    changed = b"-----BEGIN CERTIFICATE REQUEST-----\n" + b64encode(bytes(content))
    item = client_request(OTHER, pem_of=changed + b"\n-----END CERTIFICATE REQUEST-----\n")
    assert (verdict(item).good, verdict(item).rule) == (False, "request")


def test_an_ed25519_key_is_none_that_a_kubelet_makes():
    key = ed25519.Ed25519PrivateKey.generate()
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, USER)])
    request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, None).public_bytes(Encoding.PEM)
    assert verdict(client_request(MASTER, pem_of=request)).rule == "request"


def test_no_master_before_stage_11():
    assert verdict(client_request(MASTER), stage=10).rule == "time"


def test_a_node_that_has_joined_does_not_ask_as_a_new_one():
    assert verdict(client_request(MASTER), joined=[MASTER.name]).rule == "first"


def test_a_second_key_for_a_node_is_refused_and_the_same_key_is_not():
    key = new_key()
    earlier = approved(client_request(MASTER, "csr-0", key=key))
    assert verdict(client_request(MASTER, "csr-1", key=key), others=[earlier]).good
    assert verdict(client_request(MASTER, "csr-1"), others=[earlier]).rule == "first"


@pytest.mark.parametrize("names", [("aaa-attacker", "node-csr-1"), ("zzz-attacker", "node-csr-1")])
def test_of_two_keys_for_one_name_neither_is_good_whatever_they_are_called(names):
    """The attack: a name that sorts first, in place of the node's own request, which is there as well."""
    items = [client_request(MASTER, name) for name in names]
    for order in (items, items[::-1]):
        verdicts = judge_all([parse(i) for i in order], CLUSTER, stage=11, joined=())
        assert [(v.good, v.rule) for v in verdicts] == [(False, "rivals")] * 2
        assert all(name in v.reason for v in verdicts for name in names)
        assert all("kubectl delete csr" in v.reason for v in verdicts)


def test_a_rival_that_breaks_a_rule_is_none():
    hostile_one = client_request(MASTER, "aaa", pem_of=pem(USER, organizations=("system:masters",)))
    assert verdict(client_request(MASTER, "csr-1"), others=[hostile_one]).good


def test_one_key_may_ask_twice():
    key = new_key()
    items = [client_request(MASTER, f"csr-{n}", key=key) for n in (1, 2)]
    assert [v.good for v in judge_all([parse(i) for i in items], CLUSTER, stage=11, joined=())] == [True, True]


def test_several_own_requests_of_a_node_are_its_own():
    """A kubelet that starts again makes a new key for its serving certificate, and the old request stays pending."""
    items = [serving_request(MASTER, f"csr-{n}") for n in (1, 2)]
    items += [client_request(MASTER, f"csr-{n}", username=USER, groups=NODE_GROUPS) for n in (3, 4)]
    verdicts = judge_all([parse(i) for i in items], CLUSTER, stage=11, joined=[MASTER.name])
    assert [v.good for v in verdicts] == [True] * 4


def test_a_second_key_is_refused_when_the_api_has_forgotten_the_first():
    """Requests vanish after an hour; the folder's memory does not."""
    item = client_request(MASTER, "csr-1")
    known = Memory(cluster="uid", keys={MASTER.name: "another"})
    assert verdict(item).good
    found = verdict(item, memory=known)
    assert (found.good, found.rule) == (False, "first")
    assert f"--replace {MASTER.name}" in found.reason
    assert verdict(item, memory=replace(known, keys={OTHER.name: "another"})).good


def test_the_operators_word_lets_one_more_key_in_even_for_a_node_that_is_there():
    known = Memory(cluster="uid", keys={MASTER.name: "another"}, replaced=(MASTER.name,))
    assert verdict(client_request(MASTER), memory=known, joined=[MASTER.name]).good
    assert not verdict(client_request(OTHER), memory=known, joined=[OTHER.name]).good


def test_a_renewal_of_a_node_is_nobody_elses_first_key():
    renewed = approved(client_request(MASTER, "csr-0", username=USER, groups=NODE_GROUPS))
    assert verdict(client_request(MASTER, "csr-1"), others=[renewed]).good


def test_a_node_may_renew_with_another_key():
    renewal = client_request(MASTER, "csr-1", username=USER, groups=NODE_GROUPS)
    assert verdict(renewal, joined=[MASTER.name], others=[approved(client_request(MASTER, "csr-0"))]).good


def test_requests_that_were_answered_are_left_alone():
    denied = {**client_request(MASTER), "status": {"conditions": [{"type": "Denied", "status": "True"}]}}
    items = [approved(client_request(OTHER, "csr-1")), denied]
    assert judge_all([parse(i) for i in items], CLUSTER, stage=11, joined=()) == ()


def test_with_two_families_both_addresses_are_needed():
    cluster = load_cluster(install_config(networking=DUAL_STACK)).cluster
    node = cluster.masters[0]
    assert len(node.addresses) == 2
    assert verdict(serving_request(node), cluster=cluster).good
    one = serving_request(replace(node, addresses=node.addresses[:1]))
    assert verdict(one, cluster=cluster).rule == "names"


DISGUISED = disguised(CLUSTER, MASTER)


@pytest.mark.parametrize("name", DISGUISED)
def test_a_request_that_could_be_read_in_two_ways_is_refused(name):
    found = verdict(serving_request(MASTER, pem_of=DISGUISED[name]), joined=[MASTER.name])
    assert (found.good, found.rule in ("request", "node", "names", "extensions")) == (False, True), found.reason


def test_the_same_writer_writes_what_is_approved():
    own = der.alternative(der.dns(MASTER.name), *(der.address(a) for a in MASTER.addresses))
    request = der.armoured(der.request(der.node_name(MASTER.name), [der.asks(own)]))
    assert verdict(serving_request(MASTER, pem_of=request), joined=[MASTER.name]).good
