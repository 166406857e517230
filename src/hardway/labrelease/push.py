"""Pushes a built release with skopeo, which sends only what the registry has not. Secrets stay in the auth file."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hardway.labrelease.images.base import Progress
from hardway.labrelease.release import RELEASE, Built
from hardway.model.errors import ConfigError, ToolError
from hardway.tools import run

SECONDS = 1800
_LOGIN = "give --pull-secret a file with credentials for this registry, as `podman login` writes it"
_CAUSES = (
    ("unauthorized", _LOGIN),
    ("authentication required", _LOGIN),
    ("denied", "the user in --pull-secret must be allowed to push to this repository"),
    ("unknown authority", "give --trust-bundle the certificate of the CA that signed the registry's certificate"),
    (
        "server gave HTTP response",
        "the registry uses plain HTTP: give --insecure-registry with its HOST:PORT",
    ),
    ("connection refused", "start the registry, or correct its name and port"),
    ("no such host", "correct the registry's name"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """How to get into the registry."""

    authfile: Path | None = None
    authority: Path | None = None  # PEM
    insecure: bool = False  # plain HTTP, or a certificate that nobody vouches for
    enter: tuple[str, ...] = ()  # what a command begins with that runs where the registry can be reached


def push(built: Built, target: Target, progress: Progress | None = None, *, besides: Collection[str] = ()) -> str:
    """Every image by digest, the release image last and under its version too: a release that is there is whole. In
    addition to a release, whose images are `besides`, only the others are sent, and the version stays that one's."""
    tell = progress or (lambda what, done, total: None)
    _check(target)
    every = sorted(built.images.items(), reverse=True)
    names = {digest: name for name, digest in every if digest not in besides}
    with TemporaryDirectory(prefix="hardway-push-") as scratch:
        send = partial(copy, built.folder, target.enter, options(target, Path(scratch)))
        for number, (digest, name) in enumerate(sorted(names.items(), key=lambda item: item[1])):
            tell(f"pushing: {name}", number, len(names) + 1)
            send(name, f"{built.repository}@{digest}")
        tell("pushing: the release image", len(names), len(names) + 1)
        send(RELEASE, f"{built.repository}@{built.digest}")
        if not besides:
            send(RELEASE, f"{built.repository}:{built.version}-x86_64")
    tell("pushing", len(names) + 1, len(names) + 1)
    return built.pull_spec


def _check(target: Target) -> None:
    for option, path in (("--pull-secret", target.authfile), ("--trust-bundle", target.authority)):
        if path is not None and not path.is_file():
            raise ConfigError(f"{option} {path}: there is no such file.\n    fix: give the path of one that exists")


def options(target: Target, scratch: Path) -> list[str]:
    """What skopeo is told of the registry."""
    words = ["--preserve-digests"]
    if target.authfile is not None:
        words += ["--dest-authfile", str(target.authfile)]
    if target.authority is not None:
        shutil.copyfile(target.authority, scratch / "ca.crt")
        words += ["--dest-cert-dir", str(scratch)]
    if target.insecure:
        words.append("--dest-tls-verify=false")
    return words


def copy(folder: Path, enter: Sequence[str], options: Sequence[str], name: str, place: str) -> None:
    """An image of an OCI layout to its place in a registry."""
    # There is no policy to hold a release of one's own against, on machines that have none either.
    command = [*enter, "skopeo", "--insecure-policy", "copy", "--quiet", *options]
    done = run.attempt([*command, f"oci:{folder}:{name}", f"docker://{place}"], seconds=SECONDS)
    if not done.ok:
        cause = next((fix for words, fix in _CAUSES if words in done.errors), "read skopeo's message above")
        raise ToolError(f"{name} could not be pushed to {place}.\n{run.explain(done)}\n    fix: {cause}")
