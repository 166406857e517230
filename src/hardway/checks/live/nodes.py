"""Nodes, what they show, and what they find by name."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from hardway.checks.files.shapes import mappings, text
from hardway.checks.live.given import Given
from hardway.drive import objects
from hardway.drive.client import Trouble, path
from hardway.drive.wire import Endpoint, shown
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster
from hardway.staticpods.paths import KUBE_PROXY
from hardway.tools.patience import Patience

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

SOON = timedelta(hours=1)
KUBELET = 10250
STARTING = 60.0  # seconds for all listeners together: a node that has just started is Ready by its last word
PROXY = f"{KUBE_PROXY}/kubeconfig"
RENEW = (
    "run `hardway build --rotate cert/kube-control-plane-kube-proxy-client`, then copy auth/kube-proxy.kubeconfig to "
    f"{PROXY} on every master"
)
CLOCK = "compare the clocks of this machine and of the node; set the wrong one, and make the certificate again"
SERVE_AGAIN = "give the server the certificate of this build again: `hardway verify 05` checks its names"
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
        yield Flaw(subject=name, message="is planned and has not joined", failure="F56")
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


def certificate_of(given: Given, endpoint: Endpoint, patience: Patience) -> bytes | OSError:
    """In DER, once it listens; the reason if it does not."""
    while True:
        try:
            return shown(endpoint)
        except OSError as error:
            if patience.ended():
                return error
        given.sleep(1.0)


def listens(given: Given) -> Iterator[Flaw]:
    """A kubelet without a serving certificate ends every handshake with an alert of its own."""
    patience = Patience(min(STARTING, given.seconds))
    for label, endpoint in _shown(given.live.cluster):
        found = certificate_of(given, endpoint, patience)
        if isinstance(found, OSError):
            alert = "INTERNAL_ERROR" in str(found).upper().replace(" ", "_")
            message = f"no answer: {found or type(found).__name__}"
            yield Flaw(subject=label, message=message, failure="F28" if alert else "")


def certificates(given: Given) -> Iterator[Flaw]:
    from cryptography.x509 import load_der_x509_certificate

    for label, endpoint in _shown(given.live.cluster):
        found = certificate_of(given, endpoint, Patience(0.0))
        if isinstance(found, OSError):
            continue  # `listens` tells
        yield from judged(given, label, endpoint.name, load_der_x509_certificate(found))
    yield from proxies(given)


def judged(given: Given, label: str, name: str, certificate: Certificate) -> Iterator[Flaw]:
    """What a listener shows to who asks for the name; without one, for nobody."""
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if end - given.now < SOON:
        yield Flaw(subject=label, message=f"its certificate ends at {end:%Y-%m-%d %H:%M} UTC")
    if begin > given.now:
        message = f"its certificate is valid from {begin:%Y-%m-%d %H:%M} UTC on, which is later than now"
        yield Flaw(subject=label, message=message, failure="F02", fix=CLOCK)
    if name and name not in _names(certificate):
        has = ", ".join(sorted(_names(certificate))) or "no name"
        message = f"its certificate is valid for {has}, not {name}"
        yield Flaw(subject=label, message=message, failure="F07", fix=SERVE_AGAIN)


def _names(certificate: Certificate) -> frozenset[str]:
    from cryptography.x509 import DNSName, ExtensionNotFound, SubjectAlternativeName

    try:
        found = certificate.extensions.get_extension_for_class(SubjectAlternativeName)
    except ExtensionNotFound:
        return frozenset()
    return frozenset(found.value.get_values_for_type(DNSName))


def proxies(given: Given) -> Iterator[Flaw]:
    """kube-proxy on masters: nothing in the cluster renews its certificate. Only that is read, and not the key."""
    from cryptography.x509 import load_pem_x509_certificate

    for node in given.live.cluster.masters if given.live.cluster.kube_proxy else ():
        done = given.live.machines.run(node.name, ["sed", "-n", "s/.*client-certificate-data: *//p", PROXY])
        if not done.output.strip():
            continue  # it has left
        try:
            end = load_pem_x509_certificate(b64decode(done.output.strip())).not_valid_after_utc
        except ValueError:
            yield Flaw(subject=node.name, message=f"the certificate in {PROXY} cannot be read", fix=RENEW)
            continue
        if end - given.now < SOON:
            message = f"kube-proxy's certificate ends at {end:%Y-%m-%d %H:%M} UTC, and nothing renews it"
            yield Flaw(subject=node.name, message=message, fix=RENEW)


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
                yield Flaw(subject=node.name, message=message, failure=_unnamed(cluster, name, found))


def _unnamed(cluster: Cluster, name: str, found: set[str]) -> str:
    """The failure mode of a name that resolves to these addresses instead of the load balancer's."""
    if not name.startswith("api"):
        return "F33"
    nodes = {address for node in cluster.nodes for address in node.addresses}
    return "F44" if not found else "F04" if found & nodes else "F55"


def addresses(given: Given) -> Iterator[Flaw]:
    found = given.live.api.items("/api/v1/nodes")
    seen = {} if isinstance(found, Trouble) else {text(item, "metadata", "name"): dict(item) for item in found}
    for node in (*given.live.cluster.masters, *given.live.cluster.workers):
        rows = mappings(seen.get(node.name, {}), "status", "addresses")
        used = {text(row, "address") for row in rows if text(row, "type") == "InternalIP"}
        if used and not used <= set(node.addresses):
            message = f"its kubelet has chosen {', '.join(sorted(used))}, and the plan has {', '.join(node.addresses)}"
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
