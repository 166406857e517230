"""The small files of our own in the images."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from hardway.labrelease.images import base, layers
from hardway.labrelease.images.layers import Entry
from hardway.labrelease.images.layout import Blob, Blobs

# bash, because `exec` must find the program on PATH and hand over every argument as it is.
HYPERKUBE = b"""\
#!/bin/bash
[ $# -gt 0 ] || { echo 'usage: hyperkube PROGRAM [ARGUMENT]...' >&2; exit 2; }
exec "$@"
"""
# Arguments are for the program that this image stands in for: they are not looked at.
POD = b"""\
#!/usr/bin/busybox sh
exec /usr/bin/catatonit -P
"""
# Found on PATH before the program itself: one of its commands is another program here.
ETCD = b"""\
#!/bin/bash
[ "$1" != grpc-proxy ] || exec python3 -m hardway.labrelease.member.metrics "$@"
exec /usr/bin/etcd "$@"
"""
DISCOVER = b"""\
#!/bin/bash
exec python3 -m hardway.labrelease.member.discover "$@"
"""
APPLETS = """
[ [[ acpid adjtimex ar arch arp arping ascii ash awk base64 basename bc blkdiscard blockdev brctl bunzip2 bzcat bzip2
cal cat chgrp chmod chown chroot chvt clear cmp cp cpio crc32 crond crontab cttyhack cut date dc dd deallocvt depmod
devmem df diff dirname dmesg dnsdomainname dos2unix dpkg dpkg-deb du dumpkmap dumpleases echo ed egrep env expand expr
factor fallocate false fatattr fdisk fgrep find findfs fold free freeramdisk fsfreeze fstrim ftpget ftpput getopt
getty grep groups gunzip gzip halt head hexdump hostid hostname httpd hwclock i2cdetect i2cdump i2cget i2cset
i2ctransfer id ifconfig ifdown ifup init insmod ionice ip ipcalc ipneigh kill killall klogd last less link linux32
linux64 linuxrc ln loadfont loadkmap logger login logname logread losetup ls lsmod lsscsi lzcat lzma lzop md5sum mdev
microcom mim mkdir mkdosfs mke2fs mkfifo mknod mkpasswd mkswap mktemp modinfo modprobe more mount mt mv nameif nc
netstat nl nologin nproc nsenter nslookup nuke od openvt partprobe passwd paste patch pidof ping ping6 pivot_root
poweroff printf ps pwd rdate readlink realpath reboot renice reset resume rev rm rmdir rmmod route rpm rpm2cpio
run-init run-parts sed seq setkeycodes setpriv setsid sh sha1sum sha256sum sha3sum sha512sum shred shuf sleep sort
ssl_client start-stop-daemon stat strings stty su sulogin svc svok swapoff swapon switch_root sync sysctl syslogd tac
tail tar taskset tc tee telnet telnetd test tftp time timeout top touch tr traceroute traceroute6 true truncate ts tty
tunctl ubirename udhcpc udhcpd uevent umount uname uncompress unexpand uniq unix2dos unlink unlzma unshare unxz unzip
uptime usleep uudecode uuencode vconfig vi w watch watchdog wc wget which who whoami xargs xxd xz xzcat yes zcat
"""
PASSWD = b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n"
GROUP = b"root:x:0:\nnobody:x:65534:\n"
PAGE = b"<html><body><h1>It works!</h1></body></html>\n"
HTDOCS = "usr/local/apache2/htdocs"  # where a test of StatefulSets moves the page away
STATIC = ("usr/bin/busybox", "usr/bin/catatonit")  # programs of the base that need nothing of it
PYTHON = "usr/lib/python3/dist-packages/hardway"
BESIDE = ("io/harmless.py", "io/trace.py", "tools/run.py", "tools/patience.py", "model/errors.py")
"""Modules that those in images use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What files of our own are taken from."""

    blobs: Blobs
    base: Blob
    folders: Mapping[str, Path]  # of the components


def entries(name: str, sources: Sources) -> list[Entry]:
    return _TABLE[name](sources)


def _hyperkube(sources: Sources) -> list[Entry]:
    return [Entry(path="usr/bin/hyperkube", source=HYPERKUBE, mode=0o755)]


def _pod(sources: Sources) -> list[Entry]:
    pod = Entry(path="usr/bin/pod", source=POD, mode=0o755)
    found = ((path, base.program(sources.blobs, sources.base, path)) for path in STATIC)
    return [pod, *(Entry(path=path, source=content, mode=0o755) for path, content in found)]


def _busybox(sources: Sources) -> list[Entry]:
    """Debian's static busybox under the names of its commands, and users that tests run as."""
    program = Entry(path="bin/busybox", source=base.program(sources.blobs, sources.base, STATIC[0]), mode=0o755)
    commands = [Entry(path=f"bin/{name}", link="busybox") for name in APPLETS.split()]
    users = [Entry(path="etc/passwd", source=PASSWD), Entry(path="etc/group", source=GROUP)]
    return [program, *commands, *users]


def _agnhost(sources: Sources) -> list[Entry]:
    """Where tests call the program, and the folder that agnhost keeps files in which a test sends."""
    called = [Entry(path=path, link="usr/bin/agnhost") for path in ("agnhost", "agnhost-2")]
    return [*called, Entry(path="uploads/.keep", source=b"")]


def _htdocs(sources: Sources) -> list[Entry]:
    return [Entry(path=f"{HTDOCS}/index.html", source=PAGE)]


def _operator(sources: Sources) -> list[Entry]:
    return _modules("labrelease/operator", *BESIDE)


def _member(sources: Sources) -> list[Entry]:
    scripts = {"local/bin/etcd": ETCD, "bin/discover-etcd-initial-cluster": DISCOVER}
    called = [Entry(path=f"usr/{path}", source=text, mode=0o755) for path, text in scripts.items()]
    return [*called, *_modules("labrelease/member", *BESIDE)]


def _modules(package: str, *beside: str) -> list[Entry]:
    """A package of ours, and modules of others that it uses, where the image's Python finds them."""
    whole = files("hardway")
    own = sorted(path.name for path in whole.joinpath(package).iterdir() if path.name.endswith(".py"))
    names = [*(f"{package}/{name}" for name in own), *beside]
    return [Entry(path=f"{PYTHON}/{name}", source=whole.joinpath(name).read_bytes()) for name in names]


def _clusterversion_crds(sources: Sources) -> list[Entry]:
    """CVO's image brings its two CRDs; they are in the API's module."""
    folder = sources.folders["api"] / "data" / "config/v1/zz_generated.crd-manifests"
    return layers.folder(folder, "manifests", pattern="0000_00_cluster-version-operator_*")


_TABLE: dict[str, Callable[[Sources], list[Entry]]] = {
    "hyperkube": _hyperkube,
    "pod": _pod,
    "busybox": _busybox,
    "htdocs": _htdocs,
    "agnhost": _agnhost,
    "operator": _operator,
    "member": _member,
    "clusterversion-crds": _clusterversion_crds,
}
