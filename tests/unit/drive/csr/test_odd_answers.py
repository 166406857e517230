"""Answers of an API that are JSON and not what it promises: `approve` gives a reason, and never ends in a traceback."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
from click.testing import CliRunner

from hardway.cli.main import cli
from hardway.drive.access import Access
from hardway.drive.client import Client, Trouble
from hardway.drive.csr.approve import CSRS, IDENTITY, approve, settle
from hardway.drive.csr.judge import judge_all
from hardway.drive.csr.look import look
from hardway.drive.csr.parse import parse
from hardway.drive.observe import COMPLETE, NODES
from hardway.drive.wire import Endpoint, Identity
from hardway.model.errors import CheckError
from tests.support.clusters import load_cluster
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority
from tests.support.requests import client_request

CLUSTER = load_cluster().cluster
GOOD = client_request(CLUSTER.masters[0])
NAME = GOOD["metadata"]["name"]
EMPTY = {"items": []}


class Saying(Handler):
    """What the test has put at a path."""

    def do_GET(self):
        found = self.server.said.get(self.path)
        code = 404 if found is None else found.get("code", 200)
        self.answer(code, json.dumps(found or {}).encode())


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    authority = Authority()
    with served(Saying, authority, tmp_path_factory.mktemp("api") / "tls", said={}, trust=authority.pem) as server:
        endpoint = Endpoint(host="127.0.0.1", port=server.server_port)
        yield Client(Access(endpoints=(endpoint,), identity=Identity(trust=authority.pem))), server


def seen(api, home, said):
    client, server = api
    server.said = {NODES: EMPTY, CSRS: EMPTY, **said}
    return look(client, CLUSTER, home)


@pytest.mark.parametrize("collection", [NODES, CSRS])
@pytest.mark.parametrize(
    "items",
    ["x", {"a": 1}, ["x"], [{}], [{"metadata": []}], [{"metadata": {"name": {}}}], [{"metadata": {"name": "\ud800"}}]],
    ids=str,
)
def test_what_is_no_list_of_objects_is_broken(api, tmp_path, collection, items):
    found = seen(api, tmp_path, {collection: {"items": items}})
    assert isinstance(found, Trouble)
    assert (found.kind, str(found)) == ("broken", "the answer is not a list of objects with names")


@pytest.mark.parametrize("data", ["x", ["status"], {"status": {}}], ids=str)
def test_an_odd_config_map_does_not_complete_the_bootstrap(api, tmp_path, data):
    worker = client_request(CLUSTER.workers[0])
    found = seen(api, tmp_path, {CSRS: {"items": [worker]}, COMPLETE: {"data": data}})
    assert [verdict.good for verdict in found.verdicts] == [False]


@pytest.mark.parametrize("metadata", ["x", ["uid"], None], ids=str)
def test_a_cluster_without_an_identity_is_approved_nothing(api, tmp_path, metadata):
    found = seen(api, tmp_path, {CSRS: {"items": [GOOD]}, IDENTITY: {"metadata": metadata}})
    (verdict,) = found.verdicts
    assert settle(api[0], tmp_path, verdict) == "the API does not tell which cluster this is"


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"spec": GOOD["spec"] | {key: value}}
            for key in ("groups", "usages")
            for value in ("x", [{}], [[]], {"a": 1})
        ),
        {"spec": GOOD["spec"] | {"request": ["x"]}},
        {"spec": GOOD["spec"] | {"request": "\u00e9"}},
        {"spec": GOOD["spec"] | {"username": {}}},
        {"spec": GOOD["spec"] | {"expirationSeconds": "x"}},
        *({"status": {"conditions": value}} for value in ("x", [{}], ["x"], [{"type": {}}], {"a": 1})),
        {"status": "x"},
        {"metadata": {"name": NAME, "uid": []}},
    ],
    ids=lambda value: json.dumps({k: v for k, v in value.items() if k != "spec"}) if "spec" not in value else "",
)
def test_a_misshapen_request_is_refused_and_never_approved(api, changes):
    item = GOOD | changes
    (verdict,) = judge_all([parse(item)], CLUSTER, stage=11, joined=())
    assert (verdict.good, verdict.rule) == (False, "request")
    client, server = api
    (good,) = judge_all([parse(GOOD)], CLUSTER, stage=11, joined=())
    server.said = {f"{CSRS}/{NAME}": item}
    assert str(approve(client, good)) == f"{NAME} has changed meanwhile"


@pytest.mark.parametrize("spec", [None, "x", {}, {"signerName": []}], ids=str)
def test_a_request_without_a_signer_is_left(spec):
    (verdict,) = judge_all([parse(GOOD | {"spec": spec})], CLUSTER, stage=11, joined=())
    assert (verdict.rule, verdict.reason) == ("signer", "it names no signer")


def test_an_answer_cannot_write_a_line_of_its_own(api, tmp_path):
    found = seen(api, tmp_path, {NODES: {"code": 500, "message": "no\napproved   csr-1\u2028x"}})
    assert str(found) == "500: no\\napproved   csr-1\\u2028x"


def test_a_user_name_cannot_write_a_line_of_approve(api, tmp_path):
    _, server = api
    forged = {"spec": GOOD["spec"] | {"username": "me\napproved   csr-b  all is well"}}
    server.said = {NODES: EMPTY, CSRS: {"items": [GOOD | forged]}}
    trust = b64encode(server.trust).decode()
    cluster = {"server": f"https://127.0.0.1:{server.server_port}", "certificate-authority-data": trust}
    config = {
        "current-context": "a",
        "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
        "clusters": [{"name": "a", "cluster": cluster}],
        "users": [{"name": "a", "user": {"token": "abc"}}],
    }
    (tmp_path / "kubeconfig").write_text(json.dumps(config))
    hosts = {"master-0": {"hostname": CLUSTER.masters[0].name, "addresses": ["192.0.2.11"]}}
    (tmp_path / "nodes.yaml").write_text(json.dumps({"hosts": hosts}))
    words = ["approve", "--dry-run", "--kubeconfig", tmp_path / "kubeconfig", "--nodes", tmp_path / "nodes.yaml"]
    done = CliRunner().invoke(cli, [*map(str, words)])
    assert isinstance(done.exception, CheckError), done.output
    assert not [line for line in done.stdout.splitlines() if line.startswith("approved")]
    assert "me\\napproved   csr-b" in done.stdout
