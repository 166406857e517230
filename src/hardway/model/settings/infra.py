"""The `infra` section of hardway.yaml: which libvirt has the machines, and what they are like."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, cast, get_args
from urllib.parse import parse_qsl, urlsplit

from hardway.model.cluster import Role
from hardway.model.config.reading import Reading
from hardway.model.config.table import FieldRow, Kind
from hardway.model.why import because

Firmware = Literal["uefi", "bios"]
Accelerator = Literal["kvm", "tcg"]
LOCAL = "qemu:///system"
SIZE_EXAMPLE = "4,16GiB,120GiB"
_TRANSPORTS = ("", "unix", "ssh", "libssh", "libssh2", "tls", "tcp")
_PARAMETERS = frozenset(
    ("keyfile", "known_hosts", "known_hosts_verify", "mode", "no_tty", "no_verify", "pkipath", "socket", "sshauth")
)


class MachineSize(NamedTuple):
    vcpus: int
    memory: int  # MiB
    disk: int  # GiB


@dataclass(frozen=True, slots=True, kw_only=True)
class InfraSettings:
    connect: str = LOCAL
    bridge: str = ""
    pool: str = ""
    firmware: Firmware = "uefi"
    accelerator: Accelerator = "kvm"
    vips: bool = True
    balancer: bool = True
    sizes: Mapping[Role, MachineSize] = field(default_factory=dict)


def _row(path: str, kind: Kind, what: str, *, readers: str = "hardway infra", breaks: str, **rest: Any) -> FieldRow:
    why = because(what, readers=readers, breaks=breaks, source="this tool; libvirt.org: URIs and XML formats")
    return FieldRow(file="hardway.yaml", path=path, kind=kind, why=why, **rest)


ROWS = (
    _row(
        "infra",
        "mapping",
        "where the virtual machines are and what they are like; an option on the command line wins over it",
        readers="hardway infra, hardway prerequisites, hardway verify 01",
        breaks="the same options have to be given to every command",
    ),
    _row(
        "infra.connect",
        "text",
        "the libvirt that has the machines; one on another host as qemu+ssh://root@host/system. An address that starts "
        "a program (ext, command=, netcat=) is for --connect alone",
        breaks="the machines are looked for in the wrong libvirt",
        default=LOCAL,
    ),
    _row(
        "infra.bridge",
        "text",
        "a bridge of the host that the machines are put on; without it they get a NAT network of their own",
        breaks="a NAT network ends at its host: machines on several hosts do not reach each other",
    ),
    _row(
        "infra.pool",
        "text",
        "the folder of the machines' disks, theirs alone; /var/lib/libvirt/images/ID unless given",
        breaks="the disks fill the file system that the default folder is on",
    ),
    _row(
        "infra.firmware",
        "text",
        "the firmware of the machines",
        breaks="a machine that was installed under one does not start under the other",
        values=get_args(Firmware),
        default="uefi",
    ),
    _row(
        "infra.accelerator",
        "text",
        "hardware virtualization, or emulation where there is none",
        breaks="tcg is far too slow to install a cluster",
        values=get_args(Accelerator),
        default="kvm",
    ),
    _row(
        "infra.vips",
        "boolean",
        "whether the load balancer is on this host, so that its addresses and ports are set up here",
        breaks="with true, the addresses of a load balancer elsewhere are in use twice; with false and no other load "
        "balancer, no machine has them",
        default=True,
    ),
    _row(
        "infra.balancer",
        "boolean",
        "whether `infra up` runs HAProxy for this cluster on the host that has the load balancer's addresses, as a "
        "service with the cluster's name",
        breaks="with true, a load balancer of your own on that host has its ports in use; with false, nothing listens "
        "at the addresses until you run one",
        default=True,
    ),
    _row(
        "infra.sizes",
        "mapping",
        "sizes of your own by role, as processors, memory and disk",
        readers="hardway infra, hardway prerequisites",
        breaks="every role has the size that the documentation asks for",
    ),
    *(
        _row(
            f"infra.sizes.{role}",
            "text",
            f"a {role}'s size, such as {SIZE_EXAMPLE}",
            readers="hardway infra, hardway prerequisites",
            breaks="it has the size that the documentation asks for",
        )
        for role in get_args(Role)
    ),
)


def parse_size(text: str) -> MachineSize | None:
    """VCPUS,MEMORY,DISK as in 4,16GiB,120GiB."""
    found = re.fullmatch(r"([1-9]\d{0,2}),([1-9]\d{0,6})(MiB|GiB),([1-9]\d{0,5})GiB", text)
    if not found:
        return None
    memory = int(found[2]) * (1024 if found[3] == "GiB" else 1)
    return MachineSize(vcpus=int(found[1]), memory=memory, disk=int(found[4]))


def is_interface(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}", name))


def _says_where(path: str) -> bool:
    return path.isprintable() and not {".", ".."} & set(path.split("/"))


def is_connection(uri: str) -> bool:
    """A libvirt of QEMU, here or elsewhere. No name begins with a dash: ssh would take it for an option."""
    name = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
    host = rf"({name}@)?({name}|\[[0-9a-f:.]+\])(:[0-9]{{1,5}})?"
    return bool(re.fullmatch(rf"qemu(\+[a-z0-9]+)?://({host})?/(system|session|embed)(\?\S*)?", uri))


def runs_no_program(uri: str) -> bool:
    """Whether a file may name it: libvirt itself starts what `command` and `netcat` name, and `ext` is such a program.
    libvirt splits parameters at `;` too and decodes their names, so only plain values count."""
    address = urlsplit(uri)
    given = parse_qsl(address.query, keep_blank_values=True)
    plain = all(name in _PARAMETERS and re.fullmatch(r"[A-Za-z0-9_./:,~-]*", value) for name, value in given)
    return plain and not address.fragment and address.scheme.removeprefix("qemu").lstrip("+") in _TRANSPORTS


_PROGRAM = "makes libvirt start a program or has a parameter that is not known here, and a file may not"
_TYPED = "set the program in ~/.ssh/config and leave it out here, or type the address with --connect"


def check_place(reading: Reading, path: str, values: Mapping[str, Any]) -> None:
    """The fields that say where: a connection, a bridge, a folder."""
    for name, good, message, fix in (
        ("connect", is_connection, "is not an address of a libvirt", f"write {LOCAL} or qemu+ssh://root@host/system"),
        ("connect", lambda uri: not is_connection(uri) or runs_no_program(uri), _PROGRAM, _TYPED),
        ("bridge", is_interface, "is not a name of an interface", "name a bridge of the host, such as br0"),
        ("pool", lambda text: text.startswith("/"), "must be an absolute path", "begin it with /"),
        ("pool", _says_where, "must not have . or .. in it, nor what cannot be printed", "write it as /srv/machines"),
    ):
        if (value := values.get(name)) and not good(value):
            reading.error(f"infra.{name}", f"{path}.{name}", message, fix)


def read_infra(reading: Reading) -> InfraSettings:
    values = reading.values.get("infra") or {}
    check_place(reading, "infra", values)
    sizes: dict[Role, MachineSize] = {}
    for role, text in (values.get("sizes") or {}).items():
        if size := parse_size(text):
            sizes[cast(Role, role)] = size
        else:
            reading.error("infra.size", f"infra.sizes.{role}", "cannot be read", f"write it as {SIZE_EXAMPLE}")
    given = {name: value for name, value in values.items() if name != "sizes" and value != ""}
    return InfraSettings(**given, sizes=sizes)
