"""Routes of the cluster's own components, asked for from outside: through the load balancer's ingress addresses, by
name, with the certificate that the cluster announces for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardway.checks.files.shapes import at, mapping, mappings, text
from hardway.checks.live.given import Given
from hardway.drive.client import Object, Trouble, path
from hardway.drive.live import QUICK
from hardway.drive.wire import Endpoint, Identity, Unanswered, Wire
from hardway.model.check import Flaw

OPERATOR = "openshift-ingress-operator/ingress-operator"  # its Deployment
ROUTES = "/apis/route.openshift.io/v1/routes"
AUTHORITY = path("/api/v1/configmaps", "default-ingress-cert", namespace="openshift-config-managed")
SPACES = ("openshift-authentication", "openshift-console", "openshift-ingress-canary")
"""Login, the console, and the route by which the ingress operator examines itself, with the routers' certificate."""
PORT = 443


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    name: str  # with its namespace
    host: str
    path: str


def no_routers(given: Given) -> str:
    brought = given.live.cluster.release.brought.deployments
    return "" if OPERATOR in brought else "the release deploys no ingress operator"


def answer(given: Given) -> Iterator[Flaw]:
    items, said = given.live.api.items(ROUTES), given.live.api.get(AUTHORITY)
    for asked, what in ((items, "routes"), (said, "default-ingress-cert")):
        if isinstance(asked, Trouble):
            yield Flaw(subject=what, message=str(asked))
    if isinstance(items, Trouble) or isinstance(said, Trouble):
        return
    identity = Identity(trust=text(mapping(said, "data"), "ca-bundle.crt").encode())
    found = [route for item in items if (route := admitted(item))]
    if not found:
        yield Flaw(subject="routes", message=f"no route in {', '.join(SPACES)} is admitted by a router")
    for route in found:
        for address in given.live.cluster.ingress_vips:
            if missing := given.until(lambda r=route, a=address: _missing(r, a, identity)):  # type: ignore[misc]
                yield Flaw(subject=f"{route.name} at {address}", message=f"https://{route.host}{route.path}: {missing}")


def admitted(item: Object) -> Route | None:
    """With TLS, in one of the namespaces, and taken by a router."""
    space, spec = text(mapping(item, "metadata"), "namespace"), mapping(item, "spec")
    conditions = [c for row in mappings(at(item, "status", "ingress")) for c in mappings(row.get("conditions"))]
    taken = any((c.get("type"), c.get("status")) == ("Admitted", "True") for c in conditions)
    if space not in SPACES or not taken or not spec.get("tls"):
        return None
    name = text(mapping(item, "metadata"), "name")
    return Route(name=f"{space}/{name}", host=text(spec, "host"), path=text(spec, "path") or "/")


def _missing(route: Route, address: str, identity: Identity) -> str:
    """A router that has no pod behind a route answers 503; a redirect to the login is an answer of the component."""
    endpoint = Endpoint(host=address, port=PORT, name=route.host)
    said = Wire([endpoint], identity, seconds=QUICK, accept="*/*", host=route.host).request("GET", route.path)
    if isinstance(said, Unanswered):
        return f"no answer from {said.reason}"
    return f"answers {said.code}" if said.code >= 500 else ""
