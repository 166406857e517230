"""The first page: what cluster this is, how far it is, and where to go on."""

from __future__ import annotations

from collections.abc import Iterator

from hardway.explain.place import INPUTS
from hardway.model.entropy import SystemEntropy
from hardway.page.frame import Page
from hardway.page.html import Html, code, items, join, rows, table, tag
from hardway.page.pictures import Pictures
from hardway.page.site import Site, yours
from hardway.page.stages import state
from hardway.pipeline.select import deadline_line

PATH = "index.html"
SAID = "Names lead to addresses, addresses to the load balancer, and its ports to nodes"


def pages(site: Site) -> Iterator[Page]:
    cluster = site.workspace.loaded.cluster
    picture = Pictures(cluster).figure("ways", SAID)
    parts = (_plan(site), tag("h2", "Machines"), _nodes(site), tag("h2", "Stages"), _stages(site))
    ways = (tag("h2", "How clients reach it"), picture)
    yield Page(path=PATH, title=cluster.domain, body=join((*parts, *ways)))


def _plan(site: Site) -> Html:
    cluster = site.workspace.loaded.cluster
    pairs = (
        ("release", cluster.release.version),
        ("API", join((code(cluster.api_host), ", ", ", ".join(cluster.api_vips)))),
        ("applications", join((code(f"*.apps.{cluster.domain}"), ", ", ", ".join(cluster.ingress_vips)))),
        ("machine network", ", ".join(map(str, cluster.machine_networks))),
        ("pod network", ", ".join(str(network.cidr) for network in cluster.cluster_networks)),
        ("service network", ", ".join(map(str, cluster.service_networks))),
        ("your files", _yours(site)),
        (
            "deadline",
            site.prose(PATH, deadline_line(site.workspace, SystemEntropy().now()).removeprefix("deadline").strip()),
        ),
    )
    return rows(pairs)


def _yours(site: Site) -> Html:
    names = [name for name in INPUTS if (site.workspace.folder / name).is_file()]
    return join((tag("a", name, href=yours(name)) for name in names), ", ")


def _nodes(site: Site) -> Html:
    nodes = site.workspace.loaded.cluster.nodes
    lines = ((node.name, node.role, ", ".join(node.addresses), code(node.mac)) for node in nodes)
    return table(("name", "role", "address", "MAC"), lines, "Machines of the plan")


def _stages(site: Site) -> Html:
    links = (
        join((tag("a", row.stage.label, href=f"stages.html#stage-{row.stage.number}"), " ", state(row)))
        for row in site.stages
    )
    return tag("div", items(links), class_="columns")
