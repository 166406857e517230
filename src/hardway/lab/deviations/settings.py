"""The contents of the lab's own files on a node that depend on the plan or on the machine."""

from __future__ import annotations

from hardway.lab.deviations.row import Given
from hardway.lab.image_store import PLACE

POLICY = '{"default":[{"type":"insecureAcceptAnything"}]}\n'
"""Which images to believe: all, as RHCOS ships it; signatures are the business of who brings the release."""

RUNTIME = "/usr/libexec/hardway/runc"
EVICTION = "memory.available<100Mi,nodefs.available<1Gi,imagefs.available<1Gi"


def crio(given: Given) -> str:
    """Read after every file of Ignition's."""
    store = f'storage_option = ["overlay.skip_mount_home=true", "overlay.imagestore={PLACE}"]'
    lines = ["[crio]", store, "", "[crio.runtime]", "selinux = false", 'default_runtime = "runc"']
    if given.host.cgroups == "v1":
        lines += ['cgroup_manager = "cgroupfs"', 'conmon_cgroup = "pod"']
    lines += ["", "[crio.runtime.runtimes.runc]", f'runtime_path = "{RUNTIME}"', 'runtime_root = "/run/runc"']
    lines += ['monitor_path = "/usr/bin/conmon"']
    return "\n".join(lines) + "\n"


def podman(given: Given) -> str:
    """The runtime that CRI-O has, and limits that this machine grants."""
    lines = ["[containers]", "default_ulimits = []", "", "[engine]", 'runtime = "lab"', 'events_logger = "file"']
    lines += ['cgroup_manager = "cgroupfs"'] if given.host.cgroups == "v1" else []
    lines += ["", "[engine.runtimes]", f'lab = ["{RUNTIME}"]']
    return "\n".join(lines) + "\n"


def storage(given: Given) -> str:
    """Beside CRI-O's, on the same disk; images that were unpacked for all nodes are found."""
    lines = ["[storage]", 'driver = "overlay"', 'graphroot = "/var/lib/containers/podman"']
    lines += ['runroot = "/run/containers/podman"', "", "[storage.options]", f'additionalimagestores = ["{PLACE}"]']
    return "\n".join(lines) + "\n"


def kubelet_arguments(given: Given) -> str:
    """One a line."""
    words = ["--fail-swap-on=false", "--sync-frequency=10s", f"--eviction-hard={EVICTION}"]
    words += ["--image-gc-high-threshold=100", "--image-gc-low-threshold=99"]
    if given.host.cgroups == "v1":
        words.append("--cgroup-driver=cgroupfs")
    if given.host.limits_bind:
        words.append("--oom-score-adj=0")
    return "\n".join(words) + "\n"


def registries(given: Given) -> str:
    return f'[[registry]]\nlocation = "{given.registry}"\ninsecure = true\n'


def node_address(given: Given) -> str:
    first, every = given.node.address, ",".join(given.node.addresses)
    variables = {"KUBELET_NODE_IP": first, "KUBELET_NODE_IPS": every, "CONTAINER_STREAM_ADDRESS": first}
    lines = [f'Environment="{name}={value}"' for name, value in variables.items()]
    return "\n".join(["[Service]", *lines]) + "\n"
