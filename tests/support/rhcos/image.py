"""A live ISO that the real coreos-installer takes for one of RHCOS, and that installs a machine.

It has what `coreos-installer iso customize` looks for: the area for Ignition, the area for kernel arguments, and what
the image says that it can do. Its initramfs does what the live system of RHCOS does, with busybox: it reads the
configuration that was put into the ISO, writes a bootable system and the machine's Ignition to the disk that is named
there, and reboots. What is installed runs the real Ignition as far as it fetches, over the network that the plan gives
to the machine, and then gives the name that it found there at a prompt.
"""

from __future__ import annotations

import json
import lzma
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.ignition.tool import programs
from tests.support.libvirt import guest

ROOM = 262144  # what an ISO of RHCOS has for the compressed initramfs with the configuration
ARGUMENTS = "coreos.liveiso=rhcos-test ignition.firstboot ignition.platform.id=metal"
AREA = 1024
FEATURES = {
    "installer-config": True,
    "installer-config-directives": {"append-karg": True, "console": True, "delete-karg": True},
    "live-initrd-network": True,
}
START = f"""{guest.START}\
until [ -b /dev/vda ] && [ -e /sys/class/net/eth0 ]; do sleep 0.1; done
"""
FILE = """
content() {  # of a file in the configuration of the live system
  awk -v RS='"' -v path="$1" '/^data:/ { last = $0 } $0 == path { print last; exit }' /config.ign |
    sed 's/^data:;base64,//' | base64 -d | gunzip
}
"""
LIVE = """
content /etc/coreos/installer.d/0000-customize.yaml >/customize.yaml
content /etc/coreos/dest.ign >/dest.ign
device=$(sed -n 's/^dest-device: //p' /customize.yaml)
echo "coreos-installer-service[1234]: coreos-installer install --config-file /customize.yaml"
if [ ! -b "$device" ]; then
  echo "coreos-installer-service[1240]: Error: checking whether $device is an IBM DASD disk"
  echo "coreos-installer-service[1240]: Caused by:"
  echo "coreos-installer-service[1240]:     0: getting absolute path to $device"
  echo "coreos-installer-service[1240]:     1: No such file or directory (os error 2)"
  sleep 3600
fi
dd if=/installed.img of="$device" bs=1M 2>/dev/null
echo "coreos-installer-service[1240]: > Read disk 24.0 MiB/24.0 MiB (100%)"
put() { dd of="$device" bs=1M seek="$1" conv=notrunc 2>/dev/null; }
wc -c </dest.ign | put 511
put 512 </dest.ign
cat /etc/coreos-firstboot-network/*.nmconnection >/profile
wc -c </profile | put 509
put 510 </profile
sync
echo "coreos-installer-service[1240]: Writing Ignition config"
echo "coreos-installer-service[1240]: Install complete."
reboot -f
"""
INSTALLED = """
part() { dd if=/dev/vda bs=1M skip="$1" count=16 2>/dev/null; }
size=$(part 511 | head -n 1)
part 512 | head -c "$size" >/config.ign
size=$(part 509 | head -n 1)
part 510 | head -c "$size" >/profile
value() { sed -n "s/^$1=//p" /profile | head -n 1; }
ip link set eth0 up
ip address add "$(value address1)" dev eth0
ip route add default via "$(value gateway)"
mkdir -p /sysroot/etc /run
IGNITION_CONFIG_FILE=/config.ign ignition --platform=file --stage=fetch --root=/sysroot --log-to-stdout \
  --config-cache=/run/ignition.json --state-file=/run/state --neednet=/run/neednet 2>&1 |
  sed 's/^[A-Z]* *: */[   12.345678] ignition[845]: /'
if [ ! -s /run/ignition.json ]; then
  echo "[FAILED] Failed to start Ignition (fetch)."
  echo "You are in emergency mode. After logging in, type \\"journalctl -xb\\" to view system logs."
  sleep 3600
fi
echo "[  OK  ] Reached target Ignition Complete."
name=$(awk -v RS='"' '$0 == "/etc/hostname" { here = 1 } here && /^data:/ { print; exit }' /run/ignition.json)
printf '\\n%s login: ' "$(echo "${name##*,}" | base64 -d)"
sleep 3600
"""
GRUB = """set timeout=0
menuentry rhcos {{
  linux /boot/vmlinuz {arguments}
  initrd {initrds}
}}
"""


@cache
def live_iso() -> Path:
    """Made once, outside the tree, named by the digest of what it is made of."""
    base = guest.boot_image()
    parts = [
        base.name,
        programs().name,
        START,
        FILE,
        LIVE,
        INSTALLED,
        GRUB,
        ARGUMENTS,
        json.dumps(FEATURES),
        str(AREA),
    ]
    target = base.with_name(f"rhcos-{sha256(''.join(parts).encode()).hexdigest()[:16]}.iso")
    if not target.exists():
        with TemporaryDirectory(dir=target.parent) as folder:
            _make(Path(folder), base).rename(target)
    return target


def initramfs() -> bytes:
    """The live initramfs for PXE: told by a stamp in it."""
    with TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "etc" / "coreos").mkdir(parents=True)
        (root / "etc" / "coreos-live-initramfs").write_text("test\n")
        (root / "etc" / "coreos" / "features.json").write_text(json.dumps(FEATURES))
        return _cpio(root)


def _make(folder: Path, base: Path) -> Path:
    boot = folder / "boot"
    _run("osirrox", "-indev", base, "-extract", "/boot/vmlinuz", boot / "vmlinuz")
    _run("osirrox", "-indev", base, "-extract", "/boot/initrd.gz", boot / "initrd.gz")
    console = "console=tty0 console=ttyS0,115200n8"
    text = GRUB.format(
        arguments=f"ostree=/ostree/boot.1 ignition.firstboot ignition.platform.id=metal {console}",
        initrds="/boot/initrd.gz /boot/system.xz",
    )
    installed = _iso(folder / "installed", boot, text, {"init": (START + INSTALLED).encode(), **_ignition(folder)}, {})
    files = {"init": (START + FILE + LIVE).encode(), "installed.img": installed.read_bytes()}
    area = f"{ARGUMENTS}\n".ljust(AREA, "#")
    text = GRUB.format(arguments=area, initrds="/boot/initrd.gz /boot/system.xz /images/ignition.img")
    return _iso(folder / "live", boot, text, files, _areas(text))


def _ignition(folder: Path) -> dict[str, bytes]:
    """The real Ignition, with the libraries that it is linked with."""
    program = programs() / "ignition"
    _run("strip", "-o", folder / "ignition", program)
    words = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout.split()
    libraries = {word[1:]: Path(word).read_bytes() for word in words if word.startswith("/")}
    return {"bin/ignition": (folder / "ignition").read_bytes(), **libraries}


def _areas(configuration: str) -> dict[str, bytes]:
    where = {"path": "boot/grub/grub.cfg", "offset": configuration.index(ARGUMENTS), "pad": "#", "end": "\n"}
    return {
        "coreos/features.json": json.dumps(FEATURES).encode(),
        "coreos/igninfo.json": json.dumps({"file": "images/ignition.img"}).encode(),
        "coreos/kargs.json": json.dumps({"default": ARGUMENTS, "files": [where], "size": AREA}).encode(),
        "images/ignition.img": bytes(ROOM),
        "images/pxeboot/vmlinuz": b"a kernel",
        "images/pxeboot/initrd.img": initramfs(),
        "images/pxeboot/rootfs.img": b"the rest",
    }


def _iso(folder: Path, boot: Path, text: str, system: dict[str, bytes], more: dict[str, bytes]) -> Path:
    root, image = folder / "system", folder / "image"
    for name, content in system.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
        (root / name).chmod(0o755)
    files = {name: (boot / name).read_bytes() for name in ("vmlinuz", "initrd.gz")} | {"system.xz": _cpio(root)}
    files = {f"boot/{name}": content for name, content in files.items()}
    for name, content in (files | more | {"boot/grub/grub.cfg": text.encode()}).items():
        (image / name).parent.mkdir(parents=True, exist_ok=True)
        (image / name).write_bytes(content)
    small = ["--locales=", "--fonts=", "--themes=", "--compress=xz"]
    _run("grub-mkrescue", *small, "-o", folder / "made.iso", image, "--", "-compliance", "iso_9660_level=1")
    return folder / "made.iso"


def _cpio(root: Path) -> bytes:
    names = subprocess.run(["find", ".", "-mindepth", "1"], cwd=root, capture_output=True, check=True).stdout
    command = ["cpio", "-o", "-H", "newc", "--quiet"]
    made = subprocess.run(command, cwd=root, input=names, capture_output=True, check=True).stdout
    return lzma.compress(made, check=lzma.CHECK_CRC32, preset=1)  # the only check that the kernel knows


def _run(*words: str | Path) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}"


if __name__ == "__main__":
    print(live_iso())
