"""The client and the approving against a real API server, whose controller-manager signs what was approved."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hardway.drive.access import Access
from hardway.drive.act import act
from hardway.drive.client import Client, Trouble, path
from hardway.drive.csr import memory
from hardway.drive.csr.approve import CSRS, approve, identity
from hardway.drive.csr.judge import judge_all
from hardway.drive.csr.parse import parse
from hardway.drive.csr.void import void
from hardway.drive.decide import Action
from hardway.drive.live import open_cluster
from hardway.drive.machines import Machines
from hardway.drive.wire import Endpoint
from hardway.model.cluster import Node
from hardway.pki import families
from hardway.pki.assets import spec_of
from hardway.pki.issue import issue
from tests.support.apiserver import access, start_control_plane
from tests.support.csr.disguised import TWO_READERS, disguised
from tests.support.netns import inside
from tests.support.node_roots import nodes
from tests.support.requests import CLIENT, SERVING, new_key, pem, spec
from tests.support.trees import built_now
from tests.support.waiting import until

WORKSPACE = built_now(keys="ecdsa-p256")
CLUSTER = WORKSPACE.loaded.cluster
MASTER, WORKER = CLUSTER.masters[0], CLUSTER.workers[0]
ADDRESS = CLUSTER.bootstrap.address
MAPS = "/api/v1/configmaps"
MADE = {
    "csr-bootstrap-role-binding.yaml": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "cluster-infrastructure-02-config.yml": "/apis/config.openshift.io/v1/infrastructures",
}
"""What nodes need to ask for a certificate, and to be admitted; by the file's name."""


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    """An administrator's client; all tests here share one control plane, and none changes what another sees."""
    with nodes(CLUSTER, tmp_path_factory.mktemp("nodes")) as made, inside(made.hub):
        client = start_control_plane(WORKSPACE, made)
        for file, collection in MADE.items():
            sent = client.create(collection, yaml.safe_load((WORKSPACE.store.root / "manifests" / file).read_text()))
            assert not isinstance(sent, Trouble), sent
        yield client


def new_node() -> Client:
    return Client(access(WORKSPACE, "kubelet-bootstrap.kubeconfig", ADDRESS))


def ask(client: Client, name: str, content: dict) -> None:
    body = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest"}
    sent = client.create(CSRS, {**body, "metadata": {"name": name}, "spec": content})
    assert not isinstance(sent, Trouble), sent


def issued(api: Client, name: str) -> bytes:
    def certificate() -> str:
        return (api.get(path(CSRS, name)).get("status") or {}).get("certificate", "")

    until(lambda: bool(certificate()))
    return b64decode(certificate())


def settled(api: Client, stage: int) -> dict[str, str]:
    """What becomes of each request that nobody has answered yet."""
    joined = [node["metadata"]["name"] for node in api.items("/api/v1/nodes")]
    verdicts = judge_all([parse(item) for item in api.items(CSRS)], CLUSTER, stage=stage, joined=joined)
    assert [trouble for v in verdicts if v.good and (trouble := approve(api, v))] == []
    return {v.request: "approved" if v.good else "left" for v in verdicts}


def test_of_several_requests_the_plan_decides(api):
    """Two keys for one name, one of them under a name that sorts first; and a worker before its time."""
    user = f"system:node:{MASTER.name}"
    ask(new_node(), "aaa-several", spec(pem(user), CLIENT))
    ask(new_node(), "several-2", spec(pem(user), CLIENT))
    ask(new_node(), "several-3", spec(pem(f"system:node:{WORKER.name}"), CLIENT))
    outcome = settled(api, 11)
    assert [outcome[name] for name in ("aaa-several", "several-2", "several-3")] == ["left"] * 3
    assert api.get(path(CSRS, "aaa-several"))["status"] == {}
    assert not isinstance(api.delete(path(CSRS, "aaa-several")), Trouble)
    assert settled(api, 11)["several-2"] == "approved", "the operator has removed the other one"
    assert issued(api, "several-2")


def test_a_second_key_is_refused_though_the_first_request_is_gone(api, tmp_path):
    """Approved requests vanish after an hour; here the test removes one. The folder remembers the key."""
    node, stage = CLUSTER.workers[0], 14
    shutil.copytree(WORKSPACE.store.root, tmp_path / "assets")
    live = open_cluster(CLUSTER, tmp_path / "assets", cast(Machines, None), reach=(ADDRESS,))

    def judged(name):
        known, requests = memory.read(live.assets).of(identity(live.api)), [parse(api.get(path(CSRS, name)))]
        (found,) = judge_all(requests, CLUSTER, stage=stage, joined=[], memory=known)
        return found, act(
            live, Action(kind="approve", node=node.name, text="", verdict=found)
        ).trouble if found.good else ""

    for name in ("kept-1", "kept-2", "kept-3"):
        ask(new_node(), name, spec(pem(f"system:node:{node.name}"), CLIENT))
    first, trouble = judged("kept-1")
    assert (first.good, trouble) == (True, "")
    assert issued(api, "kept-1")
    api.delete(path(CSRS, "kept-1"))
    assert judged("kept-2")[0].rule == "first"
    memory.allow(live.assets, [node.name])
    assert judged("kept-2")[0].good
    assert judged("kept-3")[0].rule == "first", "the operator's word is good once"
    for name in ("kept-2", "kept-3"):
        api.delete(path(CSRS, name))


def test_a_machine_that_lost_its_power_before_it_joined_may_ask_anew(api, tmp_path):
    """Its kubelet had the key in memory alone: the request that was approved, and one that was pending, are void."""
    node, other = CLUSTER.workers[1], CLUSTER.masters[2]
    shutil.copytree(WORKSPACE.store.root, tmp_path / "assets")
    live = open_cluster(CLUSTER, tmp_path / "assets", cast(Machines, None), reach=(ADDRESS,))

    def verdicts():
        known = memory.read(live.assets).of(identity(live.api))
        found = judge_all(map(parse, api.items(CSRS)), CLUSTER, stage=14, joined=[], memory=known)
        return {v.request: v for v in found if v.request.startswith("dark-")}

    ask(new_node(), "dark-1", spec(pem(f"system:node:{node.name}"), CLIENT))
    assert act(live, Action(kind="approve", node=node.name, text="", verdict=verdicts()["dark-1"])).trouble == ""
    for name, asking in (("dark-2", node), ("dark-3", other)):
        ask(new_node(), name, spec(pem(f"system:node:{asking.name}"), CLIENT))
    assert verdicts()["dark-2"].rule == "first"
    assert void(live, node.name) == ""
    assert set(verdicts()) == {"dark-3"}, "nobody else's request is touched"
    ask(new_node(), "dark-4", spec(pem(f"system:node:{node.name}"), CLIENT))
    assert verdicts()["dark-4"].good
    assert act(live, Action(kind="approve", node=node.name, text="", verdict=verdicts()["dark-4"])).trouble == ""
    ask(new_node(), "dark-5", spec(pem(f"system:node:{node.name}"), CLIENT))
    assert verdicts()["dark-5"].rule == "first", "once"
    body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node.name}}
    assert not isinstance(api.create("/api/v1/nodes", body), Trouble)
    assert void(live, node.name) == ""
    assert verdicts()["dark-5"].rule == "first", "a node that has joined has its certificate"
    api.delete(path("/api/v1/nodes", node.name))
    for item in api.items(CSRS):
        if item["metadata"]["name"].startswith("dark-"):
            api.delete(path(CSRS, item["metadata"]["name"]))


def test_the_real_flow(api):
    node = CLUSTER.masters[1]
    key, user = new_key(), f"system:node:{node.name}"
    ask(new_node(), "flow-client", spec(pem(user, key=key), CLIENT))
    assert settled(api, 11)["flow-client"] == "approved"
    certificate = issued(api, "flow-client")
    identity = replace(
        access(WORKSPACE, "kubelet-bootstrap.kubeconfig", ADDRESS).identity,
        certificate=certificate,
        key=key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
    kubelet = Client(Access(endpoints=(Endpoint(host=ADDRESS, port=6443),), identity=identity))
    ask(kubelet, "flow-serving", spec(pem(user, names=(node.name, node.address)), SERVING))
    ask(kubelet, "flow-wide", spec(pem(user, names=(node.name, node.address, CLUSTER.api_vips[0])), SERVING))
    outcome = settled(api, 11)
    assert (outcome["flow-serving"], outcome["flow-wide"]) == ("approved", "left")
    served = x509.load_pem_x509_certificate(issued(api, "flow-serving"))
    names = served.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == [node.name]
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == [node.address]


def kubelet(api: Client, node: Node) -> Client:
    """The node itself, with a certificate that it was given in the real way."""
    key, name = new_key(), f"own-{node.name}"
    ask(new_node(), name, spec(pem(f"system:node:{node.name}", key=key), CLIENT))
    force(api, name)
    own = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    given = access(WORKSPACE, "kubelet-bootstrap.kubeconfig", ADDRESS)
    return Client(replace(given, identity=replace(given.identity, certificate=issued(api, name), key=own)))


def force(api: Client, name: str) -> None:
    """What an administrator in a hurry does: approve without a look."""
    item = api.get(path(CSRS, name))
    condition = {"type": "Approved", "status": "True", "reason": "Hurry", "message": "kubectl certificate approve"}
    answer = api.replace(path(CSRS, name, sub="approval"), {**item, "status": {"conditions": [condition]}})
    assert not isinstance(answer, Trouble), answer


def test_no_disguised_request_is_signed(api):
    """Each is posted. The API server keeps most of them, the plan's rules leave all of them alone."""
    node = CLUSTER.workers[1]
    itself, kinds = kubelet(api, node), disguised(CLUSTER, node)
    body = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest"}
    posted = {}
    for number, (kind, request) in enumerate(kinds.items()):
        name = f"disguised-{number}"
        sent = itself.create(CSRS, {**body, "metadata": {"name": name}, "spec": spec(request, SERVING)})
        posted[kind] = "" if isinstance(sent, Trouble) else name
    kept = {kind: name for kind, name in posted.items() if name}
    assert len(kept) > len(kinds) // 2
    outcome = settled(api, 14)
    assert {outcome[name] for name in kept.values()} == {"left"}
    assert [kind for kind, name in kept.items() if api.get(path(CSRS, name))["status"]] == []
    force(api, kept[TWO_READERS])
    names = x509.load_pem_x509_certificate(issued(api, kept[TWO_READERS])).extensions
    signed = names.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(x509.DNSName)
    assert signed == [CLUSTER.api_host, "kubernetes.default.svc", "localhost"], "what an approval would have signed"


def test_a_stolen_identity_of_new_nodes_is_of_no_use_after_a_day(api):
    """It is in every node's Ignition file. This one was made a day ago, by the row that makes it."""
    row = next(row for row in families.TABLE if row.name == "kubelet-client")
    signer_key, signer, key = (
        (WORKSPACE.store.root / "tls" / name).read_bytes()
        for name in (f"{row.signer}.key", f"{row.signer}.crt", f"{row.name}.key")
    )

    def asked(name, ago):
        said, made = spec_of(row, None, CLUSTER), datetime.now(UTC) - ago
        certificate = issue(said, key=key, signer_key=signer_key, signer_cert=signer, now=made, serial=7)
        given = access(WORKSPACE, "kubelet-bootstrap.kubeconfig", ADDRESS)
        client = Client(replace(given, identity=replace(given.identity, certificate=certificate)))
        body = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest"}
        content = spec(pem("system:node:stranger"), CLIENT)
        return client.create(CSRS, {**body, "metadata": {"name": name}, "spec": content})

    assert not isinstance(asked("in-time", timedelta(hours=23)), Trouble)
    assert asked("too-late", timedelta(hours=24, minutes=1)).kind == "unauthorized"


def test_an_approval_says_why_and_a_stranger_is_left_without_an_answer(api):
    ask(new_node(), "third-one", spec(pem(f"system:node:{CLUSTER.masters[2].name}"), CLIENT))
    ask(new_node(), "stranger", spec(pem("system:node:stranger"), CLIENT))
    outcome = settled(api, 11)
    assert (outcome["third-one"], outcome["stranger"]) == ("approved", "left")
    assert "third-one" not in settled(api, 11)
    (condition,) = api.get(path(CSRS, "third-one"))["status"]["conditions"]
    assert (condition["type"], condition["reason"]) == ("Approved", "HardwayPlan")
    assert api.get(path(CSRS, "stranger"))["status"] == {}


NODES = """
hosts:
  master-0: {hostname: control1.example.com, addresses: [192.0.2.11]}
  worker-0: {hostname: compute1.example.com, addresses: [192.0.2.21]}
"""
OTHERS = "example.com/mine"


def users_kubeconfig(folder):
    """The administrator's, through an address that is there."""
    config = yaml.safe_load((WORKSPACE.store.root / "auth/kubeconfig").read_text())
    config["clusters"][0]["cluster"] |= {"server": f"https://{ADDRESS}:6443", "tls-server-name": CLUSTER.api_host}
    (folder / "kubeconfig").write_text(yaml.safe_dump(config))
    return folder / "kubeconfig"


def run_approve(folder, *words):
    command = [sys.executable, "-m", "hardway", "-C", str(folder), "approve", "-o", "json", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = {row["request"]: row for row in map(json.loads, done.stdout.splitlines()) if "request" in row}
    return done.returncode, {name: (row["state"], row["rule"]) for name, row in rows.items()}, done.stderr


def test_anybodys_cluster_is_approved_by_a_list_of_its_nodes(api, tmp_path):
    """No folder of hardway's is there: the nodes are named by a file, and the program is run as a user runs it."""
    (tmp_path / "nodes.yaml").write_text(NODES)
    options = ("--nodes", str(tmp_path / "nodes.yaml"), "--kubeconfig", str(users_kubeconfig(tmp_path)))
    ask(new_node(), "any-master", spec(pem("system:node:control1.example.com"), CLIENT))
    ask(new_node(), "any-worker", spec(pem("system:node:compute1.example.com"), CLIENT))
    ask(new_node(), "any-stranger", spec(pem("system:node:control9.example.com"), CLIENT))
    ask(api, "any-other", spec(pem("me", organizations=()), OTHERS))
    _, dry, _ = run_approve(tmp_path, *options, "--dry-run")
    assert (dry["any-master"], dry["any-other"]) == (("would approve", ""), ("left", "signer"))
    assert api.get(path(CSRS, "any-master"))["status"] == {}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kubeconfig", "nodes.yaml"], "nothing is written"
    code, found, errors = run_approve(tmp_path, *options)
    assert (code, "still Pending" in errors) == (4, True)
    assert (found["any-master"], found["any-stranger"]) == (("approved", ""), ("refused", "node"))
    assert found["any-worker"] == ("refused", "time"), "the bootstrap is not complete"
    assert issued(api, "any-master")
    assert [api.get(path(CSRS, name))["status"] for name in ("any-worker", "any-stranger", "any-other")] == [{}, {}, {}]
    complete = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "bootstrap"},
        "data": {"status": "complete"},
    }
    assert not isinstance(api.create(path(MAPS, namespace="kube-system"), complete), Trouble)
    _, found, _ = run_approve(tmp_path, *options)
    assert (found["any-worker"], "any-master" in found) == (("approved", ""), False)
    assert json.loads((tmp_path / "approved.json").read_text())["keys"].keys() == {
        "control1.example.com",
        "compute1.example.com",
    }
    ask(new_node(), "any-again", spec(pem("system:node:control1.example.com"), CLIENT))
    api.delete(path(CSRS, "any-master"))
    assert run_approve(tmp_path, *options)[1]["any-again"] == ("refused", "first")
    again = run_approve(tmp_path, *options, "--replace", "control1.example.com")
    assert again[1]["any-again"] == ("approved", "")
    api.delete(path(MAPS, "bootstrap", namespace="kube-system"))
    for name in ("any-worker", "any-stranger", "any-other", "any-again"):
        api.delete(path(CSRS, name))


def test_whoever_may_not_approve_is_told_so(api, tmp_path):
    (tmp_path / "nodes.yaml").write_text(NODES)
    joining = yaml.safe_load((WORKSPACE.store.root / "auth/kubelet-bootstrap.kubeconfig").read_text())
    joining["clusters"][0]["cluster"] |= {"server": f"https://{ADDRESS}:6443", "tls-server-name": CLUSTER.api_int_host}
    (tmp_path / "kubeconfig").write_text(yaml.safe_dump(joining))
    for words in ((), ("--watch",)):
        code, rows, errors = run_approve(
            tmp_path, "--nodes", str(tmp_path / "nodes.yaml"), "--kubeconfig", str(tmp_path / "kubeconfig"), *words
        )
        assert (code, rows, json.loads(errors)["fix"]) == (
            3,
            {},
            "name an administrator's kubeconfig with --kubeconfig",
        )


def test_a_watch_approves_what_comes_until_it_is_interrupted(api, tmp_path):
    """In the cluster's own folder. The request comes after the watch has begun."""
    folder = tmp_path / "cluster"
    shutil.copytree(WORKSPACE.folder, folder)
    node = CLUSTER.masters[2]
    for item in api.items(CSRS):  # of other tests
        api.delete(path(CSRS, item["metadata"]["name"]))
    command = [sys.executable, "-m", "hardway", "-C", str(folder), "approve", "--watch"]
    with (tmp_path / "said").open("wb") as said:
        watch = subprocess.Popen(
            [*command, "--kubeconfig", str(users_kubeconfig(tmp_path))], stdout=said, stderr=subprocess.STDOUT
        )
        try:
            until(lambda: "not joined yet" in (tmp_path / "said").read_text())
            ask(new_node(), "watched", spec(pem(f"system:node:{node.name}"), CLIENT))
            assert issued(api, "watched")
            until(lambda: "approved   watched" in (tmp_path / "said").read_text())
        finally:
            watch.send_signal(2)
            code = watch.wait(20)
    assert code == 130
    assert json.loads((folder / "assets/approved.json").read_text())["keys"].keys() == {node.name}
    api.delete(path(CSRS, "watched"))


def test_what_was_answered_meanwhile_is_not_answered_again(api):
    ask(new_node(), "twice", spec(pem(f"system:node:{WORKER.name}"), CLIENT))
    (verdict,) = judge_all([parse(api.get(path(CSRS, "twice")))], CLUSTER, stage=14, joined=[])
    assert approve(api, verdict) is None
    assert approve(api, verdict).kind == "conflict"


def test_objects_are_made_read_changed_and_deleted(api):
    where = path(MAPS, "counter", namespace="kube-system")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "counter"}, "data": {"n": "1", "m": "1"}}
    collection = path(MAPS, namespace="kube-system")
    assert api.create(collection, body)["data"] == {"n": "1", "m": "1"}
    first = api.get(where)
    assert api.patch(where, {"data": {"n": "2", "m": None}})["data"] == {"n": "2"}
    stale = api.replace(where, {**first, "data": {"n": "9"}})
    assert isinstance(stale, Trouble)
    assert stale.kind == "conflict"
    names = [item["metadata"]["name"] for item in api.items(collection, fieldSelector="metadata.name=counter")]
    assert names == ["counter"]
    assert not isinstance(api.delete(where), Trouble)
    gone = api.get(where)
    assert (gone.kind, gone.code) == ("not-found", 404)


def test_what_the_server_refuses_is_a_value(api):
    assert new_node().items("/api/v1/secrets").kind == "forbidden"
    assert api.create(path(MAPS, namespace="kube-system"), {"kind": "ConfigMap", "apiVersion": "v1"}).kind == "invalid"
    nobody = access(WORKSPACE, "kubeconfig", ADDRESS)
    identity = replace(nobody.identity, certificate=b"", key=b"", token="wrong")
    assert Client(replace(nobody, identity=identity)).items("/api/v1/nodes").kind == "unauthorized"
    assert "wrong" not in repr(identity)


def test_an_endpoint_that_is_off_is_passed_over(api):
    known = access(WORKSPACE, "kubeconfig", ADDRESS)
    off = Endpoint(host=MASTER.address, port=6443, name=known.endpoints[0].name)
    assert Client(replace(known, endpoints=(off, *known.endpoints))).text("/readyz") == "ok"
    assert Client(replace(known, endpoints=(off,))).text("/readyz").kind == "unanswered"


def test_a_server_that_proves_another_name_is_not_believed(api):
    known = access(WORKSPACE, "kubeconfig", ADDRESS)
    wrong = replace(known.endpoints[0], name="api.elsewhere.example.com")
    found = Client(replace(known, endpoints=(wrong,))).get("/version")
    assert found.kind == "unanswered"
    assert "Hostname mismatch" in found.message
