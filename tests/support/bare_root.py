"""A small Debian with the packages that are named and nothing else of this machine; commands run in it by chroot.

`python -m tests.support.bare_root` makes the one that the README's test needs.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from hardway.io.folder import new_folder
from hardway.io.lock import in_turn
from hardway.labrelease import places

SUITE = "bookworm"
ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SHELL = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c")
OPTIONS = (
    "--mode=root",
    "--variant=minbase",
    "--dpkgopt=path-exclude=/usr/share/man/*",
    "--dpkgopt=path-exclude=/usr/share/locale/*",
    "--dpkgopt=path-exclude=/usr/share/doc/*",
)


def packages() -> list[str]:
    """What the README says that a Debian needs."""
    [line] = [line for line in README.read_text().splitlines() if "`apt install " in line]
    return line.partition("`apt install ")[2].partition("`")[0].split()


def base() -> Path:
    """Made once; not to be changed."""
    wanted = packages()
    key = sha256(repr((SUITE, OPTIONS, wanted)).encode()).hexdigest()[:16]
    target = places.cache() / f"bare-root-{key}"
    with in_turn(target):
        if not target.exists():
            with new_folder(target) as part:
                command = ["mmdebstrap", *OPTIONS, f"--include={','.join(wanted)}", SUITE, str(part)]
                subprocess.run(command, check=True, capture_output=True, text=True)
    return target


def copied(target: Path) -> Path:
    subprocess.run(["cp", "--archive", "--reflink=auto", str(base()), str(target)], check=True)
    return target


def shell(root: Path) -> list[str]:
    """A shell with this root. Of the machine it sees the kernel, names and trust, and what pip is told to read."""
    seen = [Path("/etc/resolv.conf"), Path("/etc/hosts"), Path("/etc/ssl"), *_named(pip_settings())]
    lines = ["set -e", "mount --make-rprivate /"]
    for path in dict.fromkeys(path for path in seen if path.exists()):
        place = root / path.relative_to("/")
        lines.append(f"mkdir --parents {shlex.quote(str(place if path.is_dir() else place.parent))}")
        if path.is_file():
            lines.append(f"[ -f {shlex.quote(str(place))} ] || : >{shlex.quote(str(place))}")
        lines.append(f"mount --rbind {shlex.quote(str(path))} {shlex.quote(str(place))}")
    lines += [f"mount --rbind /dev {root}/dev", f"mount -t proc proc {root}/proc", f"exec chroot {root} bash"]
    return [*SHELL, "\n".join(lines)]


def environment() -> dict[str, str]:
    bare = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return bare | pip_settings()


def pip_settings() -> dict[str, str]:
    """How this machine's pip finds its index: from its files and from the environment, all as variables."""
    machine = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if Path(p) != Path(sys.executable).parent)
    listed = subprocess.run(
        ["tools/pip", "config", "list"],
        cwd=ROOT,
        env={**os.environ, "PATH": machine},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    settings = dict(line.split("=", 1) for line in listed.splitlines() if line.startswith(("global.", "install.")))
    found = {f"PIP_{name.partition('.')[2].upper().replace('-', '_')}": v.strip("'") for name, v in settings.items()}
    wanted = ("PIP_", "SSL_CERT_", "REQUESTS_CA_", "CURL_CA_")
    given = {name: v for name, v in os.environ.items() if name.startswith(wanted) or name.lower().endswith("_proxy")}
    return found | given


def _named(settings: dict[str, str]) -> list[Path]:
    return [Path(value) for value in settings.values() if value.startswith("/")]


if __name__ == "__main__":
    print(base())
