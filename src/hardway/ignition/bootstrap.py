"""The bootstrap node: complete and self-contained, so that it needs nobody to start a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from hardway.bootkube.operators import table as operators
from hardway.emit import ignition
from hardway.emit.document import Document
from hardway.graph.asset import Asset, Given
from hardway.ignition import rendered, secrets, settings, ssh
from hardway.ignition.rows import PUBLIC, SECRET, FileRow, UnitRow
from hardway.lines.sources import source
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

MANIFESTS = "/etc/kubernetes/manifests"
CONFIGS = "/etc/kubernetes/bootstrap-configs"
OPT = "/opt/openshift"
CRDS = f"{OPT}/crds"
UNIT_SOURCE = source("installer", "data/data/bootstrap/systemd")
SSH = "pub/bootstrap-ssh"

UNITS: tuple[UnitRow, ...] = (
    UnitRow(
        name="kubelet.service",
        enabled=True,
        contents="kubelet.service",
        why=because(
            "Runs the static pods. The operating system brings the program; the unit is ours.",
            readers="systemd",
            breaks="no container starts",
            source=f"{UNIT_SOURCE}/common/units/kubelet.service.template",
        ),
    ),
    UnitRow(
        name="bootkube.service",
        enabled=True,
        contents="bootkube.service",
        why=because(
            "Runs bootkube.sh, again after a failure, and never once it has finished.",
            readers="systemd",
            breaks="no manifest is applied, and the API has no objects",
            source=f"{UNIT_SOURCE}/common/units/bootkube.service",
        ),
    ),
    UnitRow(
        name="systemd-journal-gatewayd.socket",
        enabled=True,
        why=because(
            "Opens port 19531, which serves the journal.",
            readers="systemd",
            breaks="the journal of a machine that nobody can log in to cannot be read",
            source=f"{UNIT_SOURCE}/rhcos/units/systemd-journal-gatewayd.socket",
        ),
    ),
    UnitRow(
        name="systemd-journal-gatewayd.service",
        dropins={"certs.conf": "journal-tls.conf"},
        why=because(
            "TLS with client certificates for the journal. systemd passes the key to the service, so that only root "
            "owns it.",
            readers="systemd",
            breaks="the journal would be readable for everyone on the network, or not at all",
            source=f"{UNIT_SOURCE}/common/units/systemd-journal-gatewayd.service.d/certs.conf",
        ),
    ),
    UnitRow(
        name="zincati.service",
        dropins={"never.conf": "never.conf"},
        why=because(
            "Keeps an operating system that updates itself from rebooting in the middle of the bootstrap.",
            readers="systemd, where the system has zincati",
            breaks="a reboot while etcd has its only member here",
            source=f"{UNIT_SOURCE}/common/units/zincati.service.d",
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """A document of an earlier stage that goes onto the node: its address, its path below assets, its reason."""

    address: str
    path: str
    why: Why


def embedded(rows: Iterable[Asset | Document]) -> tuple[Embedded, ...]:
    return tuple(
        Embedded(address=row.address, path=row.path, why=row.why) for row in rows if row.address not in NODE_ONLY
    )


NODE_ONLY = ("pod/kube-proxy",)


def document_rows(documents: Iterable[Embedded]) -> Iterator[FileRow]:
    """Static pods where the kubelet looks, manifests where bootkube.sh does; both may hold secrets."""
    for document in documents:
        applied = document.path.startswith(("manifests/", "openshift/"))
        why = _applied(document.why) if applied else document.why
        yield FileRow(path=place(document), mode=SECRET, source=document.address, why=why)


def place(document: Embedded) -> str:
    folder, _, name = document.path.rpartition("/")
    if folder == "bootstrap-configs":
        return f"{CONFIGS}/{name}"
    if document.address.startswith("pod/"):
        return f"{MANIFESTS}/{name}"
    return f"{OPT}/{document.path}"


def _applied(why: Why) -> Why:
    return replace(why, readers=f"bootkube.sh, which creates it in the cluster; there: {why.readers}")


def crd_rows(crds: Mapping[str, bytes]) -> Iterator[FileRow]:
    for name, content in sorted(crds.items()):
        why = because(
            "A type of the release, so that objects of it can be created before CVO brings the type itself.",
            readers="bootkube.sh, before any manifest",
            breaks="manifests of this type wait for CVO, and CVO may wait for them (F42)",
            source=source("installer", "data/data/bootstrap/files/usr/local/bin/bootkube.sh.template"),
        )
        yield FileRow(path=f"{CRDS}/{name}", mode=PUBLIC, make=partial(_crd, content), why=why)


def _crd(content: bytes, given: Given) -> str:
    return content.decode()


def file_rows(cluster: Cluster, documents: Iterable[Embedded], crds: Mapping[str, bytes]) -> tuple[FileRow, ...]:
    """On the rendered road only what bootkube's stages begin with: they bring pods, CRDs and the rest."""
    own = (*settings.TABLE, *ssh.bootstrap_rows(cluster))
    if cluster.road == "rendered":
        absent = operators.absent(cluster.release)
        begun = rendered.rows(((d.address, d.path, d.why) for d in documents), cluster.added, absent)
        return (*own, *settings.STAGES, *begun, *(_types(crds) if "api" in absent else ()))
    return (*own, *secrets.rows(cluster), *document_rows(documents), *crd_rows(crds))


def _types(crds: Mapping[str, bytes]) -> Iterator[FileRow]:
    """Where no operator renders them: among the manifests, but for those that CVO renders itself."""
    for row in crd_rows({name: content for name, content in crds.items() if "cluster-version-operator" not in name}):
        yield replace(row, path=row.path.replace(CRDS, f"{OPT}/manifests"))


def unit_rows(cluster: Cluster) -> tuple[UnitRow, ...]:
    """On the rendered road bootkube.service runs the stages, and bootkube.sh's functions with them."""
    if cluster.road != "rendered":
        return UNITS
    return tuple(replace(row, contents="stages.service") if row.name == "bootkube.service" else row for row in UNITS)


def make(rows: tuple[FileRow, ...], given: Given) -> bytes:
    keys = [ssh.login(given), given.text(SSH).strip()]
    return ignition.encode(
        ignition.Config(
            version=given.cluster.line.ignition.written,
            files=tuple(row.entry(given) for row in rows),
            units=tuple(row.entry() for row in unit_rows(given.cluster)),
            users=(ignition.user("core", keys),),
        )
    )
