"""What `hardway gather` prints of a server that it does not believe."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
from click.testing import CliRunner

from hardway.cli.main import cli
from hardway.drive.client import Trouble
from hardway.model.errors import ConfigError
from tests.support.https import Handler, served
from tests.support.registry.tls import Authority

FIX = "name a kubeconfig of this cluster with --kubeconfig: its CA did not sign the certificate of this server"


def kubeconfig(port: int, authority: Authority) -> str:
    trust = b64encode(authority.pem).decode()
    cluster = {"server": f"https://127.0.0.1:{port}", "certificate-authority-data": trust}
    return json.dumps(
        {
            "current-context": "a",
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": cluster}],
            "users": [{"name": "a", "user": {"token": "abc"}}],
        }
    )


def test_a_certificate_of_another_cluster_has_its_fix(tmp_path):
    config = tmp_path / "kubeconfig"
    with served(Handler, Authority(), tmp_path / "tls") as server:
        config.write_text(kubeconfig(server.server_port, Authority()))
        words = ["-C", str(tmp_path), "gather", "--kubeconfig", str(config)]
        text = CliRunner().invoke(cli, [*words, "--to", str(tmp_path / "a.tar.gz")], catch_exceptions=False)
        data = CliRunner().invoke(cli, [*words, "--to", str(tmp_path / "b.tar.gz"), "-o", "json"])
    assert (text.exit_code, data.exit_code) == (0, 0), text.output + data.output
    first, fix, *_ = text.stdout.splitlines()
    assert first.startswith(f"not reached: api: no answer from 127.0.0.1:{server.server_port}: [SSL: CERTIFICATE_VERIF")
    assert fix == f"    fix: {FIX}"
    [row] = [row for row in json.loads(data.stdout)["missing"] if row["name"] == "api"]
    assert row["fix"] == FIX


def test_a_server_that_is_silent_needs_no_other_kubeconfig():
    assert Trouble(kind="unanswered", message="no answer from 192.0.2.1:6443").fix == ""


def test_a_folder_that_is_missing_is_told_before_anything_is_gathered(tmp_path):
    (tmp_path / "kubeconfig").write_text(kubeconfig(1, Authority()))
    words = ["-C", str(tmp_path), "gather", "--kubeconfig", str(tmp_path / "kubeconfig")]
    with pytest.raises(ConfigError, match=r"there is no folder .*/none\.\n    fix: make the folder"):
        CliRunner().invoke(cli, [*words, "--to", str(tmp_path / "none" / "a.tar.gz")], catch_exceptions=False)
