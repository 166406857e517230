"""Nodes, what they show, and what they find by name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hardway.checks.live.given import Given
from hardway.drive import objects
from hardway.drive.client import Trouble, path
from hardway.drive.wire import Endpoint, shown
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster

SOON = timedelta(hours=1)
KUBELET = 10250
SLICES = "/apis/discovery.k8s.io/v1/endpointslices"


def nodes(given: Given) -> Iterator[Flaw]:
    found = given.live.api.items("/api/v1/nodes")
    if isinstance(found, Trouble):
        yield Flaw(subject="the API", message=found.message)
        return
    cluster = given.live.cluster
    planned = {n.name for n in (*cluster.masters, *cluster.workers)}
    seen = {item["metadata"]["name"]: objects.node(item) for item in found}
    for name in sorted(planned - seen.keys()):
        yield Flaw(subject=name, message="is planned and has not joined")
    for name in sorted(seen.keys() - planned):
        yield Flaw(subject=name, message="has joined and is not planned")
    for name, node in sorted(seen.items()):
        if not node.ready:
            yield Flaw(subject=name, message=f"is not Ready: {node.reason}")


def _shown(cluster: Cluster) -> Iterator[tuple[str, Endpoint]]:
    """Every listener of the control plane, by each of its faces, and every kubelet."""
    for node in cluster.masters:
        for name in (cluster.api_host, cluster.api_int_host, "localhost", ""):
            label = f"{node.name}:6443{f' as {name}' if name else ''}"
            yield label, Endpoint(host=node.address, port=6443, name=name)
        yield f"{node.name}:2379", Endpoint(host=node.address, port=2379)
    for node in (*cluster.masters, *cluster.workers):
        yield f"{node.name}:{KUBELET}", Endpoint(host=node.address, port=KUBELET)


def certificates(given: Given) -> Iterator[Flaw]:
    from cryptography.x509 import load_der_x509_certificate

    for label, endpoint in _shown(given.live.cluster):
        try:
            end = load_der_x509_certificate(shown(endpoint)).not_valid_after_utc
        except OSError as error:
            yield Flaw(subject=label, message=f"no answer: {error or type(error).__name__}")
            continue
        if end - given.now < SOON:
            yield Flaw(subject=label, message=f"its certificate ends at {end:%Y-%m-%d %H:%M} UTC")


def names(given: Given) -> Iterator[Flaw]:
    cluster = given.live.cluster
    wanted = {
        cluster.api_host: cluster.api_vips,
        cluster.api_int_host: cluster.api_vips,
        f"console-openshift-console.apps.{cluster.domain}": cluster.ingress_vips,
    }
    for node in (*cluster.masters, *cluster.workers):
        for name, addresses in wanted.items():
            done = given.live.machines.run(node.name, ["getent", "ahosts", name])
            found = {line.split()[0] for line in done.output.splitlines() if line.strip()}
            if not found & set(addresses):
                message = f"{name} resolves to {', '.join(sorted(found)) or 'nothing'}, not {', '.join(addresses)}"
                yield Flaw(subject=node.name, message=message)


def apis(given: Given) -> Iterator[Flaw]:
    found = given.live.api.get(path(SLICES, "kubernetes", namespace="default"))
    if isinstance(found, Trouble):
        yield Flaw(subject="the kubernetes Service", message=found.message)
        return
    behind = {address for endpoint in found.get("endpoints") or () for address in endpoint["addresses"]}
    planned = {node.address for node in given.live.cluster.masters}
    for address in sorted(behind - planned):
        yield Flaw(subject="the kubernetes Service", message=f"has the endpoint {address}, which is not a master")
    for address in sorted(planned - behind):
        yield Flaw(subject="the kubernetes Service", message=f"lacks the endpoint {address}")
