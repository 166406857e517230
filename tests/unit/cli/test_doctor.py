"""hardway doctor on folders: silent where nothing is wrong, one cause where one thing is."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from hardway.checks.all import tables
from hardway.cli.main import cli
from hardway.graph.store import RECORD
from hardway.model.errors import CheckError, ConfigError
from hardway.workspace.folder import open_workspace
from tests.support.clusters import install_config
from tests.support.lent import lent
from tests.support.trees import built_now, write_folder


def hardway(folder, *words):
    return CliRunner().invoke(cli, ["-C", str(folder), "doctor", *words])


@pytest.fixture
def folder():
    return lent(built_now().folder)


def only_until(stage, folder):
    """As if the later stages had never been built."""
    workspace = open_workspace(folder)
    later = {a for number in ("05", "06", "07", "08") if number > stage for a in workspace.of_stage(number)}
    for address in later:
        (workspace.store.root / workspace.graph[address].path).unlink()
    record = workspace.store.root / RECORD
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if json.loads(line).get("address") not in later))


@pytest.mark.parametrize("stage", ["03", "05", "06", "07", "08"])
def test_a_healthy_folder_has_no_finding_at_any_stage(stage, folder):
    only_until(stage, folder)
    told = json.loads(hardway(folder, "-o", "json").stdout)
    assert (told["roots"], told["ok"]) == ([], True)
    assert told["ran"]


def test_a_folder_in_which_nothing_is_built_is_told_how_to_build(tmp_path):
    done = hardway(write_folder(tmp_path / "c", install_config()))
    assert done.exception is None
    where = tmp_path / "c"
    assert done.stdout.splitlines()[-3:] == [
        f"skipped: {len(tables()['files'])} checks: nothing is built yet",
        f"0 checks ran, {len(tables()['files'])} skipped, 0 findings, 0 causes",
        f"Nothing is built yet, so no file was checked: `hardway -C {where} build` builds all stages.",
    ]


def test_the_cause_is_printed_before_what_follows_from_it(folder):
    (folder / "assets/tls/root-ca.crt").write_bytes((folder / "assets/tls/etcd-signer.crt").read_bytes())
    done = hardway(folder)
    assert isinstance(done.exception, CheckError)
    assert str(done.exception) == "something is wrong: 1 cause"
    lines = done.stdout.splitlines()
    assert lines[0] == "error: tls/root-ca.crt: the certificate does not belong to tls/root-ca.key [pki.pair]"
    assert [line.split(":")[0].strip() for line in lines[1:6]] == ["expected", "effect", "affected", "fix", "command"]
    assert any(line.startswith("    follows: tls/machine-config-server.crt: it was not signed") for line in lines)
    assert "error: " not in "\n".join(lines[1:])


def test_a_configuration_that_changed_is_the_one_cause(folder):
    path = folder / "install-config.yaml"
    path.write_text(path.read_text().replace("name: ocp4", "name: prod"))
    [root] = json.loads(hardway(folder, "-o", "json").stdout)["roots"]
    assert (root["id"], root["findings"][0]["command"]) == ("record.inputs", "hardway build")
    assert "name" in root["findings"][0]["message"]
    assert {"plan.endpoints", "pki.names", "kubeconfig.server"} <= {e["id"] for e in root["effects"]}
    assert {e["by"] for e in root["effects"]} == {"record.inputs"}


def test_a_file_that_is_not_made_from_the_change_keeps_its_own_cause(folder):
    path = folder / "install-config.yaml"
    path.write_text(path.read_text().replace("name: ocp4", "name: prod"))
    (folder / "assets/tls/root-ca.key").chmod(0o644)
    told = json.loads(hardway(folder, "-o", "json").stdout)
    assert [root["id"] for root in told["roots"]] == ["record.inputs", "pki.modes"]


COMMANDS = {
    "auth/kubeadmin-password": (None, "hardway build --rotate missing"),
    "tls/etcd-client.key": ("x", "hardway build --rotate missing"),
    "tls/etcd-client.crt": ("x", "hardway build 05"),
    "manifests/cluster-dns-02-config.yml": ("x", "hardway build 07"),
    "manifests/junk.txt": ("x", "rm "),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_is_one_that_corrects_it(name, folder):
    content, wanted = COMMANDS[name]
    path = folder / "assets" / name
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_text(content)
        path.chmod(0o600)
    told = json.loads(hardway(folder, "-o", "json").stdout)
    found = [f for root in told["roots"] for f in root["findings"] if f["subject"] == name]
    assert [f["command"] for f in found] == [f"rm {path}" if wanted == "rm " else wanted]


def test_nothing_is_written(folder):
    before = {p: p.stat().st_mtime_ns for p in folder.rglob("*")}
    hardway(folder)
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*")} == before


@pytest.mark.parametrize("name", ["failure/F06", "pki.*"])
def test_what_is_ignored_is_shown_and_does_not_fail(name, folder):
    shutil.copy(folder / "assets/tls/etcd-metric-client.crt", folder / "assets/tls/etcd-client.crt")
    told = json.loads(hardway(folder, "--ignore", name, "-o", "json").stdout)
    cases = [case for root in told["roots"] for case in (root, *root["effects"])]
    assert {f["ignored"] for case in cases for f in case["findings"] if f["check"] == "pki.chain"} == {True}


def test_exit_code_0_if_all_is_ignored(folder):
    (folder / "assets/tls/root-ca.key").chmod(0o644)
    assert isinstance(hardway(folder).exception, CheckError)
    done = hardway(folder, "--ignore", "pki.modes")
    assert done.exception is None
    assert done.stdout.startswith("ignored: tls/root-ca.key: a private key that others can read")


def test_an_id_that_nobody_knows_is_refused(folder):
    done = hardway(folder, "--ignore", "F99", "--ignore", "pki.chan")
    assert isinstance(done.exception, ConfigError)
    assert "there is no check F99." in str(done.exception)
    assert "did you mean pki.chain" in str(done.exception)


def test_the_folder_can_be_an_argument(folder, tmp_path):
    done = CliRunner().invoke(cli, ["doctor", str(folder)])
    assert done.exception is None
    missing = CliRunner().invoke(cli, ["doctor", str(tmp_path / "none")])
    assert isinstance(missing.exception, ConfigError)
