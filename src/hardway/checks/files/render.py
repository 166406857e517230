"""Checks of MCO's render: it is whole, and it was made from this cluster's files and this release."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.release import unread
from hardway.checks.files.shapes import at, mapping, text
from hardway.emit.rendered_name import rendered_name
from hardway.graph.asset import digest
from hardway.manifests.machines import CONTROLLER_KINDS
from hardway.model.check import Flaw

CONTROLLER = "mco/controller-config/machine-config-controller.yaml"
RECORD = "mco/inputs.json"
POOLS = ("master", "worker")
AGAIN = "run `hardway build 04` again"


def no_render(artifacts: Artifacts) -> str:
    return "" if artifacts.files("mco/**/*") else unread(artifacts) or f"MCO's render is missing; {AGAIN}"


def no_controller(artifacts: Artifacts) -> str:
    return unread(artifacts) or ("" if _spec(artifacts) else f"{CONTROLLER} is missing or damaged; {AGAIN}")


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    """Each pool has one rendered config, the one that the pool itself names."""
    for pool in POOLS:
        files = artifacts.files(f"mco/machine-configs/rendered-{pool}-*.yaml")
        named = at(artifacts.yaml(f"mco/machine-pools/{pool}.yaml"), "spec", "configuration", "name")
        if [f"mco/machine-configs/{named}.yaml"] != files:
            message = f"holds {', '.join(files) or 'nothing'} for pool {pool}, which names {named}"
            yield Flaw(subject="mco/machine-configs", message=message, fix=AGAIN)


def modes(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in artifacts.files("mco/**/*"):
        if artifacts.mode(path) & 0o077:
            message = f"has mode {artifacts.mode(path):04o}, and the render holds the pull secret"
            yield Flaw(subject=path, message=message, fix=f"chmod 600 {path}")


def same_release(artifacts: Artifacts) -> Iterator[Flaw]:
    release, spec = artifacts.cluster.release, _spec(artifacts)
    wanted = {"releaseImage": release.image, "baseOSContainerImage": release.images.get("rhel-coreos")}
    for field, value in wanted.items():
        if spec.get(field) != value:
            message = f"spec.{field} is {spec.get(field)}, the release has {value}"
            yield Flaw(subject=CONTROLLER, message=message, fix=AGAIN)


def same_cluster(artifacts: Artifacts) -> Iterator[Flaw]:
    """The render carries the API's address, the trust and the pull secret: of this build, not of an earlier one."""
    spec = _spec(artifacts)
    wanted = {
        "clusterDNSIP": (spec.get("clusterDNSIP"), artifacts.cluster.cluster_dns_address),
        "infra": (
            at(spec, "infra", "status", "apiServerInternalURI"),
            f"https://{artifacts.cluster.api_int_host}:6443",
        ),
        "rootCAData": (_decoded(spec.get("rootCAData")), artifacts.text("tls/root-ca.crt")),
        "kubeAPIServerServingCAData": (
            _decoded(spec.get("kubeAPIServerServingCAData")),
            artifacts.text("tls/kube-apiserver-complete-client-ca-bundle.crt"),
        ),
    }
    for field, (said, value) in wanted.items():
        if said != value:
            yield Flaw(subject=CONTROLLER, message=f"spec.{field} is not this cluster's", fix=AGAIN)


def names(artifacts: Artifacts) -> Iterator[Flaw]:
    """The cluster's own render has the name of its content. A render that was changed afterwards keeps its old name."""
    for path in artifacts.files("mco/machine-configs/rendered-*.yaml"):
        config = artifacts.yaml(path)
        said, spec = text(config, "metadata", "name"), mapping(config, "spec")
        pool = said.removeprefix("rendered-").rpartition("-")[0]
        if spec and said != (computed := rendered_name(pool, spec)):
            message = f"is called {said}, and the machine-config controller would call it {computed}"
            yield Flaw(subject=path, message=message, fix=AGAIN)


def no_record(artifacts: Artifacts) -> str:
    return no_render(artifacts) or ("" if _inputs(artifacts) else f"{RECORD} does not name the inputs; {AGAIN}")


def inputs(artifacts: Artifacts) -> Iterator[Flaw]:
    """The cluster renders from its own objects: they have to be those that the nodes' configuration was made from."""
    rendered = _inputs(artifacts)
    for path, was in sorted(rendered.items()):
        content = artifacts.read(path)
        if content is None or digest(content) != was:
            message = f"has {'changed' if content else 'gone'} since MCO rendered from it"
            yield Flaw(subject=path, message=message, fix=AGAIN, origin=RECORD)
    for path, document in artifacts.documents.items():
        if document.get("kind") in CONTROLLER_KINDS and path not in rendered:
            message = f"is a {document['kind']}, which the machine-config controller reads, and MCO rendered without it"
            yield Flaw(subject=path, message=message, fix=AGAIN, origin=RECORD)


def _inputs(artifacts: Artifacts) -> dict[str, Any]:
    """By path: a digest each, as the render recorded them."""
    return mapping(artifacts.yaml(RECORD), "inputs")


def pull_secret(artifacts: Artifacts) -> Iterator[Flaw]:
    """What the nodes show to registries is install-config's."""
    from json import loads

    for path in artifacts.files("mco/machine-configs/rendered-*.yaml"):
        said = _file(artifacts.yaml(path), "/var/lib/kubelet/config.json")
        try:
            same = loads(said or b"null") == loads(artifacts.cluster.pull_secret)
        except ValueError:
            same = False
        if not same:
            message = "/var/lib/kubelet/config.json is not the pull secret of install-config"
            yield Flaw(subject=path, message=message, fix=AGAIN)


def _spec(artifacts: Artifacts) -> dict[str, Any]:
    spec = at(artifacts.yaml(CONTROLLER), "spec")
    return spec if isinstance(spec, dict) else {}


def _decoded(value: Any) -> str:
    try:
        return b64decode(str(value)).decode().strip()
    except ValueError:
        return ""


def _file(machine_config: Any, path: str) -> bytes | None:
    files = at(machine_config, "spec", "config", "storage", "files")
    for entry in files if isinstance(files, list) else ():
        if at(entry, "path") == path:
            source = str(at(entry, "contents", "source"))
            header, _, data = source.partition(",")
            return b64decode(data) if header.endswith(";base64") else unquote_to_bytes(data)
    return None
