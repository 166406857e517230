"""What listens, and since when; kube-proxy's certificate on masters: read there by the real command."""

from __future__ import annotations

import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hardway.checks.live.given import Given
from hardway.checks.live.nodes import PROXY, SOON, addresses, certificate_of, judged, names, proxies
from hardway.drive.wire import Endpoint
from hardway.tools.patience import Patience
from hardway.tools.run import Done
from tests.support.clusters import load_cluster
from tests.support.entropy import NOW
from tests.support.manifests import made
from tests.support.registry.tls import Authority

MASTER = "master-0"
CLUSTER = made().cluster
YEAR = timedelta(days=365)


@pytest.fixture
def world(tmp_path):
    """One master has the kubeconfig; from the others it has gone."""
    kubeconfig = tmp_path / MASTER / PROXY[1:]
    kubeconfig.parent.mkdir(parents=True)
    kubeconfig.write_bytes(made().content("kubeconfig/kube-proxy"))

    def run(node: str, argv: list[str]) -> Done:
        here = [word.replace(PROXY, str(tmp_path / node / PROXY[1:])) for word in argv]
        done = subprocess.run(here, capture_output=True, text=True, check=False)
        assert "PRIVATE" not in done.stdout
        return Done(command=tuple(argv), code=done.returncode, output=done.stdout, errors=done.stderr)

    live: Any = SimpleNamespace(cluster=CLUSTER, machines=SimpleNamespace(run=run))
    return Given(live=live, now=NOW, workload=cast(Any, None), kubectl=cast(Any, None)), kubeconfig


def test_one_that_is_valid_for_long_is_no_finding(world):
    given, _ = world
    assert list(proxies(given)) == []


def test_its_end_is_found_with_what_to_do(world):
    given, _ = world
    [flaw] = proxies(replace(given, now=NOW + YEAR - SOON / 2))
    assert (flaw.subject, "and nothing renews it" in flaw.message) == (MASTER, True)
    assert "--rotate cert/kube-control-plane-kube-proxy-client" in flaw.fix


def test_one_that_cannot_be_read_is_found(world):
    given, kubeconfig = world
    kubeconfig.write_text("users:\n- user:\n    client-certificate-data: bm8=\n")
    [flaw] = proxies(given)
    assert "cannot be read" in flaw.message


def test_nobody_is_asked_where_masters_run_none(world):
    given, kubeconfig = world
    kubeconfig.write_text("    client-certificate-data: bm8=\n")
    live: Any = SimpleNamespace(cluster=load_cluster().cluster, machines=given.live.machines)
    assert list(proxies(replace(given, live=live))) == []


@pytest.mark.parametrize(("patience", "answers"), [(60.0, True), (0.0, False)])
def test_a_listener_that_starts_late_is_waited_for(world, tmp_path, patience, answers):
    """A kubelet, say, whose node has just been switched on."""
    authority = Authority()
    settings = authority.tls(tmp_path / "tls")["http"]["tls"]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings["certificate"], settings["key"])
    with socket.socket() as late, ThreadPoolExecutor(1) as pool:
        late.bind(("127.0.0.1", 0))

        def serve() -> None:
            with context.wrap_socket(late.accept()[0], server_side=True):
                pass

        def begin(seconds: float) -> None:
            late.listen()
            pool.submit(serve)

        given, endpoint = replace(world[0], sleep=begin), Endpoint(host="127.0.0.1", port=late.getsockname()[1])
        found = certificate_of(given, endpoint, Patience(patience))
    assert isinstance(found, bytes) == answers


@pytest.mark.parametrize(
    ("name", "days", "modes"),
    [
        ("localhost", timedelta(0), []),
        ("elsewhere", timedelta(0), ["F07"]),
        ("", timedelta(0), []),
        ("localhost", timedelta(days=-31), ["F02"]),
        ("localhost", timedelta(days=2), [""]),
    ],
)
def test_what_a_listener_shows_is_judged_by_time_and_name(world, name, days, modes):
    """The certificate began thirty days ago and ends tomorrow; an end is the check's own mode."""
    certificate, _ = Authority().issue("localhost")
    given = replace(world[0], now=datetime.now(UTC) + days)
    assert [flaw.failure for flaw in judged(given, "master-0:6443", name, certificate)] == modes


def resolving(world, **said: str) -> Given:
    """Nodes on which api, api-int and the routes resolve to these addresses."""
    right = {"api": CLUSTER.api_vips[0], "api-int": CLUSTER.api_vips[0], "console": CLUSTER.ingress_vips[0]}
    answers = right | {key.replace("_", "-"): value for key, value in said.items()}

    def run(node: str, argv: list[str]) -> Done:
        [found] = [value for key, value in answers.items() if argv[-1].startswith((f"{key}.", f"{key}-openshift"))]
        return Done(command=tuple(argv), code=0, output=f"{found} STREAM\n" if found else "", errors="")

    live: Any = SimpleNamespace(cluster=CLUSTER, machines=SimpleNamespace(run=run))
    return replace(world[0], live=live)


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ({}, None),
        ({"api_int": ""}, "F44"),
        ({"api_int": CLUSTER.masters[0].address}, "F04"),
        ({"api": "203.0.113.1"}, "F55"),
        ({"console": CLUSTER.masters[0].address}, "F33"),
    ],
)
def test_a_name_that_leads_elsewhere_has_the_mode_of_where_it_leads(world, said, mode):
    assert {flaw.failure for flaw in names(resolving(world, **said))} == ({mode} if mode else set())


@pytest.mark.parametrize(("address", "count"), [(CLUSTER.masters[0].address, 0), ("203.0.113.1", 1)])
def test_a_node_with_another_address_than_the_plans_is_found(world, address, count):
    rows = [{"type": "Hostname", "address": "x"}, {"type": "InternalIP", "address": address}]
    item = {"metadata": {"name": MASTER}, "status": {"addresses": rows}}
    live: Any = SimpleNamespace(cluster=CLUSTER, api=SimpleNamespace(items=lambda path: (item,)))
    assert len(list(addresses(replace(world[0], live=live)))) == count
