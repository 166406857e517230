"""Nodes, what they show, and what they find by name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from hardway.checks.live.given import Given, Problem
from hardway.drive import objects
from hardway.drive.client import Trouble, path
from hardway.drive.wire import Endpoint, shown
from hardway.model.cluster import Cluster

SOON = timedelta(hours=1)
KUBELET = 10250
SLICES = "/apis/discovery.k8s.io/v1/endpointslices"


def nodes(given: Given) -> Iterator[Problem]:
    found = given.world.api.items("/api/v1/nodes")
    if isinstance(found, Trouble):
        yield "the API", found.message
        return
    cluster = given.world.cluster
    planned = {n.name for n in (*cluster.masters, *cluster.workers)}
    seen = {item["metadata"]["name"]: objects.node(item) for item in found}
    yield from ((name, "is planned and has not joined") for name in sorted(planned - seen.keys()))
    yield from ((name, "has joined and is not planned") for name in sorted(seen.keys() - planned))
    yield from ((name, f"is not Ready: {node.reason}") for name, node in sorted(seen.items()) if not node.ready)


def _shown(cluster: Cluster) -> Iterator[tuple[str, Endpoint]]:
    """Every listener of the control plane, by each of its faces, and every kubelet."""
    for node in cluster.masters:
        for name in (cluster.api_host, cluster.api_int_host, "localhost", ""):
            label = f"{node.name}:6443{f' as {name}' if name else ''}"
            yield label, Endpoint(host=node.address, port=6443, name=name)
        yield f"{node.name}:2379", Endpoint(host=node.address, port=2379)
    for node in (*cluster.masters, *cluster.workers):
        yield f"{node.name}:{KUBELET}", Endpoint(host=node.address, port=KUBELET)


def certificates(given: Given) -> Iterator[Problem]:
    from cryptography.x509 import load_der_x509_certificate

    for label, endpoint in _shown(given.world.cluster):
        try:
            end = load_der_x509_certificate(shown(endpoint)).not_valid_after_utc
        except OSError as error:
            yield label, f"no answer: {error or type(error).__name__}"
            continue
        if end - given.now < SOON:
            yield label, f"its certificate ends at {end:%Y-%m-%d %H:%M} UTC"


def names(given: Given) -> Iterator[Problem]:
    cluster = given.world.cluster
    wanted = {
        cluster.api_host: cluster.api_vips,
        cluster.api_int_host: cluster.api_vips,
        f"console-openshift-console.apps.{cluster.domain}": cluster.ingress_vips,
    }
    for node in (*cluster.masters, *cluster.workers):
        for name, addresses in wanted.items():
            done = given.world.hands.run(node.name, ["getent", "ahosts", name])
            found = {line.split()[0] for line in done.output.splitlines() if line.strip()}
            if not found & set(addresses):
                yield node.name, f"{name} leads to {', '.join(sorted(found)) or 'nothing'}, not {', '.join(addresses)}"


def apis(given: Given) -> Iterator[Problem]:
    found = given.world.api.get(path(SLICES, "kubernetes", namespace="default"))
    if isinstance(found, Trouble):
        yield "the kubernetes Service", found.message
        return
    behind = {address for endpoint in found.get("endpoints") or () for address in endpoint["addresses"]}
    planned = {node.address for node in given.world.cluster.masters}
    yield from (("the kubernetes Service", f"leads to {a}, which is no master") for a in sorted(behind - planned))
    yield from (("the kubernetes Service", f"does not lead to {a}") for a in sorted(planned - behind))
