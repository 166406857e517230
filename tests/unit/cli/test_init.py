"""The files of `hardway init`: every example line works when it is uncommented, and a terminal is asked."""

from __future__ import annotations

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
from hardway.workspace.start import Choices, first_files
from tests.support import transcript

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
    text = first_files(Choices(name="no", domain="1.2"), tmp_path)["install-config.yaml"]
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


@pytest.mark.parametrize("secret", ["[" * 200_000 + "]" * 200_000, '{"auths":' * 200_000 + "1" + "}" * 200_000])
def test_a_pull_secret_that_is_nested_without_end_is_no_pull_secret(tmp_path, secret):
    (tmp_path / "secret").write_text(secret)
    done = CliRunner().invoke(init, [str(tmp_path / "c"), "--pull-secret", str(tmp_path / "secret")], obj=tmp_path)
    assert isinstance(done.exception, ConfigError)
    assert str(done.exception).startswith("--pull-secret: is not JSON.\n    fix: ")
    assert not (tmp_path / "c").exists()
