"""THE TABLE of programs: which stage needs each, from which version on, and where it comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hardway.lines.default import DEFAULT
from hardway.model.why import Why, because

Profile = Literal["build", "own", "libvirt"]
"""Only make the artifacts, install machines that you bring yourself, or run everything on this machine."""
_DASHES = ("--version",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    name: str
    minimum: str
    stages: str
    needed: tuple[Profile, ...]  # an error without it; for the other profiles it is left out or a warning
    useful: tuple[Profile, ...] = ()
    question: tuple[str, ...] = _DASHES
    instead: tuple[str, ...] = ()  # others that do as well
    packages: Mapping[str, str]  # by family of distributions
    elsewhere: str = "your distribution has it under some name"  # where it is not a package
    why: Why


def _both(name: str) -> dict[str, str]:
    return {"debian": name, "fedora": name}


ALL: tuple[Profile, ...] = ("build", "own", "libvirt")
PROGRAMS: tuple[Program, ...] = (
    Program(
        name="openssl",
        minimum="3.0",
        stages="05-08",
        needed=(),
        useful=ALL,
        question=("version",),
        packages=_both("openssl"),
        why=because(
            "Reads certificates in the guide, as a second opinion.", breaks="you cannot inspect certificates yourself"
        ),
    ),
    Program(
        name="jq",
        minimum="1.5",
        stages="08",
        needed=(),
        useful=ALL,
        packages=_both("jq"),
        why=because("Reads Ignition files in the guide.", breaks="you cannot inspect Ignition files yourself"),
    ),
    Program(
        name="podman",
        minimum="4.0",
        stages="04",
        needed=("own", "libvirt"),
        packages=_both("podman"),
        why=because("Runs MCO from the release, which renders the nodes.", breaks="masters have no Ignition"),
    ),
    Program(
        name="skopeo",
        minimum="1.4",
        stages="04",
        needed=(),
        useful=("own", "libvirt"),
        packages=_both("skopeo"),
        why=because("Looks into registries and copies images to a mirror.", breaks="mirrors need another tool"),
    ),
    Program(
        name="virsh",
        minimum="7.0",
        stages="02, 09",
        needed=("libvirt",),
        packages={"debian": "libvirt-clients", "fedora": "libvirt-client"},
        why=because("Defines networks, pools and machines.", breaks="there are no machines"),
    ),
    Program(
        name="libvirtd",
        minimum="7.0",
        stages="02",
        needed=("libvirt",),
        instead=("virtqemud",),
        packages={"debian": "libvirt-daemon-system", "fedora": "libvirt-daemon-kvm"},
        why=because("Runs the machines and their network's DNS and DHCP.", breaks="virsh has no daemon to connect to"),
    ),
    Program(
        name="qemu-system-x86_64",
        minimum="5.2",
        stages="02",
        needed=("libvirt",),
        instead=("qemu-kvm", "/usr/libexec/qemu-kvm"),
        packages={"debian": "qemu-system-x86", "fedora": "qemu-kvm"},
        why=because("Runs each virtual machine.", breaks="libvirt cannot start a machine"),
    ),
    Program(
        name="qemu-img",
        minimum="5.2",
        stages="02",
        needed=("libvirt",),
        packages={"debian": "qemu-utils", "fedora": "qemu-img"},
        why=because("Makes disks that grow as they are written.", breaks="machines have no disks"),
    ),
    Program(
        name="haproxy",
        minimum="2.2",
        stages="02",
        needed=("libvirt",),
        useful=("own",),
        question=("-v",),
        packages=_both("haproxy"),
        why=because(
            "Balances the load. Since version 2.2, a health check can define what it sends and expects.",
            breaks="nothing answers on the API's address",
        ),
    ),
    Program(
        name="dnsmasq",
        minimum="2.80",
        stages="02",
        needed=("libvirt",),
        packages={"debian": "dnsmasq-base", "fedora": "dnsmasq"},
        why=because("Answers DNS and DHCP on libvirt's network.", breaks="machines get no address and find no name"),
    ),
    Program(
        name="ip",
        minimum="4.15",
        stages="02",
        needed=("libvirt",),
        question=("-V",),
        packages={"debian": "iproute2", "fedora": "iproute"},
        why=because("Puts the VIPs on the bridge.", breaks="the load balancer cannot bind its addresses"),
    ),
    Program(
        name="coreos-installer",
        minimum="0.12",
        stages="09",
        needed=("own", "libvirt"),
        packages={"fedora": "coreos-installer"},
        elsewhere="cargo install coreos-installer builds it",
        why=because(
            "Puts Ignition into images, since version 0.12.",
            breaks="images do not install by themselves",
        ),
    ),
    Program(
        name="oc",
        minimum=DEFAULT.oldest_oc,
        stages="10-17",
        needed=(),
        useful=("own", "libvirt"),
        question=("version", "--client"),
        instead=("kubectl",),
        packages={},
        elsewhere="mirror.openshift.com/pub/openshift-v4/clients/ocp has it, and kubectl "
        f"{DEFAULT.oldest_kubectl} will do",
        why=because(
            "Queries the running cluster from the command line.", breaks="you see the cluster through hardway alone"
        ),
    ),
    Program(
        name="ssh",
        minimum="8.0",
        stages="10",
        needed=(),
        useful=("own", "libvirt"),
        question=("-V",),
        packages={"debian": "openssh-client", "fedora": "openssh-clients"},
        why=because("Opens a shell on a machine that failed.", breaks="only the machine's console shows what failed"),
    ),
)
INSTEAD_MINIMUM = {"kubectl": DEFAULT.oldest_kubectl}


def questions() -> list[tuple[str, tuple[str, ...]]]:
    """Every program that could be there, and how it is asked for its version."""
    return [(name, row.question) for row in PROGRAMS for name in (row.name, *row.instead)]


def version_of(said: str) -> tuple[int, ...] | None:
    """The first number with a point in it."""
    found = re.search(r"\d+(?:\.\d+)+", said)
    return tuple(int(part) for part in found[0].split(".")) if found else None


def parsed(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
