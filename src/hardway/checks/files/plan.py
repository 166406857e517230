"""Stage 03: the plan on disk is the plan of the configuration, and its identities have their forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.shapes import at, mapping, mappings, parse_json, text
from hardway.model.check import Flaw

PLAN = "plan/cluster.yaml"
REBUILD = "remove the file and run `hardway build 03`"
UUID4 = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
SUFFIX = r"-[bcdfghjklmnpqrstvwxz2456789]{5}"  # Kubernetes' alphabet for random names: no vowels, no lookalikes


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    for path in (PLAN, "plan/map.md", "plan/cluster-id", "plan/infra-id", "metadata.json"):
        if not artifacts.exists(path):
            yield Flaw(subject=path, message="the file is missing", fix=artifacts.build(path, "03"))
    if artifacts.exists(PLAN) and not mapping(artifacts.yaml(PLAN)):
        yield Flaw(subject=PLAN, message="it is not a YAML object", fix=REBUILD)


def nodes(artifacts: Artifacts) -> Iterator[Flaw]:
    """Machines are made from this list: it must be the configuration's, name by name and address by address."""
    plan = mapping(artifacts.yaml(PLAN))
    if not plan:
        return
    found = {text(n, "name"): (n.get("role"), n.get("addresses"), n.get("mac")) for n in mappings(plan, "nodes")}
    for node in artifacts.cluster.nodes:
        wanted = (node.role, list(node.addresses), node.mac)
        if found.pop(node.name, None) != wanted:
            message = f"{node.name} must be a {node.role} at {', '.join(node.addresses)} with {node.mac}"
            yield Flaw(subject=PLAN, message=message, fix=REBUILD)
    for name in found:
        yield Flaw(subject=PLAN, message=f"{name or 'a node without a name'} is in no configuration", fix=REBUILD)


def endpoints(artifacts: Artifacts) -> Iterator[Flaw]:
    """DNS and the load balancer are made from these."""
    c, plan = artifacts.cluster, mapping(artifacts.yaml(PLAN))
    wanted = {"apiVIPs": c.api_vips, "ingressVIPs": c.ingress_vips, "gateways": c.gateways, "dns": c.dns_servers}
    for key, values in wanted.items():
        if plan and at(plan, "endpoints", key) != list(values):
            yield Flaw(subject=PLAN, message=f"endpoints.{key} must be {', '.join(values)}", fix=REBUILD)
    if plan and at(plan, "cluster", "domain") != c.domain:
        yield Flaw(subject=PLAN, message=f"cluster.domain must be {c.domain}", fix=REBUILD)


def identities(artifacts: Artifacts) -> Iterator[Flaw]:
    forms = {"plan/cluster-id": UUID4, "plan/infra-id": rf"[A-Za-z0-9-]{{1,21}}{SUFFIX}"}
    for path, form in forms.items():
        if artifacts.exists(path) and not re.fullmatch(form, artifacts.text(path)):
            message = "it does not have the form that operators and tools expect"
            yield Flaw(subject=path, message=message, fix="remove it and run `hardway build`")
    metadata = parse_json(artifacts.read("metadata.json") or b"")
    same = {"clusterID": "plan/cluster-id", "infraID": "plan/infra-id"}
    for key, path in same.items():
        if artifacts.exists("metadata.json") and at(metadata, key) != artifacts.text(path):
            yield Flaw(subject="metadata.json", message=f"{key} is not that of {path}", fix=REBUILD)
