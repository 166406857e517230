"""What a delivery leaves on disk, and what the command says."""

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
from hardway.deliver.ledger import STATE, Ledger, alone
from hardway.model.entropy import SystemEntropy
from hardway.model.errors import ConfigError, ToolError
from hardway.workspace.folder import open_workspace
from tests.support.delivery import HOST, curl, folder_of, free_port, serving, until

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


def test_a_server_that_is_killed_half_way_has_delivered_nothing(folder):
    """The client has part of the file, the server is gone: the next server gives it the whole file."""
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
    second = start(folder, port, "master-0")
    try:
        assert fetch(folder, "master-0").stdout == content
        output = rest(second)
    finally:
        second.kill()
        second.wait()
    assert json.loads(output.splitlines()[-1]) == {"event": "end", "delivered": 1}


def test_over_ipv6(folder):
    server = start(folder, free_port(), "master-0", host="::1")
    try:
        assert fetch(folder, "master-0").stdout == (folder / "assets/master-0.ign").read_bytes()
        output = rest(server)
    finally:
        server.kill()
        server.wait()
    assert [json.loads(line).get("peer") for line in output.splitlines()] == [None, "::1", None]


def test_again_serves_once_more_under_a_new_token(folder):
    with serving(folder, "master-0", "master-1") as first:
        assert first.request(first.path("master-0"))[0] == 200
        until(first, "master-0", "delivered")
    with serving(folder, again=("master-0",)) as second:
        assert second.request(first.path("master-0"))[0] == 403
        assert second.request(second.path("master-0"))[0] == 200
        assert second.path("master-1") == first.path("master-1")


def test_secrets_are_in_files_that_only_the_owner_reads(folder):
    with serving(folder) as running:
        for name in ("state.json", "master-0.ign", "master-0.txt"):
            assert (folder / "assets/deliver" / name).stat().st_mode & 0o777 == 0o600
    assert (folder / "assets/deliver").stat().st_mode & 0o777 == 0o700
    tokens = [p.token for p in running.delivery.parcels]
    assert len(set(tokens)) == 4
    assert all(len(token) == 43 for token in tokens)
    assert not list(folder.rglob("*ignition-delivery*"))


def test_preparing_twice_writes_the_same(folder):
    def snapshot():
        return {p.name: p.read_bytes() for p in (folder / "assets/deliver").iterdir()}

    first = call(folder, "--all", "--prepare", "--listen", HOST)
    before = snapshot()
    second = call(folder, "--all", "--prepare", "--listen", HOST)
    assert first.exit_code == second.exit_code == 0
    assert snapshot() == before
    assert "warning" not in second.output
    assert not any(p.token in first.output for p in _plan(folder).parcels)


def _plan(folder):
    place = run.choose_place((), HOST, 8443, None)
    return run.plan(open_workspace(folder), place, (), True, (), SystemEntropy())


def test_a_file_that_changed_since_voids_its_pointer(folder):
    call(folder, "--all", "--prepare", "--listen", HOST)
    (folder / "assets/master-1.ign").write_text("{}")
    said = call(folder, "--all", "--prepare", "--listen", HOST).output
    assert "master-1.ign has changed" in said
    assert "master-0.ign has changed" not in said


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


def test_dry_run_writes_nothing(folder):
    done = call(folder, "--all", "--dry-run", "--listen", HOST)
    assert done.exit_code == 0
    assert "would serve" in done.output
    assert not (folder / "assets/deliver").exists()


def test_the_time_is_over(folder):
    done = call(folder, "master-0", "--listen", HOST, "--port", str(free_port()), "--timeout", "0.005")
    assert isinstance(done.exception, ToolError)
    assert "not delivered: master-0" in str(done.exception)


def test_nothing_left_ends_at_once(folder):
    ledger = Ledger(open_workspace(folder).store)
    with serving(folder, "master-0") as running:
        running.request(running.path("master-0"))
        running.thread.join()
    done = call(folder, "master-0", "--listen", HOST)
    assert done.exit_code == 0
    assert f"to {HOST}" in done.output
    assert ledger.receipts == {}


def test_one_server_a_folder(folder):
    with alone(open_workspace(folder).store):
        done = call(folder, "--all", "--listen", HOST, "--port", str(free_port()))
    assert isinstance(done.exception, ToolError)
    assert "another" in str(done.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "which nodes"),
        (("master-9",), "there is no node 'master-9'"),
        (("--again", "nobody"), "there is no node 'nobody'"),
        (("--all", "--listen", "here"), "is no IP address"),
        (("--all", "--listen", "0.0.0.0"), "under which name"),
    ],
)
def test_bad_usage_says_what_to_do(folder, words, message):
    done = call(folder, *words)
    assert isinstance(done.exception, ConfigError)
    assert message in str(done.exception)
    assert "fix: " in str(done.exception)


def test_missing_files_name_their_stage(folder):
    (folder / "assets/master-0.ign").unlink()
    with pytest.raises(ConfigError, match="hardway build 08"):
        _plan(folder)


def test_a_damaged_record_is_not_taken_for_an_empty_one(folder):
    (folder / "assets/deliver").mkdir()
    (folder / "assets" / STATE).write_text('{"tokens": 3}')
    with pytest.raises(ConfigError, match="damaged"):
        _plan(folder)


def test_an_address_or_port_that_cannot_be_had(folder):
    with serving(folder, "master-0") as running:
        done = call(folder, "master-1", "--listen", HOST, "--port", str(running.port))
    assert isinstance(done.exception, ToolError)
    assert "--port" in str(done.exception)


def test_the_default_place_is_the_gateway_if_it_is_here():
    assert run.choose_place(("127.0.0.2",), None, 8443, None).url == "https://127.0.0.2:8443"
    away = run.choose_place(("203.0.113.1",), None, 8443, None)
    assert (away.address, "203.0.113.1" in away.hint) == (HOST, True)
    assert run.choose_place(("fd00::1",), "::1", 8443, None).url == "https://[::1]:8443"
    assert run.choose_place((), "0.0.0.0", 1, "host.example.com").url == "https://host.example.com:1"


def test_verification_does_not_mind_the_folder(folder):
    from hardway.checks.files.folder import verify_folder
    from hardway.checks.files.table import TABLE

    call(folder, "--all", "--prepare", "--listen", HOST)
    assert verify_folder(open_workspace(folder), TABLE).errors == ()
