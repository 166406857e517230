"""kube-proxy on a master with its own identity, and what is left when it has gone: real programs, real rules."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from hardway.model.cluster import Cluster
from hardway.staticpods import kube_proxy
from hardway.staticpods.paths import KUBE_PROXY
from hardway.staticpods.row import arguments
from tests.support.apiserver import start_control_plane
from tests.support.clusters import install_config
from tests.support.entropy import FixedEntropy
from tests.support.netns import inside
from tests.support.node_roots import NAMES, NodeRoot, nodes, program
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until

FOLDER = "/etc/kubernetes/manifests"
KUBELETS = {"KUBE-FIREWALL", "KUBE-KUBELET-CANARY"}  # which the kubelet keeps up: kube-proxy leaves them alone
IDLE = {"KUBE-MARK-MASQ", "KUBE-PROXY-CANARY"}  # which its cleanup forgets; no rule leads to them
SERVICE = "https://172.30.0.1:443/readyz"


@dataclass
class Master:
    cluster: Cluster
    root: NodeRoot
    scratch: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.scratch}:/usr/sbin:/usr/bin:/sbin:/bin"
        inside = ["ip", "netns", "exec", self.root.space, "env", "-i", f"PATH={path}"]
        return subprocess.run([*inside, *words], capture_output=True, text=True, check=False)

    def rules(self) -> str:
        return self.run("iptables-save").stdout

    def leave(self) -> subprocess.CompletedProcess[str]:
        """As stage 16 runs it, on this master's folders."""
        shell, option, script = kube_proxy.removal(self.cluster)
        for place in (FOLDER, KUBE_PROXY):
            script = script.replace(place, f"{self.root.root}{place}")
        return self.run(shell, option, script)


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    """A master with kube-proxy's two files and a chain of somebody else's; the bootstrap node has the API."""
    scratch = tmp_path_factory.mktemp("proxied")
    folder = write_folder(scratch / "c", install_config(), keys="ecdsa-p256", kubeProxy=True)
    workspace = build_folder(folder, FixedEntropy(now=datetime.now(UTC).replace(microsecond=0)))
    cluster = workspace.loaded.cluster
    assert "network" in cluster.operators
    with nodes(cluster, scratch / "nodes") as made, inside(made.hub):
        start_control_plane(workspace, made)
        root = made[cluster.masters[0].name]
        hosts = NAMES / root.space / "hosts"  # without a load balancer, api-int is the bootstrap node
        hosts.write_text(hosts.read_text().replace(cluster.api_vips[0], cluster.bootstrap.address))
        assets = {f"{FOLDER}/{kube_proxy.DOCUMENT.file}": kube_proxy.DOCUMENT.path}
        assets[f"{KUBE_PROXY}/kubeconfig"] = "auth/kube-proxy.kubeconfig"
        root.put({path: (0o600, workspace.store.read(asset) or b"") for path, asset in assets.items()})
        found = Master(cluster=cluster, root=root, scratch=scratch)
        assert found.run("iptables", "--table=nat", "--new-chain=SOMEBODY-ELSES").returncode == 0
        yield found


@pytest.fixture(scope="module")
def process(master):
    """The pod's own command line, in the master's network."""
    root, node = master.root, master.root.node
    known = {"$(NODE_NAME)": node.name, "$(HOST_IP)": node.address, kube_proxy.MOUNT: f"{root.root}{KUBE_PROXY}"}
    words = list(arguments(kube_proxy.FLAGS, master.cluster, node))
    for name, value in known.items():
        words = [word.replace(name, value) for word in words]
    with root.log("kube-proxy").open("wb") as log:
        running = subprocess.Popen(
            ["ip", "netns", "exec", root.space, str(program("kube-proxy")), *words], stdout=log, stderr=log
        )
        try:
            yield running
        finally:
            running.kill()
            running.wait()


def place(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{body}\n")
    (folder / name).chmod(0o755)


def test_its_certificate_is_enough_and_the_service_leads_to_the_api(master, process):
    until(lambda: "KUBE-SVC-" in master.rules(), master.root.log("kube-proxy").read_text)
    asked = ("curl", "--silent", "--insecure", "--max-time", "5", SERVICE)
    until(lambda: master.run(*asked).stdout == "ok", lambda: master.run(*asked).stderr)


def test_it_leaves_with_its_rules_and_nobody_elses(master, process):
    """A kubelet's part is played: it ends the pod when its manifest is gone. crictl says whether it runs, and podman
    runs the real program, whose image here has neither ipset nor nft."""
    manifest = master.root.root / FOLDER[1:] / kube_proxy.DOCUMENT.file
    place(master.scratch, "crictl", f"! kill -0 {process.pid} 2>/dev/null || echo a1b2")
    place(master.scratch, "podman", f"exec {program('kube-proxy')} --cleanup")
    kubelet = Thread(target=lambda: (until(lambda: not manifest.exists()), process.terminate(), process.wait()))
    kubelet.start()
    done = master.leave()
    kubelet.join()
    assert done.returncode == 0, done.stderr
    rules = master.rules()
    chains = {line[1:].split()[0] for line in rules.splitlines() if line.startswith(":")}
    assert {chain for chain in chains if chain.startswith("KUBE-")} <= KUBELETS | IDLE
    assert not any(f"-j {chain}" in rules for chain in IDLE)
    assert "SOMEBODY-ELSES" in chains
    assert master.run("curl", "--insecure", "--max-time", "2", SERVICE).returncode != 0
    assert list((master.root.root / FOLDER[1:]).iterdir()) == []
    assert not (master.root.root / KUBE_PROXY[1:]).exists()
