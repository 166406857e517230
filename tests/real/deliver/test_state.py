"""What is delivered stays so, with curl as the client, and the commands for a node run."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from hardway.cli.deliver import deliver
from hardway.deliver import run
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ToolError
from hardway.workspace.folder import open_workspace
from tests.support.delivery import HOST, curl, folder_of, free_port

PROGRAM = """
import sys
from pathlib import Path
from hardway.cli.deliver import deliver
deliver(sys.argv[2:], obj=Path(sys.argv[1]))
"""


@pytest.fixture
def folder(tmp_path):
    return folder_of(tmp_path / "cluster")


def call(folder, *words):
    return CliRunner().invoke(deliver, [*words], obj=folder)


def start(folder, port, *words, host=HOST):
    """The command as a process of its own; its first lines say that it serves."""
    command = [sys.executable, "-c", PROGRAM, str(folder), "--listen", host, "--port", str(port), "-o", "json", *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["event"] == "serving"
    return process


def rest(process):
    """What it still prints until it ends; read from the same buffer as its first line."""
    output = process.stdout.read()
    process.wait()
    return output


def fetch(folder, node):
    source = json.loads((folder / f"assets/deliver/{node}.ign").read_bytes())["ignition"]["config"]["replace"]["source"]
    return curl("-f", "--cacert", folder / "assets/tls/root-ca.crt", source)


def test_a_killed_server_remembers_what_it_delivered(folder):
    port = free_port()
    first = start(folder, port, "--all")
    try:
        assert fetch(folder, "master-0").stdout == (folder / "assets/master-0.ign").read_bytes()
        while json.loads(first.stdout.readline()).get("what") != "delivered":
            pass
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
    second = start(folder, port, "--all")
    try:
        assert fetch(folder, "master-0").returncode == 22
        for node in ("bootstrap", "master-1", "master-2"):
            assert fetch(folder, node).returncode == 0
        output = rest(second)
    finally:
        second.kill()
        second.wait()
    assert second.returncode == 0
    assert json.loads(output.splitlines()[-1]) == {"event": "end", "delivered": 4}


def test_a_server_that_is_killed_half_way_sends_nothing_again_by_itself(folder):
    """The client has part of the file, the server is gone: the next server sends it when the operator says so."""
    content = b"x" * 30_000_000
    (folder / "assets/master-0.ign").write_bytes(content)
    port = free_port()
    first = start(folder, port, "master-0")
    try:
        source = json.loads((folder / "assets/deliver/master-0.ign").read_bytes())
        url = source["ignition"]["config"]["replace"]["source"]
        authority = folder / "assets/tls/root-ca.crt"
        command = ["curl", "-sS", "--cacert", authority, "--limit-rate", "100k", "-o", "/dev/stdout", url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as client:
            assert client.stdout is not None
            assert client.stdout.read(1000) == b"x" * 1000
            os.kill(first.pid, signal.SIGKILL)
            first.communicate()
            client.kill()
    finally:
        first.kill()
        first.wait()
    refused = call(folder, "master-0", "--listen", HOST, "--port", str(port))
    assert isinstance(refused.exception, ToolError)
    assert "an unknown part of the file went to 127.0.0.1" in str(refused.exception)
    assert "fix: run `hardway deliver master-0 --again`" in str(refused.exception)
    second = start(folder, port, "master-0", "--again")
    try:
        assert fetch(folder, "master-0").stdout == content
        output = rest(second)
    finally:
        second.kill()
        second.wait()
    assert json.loads(output.splitlines()[-1]) == {"event": "end", "delivered": 1}


def test_a_warning_is_json_where_json_is_asked_for(folder):
    words = ["master-1", "--prepare", "--listen", HOST, "-o", "json"]
    call(folder, *words)
    (folder / "assets/master-1.ign").write_text("{}")
    command = [sys.executable, "-c", PROGRAM, str(folder), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = {"place": "assets/deliver/master-1.ign", "fix": "make its media again"}
    assert json.loads(done.stderr) == {"warning": "the pointer has changed, so its media are void", **said}


def test_over_ipv6(folder):
    server = start(folder, free_port(), "master-0", host="::1")
    try:
        assert fetch(folder, "master-0").stdout == (folder / "assets/master-0.ign").read_bytes()
        output = rest(server)
    finally:
        server.kill()
        server.wait()
    assert [json.loads(line).get("peer") for line in output.splitlines()] == [None, "::1", None]


def _plan(folder):
    place = run.choose_place((), HOST, 8443, None)
    return run.plan(open_workspace(folder), place, (), True, (), SystemEntropy())


def test_the_commands_for_a_node_can_be_pasted(folder):
    call(folder, "master-0", "--prepare", "--listen", HOST, "--port", "9443")
    text = (folder / "assets/deliver/master-0.txt").read_text()
    parcel = next(p for p in _plan(folder).parcels if p.node == "master-0")
    words = shlex.split(
        next(part for part in text.split("sudo ") if part.startswith("coreos-installer")).split("\n\n")[0]
    )
    assert words[:3] == ["coreos-installer", "install", "/dev/vda"]
    assert words[words.index("--ignition-url") + 1] == f"https://{HOST}:9443/master-0/{parcel.token}"
    assert words[words.index("--ignition-hash") + 1] == parcel.hash
    assert f"ignition.config.url=https://{HOST}:9443/master-0/{parcel.token}" in text
    shown = ["openssl", "x509", "-in", folder / "assets/tls/root-ca.crt", "-noout", "-fingerprint", "-sha256"]
    assert subprocess.run(shown, capture_output=True, text=True, check=True).stdout.strip() in text
