"""What is done in each situation, from pictures alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardway.checks import failures
from hardway.drive.csr.parse import parse
from hardway.drive.decide import decide
from hardway.drive.etcd import Member, Status
from hardway.drive.growth import View
from hardway.drive.milestones.table import TABLE
from hardway.drive.observation import NodeSeen, Observation, OperatorSeen, PodSeen, VersionSeen
from hardway.stages import table as stages
from hardway.staticpods import kube_proxy
from hardway.staticpods.masters import PROGRAMS, member_name, mirror, peer_url
from tests.support.clusters import made_by, without_operators
from tests.support.requests import client_request, pem, serving_request

CLUSTER = without_operators()
BOOTSTRAP, MASTERS, WORKERS = CLUSTER.bootstrap, CLUSTER.masters, CLUSTER.workers
NAMES = frozenset(n.name for n in MASTERS)
ALL_PODS = frozenset(row.manifest.rpartition("/")[2] for row in PROGRAMS)


def etcd(*nodes, complete=False, leader=None):
    members = tuple(
        Member(id=n.index + 10 * (n.role == "master") + 1, name=member_name(n), peers=(peer_url(CLUSTER, n),))
        for n in nodes
    )
    chief = leader or members[0].id
    statuses = {m.id: Status(id=m.id, leader=chief, index=9, applied=9) for m in members}
    return View(members=members, statuses=statuses, complete=complete)


def ready(role):
    return NodeSeen(ready=True, roles=frozenset({f"node-role.kubernetes.io/{role}"}))


START = Observation(balanced={BOOTSTRAP.name: "down"}, running=frozenset({BOOTSTRAP.name}))
BOOTED = replace(
    START,
    api="",
    serving=frozenset({BOOTSTRAP.name}),
    answering=frozenset({BOOTSTRAP.name}),
    etcd=etcd(BOOTSTRAP),
    etcd_well=frozenset({BOOTSTRAP.name}),
    applied=True,
    version=VersionSeen(syncing=True),
    balanced={BOOTSTRAP.name: "up"},
)
JOINED = replace(BOOTED, running=BOOTED.running | NAMES, nodes={n.name: ready("master") for n in MASTERS})
GROWN = replace(JOINED, etcd=etcd(BOOTSTRAP, *MASTERS))
SERVING = replace(
    GROWN,
    serving=NAMES | {BOOTSTRAP.name},
    answering=NAMES | {BOOTSTRAP.name},
    manifests=dict.fromkeys(NAMES, ALL_PODS),
    pods={mirror(CLUSTER, row.name, n): PodSeen(ready=True) for row in PROGRAMS for n in MASTERS},
    balanced=dict.fromkeys([BOOTSTRAP.name, *NAMES], "up"),
)
COMPLETE = replace(SERVING, complete=True, etcd=etcd(BOOTSTRAP, *MASTERS, complete=True))
DROPPED = replace(COMPLETE, balanced={**COMPLETE.balanced, BOOTSTRAP.name: "out"})
DRAINED = replace(DROPPED, serving=NAMES, answering=NAMES)
LEFT = replace(DRAINED, etcd=etcd(*MASTERS, complete=True), applied=False)
PIVOTED = replace(LEFT, running=NAMES)
WITH_WORKERS = replace(
    PIVOTED,
    running=NAMES | {n.name for n in WORKERS},
    nodes={**PIVOTED.nodes, **{n.name: ready("worker") for n in WORKERS}},
)


def seen(o, **options):
    decision = decide(o, CLUSTER, **options)
    return decision.waiting.name if decision.waiting else "", [
        (a.kind, a.node, a.program or "") for a in decision.actions
    ]


def test_the_way_step_by_step():
    assert seen(START) == ("bootstrap-etcd", [])
    assert seen(replace(START, running=frozenset())) == ("bootstrap-etcd", [("start", "bootstrap", "")])
    assert seen(BOOTED) == ("masters-ready", [("start", n.name, "") for n in MASTERS])
    assert seen(JOINED) == ("etcd-grown", [("member", "master-0", "")])
    assert seen(GROWN) == ("apis", [("lay", n.name, "kube-apiserver") for n in MASTERS])
    assert seen(SERVING) == ("complete", [])
    assert seen(COMPLETE)[0] == "balancer"
    assert ("drop", "bootstrap", "") in seen(COMPLETE)[1]
    assert seen(DROPPED, until=13) == ("drained", [("retire", "bootstrap", "")])
    assert seen(DRAINED, until=13) == ("etcd-bootstrap-gone", [("member", "master-0", "")])
    assert seen(LEFT, until=13) == ("bootstrap-off", [("stop", "bootstrap", "")])
    assert seen(PIVOTED) == ("workers-on", [("start", n.name, "") for n in WORKERS])
    assert seen(WITH_WORKERS)[0] == "operators"


def test_the_bootstrap_member_stays_while_its_api_server_may_be_asked():
    for o in (COMPLETE, DROPPED):
        assert "member" not in {kind for kind, _, _ in seen(o)[1]}


def test_an_api_server_that_is_only_slow_is_not_taken_for_gone():
    slow = replace(DRAINED, manifests={**DRAINED.manifests, "bootstrap": frozenset({"kube-apiserver-pod.yaml"})})
    assert seen(slow, until=13) == ("drained", [("retire", "bootstrap", "")])


def test_nothing_is_dropped_before_the_load_balancer_knows_the_masters():
    unknown = replace(COMPLETE, balanced={**COMPLETE.balanced, "master-2": "down"})
    assert seen(unknown)[0] == "apis"
    assert "drop" not in {kind for kind, _, _ in seen(unknown)[1]}


def test_a_bootstrap_node_that_was_let_go_is_never_started_again():
    silent = replace(PIVOTED, api="no answer", nodes={}, complete=False, balanced={BOOTSTRAP.name: "out"})
    assert ("start", "bootstrap", "") not in seen(silent)[1]
    died = replace(SERVING, running=NAMES)
    assert ("start", "bootstrap", "") in seen(died)[1]


def dark(before, *, past):
    """The picture after every machine was cut: nobody answers, and the disks have what they had."""
    milestones = [row.name for row in TABLE]
    return Observation(
        api="no answer",
        etcd_trouble="no member runs",
        balanced={name: "out" if state == "out" else "down" for name, state in before.balanced.items()},
        stored=frozenset(n.name for n in (BOOTSTRAP, *MASTERS) if before.etcd.of(CLUSTER, n)) | {BOOTSTRAP.name},
        past=frozenset(milestones[: milestones.index(past) + 1]),
    )


def test_with_every_machine_off_the_store_gets_its_majority_back():
    """Whoever has data of etcd is started; the bootstrap node as long as its member has not left."""
    everyone = [("start", name, "") for name in ("bootstrap", "master-0", "master-1", "master-2")]
    for before, past, started in [
        (BOOTED, "bootstrap-api", everyone[:1]),
        (JOINED, "masters-ready", everyone[:1]),
        (GROWN, "etcd-grown", everyone),
        (COMPLETE, "complete", everyone),
        (DROPPED, "balancer", everyone),
        (DRAINED, "drained", everyone),
        (LEFT, "etcd-bootstrap-gone", everyone[1:]),
        (PIVOTED, "bootstrap-off", everyone[1:]),
        (WITH_WORKERS, "settled", everyone[1:]),
    ]:
        assert seen(dark(before, past=past)) == ("bootstrap-etcd", started), past


def test_what_is_waited_for_is_named_by_who_has_the_data():
    finished = dark(WITH_WORKERS, past="settled")
    assert decide(finished, CLUSTER).missing == "etcd on master-0, master-1, master-2: no member runs"
    answering = replace(finished, etcd=etcd(MASTERS[0]), running=NAMES)
    assert decide(answering, CLUSTER).missing == "the API server on master-0, master-1, master-2 to be ready"
    assert decide(dark(BOOTED, past="bootstrap-api"), CLUSTER).missing == "etcd on bootstrap: no member runs"


def test_a_load_balancer_that_was_started_anew_does_not_bring_the_bootstrap_node_back():
    again = replace(dark(WITH_WORKERS, past="settled"), balanced=dict.fromkeys([BOOTSTRAP.name, *NAMES], "down"))
    assert ("start", "bootstrap", "") not in seen(again)[1]


def test_controllers_follow_the_api_server_of_the_same_master():
    served = replace(
        GROWN,
        serving=frozenset({"bootstrap", "master-1"}),
        manifests=dict.fromkeys(NAMES, frozenset({"etcd-pod.yaml", "kube-apiserver-pod.yaml"})),
    )
    assert [a for a in seen(served)[1] if a[0] == "lay"] == [
        ("lay", "master-1", "kube-controller-manager"),
        ("lay", "master-1", "kube-scheduler"),
    ]


def test_a_master_that_is_not_ready_gets_no_member():
    nodes = {**JOINED.nodes, "master-0": NodeSeen(ready=False)}
    assert seen(replace(JOINED, nodes=nodes)) == ("masters-ready", [])


def test_requests_are_approved_when_their_stage_has_come():
    master, worker = client_request(MASTERS[0], "csr-m"), client_request(WORKERS[0], "csr-w")
    asked = tuple(parse(item) for item in (master, worker))
    on = BOOTED.running | {n.name for n in (*MASTERS, *WORKERS)}
    early = decide(replace(BOOTED, requests=asked, running=on), CLUSTER)
    assert [a.verdict.request for a in early.actions if a.kind == "approve"] == ["csr-m"]
    assert [v.request for v in early.refused] == ["csr-w"]
    late = decide(replace(DROPPED, requests=asked[1:], running=on), CLUSTER)
    assert [a.verdict.request for a in late.actions if a.kind == "approve"] == ["csr-w"]
    assert [v.rule for v in decide(replace(DROPPED, requests=asked[1:]), CLUSTER, 13).refused] == ["time"]


def test_what_a_machine_asked_for_before_it_was_cut_is_not_approved():
    """Its kubelet had the key in memory alone: the certificate would be nobody's, and the name would be taken."""
    asked = (parse(client_request(MASTERS[0], "csr-m")),)
    found = [(a.kind, a.node) for a in decide(replace(BOOTED, requests=asked), CLUSTER).actions]
    assert found == [("start", n.name) for n in MASTERS]


def on_the_operators_road(observation, **aim):
    cluster = made_by(CLUSTER, "etcd", "kube-apiserver")
    found = decide(observation, cluster, **aim)
    return found.waiting.name, [(a.kind, a.node, a.program or "") for a in found.actions]


def test_on_the_operators_road_nobody_adds_a_member_or_lays_what_an_operator_rolls_out():
    assert on_the_operators_road(JOINED) == ("etcd-grown", [])
    assert on_the_operators_road(GROWN) == ("apis", [])
    assert on_the_operators_road(DROPPED, until=13) == ("drained", [("retire", "bootstrap", "")])


def test_on_the_operators_road_what_has_no_operator_is_laid_as_soon_as_the_masters_own_api_serves():
    served = replace(GROWN, serving=frozenset({"bootstrap", "master-1"}))
    assert on_the_operators_road(served)[1] == [
        ("lay", "master-1", "kube-controller-manager"),
        ("lay", "master-1", "kube-scheduler"),
    ]


def test_the_end_of_the_identity_of_new_nodes_is_named_for_nodes_that_have_not_joined():
    over = replace(BOOTED, joining_over="2026-01-02 03:04 UTC")
    assert "`hardway build` makes a new one" in decide(over, CLUSTER).missing
    assert "2026-01-02 03:04 UTC" in decide(over, CLUSTER).missing
    assert "expired" not in decide(BOOTED, CLUSTER).missing
    assert "expired" not in decide(replace(JOINED, joining_over=over.joining_over), CLUSTER).missing


def test_a_request_that_nobody_signs_is_named():
    item = {**client_request(MASTERS[0], "csr-m"), "status": {"conditions": [{"type": "Approved", "status": "True"}]}}
    missing = decide(replace(BOOTED, requests=(parse(item),)), CLUSTER).missing
    assert missing.startswith("master-0 has not registered; csr-m is approved but not signed; master-1")
    signed = {**item, "status": {**item["status"], "certificate": "eA=="}}
    assert "csr-m" not in decide(replace(BOOTED, requests=(parse(signed),)), CLUSTER).missing


def test_a_node_that_cannot_be_asked_has_not_joined():
    """Ready, but the API server would find no certificate at the kubelet: no logs, no exec (F28)."""
    signed = {"status": {"conditions": [{"type": "Approved", "status": "True"}], "certificate": "eA=="}}
    first = parse({**client_request(MASTERS[0], "csr-m"), **signed})
    assert decide(replace(JOINED, requests=(first,)), CLUSTER).missing == ("master-0 has no serving certificate yet")
    second = parse({**serving_request(MASTERS[0], "csr-s"), **signed})
    assert seen(replace(JOINED, requests=(first, second)))[0] == "etcd-grown"


def test_a_worker_need_not_wait_for_a_master_that_is_away():
    asked = (parse(client_request(WORKERS[0], "csr-w")),)
    on = PIVOTED.running | {n.name for n in WORKERS}
    away = replace(PIVOTED, running=on, requests=asked, nodes={**PIVOTED.nodes, "master-2": NodeSeen(ready=False)})
    assert ("approve", "worker-0", "") in seen(away)[1]


def test_a_stranger_is_shown_and_left_alone():
    stranger = parse(client_request(MASTERS[0], "csr-x", pem_of=pem("system:node:stranger")))
    o = replace(BOOTED, requests=(stranger,))
    decision = decide(o, CLUSTER)
    assert "approve" not in {a.kind for a in decision.actions}
    assert [v.request for v in decision.refused] == ["csr-x"]


def test_the_operator_that_holds_everything_up_is_named():
    version = CLUSTER.release.version
    rows = (
        OperatorSeen(name="dns", available=True, degraded=False, version=version),
        OperatorSeen(name="ingress", available=False, degraded=False, version="", message="NoRouter: none runs"),
        OperatorSeen(name="etcd", available=True, degraded=False, version="4.17.0"),
        OperatorSeen(name="network", available=True, degraded=True, version=version, message="Slow"),
    )
    missing = decide(replace(WITH_WORKERS, operators=rows), CLUSTER).missing
    assert missing == (
        f"network is Degraded: Slow; behind it: ingress; not yet at {version}: etcd; 1 of 4 ClusterOperators are done"
    )


def test_the_end():
    version = CLUSTER.release.version
    fine = (OperatorSeen(name="dns", available=True, degraded=False, version=version),)
    o = replace(WITH_WORKERS, operators=fine)
    assert seen(o) == ("version", [])
    done = replace(o, version=VersionSeen(version=version, completed=True, syncing=True))
    moving = (
        OperatorSeen(name="etcd", available=True, degraded=False, version=version, progressing=True, message="8"),
    )
    assert decide(replace(done, operators=moving), CLUSTER).missing == "etcd is still rolling out: 8"
    decision = decide(done, CLUSTER)
    assert (decision.waiting, decision.actions) == (None, ())
    assert decision.reached == tuple(row.name for row in TABLE)


def with_proxies(file, *, available=True, **changes):
    """Masters that still have a file of kube-proxy."""
    version = CLUSTER.release.version
    network = OperatorSeen(name="network", available=available, degraded=False, version=version)
    files = dict.fromkeys(NAMES, ALL_PODS | {file})
    done = VersionSeen(version=version, completed=True, syncing=True)
    return replace(WITH_WORKERS, operators=(network,), version=done, manifests=files, **changes)


@pytest.mark.parametrize("file", [kube_proxy.DOCUMENT.file, kube_proxy.LEAVING])
def test_kube_proxy_leaves_every_master_when_the_network_operator_is_available(file):
    cluster = made_by(CLUSTER, "network")
    decision = decide(with_proxies(file), cluster)
    assert decision.waiting is not None
    assert decision.waiting.name == "settled"
    assert "kube-proxy has not left master-0, master-1, master-2" in decision.missing
    assert [(a.kind, a.node) for a in decision.actions] == [("unproxy", node.name) for node in MASTERS]
    early = decide(with_proxies(file, available=False), cluster)
    assert "unproxy" not in {a.kind for a in early.actions}


def test_kube_proxy_stays_where_nobody_does_its_work():
    """The lab's own program reports for a network operator that is not there."""
    decision = decide(with_proxies(kube_proxy.DOCUMENT.file), CLUSTER)
    assert (decision.waiting, decision.actions) == (None, ())


def test_every_row_is_of_a_stage_in_order_and_names_failures_that_are_known():
    numbers = [row.stage for row in TABLE]
    assert numbers == sorted(numbers)
    assert set(numbers) == {s.number for s in stages.TABLE if "10" <= s.number <= "16"}
    assert {f for row in TABLE for f in row.failures} <= failures.BY_ID.keys()
    assert all(row.limit and row.who and row.observed and row.seconds >= 300 for row in TABLE)


def test_workers_boot_after_the_bootstrap_node_has_left_the_load_balancer():
    """It is the longest wait, so nothing else comes before it."""
    assert seen(COMPLETE)[1] == [("drop", "bootstrap", "")]
    assert set(seen(DROPPED)[1]) == {("retire", "bootstrap", ""), *(("start", n.name, "") for n in WORKERS)}
