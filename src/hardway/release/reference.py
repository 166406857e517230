"""The name of an image: in a registry, in an OCI folder, in an archive of one, or a version's public name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from hardway.lines.default import DEFAULT
from hardway.model.errors import ConfigError
from hardway.model.userinfo import names_user

PUBLIC = "quay.io/openshift-release-dev/ocp-release"
SUFFIX = {"amd64": "x86_64", "arm64": "aarch64", "ppc64le": "ppc64le", "s390x": "s390x", "multi": "multi"}

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_HOST = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])"
_PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
_TAG = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}"
_DIGEST = r"sha256:[0-9a-f]{64}"
_REFERENCE = re.compile(
    rf"(?P<registry>{_HOST}(?::[0-9]{{1,5}})?)/(?P<repository>{_PART}(?:/{_PART})*)"
    rf"(?::(?P<tag>{_TAG}))?(?:@(?P<digest>{_DIGEST}))?"
)
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z][0-9A-Za-z.-]*)?")
_LOCAL = re.compile(rf"(?P<kind>oci|oci-archive):(?P<path>[^:@\n]+)(?::(?P<tag>[^@\n]+))?(?:@(?P<digest>{_DIGEST}))?")
_LONGEST = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """An image in a registry."""

    registry: str
    repository: str
    tag: str = ""
    digest: str = ""

    @classmethod
    def parse(cls, text: str) -> Reference:
        match = _REFERENCE.fullmatch(text) if len(text) <= _LONGEST else None
        if match is None or not _is_registry(match["registry"]):
            raise _unreadable(text)
        return cls(**{name: value or "" for name, value in match.groupdict().items()})

    def __str__(self) -> str:
        return self.name + (f":{self.tag}" if self.tag else "") + (f"@{self.digest}" if self.digest else "")

    @property
    def name(self) -> str:
        """Registry and repository: what pull secrets and mirrors match."""
        return f"{self.registry}/{self.repository}"

    @property
    def wanted(self) -> str:
        """What a registry is asked for: the digest if there is one, whatever the tag says."""
        return self.digest or self.tag or "latest"

    def at(self, digest: str) -> Reference:
        """The same repository, by digest alone."""
        return replace(self, tag="", digest=digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """An image in an OCI folder, or in a tar archive of one. The path ends at the first colon."""

    kind: Literal["oci", "oci-archive"]
    path: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        tag = f":{self.tag}" if self.tag else ""
        return f"{self.kind}:{self.path}{tag}" + (f"@{self.digest}" if self.digest else "")

    def at(self, digest: str) -> Local:
        return replace(self, tag="", digest=digest)


def parse(text: str, architecture: str = "amd64") -> Reference | Local:
    """What the user named; a version is the public release for the architecture."""
    if _VERSION.fullmatch(text):
        return of_version(text, architecture)
    local = _LOCAL.fullmatch(text)
    if local is None:
        return Reference.parse(text)
    kind: Literal["oci", "oci-archive"] = "oci" if local["kind"] == "oci" else "oci-archive"
    return Local(kind=kind, path=local["path"], tag=local["tag"] or "", digest=local["digest"] or "")


def of_version(version: str, architecture: str = "amd64") -> Reference:
    """Where a version of OpenShift is published."""
    return Reference.parse(f"{PUBLIC}:{version}-{SUFFIX.get(architecture, architecture)}")


def _is_registry(host: str) -> bool:
    """Docker Hub's short names (`library/busybox`) have no registry in front."""
    return host == "localhost" or "." in host or ":" in host


def _unreadable(text: str) -> ConfigError:
    hidden = "the reference (not shown: what is before its @ may be a password)"
    shown = hidden if names_user(text) else repr(text[:_LONGEST])
    return ConfigError(
        f"{shown}: not the name of an image\n"
        "    fix: write HOST/REPOSITORY:TAG, HOST/REPOSITORY@sha256:DIGEST (64 hexadecimal digits), oci:FOLDER[:TAG], "
        f"oci-archive:FILE[:TAG], or a version such as {DEFAULT.release}"
    )
