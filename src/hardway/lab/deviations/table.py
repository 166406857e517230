"""THE TABLE of what a lab node does differently from RHCOS.

Every file that the lab adds to a node belongs to a row. The files lie in a layer below the one that Ignition writes
to: where both have a path, Ignition's file is the one that counts.
"""

from __future__ import annotations

from collections.abc import Callable

from hardway.drive.live import read_asset
from hardway.lab.deviations import rendered
from hardway.lab.deviations.row import Deviation, Given, Placed
from hardway.lab.deviations.settings import POLICY, crio, kubelet_arguments, node_address, registries
from hardway.lab.devices import as_specification
from hardway.lab.pods import cni
from hardway.lab.rights import TABLE as RIGHTS
from hardway.lines.default import DEFAULT
from hardway.staticpods import kube_proxy
from hardway.staticpods.paths import KUBE_PROXY

UNITS = "/usr/lib/systemd/system"
LIBEXEC = "/usr/libexec/hardway"
NOTHING = "/dev/null"


def _masked(*units: str) -> tuple[Placed, ...]:
    return tuple(Placed(path=f"{UNITS}/{unit}", link=NOTHING) for unit in units)


def _never(*units: str) -> tuple[Placed, ...]:
    """Units that others require: to be skipped is to have succeeded, to be masked would be to fail."""
    return tuple(Placed(path=f"{UNITS}/{unit}.d/50-lab.conf", shipped="never.conf") for unit in units)


def _asset(path: str) -> Callable[[Given], str]:
    return lambda given: read_asset(given.assets, path).decode()


def _by_render(given: Given) -> bool:
    return given.node.role != "bootstrap"


SYSTEM: tuple[Deviation, ...] = (
    Deviation(
        name="debian",
        what="The system is a small Debian, not RHCOS: no ostree, no SELinux, no SSH, no logins, no time service, no "
        "firmware.",
        why="RHCOS comes from Red Hat's registry; the units, files and users that Ignition writes are the same. "
        "Services that only serve logins would run on every node without a use.",
        files=(
            Placed(path="/etc/selinux/config", make=lambda _: "SELINUX=disabled\n"),
            Placed(path=f"{UNITS}/default.target", link="multi-user.target"),
            Placed(path="/usr/lib/systemd/system-preset/30-hardway.preset", shipped="presets.conf"),
            Placed(path="/usr/lib/systemd/journald.conf.d/50-lab.conf", shipped="journald.conf"),
            Placed(path="/etc/containers/policy.json", make=lambda _: POLICY),
            *_masked("systemd-firstboot.service", "systemd-logind.service"),
            *_masked("systemd-update-utmp.service", "systemd-update-utmp-runlevel.service"),
        ),
    ),
    Deviation(
        name="one-kernel",
        what="All nodes run on this machine's kernel. A node cannot change settings of the whole kernel, and the "
        "kubelet sees the values that it requires. Only settings under net belong to a node.",
        why="A node must not change the machine that it runs on; sysctl.d files of the render would.",
        files=(
            Placed(path=f"{LIBEXEC}/ground.sh", shipped="ground.sh", mode=0o755),
            Placed(path=f"{UNITS}/hardway-ground.service", shipped="ground.service"),
            Placed(path=f"{UNITS}/sysinit.target.wants/hardway-ground.service", link="../hardway-ground.service"),
            Placed(path="/usr/lib/sysctl.d/50-hardway.conf", shipped="sysctl.conf"),
        ),
    ),
    Deviation(
        name="power-off",
        what="A node that is told to stop waits 10 s for units that do not stop, not 90.",
        why="Under cgroup v1, a node's systemd does not manage its containers, and cannot stop one after the other in "
        "time.",
        files=(Placed(path="/usr/lib/systemd/system.conf.d/50-lab.conf", shipped="manager.conf"),),
    ),
    Deviation(
        name="devices",
        what="No udev and no loading of modules. Only the standard devices can be opened, also by privileged pods; "
        "/dev/kmsg is empty.",
        why="Devices, modules and the kernel's log are the machine's, and asking for their events again would disturb "
        "it. The kernel limits all nodes of the lab to a list of devices.",
        files=(
            Placed(path="/etc/hardway/lab/devices.json", make=lambda _: as_specification()),
            *_masked(
                "systemd-udevd.service",
                "systemd-udevd-control.socket",
                "systemd-udevd-kernel.socket",
                "systemd-udev-trigger.service",
                "systemd-modules-load.service",
                "modprobe@.service",
            ),
        ),
    ),
    Deviation(
        name="rights",
        what=f"A node's root lacks {len(RIGHTS)} capabilities, such as those to load modules, set the clock or "
        "start another kernel; a container that asks for them gets the rest. A node that is told to reboot goes off.",
        why="A node is a guest on this machine, and its own programs need none of them.",
        files=(Placed(path=f"{LIBEXEC}/runc", shipped="runtime.sh", mode=0o755),),
    ),
    Deviation(
        name="card",
        what="The network card is one end of a veth pair with the planned hardware address, called eth0; "
        "NetworkManager takes its addresses from the profile that Ignition wrote, as on RHCOS.",
        why="The render tells NetworkManager to ignore veth devices, which on a real node belong to pods; and "
        "without udev it would wait for the card without end, unless it finds /sys read-only.",
        files=(
            Placed(path="/etc/NetworkManager/conf.d/99-lab.conf", shipped="networkmanager-card.conf"),
            Placed(path=f"{UNITS}/NetworkManager.service.d/50-lab.conf", shipped="networkmanager-unit.conf"),
        ),
    ),
)

RUNTIME: tuple[Deviation, ...] = (
    Deviation(
        name="crio",
        what="CRI-O 1.34 with runc, conmon and the CNI plugins of Debian; on RHCOS "
        f"{DEFAULT.minor} it is CRI-O {DEFAULT.kubernetes} with crun. It starts beside the network, not after it.",
        why=f"CRI-O {DEFAULT.kubernetes} is not published as a Go module; Debian's crun refuses specifications this "
        "new. The kubelet waits for both, and nothing else asks CRI-O for an image.",
        files=(
            Placed(path=f"{UNITS}/crio.service", shipped="crio.service"),
            Placed(path="/etc/crio/crio.conf.d/99-lab.conf", make=crio),
            Placed(path="/usr/libexec/cni", link="/usr/lib/cni"),
            Placed(path="/opt/cni/bin", link="/usr/lib/cni"),
        ),
    ),
    Deviation(
        name="limits",
        what="Containers that ask for more than this machine's limits get the limits; a negative oom_score_adj is 0.",
        why="CAP_SYS_RESOURCE is missing here, and runc refuses what it cannot grant (unable to apply caps).",
        where="every node, where the machine lacks CAP_SYS_RESOURCE",
        applies=lambda given: given.host.limits_bind,
    ),
    Deviation(
        name="kubelet",
        what="The kubelet gets a few more options after those of its unit: it tolerates swap, checks its pods every "
        "ten seconds, treats a disk as full when less than 1 GiB is free, deletes no images and, where the "
        "machine requires it, uses cgroupfs and leaves its own oom_score_adj alone.",
        why="The units of bootstrap node and render name systemd as the cgroup driver, which under cgroup v1 does "
        "not control the controllers inside a node. The API shows static pods that started before their node "
        "registered only after the next check, which on a real node is up to a minute later. The disk belongs to "
        "the machine, and 15 % of it may be more than a lab needs.",
        files=(
            Placed(path="/usr/bin/kubelet", shipped="kubelet-args.sh", mode=0o755),
            Placed(path="/etc/hardway/lab/kubelet-arguments", make=kubelet_arguments),
        ),
    ),
    Deviation(
        name="registry",
        what="Images come from a registry on the lab's own bridge, without TLS, which nodes and pods can only read.",
        why="The lab needs no network beyond itself; no other machine is on the bridge, and images are named by "
        "digest.",
        files=(Placed(path="/etc/containers/registries.conf.d/50-lab.conf", make=registries),),
    ),
    Deviation(
        name="images",
        what="Images of the release are unpacked once for all nodes; each node finds them as if it had pulled them.",
        why="Six nodes on one disk would unpack, and hold in memory, six copies of the same programs.",
    ),
    Deviation(
        name="oc",
        what="`oc` is kubectl under another name.",
        why="oc is not published as a Go module; bootkube.sh needs nothing that kubectl lacks.",
        files=(Placed(path="/usr/bin/oc", link="kubectl"),),
    ),
)

RENDER: tuple[Deviation, ...] = (
    Deviation(
        name="ovs",
        what="Open vSwitch is not set up.",
        why="The lab's pods are on a plain bridge; the card stays as it is.",
        where="masters and workers",
        applies=_by_render,
        files=(
            Placed(path=f"{UNITS}/openvswitch.service", shipped="stand-in.service"),
            *_never("ovs-configuration.service"),
        ),
    ),
    Deviation(
        name="pod-network",
        what="Pods are on a bridge of their node, with a subnet of the pod network by plan; the gateway routes "
        "between the subnets. No OVN, no network policies.",
        why="OVN needs Open vSwitch and its kernel modules; Debian has the plugins for a bridge.",
        where="masters and workers",
        applies=_by_render,
        files=(Placed(path="/etc/kubernetes/cni/net.d/10-lab.conflist", make=cni),),
    ),
    Deviation(
        name="services",
        what="Workers run kube-proxy too, from the same pod and with the same kubeconfig as masters.",
        why="On a real cluster OVN implements Services on every node, and kube-proxy only helps masters until then.",
        where="workers",
        applies=lambda given: given.node.role == "worker",
        files=(
            Placed(
                path="/etc/kubernetes/manifests/kube-proxy-pod.yaml", make=_asset(kube_proxy.DOCUMENT.path), mode=0o600
            ),
            Placed(path=f"{KUBE_PROXY}/kubeconfig", make=_asset("auth/kube-proxy.kubeconfig"), mode=0o600),
        ),
    ),
    Deviation(
        name="node-address",
        what="The kubelet is told the planned address by a drop-in of the lab, which nodeip-configuration would write.",
        why="That service runs an image of the release with podman to find an address that the plan already has.",
        where="masters and workers",
        applies=_by_render,
        files=(
            *_never("nodeip-configuration.service"),
            Placed(path=f"{UNITS}/kubelet.service.d/20-nodenet.conf", make=node_address),
            Placed(path=f"{UNITS}/crio.service.d/20-nodenet.conf", make=node_address),
        ),
    ),
    Deviation(
        name="first-boot",
        what="The system is neither replaced nor restarted at first boot; kernel arguments of the render do not apply.",
        why="There is no ostree: the daemon's units find no /run/ostree-booted and skip themselves.",
        where="masters and workers",
        applies=_by_render,
    ),
)

TABLE: tuple[Deviation, ...] = (*SYSTEM, *RUNTIME, *RENDER, *rendered.TABLE)


def of(given: Given) -> tuple[Deviation, ...]:
    """The rows that count for a node on this machine."""
    return tuple(row for row in TABLE if row.applies(given))
