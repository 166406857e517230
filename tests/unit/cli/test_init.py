"""The files of `hardway init`: every example line works when it is uncommented, and a terminal is asked."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from hardway.cli.init import init
from hardway.model.config.load import Inputs, load
from hardway.model.errors import ConfigError
from hardway.release.catalogue import release_for
from hardway.workspace.folder import example
from hardway.workspace.start import Choices, start
from tests.support import transcript

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
EXAMPLE = re.compile(r"# ( *)(\w[\w-]*):(?: .*)?$")  # a line of prose has no key


def lines_of(name: str) -> list[tuple[int, str]]:
    """Every commented-out line with its indentation."""
    found = (EXAMPLE.match(line) for line in example(name).splitlines())
    return [(len(match[1]), match[0].removeprefix("# ")) for match in found if match]


def with_parents(rows: list[tuple[int, str]], index: int) -> list[str]:
    """A line as a user uncomments it: with the lines that it belongs to, and if it opens a block, with the block."""
    depth, chosen = rows[index][0], [rows[index][1]]
    for indent, text in reversed(rows[:index]):
        if indent < depth:
            depth, chosen = indent, [text, *chosen]
    for indent, text in rows[index + 1 :]:
        if indent <= rows[index][0]:
            break
        chosen.append(text)
    return chosen


def loaded(**texts: str):
    return load(Inputs(install_config=example("install-config.yaml"), **texts), release_for)


SETTINGS, HOSTS = lines_of("hardway.yaml"), lines_of("hosts.yaml")


@pytest.mark.parametrize("index", range(len(SETTINGS)), ids=[text.split(":")[0].strip() for _, text in SETTINGS])
def test_each_line_of_the_settings_can_be_uncommented(index):
    chosen = with_parents(SETTINGS, index)
    assert loaded(settings="\n".join(chosen)).settings == loaded().settings  # each line has its default


@pytest.mark.parametrize("index", range(len(HOSTS)), ids=[text.split(":")[0].strip() for _, text in HOSTS])
def test_each_line_of_the_hosts_can_be_uncommented(index):
    chosen = with_parents(HOSTS, index)
    whole = next(i for i, row in enumerate(HOSTS) if row[1].startswith("hypervisors:"))
    if any("hypervisor: hv2" in line for line in chosen):  # the name needs the entry that it names
        chosen += with_parents(HOSTS, whole)
    if chosen[0].startswith("hypervisors:"):  # of an entry, all or nothing: it needs its connect
        chosen = with_parents(HOSTS, whole)
    assert loaded(hosts="\n".join(chosen)).cluster.nodes


def test_all_lines_can_be_uncommented_at_once():
    found = loaded(hosts="\n".join(t for _, t in HOSTS), settings="\n".join(t for _, t in SETTINGS))
    assert found.hosts.entries["master-0"].hypervisor == "hv2"
    assert "control-0" in [node.name for node in found.cluster.nodes]


@pytest.mark.parametrize("name", ["hosts.yaml", "hardway.yaml"])
def test_nothing_is_said_until_a_line_is_uncommented(name):
    assert [line for line in example(name).splitlines() if not line.startswith("#")] == []


def test_a_value_that_yaml_would_misread_is_quoted(tmp_path):
    text = start(Choices(name="no", domain="1.2"), tmp_path).files["install-config.yaml"]
    assert '  name: "no"\n' in text
    assert 'baseDomain: "1.2"\n' in text


def at_a_terminal(command: list[str], answers: str, folder: Path) -> str:
    """What a person sees who gives these answers."""
    env = {**transcript.environment(folder / "bin"), "HOME": str(folder)}
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as program:
        os.close(theirs)
        seen = b""
        for answer in answers.split("|"):
            while not seen.endswith(b": "):
                seen += os.read(ours, 4096)
            os.write(ours, f"{answer}\n".encode())
            while b"\n" not in (more := os.read(ours, 4096)):
                seen += more
            seen += more
        while more := _read(ours):
            seen += more
    os.close(ours)
    assert program.returncode == 0, seen.decode()
    return seen.decode()


def _read(handle: int) -> bytes:
    try:
        return os.read(handle, 4096)
    except OSError:  # how the end of a terminal is told
        return b""


def test_at_a_terminal_it_asks_and_does_not_show_the_secret(tmp_path):
    secret = '{"auths":{"quay.io":{"auth":"dXNlcjpwYXNz"}}}'
    seen = at_a_terminal(["hardway", "init", "c"], f"demo||1|0|||-|{secret}", tmp_path)
    assert "Name of the cluster [ocp4]: demo" in seen
    assert "dXNlcjpwYXNz" not in seen
    written = (tmp_path / "c" / "install-config.yaml").read_text()
    assert "  name: demo\n" in written
    assert "baseDomain: example.com\n" in written
    assert f"pullSecret: '{secret}'\n" in written


def test_a_wrong_answer_is_asked_for_again_at_once_with_the_reason(tmp_path):
    answers = "Bad_Name|demo||0|3|300|-1|2|10.0.0.0/33|10.1.2.0/24|/etc/passwd|none|/etc/passwd|none"
    seen = at_a_terminal(["hardway", "init", "c"], answers, tmp_path).replace("\r\n", "\n")
    for question, reason in (
        ("Name of the cluster [ocp4]", "must be made of lower-case letters"),
        ("Masters: 1, 3 or 5 [3]", "is 0: a cluster needs a control plane\n    fix: write 3, or 1"),
        ("Workers [2]", "192.168.126.0/24 has no address left for worker-145 and 154 more\n    fix: give"),
        ("Workers [2]", "is -1: a number of machines cannot be negative\n    fix: write 0 or more\n"),
        ("Network of the machines [192.168.126.0/24]", "'10.0.0.0/33' is not a network in CIDR form"),
        ("File with your public SSH key [none]", "/etc/passwd is not a public key.\n    fix: "),
        ("File with the pull secret, or - to paste it [none]", "/etc/passwd is not JSON.\n    fix: "),
    ):
        assert re.search(rf"{re.escape(question)}: .*\nError: {re.escape(reason)}[^\0]*?{re.escape(question)}: ", seen)
    written = (tmp_path / "c" / "install-config.yaml").read_text()
    assert "  - cidr: 10.1.2.0/24\n" in written
    assert "  name: demo\n" in written


def test_a_warning_follows_the_answer_that_it_is_about(tmp_path):
    seen = at_a_terminal(["hardway", "init", "c"], "||2|2|||", tmp_path).replace("\r\n", "\n")
    warning, question = "is 2: etcd needs both for a majority", "Workers [2]: "
    assert seen.count(warning) == 1
    assert seen.index("Masters: 1, 3 or 5 [3]: 2\n") < seen.index(warning) < seen.index(question)


def test_a_local_release_is_named_by_a_path_that_holds_everywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    digest = "sha256:" + "0" * 64
    (tmp_path / "image").mkdir()
    (tmp_path / "image" / "index.json").write_text(
        json.dumps({"schemaVersion": 2, "manifests": [{"mediaType": MANIFEST, "digest": digest, "size": 2}]})
    )
    done = CliRunner().invoke(init, ["c", "--release", "oci:image"], obj=Path())
    assert done.exit_code == 0, done.exception
    assert f'release: "oci:{tmp_path}/image"' in (tmp_path / "c" / "hardway.yaml").read_text()


@pytest.mark.parametrize("secret", ["[" * 200_000 + "]" * 200_000, '{"auths":' * 200_000 + "1" + "}" * 200_000])
def test_a_pull_secret_that_is_nested_without_end_is_no_pull_secret(tmp_path, secret):
    (tmp_path / "secret").write_text(secret)
    done = CliRunner().invoke(init, [str(tmp_path / "c"), "--pull-secret", str(tmp_path / "secret")], obj=tmp_path)
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).startswith(f"--pull-secret: {tmp_path / 'secret'} is not JSON.\n    fix: ")
    assert not (tmp_path / "c").exists()
