"""The two programs that OpenShift's etcd has and upstream's has not, beside a real etcd."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.client import HTTPSConnection

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from hardway.labrelease.member import metrics
from tests.support.delivery import free_port
from tests.support.node_roots import program
from tests.support.registry.tls import Authority
from tests.support.waiting import until

HOST = "127.0.0.1"


@pytest.fixture
def files(tmp_path):
    """An authority and one pair, for every side."""
    authority = Authority()
    tls = authority.tls(tmp_path / "tls")["http"]["tls"]
    (tmp_path / "ca.crt").write_bytes(authority.certificate.public_bytes(Encoding.PEM))
    return {"ca": str(tmp_path / "ca.crt"), "cert": tls["certificate"], "key": tls["key"]}


@contextmanager
def etcd(folder, files):
    """A member of its own: clients, peers and metrics each on a port."""
    client, peer, measured = (f"https://{HOST}:{free_port()}" for _ in range(3))
    words = [program("etcd"), "--name=one", f"--data-dir={folder / 'data'}", f"--initial-cluster=one={peer}"]
    words += [f"--listen-client-urls={client}", f"--advertise-client-urls={client}"]
    words += [
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--listen-metrics-urls={measured}",
    ]
    words += [f"--cert-file={files['cert']}", f"--key-file={files['key']}", f"--trusted-ca-file={files['ca']}"]
    words += [
        f"--peer-cert-file={files['cert']}",
        f"--peer-key-file={files['key']}",
        f"--peer-trusted-ca-file={files['ca']}",
    ]
    with (folder / "etcd.log").open("w") as log, subprocess.Popen(words, stdout=log, stderr=log) as running:
        try:
            until(lambda: b"ready to serve" in (folder / "etcd.log").read_bytes(), (folder / "etcd.log").read_text)
            yield client, peer, measured
        finally:
            running.terminate()


def asked(files, endpoints, data, host="10.0.0.9", name="master-9"):
    words = [f"--cacert={files['ca']}", f"--cert={files['cert']}", f"--key={files['key']}", f"--data-dir={data}"]
    words += [f"--endpoints={endpoints}", f"--target-peer-url-host={host}", f"--target-name={name}"]
    path = f"{program('etcdctl').parent}:{os.environ['PATH']}"
    command = [sys.executable, "-m", "hardway.labrelease.member.discover", *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path})


def test_a_real_list_is_asked_for_and_a_dead_endpoint_passed_over(tmp_path, files):
    with etcd(tmp_path, files) as (client, peer, _):
        control = [program("etcdctl"), f"--endpoints={client}", f"--cacert={files['ca']}"]
        control += [f"--cert={files['cert']}", f"--key={files['key']}", "member", "add", "later", "--learner"]
        subprocess.run([*control, "--peer-urls=https://10.0.0.9:2380"], check=True, capture_output=True)
        done = asked(files, f"https://{HOST}:{free_port()},{client}", tmp_path / "nothing")
    assert done.stdout == f"master-9=https://10.0.0.9:2380,one={peer}\n" or done.stdout == (
        f"one={peer},master-9=https://10.0.0.9:2380\n"
    ), done.stderr


def test_a_member_that_has_data_is_answered_without_the_cluster(tmp_path, files):
    (tmp_path / "data" / "member").mkdir(parents=True)
    done = asked(files, f"https://{HOST}:{free_port()}", tmp_path / "data")
    assert (done.returncode, done.stdout) == (0, "master-9=https://10.0.0.9:2380\n")


@contextmanager
def proxy(files, member):
    port = free_port()
    words = ["grpc-proxy", "start", "--endpoints", member, "--metrics-addr", f"https://{HOST}:{port}"]
    words += ["--listen-addr", "127.0.0.1:9977", "--advertise-client-url", "", "--listen-cipher-suites", "A,B"]
    words += ["--key", files["key"], "--cert", files["cert"], "--cacert", files["ca"]]
    words += ["--key-file", files["key"], "--cert-file", files["cert"], "--trusted-ca-file", files["ca"]]
    server = metrics.server(metrics.arguments(words))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield port
    finally:
        server.shutdown()
        server.server_close()


def fetched(files, port, path="/metrics", *, known=True):
    context = ssl.create_default_context(cafile=files["ca"])
    if known:
        context.load_cert_chain(files["cert"], files["key"])
    connection = HTTPSConnection(HOST, port, context=context)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def test_metrics_are_the_members_own_for_whom_the_authority_vouches(tmp_path, files):
    with etcd(tmp_path, files) as (_, _, measured), proxy(files, measured) as port:
        status, text = fetched(files, port)
        assert (status, b"etcd_server_has_leader 1" in text) == (200, True)
        assert fetched(files, port, "/v3/kv/range")[0] == 404
        with pytest.raises((ssl.SSLError, ConnectionError)):
            fetched(files, port, known=False)


def test_a_member_that_is_away_is_said_to_be(files):
    with proxy(files, f"https://{HOST}:{free_port()}") as port:
        status, text = fetched(files, port)
    assert (status, b"the member does not answer" in text) == (502, True)
