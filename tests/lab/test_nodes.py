"""Two real nodes: laid out by Ignition, booted, used, stopped, started again, and gone without a trace."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from hardway.lab import cgroups, ignite, image_store, network, node, prerequisites, removal, services
from hardway.lab.deviations.row import look
from hardway.lab.paths import lab_paths
from hardway.model.errors import ConfigError, ToolError
from tests.lab.machines import cluster_of, first_disk, lab_place, running_lab, traces
from tests.support.waiting import until

POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: try, namespace: default}}
spec:
  hostNetwork: true
  containers:
  - name: try
    image: {image}
    command: [sh, -c, "busybox hostname > /out/name; exec sleep 9999"]
    securityContext: {{privileged: true}}
    volumeMounts: [{{name: out, mountPath: /out}}]
  volumes:
  - name: out
    hostPath: {{path: /var/lib/try, type: DirectoryOrCreate}}
"""


def unknown(cluster):
    """The lab's image under a name that no registry has."""
    return f"192.0.2.9/not/there@{cluster.release.images['pod'].partition('@')[2]}"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with running_lab(f"t{os.getpid()}", tmp_path_factory.mktemp("cluster")) as found:
        image_store.fill(found.paths, {unknown(found.cluster): f"docker://{found.cluster.release.images['pod']}"})
        for name in ("bootstrap", "master-0"):
            found.start(name)
        yield found
    assert traces(found.paths) == []


def said(lab, name):
    return lambda: node.journal(lab.paths, name)


@pytest.mark.parametrize("name", ["bootstrap", "master-0"])
def test_a_node_is_the_machine_of_the_plan(lab, name):
    planned = next(n for n in lab.cluster.nodes if n.name == name)
    until(lambda: planned.address in lab.run(name, "ip", "address"), said(lab, name))
    (card,) = json.loads(lab.run(name, "ip", "-json", "address", "show", "dev", "eth0"))
    assert card["address"] == planned.mac
    assert [a["local"] for a in card["addr_info"] if a["scope"] == "global"] == [planned.address]
    assert lab.run(name, "hostname") == name
    assert lab.cluster.gateways[0] in lab.run(name, "ip", "route", "show", "default")


def test_nodes_are_not_each_other(lab):
    names = {lab.run(name, "cat", "/etc/machine-id") for name in ("bootstrap", "master-0")}
    assert len(names) == 2
    lab.run("bootstrap", "touch", "/etc/only-here")
    assert lab.run("master-0", "sh", "-c", "ls /etc/only-here 2>&1 || true").endswith("No such file or directory")


@pytest.mark.parametrize("name", ["bootstrap", "master-0"])
def test_names_lead_to_the_load_balancer_and_images_come_over_the_bridge(lab, name):
    until(lambda: node.enter(lab.paths, name, ["getent", "hosts", lab.cluster.api_int_host]).ok, said(lab, name))
    answer = lab.run(name, "getent", "hosts", lab.cluster.api_int_host)
    assert answer.split()[0] == lab.cluster.api_vips[0]
    other = {"bootstrap": "master-0", "master-0": "bootstrap"}[name]
    assert lab.run(name, "getent", "hosts", f"{other}.{lab.cluster.domain}")
    url = f"http://{services.registry(lab.cluster)}/v2/lab/tools/tags/list"
    assert json.loads(lab.run(name, "curl", "--silent", "--fail", url))["tags"] == ["1"]


@pytest.mark.parametrize("name", ["bootstrap", "master-0"])
def test_systemd_has_started_the_runtime_from_ignitions_units(lab, name):
    until(
        lambda: node.enter(lab.paths, name, ["systemctl", "is-active", "crio.service"]).ok,
        lambda: node.journal(lab.paths, name, "crio.service"),
    )
    info = json.loads(lab.run(name, "curl", "--silent", "--unix-socket", "/run/crio/crio.sock", "http://crio/info"))
    assert info["cgroup_driver"] == ("cgroupfs" if look().cgroups == "v1" else "systemd")
    assert info["storage_driver"] == "overlay"
    assert lab.run(name, "systemctl", "is-enabled", "kubelet.service") == "enabled"


def test_the_kubelet_runs_a_privileged_static_pod_from_the_registry(lab):
    image = lab.cluster.release.images["pod"]
    until(
        lambda: node.enter(lab.paths, "bootstrap", ["systemctl", "is-active", "kubelet.service"]).ok,
        lambda: node.journal(lab.paths, "bootstrap", "kubelet.service"),
    )
    manifests = lab.paths.node("bootstrap") / "root/etc/kubernetes/manifests"
    assert {"etcd-member-pod.yaml", "kube-apiserver-pod.yaml"} <= {p.name for p in manifests.iterdir()}
    (manifests / "try.yaml").write_text(POD.format(image=image))
    until(
        lambda: node.enter(lab.paths, "bootstrap", ["cat", "/var/lib/try/name"]).output.strip() == "bootstrap",
        lambda: node.journal(lab.paths, "bootstrap", "kubelet.service"),
    )


def test_an_image_that_was_unpacked_for_all_nodes_needs_no_registry(lab):
    manifests = lab.paths.node("bootstrap") / "root/etc/kubernetes/manifests"
    text = (
        POD.format(image=unknown(lab.cluster)).replace("name: try", "name: shared").replace("/out/name", "/out/shared")
    )
    (manifests / "shared.yaml").write_text(text)
    until(
        lambda: node.enter(lab.paths, "bootstrap", ["cat", "/var/lib/try/shared"]).output.strip() == "bootstrap",
        lambda: node.journal(lab.paths, "bootstrap", "kubelet.service"),
    )


def test_a_disk_of_the_machine_cannot_be_read_by_a_privileged_pod(lab):
    manifests = lab.paths.node("bootstrap") / "root/etc/kubernetes/manifests"
    numbers = " ".join(first_disk())
    tries = f"busybox mknod /out/disk b {numbers}; busybox head -c1 /out/disk 2>/out/said; exec sleep 9999"
    text = POD.format(image=lab.cluster.release.images["pod"]).replace("name: try", "name: reads")
    (manifests / "reads.yaml").write_text(text.replace("busybox hostname > /out/name; exec sleep 9999", tries))
    until(
        lambda: "not permitted" in node.enter(lab.paths, "bootstrap", ["cat", "/var/lib/try/said"]).output,
        lambda: node.journal(lab.paths, "bootstrap", "kubelet.service"),
    )


def test_what_ignition_wrote_is_what_the_node_has(lab):
    """The lab's files lie below: no path is both Ignition's and the lab's."""
    for name in ("bootstrap", "master-0"):
        folder = lab.paths.node(name)
        ours = {p.relative_to(folder / "lab") for p in (folder / "lab").rglob("*") if not p.is_dir()}
        assert ours
        assert not [p for p in ours if (folder / "upper" / p).is_file() and not (folder / "upper" / p).is_symlink()]
        assert (folder / "upper/etc/hostname").read_text().strip() == name


def test_a_node_stops_and_starts_again_as_itself(lab):
    before = lab.run("master-0", "cat", "/etc/machine-id")
    node.stop(lab.paths, "master-0")
    assert node.state(lab.paths, "master-0") == "off"
    assert cgroups.members(lab.paths, "master-0") == set()
    assert "systemd[1]: Shutting down" in node.journal(lab.paths, "master-0", lines=2000)
    with pytest.raises(ToolError, match="master-0: is not running"):
        node.enter(lab.paths, "master-0", ["true"])
    assert node.state(lab.paths, "bootstrap") != "off"
    lab.start("master-0")
    assert lab.run("master-0", "cat", "/etc/machine-id") == before


def test_a_node_whose_power_is_cut_boots_again(lab):
    lab.run("master-0", "ip", "link", "add", "left-over", "type", "bridge")
    node.cut(lab.paths, "master-0")
    assert node.state(lab.paths, "master-0") == "off"
    lab.start("master-0")
    assert "left-over" not in lab.run("master-0", "ip", "link")
    address = next(n.address for n in lab.cluster.nodes if n.name == "master-0")
    until(lambda: address in lab.run("master-0", "ip", "address"), said(lab, "master-0"))


def test_a_node_survives_a_restart_of_the_machine(lab):
    """Which takes mounts, namespaces and groups away, and leaves the lab's folder."""
    name, folder = "master-0", lab.paths.node("master-0")
    before = lab.run(name, "cat", "/etc/machine-id")
    node.cut(lab.paths, name)
    subprocess.run(["umount", folder / "root"], check=True)
    subprocess.run(["ip", "netns", "del", lab.paths.namespace(name)], check=True)
    lab.start(name)
    assert lab.run(name, "cat", "/etc/machine-id") == before


def test_a_node_whose_laying_out_was_interrupted_is_laid_out_anew(lab):
    name, folder = "master-0", lab.paths.node("master-0")
    before = lab.run(name, "cat", "/etc/machine-id")
    node.cut(lab.paths, name)
    (folder / "ignition" / ignite.DONE).unlink()
    lab.start(name)
    assert lab.run(name, "cat", "/etc/machine-id") != before
    server = lab.cluster.dns_servers[0]
    until(lambda: server in lab.run(name, "sh", "-c", "cat /etc/resolv.conf || true"), said(lab, name))


def test_a_second_lab_beside_the_first_comes_and_goes(lab, tmp_path):
    cluster = cluster_of(tmp_path)
    with lab_place(f"u{os.getpid()}") as second:
        network.up(second, cluster)
        services.up(second, cluster)
        assert services.registry(cluster) != services.registry(lab.cluster)
        removal.remove(second)
        assert traces(second) == []
    assert lab.run("bootstrap", "getent", "hosts", lab.cluster.api_host)


def test_a_network_of_this_machine_is_not_taken(lab):
    with (
        lab_place(f"v{os.getpid()}") as second,
        pytest.raises(ToolError, match=rf"overlaps with .*{lab.paths.link}[\s\S]*fix: set networking.machineNetwork"),
    ):
        prerequisites.demand(second, lab.cluster)
    assert traces(second) == []


def test_a_lab_of_the_same_name_elsewhere_is_left_alone(lab, tmp_path):
    other = lab_paths(lab.paths.name, tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match=f"belongs to another one: .*{lab.paths.folder}"):
        network.up(other, lab.cluster)
    with pytest.raises(ConfigError, match=f"belongs to another one: .*{lab.paths.folder}"):
        removal.remove(other)
    assert node.state(lab.paths, "bootstrap") != "off"


def test_a_folder_that_is_not_a_labs_is_left_alone(tmp_path):
    (tmp_path / "mine").write_text("precious")
    other = lab_paths(f"z{os.getpid()}", tmp_path)
    cluster = cluster_of(tmp_path / "cluster")
    with pytest.raises(ConfigError, match="has files that are not a lab's"):
        network.up(other, cluster)
    with pytest.raises(ConfigError, match="has files that are not a lab's"):
        removal.remove(other)
    assert (tmp_path / "mine").read_text() == "precious"
    assert removal.remains(other) == [f"folder {tmp_path}"]


def test_a_second_start_changes_nothing(lab):
    leader = node.leader(lab.paths, "bootstrap")
    network.up(lab.paths, lab.cluster)
    services.up(lab.paths, lab.cluster)
    lab.start("bootstrap")
    assert node.leader(lab.paths, "bootstrap") == leader
    assert lab.paths.laid_out() == ("bootstrap", "master-0")
