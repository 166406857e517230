"""How to get at images, as a cluster's configuration says it and the command line overrides it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardway.io import plain
from hardway.model.config.load import Loaded
from hardway.model.config.names import is_registry
from hardway.model.errors import ConfigError
from hardway.registry.access import Access


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What a command was told besides."""

    pull_secret: Path | None = None  # instead of install-config's
    trust_bundle: Path | None = None  # instead of install-config's
    plain_http: tuple[str, ...] = ()  # besides hardway.yaml's


def access_of(loaded: Loaded | None, overrides: Overrides | None = None) -> Access:
    """From install-config's pullSecret, imageDigestSources, additionalTrustBundle and proxy, where there is one."""
    over = overrides or Overrides()
    for host in over.plain_http:
        if not is_registry(host):
            fix = "write HOST:PORT, such as localhost:5000"
            raise ConfigError(f"--insecure-registry {host!r}: is not the name of a registry.\n    fix: {fix}")
    cluster = loaded.cluster if loaded else None
    secret = _text(over.pull_secret, "--pull-secret") if over.pull_secret else cluster.pull_secret if cluster else ""
    trust = _text(over.trust_bundle, "--trust-bundle") if over.trust_bundle else cluster.trust_bundle if cluster else ""
    return Access(
        pull_secret=secret,
        mirrors=(*cluster.digest_sources, *cluster.content_sources) if cluster else (),
        trust_bundle=trust,
        proxy=cluster.proxy if cluster else None,
        plain_http=frozenset((*(loaded.settings.plain_http if loaded else ()), *over.plain_http)),
        architecture=cluster.architecture if cluster else "amd64",
    )


def _text(path: Path, option: str) -> str:
    try:
        return plain.text(path, plain.given)
    except OSError as error:
        raise ConfigError(f"{option} {path}: {error.strerror}.\n    fix: give a file that can be read") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{option} {path}: not a text file.\n    fix: give the file as it was downloaded") from None
