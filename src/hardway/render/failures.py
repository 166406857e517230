"""What a program of the release that failed is due to, where it is known."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from hardway.lines.default import DEFAULT
from hardway.tools.run import LAST_LINES, Done


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    pattern: str
    cause: str
    fix: str


CAUSES = (
    Cause(
        pattern=r'missing desired version "(?P<it>[^"]*)" in featuregates',
        cause="the FeatureGate has no status for release {it} (F41)",
        fix="`hardway build 07` writes it for the release that is chosen; a hand-made FeatureGate needs that version",
    ),
    Cause(
        pattern=r"urlPort: unknown scheme|error parsing .*apiServerInternalUR",
        cause="the Infrastructure has no usable status.apiServerInternalURI (the field ends in URI)",
        fix="`hardway build 07` writes it; a hand-made manifest needs https://api-int.DOMAIN:6443 in that field",
    ),
    Cause(
        pattern=r"[Ff]ailed to find (?P<it>\S+) in image references",
        cause="the release has no image called {it}",
        fix="use a complete release: the render needs that image's name even where nothing runs it",
    ),
    Cause(
        pattern=r"no controllerconfig found|no featuregate found",
        cause="the manifests do not hold what the controller starts from",
        fix="`hardway build 07`, then `hardway build 04` again",
    ),
    Cause(
        pattern=r"failed to execute template: (?P<it>.*)",
        cause="a template of this release uses a value that the inputs do not have",
        fix="look at the last lines: they name the template and the function in it",
    ),
    Cause(
        pattern=r"unauthorized|authentication required|401 \(Unauthorized\)",
        cause="the registry requires a login",
        fix="put a pull secret for that registry into install-config.yaml",
    ),
    Cause(
        pattern=r"x509: certificate signed by unknown authority|tls: failed to verify certificate",
        cause="the registry's certificate comes from a CA that this machine does not trust",
        fix="put the CA into additionalTrustBundle in install-config.yaml",
    ),
    Cause(
        pattern=r"manifest unknown|name unknown|404 \(Not Found\)",
        cause="the registry does not have the image",
        fix="mirror the whole release, or give the mirrors in imageDigestSources",
    ),
    Cause(
        pattern=r"dial tcp|no such host|i/o timeout|connection refused|network is unreachable",
        cause="the registry cannot be reached from this machine",
        fix="check the network and the proxy, or mirror the release to a registry that can be reached",
    ),
    Cause(
        pattern=r"executable file .* not found|stat .*: no such file or directory",
        cause="the image does not contain that program",
        fix=f"use a release of {DEFAULT.minor}: its machine-config-operator image has both programs in /usr/bin",
    ),
    Cause(
        pattern=r"unknown flag: (?P<it>\S+)",
        cause="the program does not know {it}: the call is of another release than the image",
        fix=f"use a release of {DEFAULT.minor}",
    ),
    Cause(
        pattern=r"unshare failed: Operation not permitted",
        cause="the program needs a network in which the bootstrap node's address is, and making one takes root",
        fix="run this with sudo",
    ),
    Cause(
        pattern=r"setrlimit|error setting rlimit",
        cause="this machine may not raise limits, and podman tries to",
        fix="set default_ulimits within the hard limits in containers.conf, and unset CONTAINERS_CONF if you set it",
    ),
    Cause(
        pattern=r"cgroups in hybrid mode not supported",
        cause="crun does not work with this machine's control groups",
        fix="install runc, and unset CONTAINERS_CONF if you set it",
    ),
    Cause(pattern=r"no space left on device", cause="the disk is full", fix="free space where podman keeps its images"),
)


def cause_of(text: str) -> tuple[str, str] | None:
    for row in CAUSES:
        if match := re.search(row.pattern, text):
            return row.cause.format(**match.groupdict()), row.fix
    return None


def explain(what: str, done: Done, *, kept: Path | None = None) -> str:
    """The failure, with a command to paste that has the inputs where they were kept, if they were."""
    said = (done.errors.strip() or done.output.strip() or "(nothing)").splitlines()
    lines = "\n".join(f"    {line}" for line in said[-LAST_LINES:])
    known = cause_of("\n".join(said))
    words = [_kept(word, kept) for word in done.command] if kept else done.command
    text = f"{what} failed with exit code {done.code}.\n    command: {shlex.join(words)}\n{lines}"
    return f"{text}\n    cause: {known[0]}\n    fix: {known[1]}" if known else text


def _kept(word: str, kept: Path) -> str:
    if not word.startswith("--volume="):
        return word
    source, rest = word.removeprefix("--volume=").split(":", 1)
    name = "output" if rest.startswith("/output") else Path(source).name
    return f"--volume={kept.resolve() / name}:{rest}"
