"""What nodes stand on, without booting one: names, tables, layers, the runtime's wrapper."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import replace
from importlib.resources import files
from ipaddress import ip_network
from pathlib import Path

import pytest

from hardway.lab import pods, root, services
from hardway.lab.deviations import table
from hardway.lab.deviations.row import Given, HostTraits
from hardway.lab.devices import as_specification
from hardway.lab.network import machine_addresses, own_addresses
from hardway.lab.paths import lab_paths
from hardway.model.cluster import ClusterNetwork
from hardway.model.errors import ConfigError
from tests.support.clusters import VARIANTS, install_config, load_cluster

FILES = files("hardway.lab").joinpath("files")
WITHOUT = ["setpriv", "--bounding-set=-sys_module,-sys_resource"]
ON_THE_MACHINE = {"launch.sh", "root-hook.sh", "within.sh"}
HOSTS = [HostTraits(cgroups=mode, limits_bind=bind) for mode in ("v1", "v2") for bind in (False, True)]


@pytest.fixture(scope="module")
def cluster():
    return load_cluster().cluster


def given(cluster, node, host, scratch):
    """With the two files of the assets that a worker gets from the lab."""
    assets = scratch / "assets"
    for path in ("master-manifests/kube-proxy-pod.yaml", "auth/kube-proxy.kubeconfig"):
        (assets / path).parent.mkdir(parents=True, exist_ok=True)
        (assets / path).write_text("kind: Any\n")
    return Given(cluster=cluster, node=node, host=host, registry="192.0.2.1:5000", assets=assets)


@pytest.mark.parametrize("name", ["", "Demo", "a.b", "-a", "a-", "a" * 21, "a_b", "a/b"])
def test_a_name_that_cannot_be_used_is_refused(name):
    with pytest.raises(ConfigError, match="cannot be a lab's name"):
        lab_paths(name)


@pytest.mark.parametrize("folder", ["/a b", "/a:b", "/a,b", "/a\\b"])
def test_a_folder_that_mount_would_misread_is_refused(folder):
    with pytest.raises(ConfigError, match="fix: name another folder"):
        lab_paths("demo", Path(folder))


def test_a_network_without_a_free_address_is_refused(cluster):
    tiny = ip_network("192.0.2.0/29")
    nodes = tuple(replace(cluster.bootstrap, addresses=(str(address),)) for address in tiny.hosts())
    with pytest.raises(ConfigError, match="has no address left"):
        machine_addresses(replace(cluster, machine_networks=(tiny,), nodes=nodes))


def test_names_fit_and_differ():
    labs = [lab_paths(name, Path("/x")) for name in ("a", "a-b", "a" * 20, "a" * 19, f"{'a' * 19}b")]
    assert len({lab.link for lab in labs}) == len(labs)
    assert all(len(lab.link) <= 15 for lab in labs)
    names = [lab.machine(node) for lab in labs for node in ("n", "n" * 63, f"{'n' * 62}m")]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 64 for name in names)


def test_a_lab_is_where_root_keeps_state_unless_told_otherwise(monkeypatch):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert lab_paths("demo").folder == Path("/var/lib/hardway/labs/demo")
    monkeypatch.setenv("XDG_STATE_HOME", "/s")
    assert lab_paths("demo").folder == Path("/s/hardway/labs/demo")


@pytest.mark.parametrize("variant", ["default", "dual-stack", "ipv6"])
def test_no_address_of_the_lab_is_anothers(variant):
    planned = load_cluster(install_config(**VARIANTS[variant])).cluster
    nodes = [address for node in planned.nodes for address in node.addresses]
    machine = machine_addresses(planned)
    assert len(machine) == len(planned.gateways)
    assert len({*nodes, *machine, *own_addresses(planned)}) == len(nodes) + len(machine) + len(own_addresses(planned))


def test_images_are_served_at_an_address_that_their_names_can_have():
    mixed = load_cluster(install_config(**VARIANTS["dual-stack"])).cluster
    assert services.registry(replace(mixed, gateways=mixed.gateways[::-1])) == "192.168.126.1:5000"
    with pytest.raises(ConfigError, match="a lab needs an IPv4 network too"):
        services.registry(load_cluster(install_config(**VARIANTS["ipv6"])).cluster)


def test_the_first_family_of_pods_is_the_clusters_first():
    mixed = load_cluster(install_config(**VARIANTS["dual-stack"])).cluster
    assert [piece.version for piece in pods.subnets(mixed, mixed.masters[0])] == [4, 6]


def test_each_node_has_a_piece_of_the_pod_network_of_its_own(cluster):
    pieces = [piece for node in cluster.nodes for piece in pods.subnets(cluster, node)]
    assert len(set(pieces)) == len(cluster.nodes)
    assert all(piece.subnet_of(cluster.cluster_networks[0].cidr) for piece in pieces)
    small = ClusterNetwork(
        cidr=cluster.cluster_networks[0].cidr, host_prefix=cluster.cluster_networks[0].cidr.prefixlen
    )
    with pytest.raises(ConfigError, match="has no /14 for node number 2"):
        pods.subnets(replace(cluster, cluster_networks=(small,)), cluster.nodes[1])


@pytest.mark.parametrize("host", HOSTS)
def test_a_layer_has_the_files_of_the_rows_that_apply(cluster, host, tmp_path):
    for node in (cluster.bootstrap, cluster.masters[0], cluster.workers[0]):
        what, folder = given(cluster, node, host, tmp_path), tmp_path / node.name
        root.write_layer(folder, what)
        rows = [placed for row in table.of(what) for placed in row.files]
        written = [p for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()]
        assert {f"/{p.relative_to(folder)}" for p in written} == {placed.path for placed in rows}
        assert len(written) == len(rows)


def test_the_machine_decides_what_differs(cluster, tmp_path):
    node = cluster.masters[0]
    told = {g: root_text(cluster, node, g, tmp_path / str(i)) for i, g in enumerate(HOSTS)}
    for host, (crio, kubelet, wrapper) in told.items():
        assert ("cgroupfs" in crio) == ("--cgroup-driver=cgroupfs" in kubelet) == (host.cgroups == "v1")
        assert ("--oom-score-adj=0" in kubelet) == host.limits_bind
        assert "/usr/libexec/hardway/runc" in crio
        assert wrapper


def root_text(cluster, node, host, folder):
    root.write_layer(folder, given(cluster, node, host, folder.parent))
    crio = (folder / "etc/crio/crio.conf.d/99-lab.conf").read_text()
    kubelet = (folder / "etc/hardway/lab/kubelet-arguments").read_text()
    return crio, kubelet, (folder / "usr/libexec/hardway/runc").exists()


def test_every_shipped_file_is_somebodys_and_every_row_has_a_reason():
    used = {placed.shipped for row in table.TABLE for placed in row.files if placed.shipped}
    assert used | ON_THE_MACHINE == {path.name for path in FILES.iterdir()}
    assert len({row.name for row in table.TABLE}) == len(table.TABLE)
    assert all(row.what.endswith(".") and row.why.endswith(".") and row.where for row in table.TABLE)


@pytest.fixture
def bundle(tmp_path):
    """A specification that asks for what not even this machine's root may have everywhere."""
    subprocess.run(["runc", "spec", "--bundle", tmp_path], check=True)
    spec = json.loads((tmp_path / "config.json").read_text())
    spec["process"]["oomScoreAdj"] = -997
    spec["process"]["capabilities"]["bounding"] += ["CAP_SYS_RESOURCE", "CAP_SYS_ADMIN", "CAP_SYS_MODULE"]
    spec["linux"]["resources"] = {"devices": [{"allow": True, "access": "rwm"}]}  # as a privileged container's
    limits = [("RLIMIT_NOFILE", 64), ("RLIMIT_NPROC", 2**60)]
    spec["process"]["rlimits"] = [{"type": kind, "hard": value, "soft": value} for kind, value in limits]
    (tmp_path / "config.json").write_text(json.dumps(spec))
    return tmp_path


def wrapped(*words):
    """Through the wrapper to runc itself, which is only asked for its help."""
    limited = ["prlimit", "--nproc=5000:5000", *WITHOUT, "bash", str(FILES / "runtime.sh"), *words]
    listed = Path(tempfile.gettempdir()) / f"devices-{os.getpid()}.json"
    listed.write_text(as_specification())
    subprocess.run(limited, check=True, capture_output=True, env={**os.environ, "HARDWAY_DEVICES": str(listed)})
    listed.unlink()


def test_the_runtime_gets_what_the_machine_can_give(bundle):
    wrapped("--root", str(bundle / "state"), "create", "--help", "--bundle", str(bundle), "--pid-file", "x", "name")
    process = json.loads((bundle / "config.json").read_text())["process"]
    assert process["oomScoreAdj"] == 0
    assert "CAP_SYS_RESOURCE" not in process["capabilities"]["bounding"]
    assert "CAP_SYS_MODULE" not in process["capabilities"]["bounding"]
    assert "CAP_SYS_ADMIN" in process["capabilities"]["bounding"]
    assert [limit["type"] for limit in process["rlimits"]] == ["RLIMIT_NOFILE"]


def test_a_privileged_container_gets_the_devices_of_its_node_and_no_more(bundle):
    wrapped("create", "--help", "--bundle", str(bundle), "name")
    allowed = json.loads((bundle / "config.json").read_text())["linux"]["resources"]["devices"]
    assert allowed == json.loads(as_specification())
    opened = [row for row in allowed if set(row["access"]) & {"r", "w"}]
    assert all(row["type"] == "c" and "major" in row for row in opened)


def test_a_program_that_is_run_in_a_container_is_treated_alike(bundle):
    whole = json.loads((bundle / "config.json").read_text())
    alone = bundle / "process.json"
    alone.write_text(json.dumps(whole["process"]))
    wrapped("exec", "--help", "--process", str(alone), "name")
    assert json.loads(alone.read_text())["oomScoreAdj"] == 0


def test_other_commands_of_the_runtime_pass_through(bundle):
    before = (bundle / "config.json").read_text()
    wrapped("delete", "--help", "--force", "create")
    assert (bundle / "config.json").read_text() == before
