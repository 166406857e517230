"""hardway doctor and gather at machines of their owner's: a real sshd at the planned address, and an API behind it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import ThreadingHTTPServer

import pytest

from hardway.doctor.own import causes
from hardway.drive import record
from hardway.drive.events import Event
from hardway.drive.milestones.table import TABLE
from hardway.places.own.cluster import opened
from hardway.places.remembered import Place, kept, remember
from hardway.staticpods.apiserver.serving import PORT
from tests.support.backends import serving
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.https import Handler
from tests.support.netns import inside, network
from tests.support.sshd import sshd
from tests.support.trees import build_folder, write_folder

EXEC = "planted.service: Failed at step EXEC spawning /x: Permission denied"
UNIT = "planted.service loaded failed failed a unit"


class Api(Handler):
    """An API server that has no objects."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, json.dumps({"kind": "List", "items": []}).encode())


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """Its login key is the build's. Every milestone but the last was reached, so the bootstrap node has left."""
    config = install_config(1, 0)
    del config["sshKey"]
    folder = write_folder(tmp_path_factory.mktemp("own") / "c", config)
    made = build_folder(folder, FixedEntropy(now=datetime.now(UTC).replace(microsecond=0)))
    remember(made.folder, Place(kind="own"))
    record.add(kept(made.folder), [row.name for row in TABLE[:-1]])
    return made


@pytest.fixture
def space(workspace):
    cluster = workspace.loaded.cluster
    addresses = [*(n.address for n in cluster.nodes), *cluster.api_vips, *cluster.ingress_vips]
    with network(dict.fromkeys(addresses)) as name, inside(name):
        yield name


@pytest.fixture
def api(workspace, space):
    server = ThreadingHTTPServer((workspace.loaded.cluster.api_vips[0], PORT), Api)
    context = serving(workspace.store.root / "tls", "kube-apiserver-lb-server")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@contextmanager
def master(workspace, space, home, units="", journal="", **keys):
    """A machine whose systemd and journal say this; its name server is the plan's."""
    cluster = workspace.loaded.cluster
    with sshd(space, workspace, cluster.masters[0], home, **keys) as node:
        told = {
            "systemctl": f"[ -z '{units}' ] || echo '{units}'",
            "journalctl": f"[ -z '{journal}' ] || echo '{journal}'",
            "cat": f'[ "$1" = /etc/resolv.conf ] && exec echo nameserver {cluster.dns_servers[0]}; exec /bin/cat "$@"',
        }
        for name, script in told.items():
            (node.folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
            (node.folder / "bin" / name).chmod(0o755)
        yield node


def hardway(workspace, *words):
    command = [sys.executable, "-m", "hardway", "-C", str(workspace.folder), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def told(workspace, *words):
    done = hardway(workspace, "doctor", *words, "-o", "json")
    assert done.returncode in (0, 4), done.stderr
    found = json.loads(done.stdout)
    return [root["failures"] or [root["id"]] for root in found["roots"] if root["fails"]], found


def test_a_healthy_machine_has_no_finding(workspace, space, api, tmp_path):
    with master(workspace, space, tmp_path):
        roots, found = told(workspace)
    assert roots == [], found["roots"]
    assert {"nodes.units", "nodes.ports", "nodes.resolvers", "cluster.answers", "pki.chain"} <= set(found["ran"])
    assert found["notes"] == []


def test_a_unit_that_failed_is_the_cause_and_is_in_the_archive(workspace, space, api, tmp_path):
    archive = tmp_path / "sent.tar.gz"
    with master(workspace, space, tmp_path, UNIT, EXEC):
        gathered = json.loads(hardway(workspace, "gather", "--to", str(archive), "-o", "json").stdout)
    missing = {row["name"]: row["why"] for row in gathered["missing"]}
    address = workspace.loaded.cluster.masters[0].address
    assert missing["etcd/master-0"] == f"nothing answers on port 2379 of {address}"
    assert "machines/bootstrap" in missing
    listed = subprocess.run(["tar", "tzf", archive], capture_output=True, text=True, check=True).stdout
    assert "hardway-gather/folder/machines/milestones.json" in listed
    assert "hardway-gather/machines/master-0/journal.log" in listed
    roots, found = told(workspace, str(archive))
    assert roots == [["F24"]], "of the archive, on any machine"
    assert "nodes.units" in [finding["check"] for finding in found["roots"][0]["findings"]], (
        "found where the machine is"
    )


def test_a_machine_that_is_off_and_one_of_another_build_are_told(workspace, space, api, tmp_path):
    roots, found = told(workspace)
    assert roots == [["cluster.machines"]], found["roots"]
    with master(workspace, space, tmp_path, keys_of="bootstrap"):
        roots, found = told(workspace)
    assert roots == []
    [note] = found["notes"]
    assert note.startswith("not asked: master-0: ")
    assert "shows another SSH host key than assets/ssh/known_hosts has for master-0" in note


def test_who_waits_is_told_the_cause(workspace, space, api, tmp_path):
    """Names cannot be asked for from here; of the load balancer, one port of four is bound."""
    with master(workspace, space, tmp_path, UNIT, EXEC), opened(workspace.folder) as own:
        found = causes(own, workspace.folder, stalled=True)
    assert {cause.failures for cause in found} == {("F24",), ("F26",)}
    assert EXEC in next(cause.evidence for cause in found if cause.failures == ("F24",))


def test_status_shows_the_cause_of_a_run_that_has_given_up(workspace, space, api, tmp_path):
    events = kept(workspace.folder) / record.EVENTS
    with master(workspace, space, tmp_path, UNIT, EXEC):
        record.keeping(events.parent, lambda event: None)(Event(kind="stalled", seconds=1.0, text="it waits"))
        text = hardway(workspace, "status").stdout
        events.unlink()
    assert "\ncause     F24: " in text
    assert f"; seen: master-0 planted.service: has failed: {EXEC}" in text


def test_before_the_api_has_answered_the_machines_are_left_alone(workspace, space, tmp_path):
    record_file = kept(workspace.folder) / record.FILE
    before = record_file.read_bytes()
    try:
        record_file.unlink()
        roots, found = told(workspace)
    finally:
        record_file.write_bytes(before)
    assert roots == []
    assert [note.partition(",")[0] for note in found["notes"]] == ["The API of the cluster has not answered yet"]
