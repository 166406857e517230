"""Completion in a real bash on a real terminal: what stands on the line after the Tab key."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess

import pytest

from hardway.tools.patience import stretched
from tests.support import transcript

QUOTED = r"field/kube-apiserver-config.yaml#admission.pluginConfig\[\"network.openshift.io/"
PRINT = "\x14"  # Ctrl-T
RC = """
PS1="READY "
bind 'set bell-style none' 'set enable-bracketed-paste off'
bind -x '"\\C-t": printf "<%s>\\n" "$READLINE_LINE"'
eval "$(hardway completion bash)"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("completion")
    env = transcript.environment(made / "bin")
    subprocess.run(["hardway", "init", "c"], cwd=made, env=env, check=True, capture_output=True)
    (made / "rc").write_text(RC)
    return made


def completed(folder, line):
    env = {**transcript.environment(folder / "bin"), "HOME": str(folder), "TERM": "dumb", "INPUTRC": "/dev/null"}
    command = ["bash", "--noprofile", "--rcfile", str(folder / "rc"), "-i"]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as shell:
        os.close(theirs)
        _until(ours, rb"READY ")
        os.write(ours, f"{line}\t{PRINT}".encode())
        found = _until(ours, rb"<(.*)>\r?\n")
        shell.kill()
    os.close(ours)
    return found[1].decode()


def _until(handle, pattern):
    seen = b""
    while not (found := re.search(pattern, seen)):
        assert select.select([handle], [], [], stretched(60))[0], f"the shell has printed only {seen!r}"
        seen += os.read(handle, 4096)
    return found


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("hardway comple", "hardway completion "),
        ("hardway -C c ssh boot", "hardway -C c ssh bootstrap "),
        ("hardway ssh -C c boot", "hardway ssh -C c bootstrap "),
        ("hardway explain cert/root", "hardway explain cert/root-ca "),
        ("hardway explain file/bootstrap:/etc/hostn", "hardway explain file/bootstrap:/etc/hostname "),
        ("hardway explain file/bootstrap:", "hardway explain file/bootstrap:/"),
        ("hardway -C c build --rotate=cert/root", "hardway -C c build --rotate=cert/root-ca "),
        (
            "hardway explain field/install-config.yaml#compute[].rep",
            "hardway explain field/install-config.yaml#compute[].replicas ",
        ),
        ("hardway explain c/hos", "hardway explain c/hosts.yaml "),
        ("hardway -C bi", "hardway -C bin/"),
        ("hardway network files --to=bi", "hardway network files --to=bin/"),
        (rf"hardway explain {QUOTED}Ext", rf"hardway explain {QUOTED}ExternalIPRanger\"\].configuration "),
    ],
)
def test_a_word_is_completed(folder, line, whole):
    assert completed(folder, line) == whole
