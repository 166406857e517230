"""THE TABLE of stage 01: what has to be so before anything starts. A profile runs its rows, and no others."""

from __future__ import annotations

from hardway.checks.host import input as given
from hardway.checks.host import machine, place
from hardway.checks.host.programs import Profile
from hardway.checks.host.subject import Host
from hardway.model.check import Check
from hardway.model.why import Why, because

STAGE = "01"


def _why(what: str, breaks: str, readers: str, source: str) -> Why:
    return because(what, breaks=breaks, readers=readers, source=source)


DOCS = "openshift/openshift-docs: requirements for a cluster with user-provisioned infrastructure"
BUILDING: tuple[Check[Host], ...] = (
    Check(
        name="host.programs",
        stage=STAGE,
        run=machine.programs,
        why=_why(
            "Every program that a stage calls is installed and new enough.",
            "a stage stops in the middle because a program is missing",
            "hardway, stage by stage, and you",
            "each program's own release notes; the table of programs",
        ),
    ),
    Check(
        name="host.clock",
        stage=STAGE,
        failure="F02",
        run=machine.clock,
        why=_why(
            "The clock is right: it decides the validity dates of certificates.",
            "machines whose clock is right refuse the certificates: certificate is not yet valid",
            "anyone who verifies a certificate that was made here",
            "ironicbadger/ocp4#23, openshift/machine-config-operator#629",
        ),
    ),
)
HERE: tuple[Check[Host], ...] = (
    Check(
        name="host.kvm",
        stage=STAGE,
        run=machine.kvm,
        skip=machine.none_here,
        why=_why(
            "KVM is available, so that machines run on the processor and are not emulated.",
            "every machine is emulated, and the installation reaches its time limits",
            "qemu",
            "docs.kernel.org/virt/kvm",
        ),
    ),
    Check(
        name="host.libvirt",
        stage=STAGE,
        run=machine.libvirt,
        skip=machine.no_virsh,
        why=_why(
            "The libvirt daemon that will run the machines answers.",
            "`hardway infra up` cannot define a network or a machine",
            "virsh",
            "libvirt.org, connection URIs",
        ),
    ),
    Check(
        name="host.cpu",
        stage=STAGE,
        failure="F39",
        run=machine.cpu,
        skip=machine.none_here,
        why=_why(
            "The processor supports x86-64-v2, which RHEL 9 is compiled for.",
            "every container exits: Fatal glibc error: CPU does not support x86-64-v2",
            "glibc of RHCOS and of every image",
            "x86-64 psABI, micro-architecture levels; hetzner-ocp4#253",
        ),
    ),
    Check(
        name="host.cores",
        stage=STAGE,
        failure="F38",
        run=machine.cores,
        skip=machine.none_here,
        why=_why(
            "The host has about as many processors as the machines have together.",
            "etcd misses its heartbeats while all machines start at once",
            "every machine",
            DOCS,
        ),
    ),
    Check(
        name="host.memory",
        stage=STAGE,
        failure="F38",
        run=machine.memory,
        skip=machine.none_here,
        why=_why(
            "The host's memory holds all machines that run at the same time.",
            "the kernel kills a machine, mostly a master",
            "qemu",
            DOCS,
        ),
    ),
    Check(
        name="host.disk",
        stage=STAGE,
        failure="F38",
        run=machine.disk,
        skip=machine.none_here,
        why=_why(
            "The pool has space for the machines' disks, which grow as they are written.",
            "all machines pause at once when the disk is full",
            "qemu",
            DOCS,
        ),
    ),
    Check(
        name="host.fsync",
        stage=STAGE,
        failure="F37",
        run=machine.fsync,
        skip=machine.not_measured,
        why=_why(
            "The pool's disk confirms small writes quickly; measured only with --probe-disk.",
            "etcd's leader changes again and again, and the API stalls",
            "etcd, which waits for the disk at every change",
            "etcd-io/etcd Documentation: hardware; openshift/openshift-docs#22552",
        ),
    ),
    Check(
        name="host.network",
        stage=STAGE,
        run=place.network,
        why=_why(
            "No interface of this machine is in the planned machine network.",
            "the host has two routes to the same network and uses the wrong one",
            "the host's routing table",
            "ip-route(8)",
        ),
    ),
    Check(
        name="host.ports",
        stage=STAGE,
        failure="F26",
        run=place.ports,
        why=_why(
            "The ports of load balancer and DNS are free. A port that another program has bound to 0.0.0.0 is "
            "unavailable.",
            "HAProxy or dnsmasq exits: cannot bind socket; or the nodes reach another program",
            "HAProxy, dnsmasq",
            DOCS,
        ),
    ),
    Check(
        name="host.selinux",
        stage=STAGE,
        failure="F26",
        run=place.selinux,
        why=_why(
            "SELinux lets HAProxy use ports other than those of a web server.",
            "HAProxy exits: cannot bind socket on 6443 and 22623, although both are free",
            "HAProxy",
            "haproxy_selinux(8); openshift/openshift-ansible#11388",
        ),
    ),
    Check(
        name="host.firewall",
        stage=STAGE,
        failure="F26",
        run=place.firewall,
        why=_why(
            "The firewall zone of the machines' bridge lets them reach the load balancer.",
            "machines reach the internet but not their own API",
            "firewalld",
            "crc-org/crc#2873",
        ),
    ),
    Check(
        name="planned.sizes",
        stage=STAGE,
        failure="F38",
        run=given.sizes,
        why=_why(
            "Every planned machine has at least what its role needs.",
            "pods are killed, not admitted or evicted: OOMKilled, UnexpectedAdmissionError, DiskPressure",
            "every machine",
            DOCS,
        ),
    ),
    Check(
        name="planned.live-memory",
        stage=STAGE,
        failure="F40",
        run=given.live_memory,
        why=_why(
            "Every planned machine has the memory to run the live system from which it is installed.",
            "Failed to isolate default target; no space left on device",
            "the live ISO",
            "coreos/fedora-coreos-tracker#388 #407",
        ),
    ),
)
INSTALLING: tuple[Check[Host], ...] = (
    Check(
        name="host.addresses",
        stage=STAGE,
        run=place.addresses,
        why=_why(
            "No host that this machine knows uses a planned address.",
            "two machines answer for one address in turn",
            "the machines' network",
            "RFC 5227",
        ),
    ),
    Check(
        name="given.pull-secret",
        stage=STAGE,
        failure="F11",
        run=given.pull_secret,
        why=_why(
            "The pull secret is a real one, not the placeholder.",
            "registries answer `unauthorized`, no image is pulled, and bootkube's log stays empty",
            "CRI-O and podman on every machine",
            "openshift/installer#901 #4684",
        ),
    ),
    Check(
        name="given.ssh-key",
        stage=STAGE,
        run=given.ssh_key,
        why=_why(
            "install-config.yaml has your public SSH key, with which you log in to the nodes.",
            "only those who can read assets/ssh/login can inspect a machine that does not join",
            "the user core on every machine",
            DOCS,
        ),
    ),
)
TABLE: tuple[Check[Host], ...] = (*BUILDING, *HERE, *INSTALLING)
BY_PROFILE: dict[Profile, tuple[Check[Host], ...]] = {
    "build": BUILDING,
    "own": (*BUILDING, *INSTALLING),
    "libvirt": TABLE,
}
