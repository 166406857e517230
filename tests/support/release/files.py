"""A release to read: a small one, and one with the real CRDs and feature gates of the API's Go module."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hardway.lines.default import DEFAULT
from hardway.release import catalogue
from hardway.release.payload.read import Payload
from tests.support.crds import module

VERSION = "4.18.0"
DIGEST = "sha256:" + "5b" * 32
IMAGE = f"example.com/ocp/release@{DIGEST}"
TAGS = ("cli", "cluster-version-operator", "etcd", "hyperkube", "machine-config-operator", "something-new")
CRDS = "payload-manifests/crds"
PROFILE = "include.release.openshift.io/self-managed-high-availability"
FEATURE_SETS = ("Default", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade")
GATES = "payload-manifests/featuregates"
VERSION_OPERATOR = "config/v1/zz_generated.crd-manifests"


def tag(name: str, **annotations: str) -> dict[str, Any]:
    image = f"example.com/ocp/content@sha256:{name.encode().hex():0<64.64}"
    return {"name": name, "annotations": annotations, "from": {"kind": "DockerImage", "name": image}}


def references(**changes: Any) -> dict[str, Any]:
    tags = [tag(name) for name in TAGS]
    tags[3]["annotations"] = {"io.openshift.build.versions": "kubernetes=1.31.3"}
    tags[5]["annotations"] = {"io.openshift.build.source-location": "https://example.com/something-new"}
    return {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": VERSION},
        "spec": {"tags": tags},
    } | changes


def metadata(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "cincinnati-metadata-v0",
        "version": VERSION,
        "previous": ["4.17.9", "4.17.10"],
        "metadata": {"url": "https://example.com/errata/1"},
    } | changes


def artifact(name: str, digit: str, *, compressed: bool = False) -> dict[str, str]:
    row = {"location": f"https://example.com/{name}", "sha256": digit * 64}
    return row | ({"uncompressed-sha256": "f" * 64} if compressed else {})


def stream() -> dict[str, Any]:
    metal = {
        "release": "418.94.202501221327-0",
        "formats": {
            "iso": {"disk": artifact("live.iso", "1")},
            "pxe": {part: artifact(part, str(n)) for n, part in enumerate(("kernel", "initramfs", "rootfs"), 2)},
            "raw.gz": {"disk": artifact("metal.raw.gz", "5", compressed=True)},
            "4k.raw.gz": {"disk": artifact("metal4k.raw.gz", "6", compressed=True)},
        },
    }
    qemu = {
        "release": "418.94.202501221327-1",
        "formats": {"qcow2.gz": {"disk": artifact("q.gz", "7", compressed=True)}},
    }
    arm = {"metal": {"release": "418.94.arm", "formats": {"iso": {"disk": artifact("arm.iso", "8")}}}}
    return {
        "stream": "rhcos-4.18",
        "architectures": {"x86_64": {"artifacts": {"metal": metal, "qemu": qemu}}, "aarch64": {"artifacts": arm}},
    }


def bootimages(text: str | None = None) -> bytes:
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "coreos-bootimages", "namespace": "openshift-machine-config-operator"},
        "data": {"releaseVersion": VERSION, "stream": json.dumps(stream(), indent=2) if text is None else text},
    }
    return yaml.safe_dump(body).encode()


def of_module(folder: str, pattern: str = "*.yaml") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((module() / folder).glob(pattern))}


def feature_gate(feature_set: str, enabled: list[str], disabled: list[str]) -> bytes:
    body = {
        "apiVersion": "config.openshift.io/v1",
        "kind": "FeatureGate",
        "metadata": {"name": "cluster", "annotations": {PROFILE: "true"}},
        "spec": {} if feature_set == "Default" else {"featureSet": feature_set},
        "status": {
            "featureGates": [
                {
                    "version": "",
                    "enabled": [{"name": name} for name in enabled],
                    "disabled": [{"name": name} for name in disabled],
                }
            ]
        },
    }
    return json.dumps(body).encode()


@cache
def small() -> dict[str, bytes]:
    """The manifests without which nothing is built: the feature gates that the catalogue has, and the boot images."""
    gates = catalogue.feature_gates(DEFAULT)
    return {
        **{f"0000_50_featureGate-{name}.json": feature_gate(name, *map(list, gates[name])) for name in FEATURE_SETS},
        "0000_50_installer_coreos-bootimages.yaml": bootimages(),
    }


@cache
def manifests() -> dict[str, bytes]:
    """What the API's and the version operator's images bring into a release; Go fetches the API's module."""
    return {
        **of_module(CRDS),
        **{f"0000_50_cluster-config-api_{name}": content for name, content in of_module(GATES).items()},
        **of_module(VERSION_OPERATOR, "0000_00_cluster-version-operator_*.yaml"),
        **of_module("payload-command/empty-resources"),
        "0000_50_installer_coreos-bootimages.yaml": bootimages(),
    }


def files(**changes: bytes | None) -> dict[str, bytes]:
    """Everything below /release-manifests of a small release; a change to None takes a file away."""
    found: dict[str, bytes | None] = {
        "image-references": json.dumps(references()).encode(),
        "release-metadata": json.dumps(metadata()).encode(),
        **small(),
        **{name.replace("_", "-"): content for name, content in changes.items()},
    }
    return {name: content for name, content in found.items() if content is not None}


def whole() -> dict[str, bytes]:
    """Everything below /release-manifests of a release with the real manifests."""
    return {name: content for name, content in files().items() if name not in small()} | manifests()


def payload(**changes: bytes | None) -> Payload:
    return Payload(image=IMAGE, files=files(**changes))


def write_version(folder: Path, version: str) -> str:
    """A local image of a release that says it is of this version; its name."""
    content = files(
        image_references=json.dumps(references(metadata={"name": version})).encode(),
        release_metadata=json.dumps(metadata(version=version)).encode(),
    )
    write_oci(folder, content)
    return f"oci:{folder}"


def write_oci(folder: Path, content: dict[str, bytes]) -> str:
    """An OCI folder with one image whose only layer has the files below /release-manifests; its digest."""
    import gzip
    import hashlib
    import io
    import tarfile

    def blob(data: bytes) -> dict[str, Any]:
        hexadecimal = hashlib.sha256(data).hexdigest()
        (folder / "blobs/sha256" / hexadecimal).write_bytes(data)
        return {"digest": f"sha256:{hexadecimal}", "size": len(data)}

    (folder / "blobs/sha256").mkdir(parents=True)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name, data in content.items():
            entry = tarfile.TarInfo(f"release-manifests/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    diff = f"sha256:{hashlib.sha256(raw.getvalue()).hexdigest()}"
    layer = blob(gzip.compress(raw.getvalue(), mtime=0)) | {"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip"}
    config = {"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": [diff]}}
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(json.dumps(config).encode()) | {"mediaType": "application/vnd.oci.image.config.v1+json"},
        "layers": [layer],
    }
    top = blob(json.dumps(manifest).encode()) | {"mediaType": manifest["mediaType"]}
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": [top]}))
    (folder / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
    return str(top["digest"])
