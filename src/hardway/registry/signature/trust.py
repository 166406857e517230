"""Why a release is believed, before its images run as root. Without a reason it is refused."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hardway.io import atomic, plain
from hardway.io.cache import cache_home
from hardway.model.errors import CheckError, ConfigError
from hardway.registry.access import Access
from hardway.registry.errors import RegistryError
from hardway.registry.signature.verify import Verdict, check
from hardway.release import catalogue
from hardway.release.reference import PUBLIC, parse

FINGERPRINT = "567E347AD0044ADE55BA8A5F199E2F91FD431D51"
"""Of the key that Red Hat signs releases with, `release key 2`. Any copy of the key that has it is the right one."""
VENDOR_KEY = Path("/etc/pki/rpm-gpg/RPM-GPG-KEY-redhat-release")
"""Where Red Hat's own systems have that key."""
UNSIGNED = "not checked: --allow-unsigned"
STORE = "https://mirror.openshift.com/pub/openshift-v4/signatures/openshift/release"
BUILT = "built-releases"  # in the cache: the digests of releases that this machine made itself
_FIX = (
    "name the release by its digest (NAME@sha256:…), or set `signatureKey` in hardway.yaml to a file with the "
    "publisher's key (Red Hat's: https://access.redhat.com/security/team/key); --allow-unsigned takes the release "
    "as it is"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A release as it was asked for, and how its publisher can be recognised."""

    name: str
    key: Path | None = None
    store: str = ""
    allow_unsigned: bool = False

    @property
    def settings(self) -> dict[str, str]:
        """What a reason depends on, besides the release itself. The key counts by its content."""
        try:
            key = hashlib.sha256(plain.read(self.key)).hexdigest() if self.key else ""
        except OSError:
            key = "unreadable"
        return {"key": key, "store": self.store}


def believe(asked: Asked, digest: str, version: str, access: Access) -> str:
    """The reason, in words for people. CheckError if there is none, or if a signature that must be there is bad."""
    if asked.key:
        return _signed(asked.key, asked.store or STORE, digest, access)
    if parse(asked.name, access.architecture).digest == digest:
        return "not needed: the release is named by its digest"
    if digest in _known(version):
        return f"not needed: the digest is the one that hardway knows of {version}"
    if digest in built():
        return "not needed: this machine built the release"
    if vendor := _by_vendor(asked, digest, access):
        return vendor
    if asked.allow_unsigned:
        return UNSIGNED
    raise CheckError(f"{asked.name}: {_unknown(version, digest)}; nothing was written.\n    fix: {_FIX}")


def _known(version: str) -> set[str]:
    try:
        return {catalogue.release_for(version).image.rpartition("@")[2]}
    except KeyError:
        return set()


def _unknown(version: str, digest: str) -> str:
    if known := _known(version):
        return f"says that it is {version}, but has the digest {digest} and not {min(known)}"
    return f"release {version} with the digest {digest} is not verified: it was found by a tag, which can be moved"


def _signed(key: Path, store: str, digest: str, access: Access) -> str:
    verdict = check(digest, key=key, source=store, access=access)
    if verdict.state != "verified":
        raise CheckError(f"signature {verdict.said}; nothing was written.\n    fix: see `signature` in hardway.yaml")
    return verdict.said


def _by_vendor(asked: Asked, digest: str, access: Access) -> str:
    """With the vendor's own key, on machines that have it: only a signature by that very key counts."""
    if not VENDOR_KEY.is_file() or not str(parse(asked.name, access.architecture)).startswith(PUBLIC):
        return ""
    try:
        verdict: Verdict = check(digest, key=VENDOR_KEY, source=asked.store or STORE, access=access)
    except (RegistryError, ConfigError):
        return ""
    return verdict.said if verdict.state == "verified" and verdict.key == FINGERPRINT else ""


def built() -> frozenset[str]:
    """The digests of the releases that this machine made itself."""
    try:
        return frozenset(plain.text(cache_home() / BUILT).split())
    except OSError:
        return frozenset()


def remember(digest: str) -> None:
    known = built()
    if digest not in known:
        cache_home().mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic.write(cache_home() / BUILT, "".join(f"{each}\n" for each in sorted({*known, digest})).encode())
