"""What a network boot needs: kernel and rootfs of the image, an initramfs for each machine, and who gets which.

The initramfs holds the machine's disk, network and a pointer: never the Ignition file itself, because firmware loads
an initramfs without TLS. Whoever listens there sees the token, which opens one file once; the machine then finds it
gone, and the server has written down who took it. So this is for networks that are yours alone.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from hardway.model.cluster import Cluster, Network, Node, in_url
from hardway.model.errors import ConfigError
from hardway.network.mark import comment
from hardway.rhcos.medium import ENDS, LIVE_ARGUMENTS

KERNEL, INITRAMFS, ROOTFS = "kernel", "initramfs.img", "rootfs.img"
CHAIN = "boot.ipxe"
DNSMASQ = "dnsmasq-pxe.conf"
IPXE_OPTION = 175  # what iPXE says of itself in its DHCP request
UEFI_X64 = (7, 9)  # the architectures by which UEFI on x86-64 introduces itself


def check_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
        raise ConfigError(
            f"--files-url {text}: is not an address of a folder on a web server.\n"
            "    fix: write one as http://192.168.126.1:8080/rhcos"
        )
    return text.rstrip("/")


def arguments(base: str) -> str:
    """Of the live system. Where to install, and with what, is in the initramfs; the rootfs is checked against it."""
    return " ".join(
        [f"coreos.live.rootfs_url={base}/{ROOTFS}", "ignition.firstboot", "ignition.platform.id=metal", *LIVE_ARGUMENTS]
    )


def files(cluster: Cluster, nodes: tuple[Node, ...], base: str) -> dict[str, str]:
    """The texts, by the names under which the boot loaders ask for them. Only iPXE of the three speaks TLS."""
    found = {CHAIN: _chain(base), DNSMASQ: _dnsmasq(cluster, nodes, base)}
    for node in nodes:
        dashed = node.mac.replace(":", "-")
        found[f"{dashed}.ipxe"] = _ipxe(node, base)
        if not base.startswith("https:"):
            found |= {f"grub.cfg-01-{dashed}": _grub(node, base), f"pxelinux.cfg/01-{dashed}": _pxelinux(node, base)}
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in found.items()}


def _chain(base: str) -> list[str]:
    return [
        "#!ipxe",
        *comment("Every machine has a script of its own, by the hardware address of its card."),
        f"chain {base}/${{net0/mac:hexhyp}}.ipxe",
    ]


def _ipxe(node: Node, base: str) -> list[str]:
    return [
        "#!ipxe",
        *comment(_about(node)),
        f"kernel {base}/{KERNEL} initrd=main {arguments(base)}",
        f"initrd --name main {base}/{node.name}{ENDS['pxe']}",
        "boot",
    ]


def _grub(node: Node, base: str) -> list[str]:
    server = urlsplit(base)
    root = f"(http,{server.netloc}){server.path}"
    return [
        *comment(_about(node)),
        "set timeout=0",
        f"menuentry 'install {node.name}' {{",
        f"  linux {root}/{KERNEL} {arguments(base)}",
        f"  initrd {root}/{node.name}{ENDS['pxe']}",
        "}",
    ]


def _pxelinux(node: Node, base: str) -> list[str]:
    return [
        *comment(_about(node)),
        "DEFAULT install",
        "LABEL install",
        f"  KERNEL {base}/{KERNEL}",
        f"  INITRD {base}/{node.name}{ENDS['pxe']}",
        f"  APPEND {arguments(base)}",
    ]


def _about(node: Node) -> str:
    return f"{node.name}: its disk, network and the pointer to its Ignition are in its initramfs."


def _dnsmasq(cluster: Cluster, nodes: tuple[Node, ...], base: str) -> list[str]:
    """DHCP for these machines alone; a firmware gets iPXE by TFTP, and iPXE its script."""
    network = cluster.machine_networks[0]
    lines = [*comment("To be included by a dnsmasq that serves ipxe.efi and undionly.kpxe by TFTP.")]
    lines += [*comment("Other machines get no address: a machine that is not in the plan is not installed.")]
    lines.append(f"dhcp-range={network.network_address},static")
    for node in nodes:
        address = next(a for a in node.addresses if ip_address(a) in network)
        lines.append(f"dhcp-host={node.mac},{in_url(address)},{node.name}")
    return [
        *lines,
        *comment("First the firmware asks and gets iPXE; then iPXE asks, and says so."),
        *_boot(network, base),
    ]


def _boot(network: Network, base: str) -> list[str]:
    if network.version == 6:
        return [f"dhcp-option=option6:bootfile-url,{base}/{CHAIN}"]
    return [
        f"dhcp-match=set:ipxe,{IPXE_OPTION}",
        *(f"dhcp-match=set:uefi,option:client-arch,{number}" for number in UEFI_X64),
        f"dhcp-boot=tag:ipxe,{base}/{CHAIN}",
        "dhcp-boot=tag:!ipxe,tag:uefi,ipxe.efi",
        "dhcp-boot=tag:!ipxe,tag:!uefi,undionly.kpxe",
    ]
