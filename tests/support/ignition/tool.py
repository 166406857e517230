"""The real Ignition, as the judge of every file that is made for it: built once from its pinned Go module."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.lab.ignite import lay_out

SOURCE = Path(__file__).parent
MODULE = "github.com/coreos/ignition/v2"
SETTINGS = {
    f"{MODULE}/internal/version.Raw": "2.20.0",
    f"{MODULE}/internal/distro.selinuxRelabel": "false",  # a folder has no SELinux policy to relabel by
}


@cache
def programs() -> Path:
    """A folder with `ignition` and `ignition-validate`, outside the tree, named by the digest of what it is made of."""
    pinned = b"".join((SOURCE / name).read_bytes() for name in ("go.mod", "go.sum"))
    key = sha256(pinned + json.dumps(SETTINGS).encode()).hexdigest()[:16]
    target = Path.home() / ".cache" / "hardway" / "tools" / f"ignition-{key}"
    if not target.exists():
        part = target.with_name(f"{target.name}.{os.getpid()}")
        part.mkdir(parents=True)
        _build(part)
        (part / "internal").rename(part / "ignition")
        (part / "validate").rename(part / "ignition-validate")
        _move(part, target)
    return target


def _build(folder: Path) -> None:
    assert shutil.which("go"), "Go is not installed: it builds the Ignition that these tests hold every file against"
    flags = " ".join(f"-X {name}={value}" for name, value in SETTINGS.items())
    command = ["go", "build", "-mod=readonly", "-buildvcs=false", "-ldflags", flags, "-o", f"{folder}/", "tool"]
    environment = {**os.environ, "CGO_ENABLED": "1", "GOFLAGS": ""}
    done = subprocess.run(command, cwd=SOURCE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"Ignition does not build (it needs a C compiler and libblkid-dev):\n{done.stderr}"


def _move(part: Path, target: Path) -> None:
    """Into place, unless another test process was faster."""
    try:
        part.rename(target)
    except OSError:
        shutil.rmtree(part)


def validate(config: bytes) -> str:
    """What Ignition has to say of a config: nothing, if it is good in every respect; otherwise its words."""
    done = subprocess.run([programs() / "ignition-validate", "-"], input=config, capture_output=True, check=False)
    report = (done.stdout + done.stderr).decode()
    return report or ("" if done.returncode == 0 else f"exit code {done.returncode}")


@contextmanager
def laid_out(config: bytes) -> Iterator[Path]:
    """A folder with everything that a machine would have after its first boot: files, units, users. Needs root."""
    with TemporaryDirectory(prefix="hardway-ignition-") as scratch:
        os.chmod(scratch, 0o711)  # Ignition writes a user's keys as that user, who has to get there
        root, source = Path(scratch, "root"), Path(scratch, "config.ign")
        _minimal_root(root)
        source.touch(mode=0o600)
        source.write_bytes(config)
        lay_out(programs() / "ignition", source, root, Path(scratch, "state"))
        yield root


def _minimal_root(root: Path) -> None:
    """What Ignition expects of the system it is to change: somebody called root, and folders."""
    (root / "etc").mkdir(parents=True)
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    (root / "etc/group").write_text("root:x:0:\n")
    (root / "etc/motd").write_text("the system's own words\n")
    for name in ("shadow", "gshadow"):
        (root / "etc" / name).touch(mode=0o600)


if __name__ == "__main__":
    print(programs())
