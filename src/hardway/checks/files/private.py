"""Files that hold secrets and are no key of tls/ and no kubeconfig: nobody but their owner may read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shlex import quote

from hardway.checks.files.artifacts import Artifacts
from hardway.model.check import Flaw


def manifests(artifacts: Artifacts) -> Iterator[Flaw]:
    """The user's own Secrets are another check's."""
    own = {own.path for own in artifacts.cluster.own}
    yield from _open(artifacts, artifacts.files("auth/kubeadmin-password*"), "the kubeadmin password")
    yield from _open(artifacts, (path for path, _ in artifacts.objects("Secret") if path not in own), "a Secret")


def machines(artifacts: Artifacts) -> Iterator[Flaw]:
    yield from _open(artifacts, artifacts.files("*.ign"), "keys of a machine")
    yield from _open(artifacts, [*artifacts.files("ssh/login"), *artifacts.files("ssh/hosts/*/*")], "a private SSH key")


def _open(artifacts: Artifacts, paths: Iterable[str], what: str) -> Iterator[Flaw]:
    for path in paths:
        if artifacts.mode(path) & 0o077:
            message = f"it holds {what}, and others can read it (mode {artifacts.mode(path):04o})"
            yield Flaw(subject=path, message=message, fix=f"run `chmod 600 {quote(str(artifacts.root / path))}`")
