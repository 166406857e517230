"""With -q a command prints what was asked for, findings and errors. The whole tree of commands is walked."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import hardway.cli
from hardway.cli.main import cli
from tests.unit.cli.test_grammar import COMMANDS

EXAMPLE = Path(__file__).parents[2] / "data" / "mco"

ANSWERS = {
    "explain": "cert/root-ca",
    "explain --list": "",
    "guide": "",
    "guide 01": "",
    "graph": "kubeconfig/admin",
    "bootkube": "--list",
    "build": "--dry-run",
    "init": "other --dry-run",
    "verify": "--list",
    "prerequisites": "--cost",
    "prerequisites --fix": "--dry-run --profile build",
    "network files": "--dry-run",
    "network check": "--list",
    "render": "--all --dry-run",
    "completion": "bash",
    "release info": "",
    "release image-for": "etcd",
    "lab up": "--dry-run",
}
"""Commands with words that ask something: with and without -q they print it."""

DOES = {
    "build": "05 06",
    "init": "network/NEW",
    "verify": "03 05 06",
    "network files": "--to network/NEW",
    "network check --dnsmasq network/dnsmasq.conf": "",
}
"""Commands that do or check something, without a finding: with -q they print nothing."""

ELSEWHERE = {
    "status": "has a test of its own: it leaves out commands and notes",
    "compare": "needs the render of a release",
    "compare-installer": "needs a bootstrap.ign of openshift-install",
    "approve": "needs an API server",
    "doctor": "has a finding in this folder: keys that operators cannot sign with",
    "gather": "asks an API server and machines",
    "ssh": "needs machines",
    "up": "needs machines",
    "run": "needs machines",
    "exec": "needs machines",
    "stop": "needs machines",
    "start": "needs machines",
    "down": "needs machines",
    "bmc": "needs machines with a BMC",
    "logs": "needs machines",
    "kubectl": "needs an API server",
    "deliver": "listens on an address of the plan",
    "install": "needs machines",
    "infra": "needs libvirt",
    "network servers": "needs a running HAProxy",
    "network take-out": "needs a running HAProxy",
    "release extract": "needs a release",
    "release crds": "needs a release",
    "lab": "needs a lab",
}
"""Commands that need more than a folder: their source is read instead."""

REMARKS = ("note:", "hint:", "skipped:", "next:")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("quiet") / "c"
    assert run(place.parent, "init", str(place)).exit_code == 0
    config = place / "install-config.yaml"  # with a key, so that there is nothing to warn of
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICvZnm6KGjiCizTVaPVBu58N7HXe9s5tW7z7cC1pi3Lf root@vm"
    nowhere = 'proxy: {httpsProxy: "http://127.0.0.1:1", noProxy: .ocp4.example.com}'  # no registry is asked
    config.write_text(f"{config.read_text()}sshKey: {key}\n{nowhere}\n")
    assert run(place, "build", "--keys", "ecdsa-p256", "--mco", str(EXAMPLE)).exit_code == 0
    assert run(place, "network", "files", "--to", str(place / "network")).exit_code == 0
    return place


def run(folder: Path, *words: str):
    return CliRunner().invoke(cli, ["-C", str(folder), *words])


def here(folder: Path, words: str) -> list[str]:
    """File names in words are the folder's."""
    return [str(folder / word) if word.startswith("network/") else word for word in words.split()]


@pytest.mark.parametrize(("command", "words"), ANSWERS.items(), ids=[f"{c} {w}" for c, w in ANSWERS.items()])
def test_what_is_asked_for_is_printed(folder, command, words):
    loud = run(folder, *here(folder, f"{command} {words}"))
    quiet = run(folder, "-q", *here(folder, f"{command} {words}"))
    assert (quiet.exit_code, quiet.exception) == (0, None)
    assert quiet.stdout
    assert quiet.stdout == loud.stdout
    assert quiet.stderr == ""


@pytest.mark.parametrize(("command", "words"), DOES.items(), ids=DOES)
def test_what_succeeds_says_nothing(folder, command, words):
    loud = run(folder, *here(folder, f"{command} {words}".replace("NEW", f"loud-{command[:4]}")))
    assert loud.stdout
    quiet = run(folder, "-q", *here(folder, f"{command} {words}".replace("NEW", f"quiet-{command[:4]}")))
    assert (quiet.exit_code, quiet.output) == (0, "")


def test_status_prints_each_stage_and_why_it_is_stale(folder):
    """Commands, what they would add and a deadline that lies ahead are next steps and notes."""
    loud, quiet = (run(folder, *words, "status").stdout.splitlines() for words in ([], ["-q"]))
    assert any("`hardway" in line for line in loud)
    assert any(line.startswith("deadline") for line in loud)
    assert len([line for line in quiet if re.match(r"\d\d ", line)]) == 17
    assert quiet == [line for line in loud if re.match(r"\d\d | {7}", line) and "hardway" not in line]


def test_findings_and_errors_are_printed(folder):
    file = folder / "assets" / "tls" / "root-ca.crt"
    content = file.read_bytes()
    file.unlink()
    program = [sys.executable, "-c", "from hardway.cli.main import main; main()"]
    done = subprocess.run([*program, "-C", str(folder), "verify", "05", "-q"], capture_output=True, text=True)
    file.write_bytes(content)
    assert [line.split(":")[0].strip() for line in done.stdout.splitlines()] == ["error", "fix"]
    assert (done.returncode, done.stderr) == (4, "verification failed: 1 error\n")


def test_every_command_is_walked():
    known = {*ANSWERS, *DOES, *ELSEWHERE}
    assert [name for name in COMMANDS if not any(name == k or name.startswith(f"{k} ") for k in known)] == []


def test_remarks_are_told_and_not_shown():
    """`show` prints always, `tell` and `note` not with -q."""
    wrong = []
    for path in Path(hardway.cli.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "show" and node.args:
                said = ast.unparse(node.args[0]).lstrip("f'\"").replace("\\n", "").lower()
                wrong += [f"{path.name}:{node.lineno}"] * said.startswith(REMARKS)
    assert wrong == []
