"""`hardway network files`: what it writes, what it leaves alone, and that all files say the same."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from hardway.cli.network import network as command
from hardway.model.errors import ConfigError, ToolError
from tests.support.clusters import install_config
from tests.support.trees import write_folder

NAMES = {
    "haproxy.cfg",
    "dnsmasq.conf",
    "named.conf.hardway",
    "db.ocp4.example.com",
    "db.126.168.192.in-addr.arpa",
    "etc-hosts",
}


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "cluster", install_config())


def run(folder, *words):
    done = CliRunner().invoke(command, ["files", *words], obj=folder)
    if done.exception:
        raise done.exception
    return done.stdout


def test_all_files_are_written_once_and_then_kept(folder):
    assert {line.split()[0] for line in run(folder).splitlines()} == {"wrote"}
    assert {p.name for p in (folder / "network").iterdir()} == NAMES
    before = {p: p.stat().st_ino for p in (folder / "network").iterdir()}
    assert {line.split()[0] for line in run(folder).splitlines()} == {"kept"}
    assert {p: p.stat().st_ino for p in (folder / "network").iterdir()} == before


def test_only_what_has_changed_is_written_again(folder):
    run(folder)
    done = json.loads(run(folder, "--without-bootstrap", "-o", "json"))
    assert [row["file"] for row in done if row["done"] == "changed"] == [str(folder / "network/haproxy.cfg")]
    assert "server bootstrap" not in (folder / "network/haproxy.cfg").read_text()


def test_a_file_that_was_changed_by_hand_is_saved(folder):
    run(folder)
    path, aside = folder / "network/haproxy.cfg", folder / "network/edited/haproxy.cfg"
    made = path.read_text()
    mine = made.encode() + b"# my edit \xff\n"
    path.write_bytes(mine)
    assert f"would save   {aside}: it had been changed by hand" in run(folder, "--dry-run").splitlines()
    assert not aside.exists()
    assert [line for line in run(folder).splitlines() if not line.startswith("kept")] == [
        f"saved        {aside}: it had been changed by hand",
        f"changed      {path}",
    ]
    assert aside.read_bytes() == mine
    assert path.read_text() == made
    run(folder, "--without-bootstrap")  # what hardway wrote itself is no edit
    assert aside.read_bytes() == mine


def test_a_dry_run_writes_nothing(folder):
    assert {line.split(" /")[0].strip() for line in run(folder, "--dry-run").splitlines()} == {"would write"}
    assert not (folder / "network").exists()


def test_a_file_of_somebody_else_stops_everything(folder, tmp_path):
    target = tmp_path / "etc"
    target.mkdir()
    (target / "dnsmasq.conf").write_text("# mine\n")
    with pytest.raises(ConfigError, match=r"dnsmasq\.conf: hardway did not make this file.*\n    fix: "):
        run(folder, "--to", str(target))
    assert [p.name for p in target.iterdir()] == ["dnsmasq.conf"]
    assert (target / "dnsmasq.conf").read_text() == "# mine\n"


def test_a_folder_that_cannot_be_made_is_an_error_with_its_fix(folder, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolError, match=r"Not a directory\.\n    fix: name a folder"):
        run(folder, "--to", str(tmp_path / "file" / "below"))


def test_dnsmasq_bind_and_etc_hosts_say_the_same(folder):
    run(folder)
    texts = {p.name: p.read_text() for p in (folder / "network").iterdir()}
    zone = set(re.findall(r"^([a-z0-9.-]+)\. IN A (\S+)$", texts["db.ocp4.example.com"], re.M))
    zone -= {("ns.ocp4.example.com", "192.168.126.1")}
    lines = [line.split() for line in texts["etc-hosts"].splitlines() if not line.startswith("#")]
    listed = {(name, address) for address, *names in lines for name in names if ".apps." not in name}
    records = [r.split(",") for r in re.findall(r"^host-record=(.*)$", texts["dnsmasq.conf"], re.M)]
    assert listed == zone == {(name, row[-1]) for row in records for name in row[:-1]}


def test_no_secret_is_in_the_files(folder):
    run(folder)
    assert not [p for p in (folder / "network").iterdir() if "ZXhhbXBsZ" in p.read_text()]
