"""The one-time server, asked by the programs that ask it on a node: curl and the real Ignition."""

from __future__ import annotations

import json
import subprocess

import pytest

from hardway.model.errors import ToolError
from tests.support.delivery import HOST, curl, folder_of, serving, until
from tests.support.ignition.tool import laid_out, validate

GOODBYES = ("delivered", "broke off")


@pytest.fixture
def folder(tmp_path):
    return folder_of(tmp_path / "cluster")


def test_plain_http_is_told_so_and_gets_nothing(folder):
    with serving(folder, "master-0") as running:
        done = curl("-i", f"http://{HOST}:{running.port}{running.path('master-0')}")
        assert done.stdout.startswith(b"HTTP/1.1 400 ")
        assert b"https://" in done.stdout
        assert running.request(running.path("master-0"))[0] == 200


def test_killed_client(folder):
    """A real curl that is killed while its download is held back."""
    (folder / "assets/master-0.ign").write_bytes(b"x" * 30_000_000)
    with serving(folder, "master-0") as running:
        authority = folder / "assets/tls/root-ca.crt"
        url = f"https://{HOST}:{running.port}{running.path('master-0')}"
        command = ["curl", "-sS", "--cacert", authority, "--limit-rate", "100k", "-o", "/dev/stdout", url]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
            assert client.stdout is not None
            assert client.stdout.read(1000) == b"x" * 1000
            client.kill()
        until(running, "master-0", "broke off")
        running.thread.join()
    assert running.delivery.broken == ("master-0",)


def test_curl_with_the_authority_gets_it_and_without_it_does_not(folder):
    with serving(folder, "master-0") as running:
        url = f"https://{HOST}:{running.port}{running.path('master-0')}"
        assert curl(url).returncode == 60
        assert curl("--tls-max", "1.2", "--cacert", folder / "assets/tls/root-ca.crt", url).returncode == 35
        done = curl("--cacert", folder / "assets/tls/root-ca.crt", url)
        assert done.stdout == running.content("master-0")


@pytest.mark.parametrize("wrapped", [False, True], ids=["alone", "merged by iso customize"])
def test_the_real_ignition_follows_the_pointer(folder, wrapped):
    with serving(folder, "master-0") as running:
        config = (folder / "assets/deliver/master-0.ign").read_bytes()
        assert validate(config) == ""
        if wrapped:
            source = {"source": "data:," + "".join(f"%{byte:02x}" for byte in config)}
            config = json.dumps({"ignition": {"version": "3.2.0", "config": {"merge": [source]}}}).encode()
        with laid_out(config) as root:
            assert (root / "etc/hostname").read_text().strip() == "master-0"
        running.thread.join()
    assert running.what("master-0") == ["delivered"]
    assert running.policy.left == ()


def test_the_real_ignition_refuses_a_server_that_root_ca_did_not_sign(folder):
    with serving(folder, "master-0") as running:
        config = json.loads((folder / "assets/deliver/master-0.ign").read_bytes())
        config["ignition"]["security"] = {}
        config["ignition"]["timeouts"] = {"httpTotal": 5}
        with pytest.raises(ToolError, match="unknown authority"), laid_out(json.dumps(config).encode()):
            pass
        assert not set(GOODBYES) & set(running.what("master-0"))
