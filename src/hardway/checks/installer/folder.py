"""What openshift-install leaves in its folder: Ignition files, auth, metadata.json and its own state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hardway.checks.files.ignition.file import Ign, misshapen
from hardway.checks.files.shapes import at, certificates, from_base64, mappings, parse_json, parse_yaml, text
from hardway.io import plain

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

BOOTSTRAP = "bootstrap.ign"
POINTERS = ("master.ign", "worker.ign")
KUBECONFIG = "auth/kubeconfig"
METADATA = "metadata.json"
STATE = ".openshift_install_state.json"
TLS = "/opt/openshift/tls/"
INFRASTRUCTURE = "/opt/openshift/manifests/cluster-infrastructure-02-config.yml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A certificate, and where it is."""

    place: str
    certificate: Certificate


def _host(url: str) -> str:
    """Empty for what is no URL."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


class InstallerFolder:
    def __init__(self, root: Path, now: datetime) -> None:
        self.root = root
        self.now = now

    def read(self, name: str) -> bytes:
        try:
            return plain.read(self.root / name)
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return b""

    @cached_property
    def present(self) -> tuple[str, ...]:
        return tuple(name for name in (BOOTSTRAP, *POINTERS) if (self.root / name).exists())

    @cached_property
    def ignition(self) -> dict[str, Ign]:
        """Those that can be read."""
        documents = {name: parse_json(self.read(name)) for name in self.present}
        return {name: Ign(name, document) for name, document in documents.items() if not misshapen(document)}

    def tls(self, name: str) -> list[Certificate]:
        """The certificates of a file that the bootstrap node gets."""
        bootstrap = self.ignition.get(BOOTSTRAP)
        return certificates((bootstrap.file(f"{TLS}{name}") if bootstrap else b"") or b"")

    @cached_property
    def kubeconfig(self) -> Any:
        return parse_yaml(self.read(KUBECONFIG))

    @property
    def client(self) -> list[Certificate]:
        """With which the administrator logs in."""
        users = mappings(self.kubeconfig, "users")
        return certificates(b"".join(from_base64(at(user, "user", "client-certificate-data")) for user in users))

    @property
    def server(self) -> str:
        """The host that the administrator's kubeconfig names."""
        return next((_host(text(c, "cluster", "server")) for c in mappings(self.kubeconfig, "clusters")), "")

    def pointer(self, name: str) -> tuple[str, list[Certificate]]:
        """Where a master or worker fetches its configuration, and which authorities it trusts for that."""
        ign = self.ignition.get(name)
        document = ign.document if ign else {}
        sources = [*mappings(document, "ignition", "config", "merge"), at(document, "ignition", "config", "replace")]
        hosts = [_host(text(part, "source")) for part in sources]
        trusted = mappings(document, "ignition", "security", "tls", "certificateAuthorities")
        found = [c for part in trusted for c in certificates(ign.content({"contents": part}) if ign else b"")]
        return next(filter(None, hosts), ""), found

    @cached_property
    def all(self) -> tuple[Found, ...]:
        return tuple(self._all())

    def _all(self) -> Iterator[Found]:
        for name, ign in self.ignition.items():
            for entry in ign.entries:
                path = str(entry.get("path"))
                if path.endswith((".crt", ".pem")):
                    for certificate in certificates(ign.content(entry)):
                        yield Found(place=f"{name}: {path}", certificate=certificate)
        for certificate in self.client:
            yield Found(place=KUBECONFIG, certificate=certificate)

    @property
    def state(self) -> Iterator[tuple[str, bytes]]:
        """The files in the installer's own memory of the last run, below tls/."""
        waiting: list[Any] = [parse_json(self.read(STATE))]
        while waiting:
            item = waiting.pop()
            if isinstance(item, dict):
                name = text(item, "Filename")
                if name.startswith("tls/") and name.endswith(".crt"):
                    yield name.removeprefix("tls/"), from_base64(item.get("Data"))
                waiting += item.values()
            elif isinstance(item, list):
                waiting += item
