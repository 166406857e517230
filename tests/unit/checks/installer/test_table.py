"""A folder of openshift-install: healthy as it is written, and each defect found as itself."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from datetime import timedelta

import pytest
from click.testing import CliRunner

from hardway.checks.installer.folder import INFRASTRUCTURE, TLS, InstallerFolder
from hardway.checks.installer.table import TABLE
from hardway.cli.main import cli
from hardway.model.check import run
from hardway.model.errors import CheckError, ConfigError
from tests.support.entropy import NOW
from tests.support.installer_like import installer_like, put
from tests.support.planting import entry


def content(config, path):
    return b64decode(entry(config, path)["contents"]["source"].partition(",")[2])


def pointer(host, root):
    source = f"data:text/plain;charset=utf-8;base64,{b64encode(root).decode()}"
    merge = [{"source": f"https://{host}:22623/config/master"}]
    tls = {"certificateAuthorities": [{"source": source}]}
    return {"ignition": {"version": "3.2.0", "config": {"merge": merge}, "security": {"tls": tls}}}


@pytest.fixture
def folder(tmp_path):
    config = installer_like()
    root = content(config, f"{TLS}root-ca.crt")
    (tmp_path / "bootstrap.ign").write_text(json.dumps(config))
    for name in ("master.ign", "worker.ign"):
        (tmp_path / name).write_text(json.dumps(pointer("api-int.ocp4.example.com", root)))
    (tmp_path / "auth").mkdir()
    (tmp_path / "auth/kubeconfig").write_bytes(content(config, "/opt/openshift/auth/kubeconfig"))
    state = {"*tls.RootCA": {"FileList": [{"Filename": "tls/root-ca.crt", "Data": b64encode(root).decode()}]}}
    (tmp_path / ".openshift_install_state.json").write_text(json.dumps(state))
    return tmp_path


def found(folder, now=NOW):
    return [(f.check, f.subject, f.failure, f.severity) for f in run(TABLE, InstallerFolder(folder, now)).findings]


def change(folder, name, edit):
    document = json.loads((folder / name).read_text())
    edit(document)
    (folder / name).write_text(json.dumps(document))


def test_a_fresh_folder_is_healthy(folder):
    assert found(folder) == []
    seen = InstallerFolder(folder, NOW)
    assert len(seen.all) > 10
    assert seen.server.startswith("api-int.")
    assert [seen.pointer(name)[0] for name in ("master.ign", "worker.ign")] == ["api-int.ocp4.example.com"] * 2


def test_an_expired_certificate(folder):
    [(check, place, failure, severity)] = found(folder, NOW + timedelta(days=20000))
    assert (check, failure, severity) == ("assets.expired", "F01", "error")
    assert ": /" in place or place == "auth/kubeconfig"


def test_a_certificate_that_expires_soon_is_told_and_does_not_fail(folder):
    end = min(f.certificate.not_valid_after_utc for f in InstallerFolder(folder, NOW).all)
    assert [row[0::3] for row in found(folder, end - timedelta(hours=6))] == [("assets.expired", "warning")]
    assert [row[0::3] for row in found(folder, end - timedelta(hours=1))] == [("assets.expired", "error")]


def test_a_clock_that_is_behind(folder):
    assert [row[0] for row in found(folder, NOW - timedelta(days=3))] == ["assets.early"]


def test_a_pointer_of_another_run(folder):
    other = content(installer_like(), f"{TLS}admin-kubeconfig-ca-bundle.crt")
    (folder / "master.ign").write_text(json.dumps(pointer("api-int.ocp4.example.com", other)))
    assert found(folder) == [("assets.same-run", "master.ign", "F06", "error")]


def test_a_kubeconfig_of_another_run(folder):
    def other(config):
        put(config, f"{TLS}admin-kubeconfig-ca-bundle.crt", content(config, f"{TLS}root-ca.crt"))

    change(folder, "bootstrap.ign", other)
    assert found(folder) == [("assets.same-run", "auth/kubeconfig", "F06", "error")]


def test_a_state_of_another_run(folder):
    other = b64encode(content(installer_like(), f"{TLS}admin-kubeconfig-ca-bundle.crt")).decode()
    state = {"x": [{"Filename": "tls/root-ca.crt", "Data": other}]}
    (folder / ".openshift_install_state.json").write_text(json.dumps(state))
    assert found(folder) == [("assets.same-run", "bootstrap.ign", "F06", "error")]


def test_a_name_that_no_certificate_has(folder):
    root = content(installer_like(), f"{TLS}root-ca.crt")
    (folder / "worker.ign").write_text(json.dumps(pointer("api-int.other.example.com", root)))
    assert found(folder) == [("assets.names", "worker.ign", "F07", "error")]


def test_metadata_of_another_cluster(folder):
    assert b"infrastructureName" in content(installer_like(), INFRASTRUCTURE)
    (folder / "metadata.json").write_text('{"infraID": "other-abcde"}')
    assert found(folder) == [("assets.identity", "metadata.json", "F06", "error")]


@pytest.mark.parametrize(("text", "failure"), [("{", "F21"), ('{"ignition": {"version": "2.2.0"}}', "F20")])
def test_a_file_that_ignition_cannot_read(text, failure, folder):
    (folder / "master.ign").write_text(text)
    assert found(folder) == [("assets.readable", "master.ign", failure, "error")]


def test_the_command_says_what_is_no_folder_of_the_installer(tmp_path):
    done = CliRunner().invoke(cli, ["doctor", "--assets", str(tmp_path)])
    assert isinstance(done.exception, ConfigError)
    assert "openshift-install create ignition-configs --dir" in str(done.exception)


def test_the_command_reads_only_that_folder(folder):
    done = CliRunner().invoke(cli, ["doctor", "--assets", str(folder), "-o", "json"])
    told = json.loads(done.stdout)
    assert {name.partition(".")[0] for name in told["ran"]} == {"assets"}


def test_a_url_that_is_none_names_no_host(folder):
    change(
        folder, "master.ign", lambda ign: ign["ignition"]["config"]["merge"][0].update(source="https://[::1:22623/x")
    )
    config = folder / "auth/kubeconfig"
    config.write_text(re.sub(r"server: .*", "server: https://[::1:6443", config.read_text()))
    seen = InstallerFolder(folder, NOW)
    assert (seen.server, seen.pointer("master.ign")[0]) == ("", "")
    assert isinstance(CliRunner().invoke(cli, ["doctor", "--assets", str(folder)]).exception, CheckError)
