"""How kube-proxy leaves a master: the real shell runs the command; crictl and podman are programs in a folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hardway.staticpods import kube_proxy
from hardway.staticpods.paths import KUBE_PROXY
from tests.support.clusters import load_cluster

FOLDER = "/etc/kubernetes/manifests"


@pytest.fixture
def master(tmp_path: Path) -> Path:
    """A master's root, with the pod and its kubeconfig."""
    for path in (f"{FOLDER}/{kube_proxy.DOCUMENT.file}", f"{FOLDER}/other-pod.yaml", f"{KUBE_PROXY}/kubeconfig"):
        file = tmp_path / path[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    return tmp_path


def leave(master: Path, *, running: str = "", cleanup: int = 0, left: str = "") -> subprocess.CompletedProcess[str]:
    programs = {
        "crictl": f"echo {running}",
        "podman": f"echo $(ls -A {master}{FOLDER}) :: $* >> {master}/calls; exit {cleanup}",
        "sleep": "exit 0",
        "iptables-save": f"echo ':MINE - [0:0]'; echo '{left}'",
        "ip6tables-save": "exit 0",
    }
    folder = master / "bin"
    folder.mkdir(exist_ok=True)
    for name, body in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    shell, option, script = kube_proxy.removal(load_cluster().cluster)
    here = script.replace(FOLDER, f"{master}{FOLDER}").replace(KUBE_PROXY, f"{master}{KUBE_PROXY}")
    path = {"PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run([shell, option, here], env=path, capture_output=True, text=True, check=False)


def left(master: Path) -> set[str]:
    return {path.name for path in (master / FOLDER[1:]).iterdir()}


def test_the_pod_ends_then_its_rules_go_then_its_files(master: Path) -> None:
    done = leave(master)
    assert done.returncode == 0, done.stderr
    assert left(master) == {"other-pod.yaml"}
    assert not (master / KUBE_PROXY[1:]).exists()
    [call] = (master / "calls").read_text().splitlines()
    there, _, words = call.partition(" :: ")
    assert kube_proxy.DOCUMENT.file not in there.split()
    assert words.endswith(f"{load_cluster().cluster.release.image_for('kube-proxy')} --cleanup")
    assert "--network=host" in words


def test_an_image_without_the_programs_of_other_modes_is_enough(master: Path) -> None:
    """kube-proxy exits with 1 then, although the rules that it wrote are gone."""
    assert leave(master, cleanup=1).returncode == 0
    assert left(master) == {"other-pod.yaml"}


@pytest.mark.parametrize("trouble", [{"running": "a1b2"}, {"cleanup": 125, "left": ":KUBE-SERVICES - [0:0]"}])
def test_whoever_was_interrupted_begins_again(master: Path, trouble: dict[str, object]) -> None:
    assert leave(master, **trouble).returncode != 0  # type: ignore[arg-type]
    assert left(master) == {"other-pod.yaml", kube_proxy.LEAVING}
    assert (master / KUBE_PROXY[1:]).exists()
    assert leave(master).returncode == 0
    assert left(master) == {"other-pod.yaml"}
