"""The bootstrap node's own settings, made from the plan: proxy, mirrors, trust, images, and what scripts are told."""

from __future__ import annotations

import json
from shlex import quote

from hardway.graph.asset import Given
from hardway.ignition import network
from hardway.manifests.proxy import no_proxy
from hardway.model.cluster import Cluster, ImageSource
from hardway.staticpods import masters
from hardway.staticpods.pods import retired


def hostname(given: Given) -> str:
    return f"{given.cluster.bootstrap.name}\n"


def network_profile(given: Given) -> str:
    return network.keyfile(given.cluster, given.cluster.bootstrap)


def pull_secret(given: Given) -> str:
    return given.cluster.pull_secret


def proxy_variables(cluster: Cluster) -> dict[str, str]:
    if cluster.proxy is None:
        return {}
    found = {"HTTP_PROXY": cluster.proxy.http, "HTTPS_PROXY": cluster.proxy.https, "NO_PROXY": no_proxy(cluster)}
    return {name: value for name, value in found.items() if value}


def service_environment(given: Given) -> str:
    """systemd expands % even inside quotes."""
    lines = [f'DefaultEnvironment={name}="{_escaped(value)}"' for name, value in proxy_variables(given.cluster).items()]
    return "\n".join(["[Manager]", *lines]) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")


def login_environment(given: Given) -> str:
    return "".join(f"export {name}={quote(value)}\n" for name, value in proxy_variables(given.cluster).items())


def mirrors(given: Given) -> str:
    """Every source once, its mirrors in the order they were given; images by digest only."""
    cluster = given.cluster
    merged: dict[str, dict[str, None]] = {}
    for group in cluster.content_sources or cluster.digest_sources:
        merged.setdefault(group.source, {}).update(dict.fromkeys(group.mirrors))
    return "\n".join(_registry(ImageSource(source=s, mirrors=tuple(m))) for s, m in merged.items() if m)


def _registry(group: ImageSource) -> str:
    lines = ["[[registry]]", f"location = {json.dumps(group.source)}", "insecure = false"]
    lines.append("mirror-by-digest-only = true")
    for mirror in group.mirrors:
        lines += ["", "[[registry.mirror]]", f"location = {json.dumps(mirror)}", "insecure = false"]
    return "\n".join(lines) + "\n"


def trust_anchor(given: Given) -> str:
    bundle = given.cluster.trust_bundle
    return bundle if not bundle or bundle.endswith("\n") else f"{bundle}\n"


def fips(given: Given) -> str:
    """A machine config without Ignition in it: RHCOS looks here, before anything else runs, whether to use FIPS."""
    spec = {"config": {"ignition": {"version": "3.1.0"}}, "kernelArguments": [], "fips": given.cluster.fips}
    return json.dumps({"metadata": {"name": "bootstrap-fips"}, "spec": spec}, indent=2) + "\n"


def runtime(given: Given) -> str:
    """CRI-O as the bootstrap node needs it; the masters get the same from MCO."""
    image = given.cluster.release.image_for("pod")
    return "\n".join(
        [
            "[crio.image]",
            f"pause_image = {json.dumps(image)}",
            'pause_command = "/usr/bin/pod"',
            'global_auth_file = "/root/.docker/config.json"',
            "",
        ]
    )


def kubelet_environment(given: Given) -> str:
    cluster = given.cluster
    return _assignments(NODE_IP=",".join(cluster.bootstrap.addresses), PAUSE_IMAGE=cluster.release.image_for("pod"))


def bootkube_environment(given: Given) -> str:
    """Two masters are enough to go on without this machine, if there are to be three or more. The etcd operator takes
    this machine's member away when the end is recorded: then nobody here may use it any more."""
    cluster = given.cluster
    needed = 2 if cluster.control_plane_topology == "HighlyAvailable" else 1
    operators = [row for row in cluster.line.operators if row.revisions and row.name in cluster.operators]
    return _assignments(
        MASTERS=" ".join(n.name for n in cluster.masters),
        MASTERS_NEEDED=str(needed),
        MADE_BY_HAND=" ".join(masters.pods(cluster, row.name) for row in masters.by_hand(cluster)),
        MADE_BY_OPERATORS=" ".join(row.revisions for row in operators),
        TEAR_DOWN=" ".join(retired() if "etcd" in cluster.operators else ()),
    )


def _assignments(**values: str) -> str:
    return "".join(f"{name}={quote(value)}\n" for name, value in values.items())
