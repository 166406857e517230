"""A guest that says on its serial console what hardware it has: Debian's kernel, busybox and udev on a boot ISO.

The ISO boots under UEFI and BIOS, as the live ISO of RHCOS does.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

DRIVERS = ("virtio_pci", "virtio_blk", "virtio_net")
"""What they depend on differs from kernel to kernel, and depmod knows it."""
START = """#!/bin/busybox sh
/bin/busybox mkdir -p /proc /sys /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox --install -s /bin
while read -r module; do insmod "/modules/$module.ko"; done </modules/order
"""
INIT = f"""{START}\
until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done
[ -d /sys/firmware/efi ] && echo "guest: firmware=uefi" || echo "guest: firmware=bios"
echo "guest: cards=$(ls -d /sys/class/net/e* | wc -l)"
echo "guest: mac=$(cat /sys/class/net/eth0/address)"
udevadm test-builtin net_id /sys/class/net/eth0 2>/dev/null | sed -n 's/^ID_NET_NAME_PATH/guest: name/p'
echo "guest: disk=$(cat /sys/block/vda/size)"
echo "guest: discard=$(cat /sys/block/vda/queue/discard_max_bytes)"
ip link set eth0 up
udhcpc -i eth0 -n -q -t 10 -s /bin/true 2>&1 | sed -n 's/.*lease of \\([^ ]*\\) obtained.*/guest: lease=\\1/p'
echo "guest: end=1"
poweroff -f
"""
GRUB = """set timeout=0
menuentry guest {
  linux /boot/vmlinuz console=ttyS0 quiet panic=-1
  initrd /boot/initrd.gz
}
"""


@cache
def boot_image() -> Path:
    """Made once, outside the tree, named by the digest of what it is made of."""
    kernel = _kernel_package()
    key = sha256("".join([kernel, *DRIVERS, INIT, GRUB]).encode()).hexdigest()[:16]
    target = Path.home() / ".cache" / "hardway" / "tools" / f"guest-{key}.iso"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target.parent) as folder:
            _make(Path(folder), kernel).rename(target)
    return target


def _kernel_package() -> str:
    lines = _output("apt-cache", "depends", "linux-image-cloud-amd64").splitlines()
    return next(line.split()[-1] for line in lines if "Depends: linux-image-" in line)


def _make(folder: Path, kernel: str) -> Path:
    _output("apt-get", "-o", "APT::Sandbox::User=root", "download", kernel, "udev", cwd=folder)
    for package in folder.glob("*.deb"):
        _output("dpkg-deb", "-x", str(package), str(folder / "packages"))
    boot = folder / "image" / "boot"
    (boot / "grub").mkdir(parents=True)
    (boot / "grub" / "grub.cfg").write_text(GRUB)
    shutil.copy(next((folder / "packages" / "boot").glob("vmlinuz-*")), boot / "vmlinuz")
    root = _root(folder)
    _output("sh", "-ec", f"find . | cpio -o -H newc --quiet | gzip -1 >{boot}/initrd.gz", cwd=root)
    _output("grub-mkrescue", "-o", str(folder / "guest.iso"), str(folder / "image"))
    return folder / "guest.iso"


def _root(folder: Path) -> Path:
    root, packages = folder / "root", folder / "packages"
    (root / "modules").mkdir(parents=True)
    (root / "bin").mkdir()
    shutil.copy("/bin/busybox", root / "bin")
    shutil.copy(packages / "bin" / "udevadm", root / "bin")
    for library in (w for w in _output("ldd", str(packages / "bin" / "udevadm")).split() if w.startswith("/")):
        (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, root / library[1:])
    modules = _in_order(packages)
    for module in modules:
        shutil.copy(module, root / "modules")
    (root / "modules" / "order").write_text("".join(f"{module.stem}\n" for module in modules))
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)
    return root


def _in_order(packages: Path) -> list[Path]:
    """The drivers' modules, each after those that it needs."""
    place = next((packages / "lib" / "modules").iterdir())
    _output("/sbin/depmod", "--basedir", str(packages), place.name)
    lines = dict(line.split(":") for line in (place / "modules.dep").read_text().splitlines())
    needs = {Path(module).stem: [*reversed(others.split()), module] for module, others in lines.items()}
    return [place / module for module in dict.fromkeys(m for driver in DRIVERS for m in needs[driver])]


def _output(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
    return done.stdout


if __name__ == "__main__":
    print(boot_image())
