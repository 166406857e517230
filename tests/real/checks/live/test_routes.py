"""Stage 17's check of routes: real TLS servers at the ingress addresses, and an API that tells which there are."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hardway.checks.live.given import Given
from hardway.checks.live.routes import AUTHORITY, OPERATOR, ROUTES, answer, no_routers
from hardway.drive.client import Trouble
from tests.support.backends import Backend, backend, serving
from tests.support.netns import inside, network
from tests.support.trees import built_now

ADMITTED = {"ingress": [{"conditions": [{"type": "Admitted", "status": "True"}]}]}


@pytest.fixture(scope="module")
def tree():
    workspace = built_now("default", "ecdsa-p256")
    return workspace.loaded.cluster, workspace.store.root / "tls"


def route(cluster, space="openshift-console", name="console", **changes):
    """The host is one that a certificate of the tree is valid for."""
    spec = {"host": cluster.api_int_host, "path": "/readyz", "tls": {"termination": "reencrypt"}}
    return {"metadata": {"namespace": space, "name": name}, "spec": spec, "status": ADMITTED} | changes


def given(tree, *items, trust=None, trouble=None) -> Given:
    cluster, tls = tree
    bundle = trust or (tls / "kube-apiserver-complete-server-ca-bundle.crt").read_text()
    answers = {AUTHORITY: trouble or {"data": {"ca-bundle.crt": bundle}}, ROUTES: items}
    api = SimpleNamespace(get=answers.get, items=answers.get)
    live = SimpleNamespace(cluster=cluster, api=api)
    return Given(
        live=cast("Any", live), now=cast("Any", None), workload=cast("Any", None), kubectl=cast("Any", None), seconds=0
    )


def flaws(tree, *items, ready=True, **changes) -> list[tuple[str, str]]:
    """With a router at the ingress address."""
    cluster, tls = tree
    with ExitStack() as stack:
        stack.enter_context(inside(stack.enter_context(network(cluster.ingress_vips))))
        servers: list[Backend] = [
            stack.enter_context(backend("router", vip, 443, serving(tls))) for vip in cluster.ingress_vips
        ]
        for server in servers:
            server.ready = ready
        return [(flaw.subject, flaw.message) for flaw in answer(given(tree, *items, **changes))]


def test_routes_that_answer_are_no_flaw(tree):
    assert flaws(tree, route(tree[0]), route(tree[0], "openshift-authentication", "oauth-openshift")) == []


def test_a_route_without_a_pod_behind_it_is_named(tree):
    [(subject, message)] = flaws(tree, route(tree[0]), ready=False)
    assert subject == f"openshift-console/console at {tree[0].ingress_vips[0]}"
    assert message == f"https://{tree[0].api_int_host}/readyz: answers 500"


def test_nobody_at_the_address_is_named(tree):
    with network(tree[0].ingress_vips) as space, inside(space):
        [flaw] = answer(given(tree, route(tree[0])))
    assert "no answer from" in flaw.message
    assert "refused" in flaw.message


def test_a_certificate_that_the_cluster_does_not_announce_or_for_another_name_is_named(tree):
    other = (tree[1] / "etcd-signer.crt").read_text()
    [(_, message)] = flaws(tree, route(tree[0]), trust=other)
    assert "CERTIFICATE_VERIFY_FAILED" in message
    console = route(tree[0], spec={"host": "console.apps.example.com", "tls": {"termination": "edge"}})
    [(_, message)] = flaws(tree, console)
    assert "https://console.apps.example.com/: no answer from" in message
    assert "Hostname mismatch" in message


def test_routes_of_users_without_tls_or_not_admitted_are_not_asked_for(tree):
    cluster = tree[0]
    left = (
        route(cluster, "mine"),
        route(cluster, status={}),
        route(cluster, spec={"host": cluster.api_int_host}),
    )
    text = "no route in openshift-authentication, openshift-console, openshift-ingress-canary is admitted by a router"
    assert flaws(tree, *left) == [("routes", text)]


def test_an_api_that_does_not_tell_is_named(tree):
    trouble = Trouble(kind="not-found", code=404, message="404: not found")
    assert [(flaw.subject, "404" in flaw.message) for flaw in answer(given(tree, trouble=trouble))] == [
        ("default-ingress-cert", True)
    ]


def test_without_an_ingress_operator_it_is_skipped(tree):
    mine = given(tree)
    assert no_routers(mine) == "the release deploys no ingress operator"
    release = tree[0].release
    brought = replace(release.brought, deployments=frozenset({OPERATOR}))
    cluster = replace(tree[0], release=replace(release, brought=brought))
    assert no_routers(given((cluster, tree[1]))) == ""
