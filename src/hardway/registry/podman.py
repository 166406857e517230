"""podman: run a program of an image, with what machine and registries ask for; nothing of the user's changes."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.io import links
from hardway.model.cluster import Proxy
from hardway.registry.access import Access
from hardway.tools.run import Done, attempt

CAP_SYS_RESOURCE = 24
CGROUP2 = Path("/sys/fs/cgroup/cgroup.controllers")
LIMITS = {"nofile": (resource.RLIMIT_NOFILE, 1048576), "nproc": (resource.RLIMIT_NPROC, 32768)}
"""With podman's own ceilings: it lowers itself to them, and the runtime cannot go back up."""
SECONDS = 1800  # a first pull goes over the network


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    source: Path
    target: str
    writable: bool = False

    def __str__(self) -> str:
        return f"{self.source.resolve()}:{self.target}:{'rw' if self.writable else 'ro'},z"


def containers_conf() -> str:
    """Settings for a machine where podman's own do not work; empty where they do.

    Without CAP_SYS_RESOURCE no limit can be raised above the one we have, which podman tries to; with version 1
    of the control groups crun gives up, and there is no systemd that could hand out groups.
    """
    lines = []
    if not CGROUP2.exists():
        lines += ["[engine]", 'runtime = "runc"', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"']
    if not _capable(CAP_SYS_RESOURCE):
        limits = {name: _within(kind, ceiling) for name, (kind, ceiling) in LIMITS.items()}
        ulimits = [f"{name}={limit}:{limit}" for name, limit in limits.items()]
        lines += ["[containers]", f"default_ulimits = {json.dumps(ulimits)}"]
    return "".join(f"{line}\n" for line in lines)


def _within(kind: int, ceiling: int) -> int:
    hard = resource.getrlimit(kind)[1]
    return ceiling if hard == resource.RLIM_INFINITY else min(hard, ceiling)


def _capable(capability: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> capability & 1)
    return True


def registries_conf(access: Access) -> str:
    """Which registries are spoken to without TLS, and where else an image may be found by its digest."""
    blocks = [f"[[registry]]\nlocation = {_quoted(host)}\ninsecure = true\n" for host in sorted(access.plain_http)]
    for source in access.mirrors:
        blocks.append(f"[[registry]]\nlocation = {_quoted(source.source)}\nmirror-by-digest-only = true\n")
        for mirror in source.mirrors:
            insecure = str(mirror.split("/", 1)[0] in access.plain_http).lower()
            blocks.append(f"[[registry.mirror]]\nlocation = {_quoted(mirror)}\ninsecure = {insecure}\n")
    return "\n".join(['unqualified-search-registries = []\nshort-name-mode = "enforcing"\n', *blocks])


def _quoted(text: str) -> str:
    """As TOML has it: what JSON writes, but for DEL, which TOML wants written out."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine that a program is to find itself on: its name, and the words that lead into its network."""

    name: str
    enter: tuple[str, ...]


def command(
    image: str, argv: Sequence[str], *, mounts: Sequence[Mount], program: str, machine: Machine | None = None
) -> list[str]:
    """Without a program it is the image's own. On a machine it has that machine's network, else none."""
    words = ["podman", "run", "--quiet", "--rm", "--user=0", "--security-opt=label=disable"]
    words += ["--http-proxy=false"]  # it is podman that asks for images; a password may be in it
    words += ["--network=host", f"--hostname={machine.name}"] if machine else ["--network=none"]
    words += [f"--volume={mount}" for mount in mounts]
    words += [f"--entrypoint={program}"] if program else []
    return [*(machine.enter if machine else ()), *words, image, *argv]


def run_program(
    image: str,
    program: str,
    argv: Sequence[str],
    *,
    mounts: Sequence[Mount],
    access: Access,
    machine: Machine | None = None,
) -> Done:
    """Run one program of an image, seeing nothing but the mounts, and no network but its machine's."""
    with _prepared(access) as environment:
        if machine:  # whose network may not lead to the registry
            pulled = _pull(image, environment)
            if not pulled.ok:
                return pulled
        words = command(image, argv, mounts=mounts, program=program, machine=machine)
        done = attempt(words, environment=environment, seconds=SECONDS)
    for mount in mounts:
        if mount.writable:
            links.refuse_below(mount.source)
    return done


def _pull(image: str, environment: Mapping[str, str]) -> Done:
    """Have the image here. One that is here already is not asked for again: its name holds its digest."""
    found = attempt(["podman", "image", "exists", image], environment=environment)
    if found.ok:
        return found
    return attempt(["podman", "pull", "--quiet", image], environment=environment, seconds=SECONDS)


@contextmanager
def _prepared(access: Access) -> Iterator[Mapping[str, str]]:
    """A private folder with the files that podman reads once: its settings, the pull secret, the trust bundle."""
    with TemporaryDirectory(prefix="hardway-podman-") as scratch:
        folder = Path(scratch)
        environment = dict(os.environ)
        if settings := containers_conf():
            environment.setdefault("CONTAINERS_CONF", str(_write(folder / "containers.conf", settings)))
        if access.mirrors or access.plain_http:
            registries = _write(folder / "registries.conf", registries_conf(access))
            environment["CONTAINERS_REGISTRIES_CONF"] = str(registries)
        if access.pull_secret:
            environment["REGISTRY_AUTH_FILE"] = str(_write(folder / "auth.json", access.pull_secret))
        if access.trust_bundle:
            environment["SSL_CERT_FILE"] = str(_write(folder / "trust.pem", _with_system_trust(access.trust_bundle)))
        environment.update(_proxy(access.proxy))
        yield environment


def _write(path: Path, text: str) -> Path:
    path.touch(mode=0o600)
    path.write_text(text)
    return path


def _with_system_trust(bundle: str) -> str:
    import ssl

    system = ssl.get_default_verify_paths().cafile
    return (Path(system).read_text() if system else "") + "\n" + bundle


def _proxy(proxy: Proxy | None) -> dict[str, str]:
    if proxy is None:
        return {}
    said = {"HTTP_PROXY": proxy.http, "HTTPS_PROXY": proxy.https, "NO_PROXY": proxy.no_proxy}
    return {name: value for name, value in said.items() if value}
