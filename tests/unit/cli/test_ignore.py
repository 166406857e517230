"""`--ignore`: a finding is shown and does not fail the command, in every command that runs checks."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from hardway.cli.main import cli
from hardway.model.errors import CheckError, ConfigError
from hardway.network.haproxy import config
from tests.support.clusters import install_config, load_cluster
from tests.support.lent import lent
from tests.support.trees import built_now, write_folder

COMMANDS = [
    ("verify",),
    ("prerequisites",),
    ("network", "check"),
    ("doctor",),
    ("lab", "up", "demo"),
    ("lab", "run", "17"),
]


def hardway(folder, *words):
    return CliRunner().invoke(cli, ["-C", str(folder), *words])


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "c", install_config())


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_check_that_nobody_knows_is_refused_with_the_nearest(command, folder):
    before = sorted(folder.iterdir())
    done = hardway(folder, *command, "--ignore", "dns.balance", "--ignore", "host.*", "--ignore", "nothing-at-all")
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).splitlines() == [
        "there is no check dns.balance.",
        "    fix: did you mean dns.balancer? `hardway explain --list check` lists them",
        "there is no check nothing-at-all.",
        "    fix: `hardway explain --list check` lists them",
    ]
    assert sorted(folder.iterdir()) == before


@pytest.fixture
def built_folder():
    return lent(built_now("default", "ecdsa-p256").folder)


def test_verify(built_folder):
    (built_folder / "assets/tls/etcd-client.crt").unlink()
    words = ("verify", "05", "--ignore", "check/pki.present")
    assert isinstance(hardway(built_folder, "verify", "05", "--ignore", "pki.chain").exception, CheckError)
    done = hardway(built_folder, *words)
    assert done.exception is None
    assert "ignored: tls/etcd-client.crt: the file is missing [pki.present]\n    fix: " in done.stdout
    assert done.stdout.endswith("16 checks ran, 1 finding (1 ignored)\n")
    [finding] = json.loads(hardway(built_folder, *words, "-o", "json").stdout)["findings"]
    assert (finding["check"], finding["severity"], finding["ignored"]) == ("pki.present", "warning", True)


def test_a_failure_mode_stands_for_all_that_shows_it(built_folder):
    tls = built_folder / "assets/tls"
    shutil.copy(tls / "etcd-metric-client.crt", tls / "etcd-client.crt")
    told = json.loads(hardway(built_folder, "verify", "05", "--ignore", "failure/F06", "-o", "json").stdout)
    assert {(row["failure"], row["ignored"]) for row in told["findings"]} >= {("F06", True)}
    assert {row["ignored"] for row in told["findings"] if row["failure"] != "F06"} <= {False}


def test_what_was_ignored_is_remembered_as_a_defect(built_folder):
    (built_folder / "assets/tls/root-ca.key").chmod(0o644)
    assert hardway(built_folder, "verify", "05", "--ignore", "pki.modes").exception is None
    seen = json.loads((built_folder / "assets/.verified.json").read_text())
    assert seen["05"]["errors"] == 1


def test_network(folder, tmp_path):
    file = tmp_path / "mine.cfg"
    file.write_text(config.config(load_cluster().cluster).replace("timeout client 4h", "timeout client 1m"))
    words = ("network", "check", "--haproxy", str(file))
    assert isinstance(hardway(folder, *words).exception, CheckError)
    done = hardway(folder, *words, "--ignore", "haproxy.t*")
    assert done.exception is None
    assert "ignored: " in done.stdout
    assert "    effect: watches, " in done.stdout
