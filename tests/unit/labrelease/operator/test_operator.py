"""The lab's operator: how it judges, and that it reports over real HTTPS."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager

import pytest

from hardway.labrelease.operator.__main__ import report, turn
from hardway.labrelease.operator.api import OPERATORS, Api
from hardway.labrelease.operator.judge import State, problems, status
from hardway.labrelease.operator.nodes import SCHEDULER, WORKER, change
from hardway.labrelease.operator.serving import Wish, wishes
from hardway.labrelease.operator.table import TABLE
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

ROWS = {row.name: row for row in TABLE}
READY = {"conditions": [{"type": "Ready", "status": "True"}]}


def node(name, *, master=True, ready=True):
    labels = {"node-role.kubernetes.io/master": ""} if master else {}
    return {"metadata": {"name": name, "labels": labels}, "status": READY if ready else {}}


def pod(name, namespace, on, *, ready=True):
    return {
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"nodeName": on},
        "status": READY if ready else {"conditions": [{"type": "Ready", "status": "False"}]},
    }


MASTERS = [node("m1"), node("m2")]
ETCD = [pod(f"etcd-{name}", "openshift-etcd", name) for name in ("m1", "m2")]


def state(nodes=MASTERS, pods=ETCD, **readyz):
    return State(nodes=nodes, pods=pods, readyz=readyz or {"etcd": True})


def test_all_is_well():
    assert problems(ROWS["etcd"], state()) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (state(pods=ETCD[:1]), "etcd is not Ready on m2"),
        (state(pods=[ETCD[0], pod("etcd-m2", "openshift-etcd", "m2", ready=False)]), "etcd is not Ready on m2"),
        (state(pods=[ETCD[0], pod("etcd-m2", "elsewhere", "m2")]), "etcd is not Ready on m2"),
        (state(pods=[ETCD[0], pod("etcd-m2", "openshift-etcd", "m1")]), "etcd is not Ready on m2"),
        (state(etcd=False), "the API server's check etcd fails"),
        (state(nodes=[]), "there are no masters"),
    ],
)
def test_what_is_wrong_is_named(changed, said):
    assert problems(ROWS["etcd"], changed) == [said]


def test_the_network_asks_for_every_node():
    nodes = [node("m1"), node("w1", master=False, ready=False)]
    pods = [pod("kube-proxy-m1", "kube-system", "m1")]
    said = problems(ROWS["network"], state(nodes=nodes, pods=pods))
    assert said == ["kube-proxy is not Ready on w1", "node w1 is not Ready"]


def conditions(made):
    return {c["type"]: c["status"] for c in made["conditions"]}


def judged(seen, before, now="2"):
    return status(ROWS["etcd"], seen, before=before, version="v1", now=now)


def test_the_version_is_named_once_all_is_well_and_trouble_afterwards_is_degraded():
    growing = judged(state(pods=[]), {}, now="1")
    assert growing["versions"] == []
    assert conditions(growing) | {"Upgradeable": ""} == {
        "Available": "False",
        "Progressing": "True",
        "Degraded": "False",
        "Upgradeable": "",
    }
    well = judged(state(), growing)
    assert well["versions"] == [{"name": "operator", "version": "v1"}]
    assert conditions(well)["Available"] == "True"
    broken = judged(state(pods=ETCD[:1]), well, now="3")
    assert broken["versions"] == well["versions"]
    assert (conditions(broken)["Degraded"], conditions(broken)["Progressing"]) == ("True", "False")


def test_the_time_of_a_condition_is_that_of_its_last_change():
    first = judged(state(), {}, now="1")
    assert judged(state(), first, now="2") == first
    later = {c["type"]: c["lastTransitionTime"] for c in judged(state(pods=[]), first, now="3")["conditions"]}
    assert (later["Available"], later["Upgradeable"]) == ("3", "1")


class Cluster(Handler):
    """The few answers of an API server that the operator asks for."""

    def do_GET(self):
        if self.path == "/readyz/etcd":
            return self.say(200, b"ok")
        found = self.server.objects.get(self.path)
        return self.say(404 if found is None else 200, json.dumps(found or {}).encode())

    def do_POST(self):
        made = json.loads(self.body())
        self.server.objects[f"{self.path}/{made['metadata']['name']}"] = made
        self.say(201, json.dumps(made).encode())

    def do_PATCH(self):
        assert self.headers["Content-Type"] == "application/merge-patch+json"
        patch = json.loads(self.body())
        self.server.objects[self.path.removesuffix("/status")].update(patch)
        self.say(200, b"{}")

    def say(self, code, content):
        self.server.tokens.add(self.headers["Authorization"])
        self.answer(code, content)


@contextmanager
def serving(folder, objects):
    authority = Authority()
    account = folder / "account"
    account.mkdir()
    (account / "ca.crt").write_bytes(authority.pem)
    (account / "token").write_text("token-of-the-pod\n")
    with served(Cluster, authority, folder / "tls", objects=objects, tokens=set()) as server:
        yield server, Api(f"https://127.0.0.1:{server.server_port}", account)


def test_it_reports_over_https_with_the_pods_token_and_only_when_something_changed(tmp_path):
    objects = {"/api/v1/nodes": {"items": MASTERS}, "/api/v1/namespaces/openshift-etcd/pods": {"items": ETCD}}
    with serving(tmp_path, objects) as (server, api):
        said = report(api, [ROWS["etcd"]], "v1")
        again = report(api, [ROWS["etcd"]], "v1")
    assert said == ["etcd: etcd is Ready where it should be"]
    assert again == []
    assert objects[f"{OPERATORS}/etcd"]["status"]["versions"] == [{"name": "operator", "version": "v1"}]
    assert server.tokens == {"Bearer token-of-the-pod"}


SERVICE = {
    "metadata": {
        "name": "cvo",
        "namespace": "ns",
        "uid": "u1",
        "annotations": {"service.beta.openshift.io/serving-cert-secret-name": "cvo-cert"},
    }
}


def test_services_ask_for_certificates_by_either_annotation():
    old = {"name": "b", "namespace": "ns", "uid": "u2", "annotations": {}}
    old["annotations"]["service.alpha.openshift.io/serving-cert-secret-name"] = "b-cert"
    silent = {"metadata": {"name": "c", "namespace": "ns", "uid": "u3"}}
    assert list(wishes([SERVICE, {"metadata": old}, silent])) == [
        Wish(namespace="ns", service="cvo", uid="u1", secret="cvo-cert"),
        Wish(namespace="ns", service="b", uid="u2", secret="b-cert"),
    ]


TAINT, OTHER_TAINT = (
    {"key": "node-role.kubernetes.io/master", "effect": "NoSchedule"},
    {"key": "else", "effect": "NoSchedule"},
)


def tainted(*taints, worker=False):
    found = node("m1")
    labels = found["metadata"]["labels"] | ({WORKER: ""} if worker else {})
    return {**found, "metadata": {**found["metadata"], "labels": labels}, "spec": {"taints": list(taints)}}


@pytest.mark.parametrize(
    ("given", "taints"),
    [
        (tainted(TAINT), None),
        (tainted(TAINT, OTHER_TAINT), [OTHER_TAINT]),
        (tainted(TAINT, worker=True), None),
        (tainted(), None),
    ],
)
def test_a_master_that_takes_workloads_has_the_workers_role_and_no_taint_of_masters(given, taints):
    assert change(given) == {"metadata": {"labels": {WORKER: ""}}, "spec": {"taints": taints}}


def test_others_are_left_as_they_are():
    assert change(tainted(OTHER_TAINT, worker=True)) is None
    assert change(node("w1", master=False)) is None


@pytest.mark.parametrize("schedulable", [True, False])
def test_masters_are_opened_only_if_the_scheduler_wants_it(tmp_path, schedulable):
    objects = {"/api/v1/nodes": {"items": [tainted(TAINT)]}, "/api/v1/nodes/m1": {}}
    objects[SCHEDULER] = {"spec": {"mastersSchedulable": schedulable}}
    with serving(tmp_path, objects) as (_server, api):
        said = turn(api, [], "v1", certificates=False)
    assert said == (["m1 takes workloads"] if schedulable else [])
    assert objects["/api/v1/nodes/m1"] == (change(tainted(TAINT)) if schedulable else {})


def test_a_server_that_the_pods_authority_did_not_sign_is_not_spoken_to(tmp_path):
    with serving(tmp_path, {}) as (server, _api):
        other = tmp_path / "other"
        other.mkdir()
        (other / "ca.crt").write_bytes(Authority().pem)
        (other / "token").write_text("secret")
        stranger = Api(f"https://127.0.0.1:{server.server_port}", other)
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            stranger.get("/api/v1/nodes")
        assert server.tokens == set()


def test_it_needs_nothing_beyond_the_standard_library():
    code = (
        "import sys; import hardway.labrelease.operator.__main__; print(sorted({n.split('.')[0] for n in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=_path())
    used = {name.strip("'") for name in done.stdout.strip("[]\n").split(", ")}
    assert used - set(sys.stdlib_module_names) - {"__main__", "hardway"} == set()


def _path():
    import hardway

    return {"PYTHONPATH": hardway.__path__[0].removesuffix("/hardway")}
