"""A cluster's folder as a witness: its files, this machine, and the network as seen from here."""

from __future__ import annotations

from dataclasses import replace

from hardway.checks.files.table import TABLE as FILES
from hardway.checks.record import INPUTS, Outdated
from hardway.checks.record import TABLE as RECORD
from hardway.graph.inputs import CONFIGURED, PARAMS, in_words
from hardway.model.check import Report, run
from hardway.model.entropy import SystemEntropy
from hardway.model.settings.infra import InfraSettings
from hardway.pipeline.build import builder_of
from hardway.pipeline.verify import is_empty, unbuilt, verify
from hardway.stages.table import BUILT
from hardway.workspace.folder import Workspace

NOTHING = "Nothing is built yet, so no file was checked: `hardway build` builds all stages."


def files(workspace: Workspace) -> Report:
    """Of the stages that are built. Nothing is recorded, unlike after `hardway verify`. What is wrong in a file that
    was made before the configuration changed is explained by that."""
    if is_empty(workspace.store.root):
        skipped = {check.name: "nothing is built yet" for check in FILES}
        return Report(ran=(), findings=(), skipped=skipped, notes=(NOTHING,))
    old = outdated(workspace)
    report = verify(workspace, BUILT, workspace.store.root, without=unbuilt(workspace, BUILT))
    findings = (replace(f, cause=INPUTS.name) if f.subject in old.paths else f for f in report.findings)
    return Report.merge([run(RECORD, old), replace(report, findings=tuple(findings))])


def outdated(workspace: Workspace) -> Outdated:
    """As `hardway status` knows it: the files that a changed setting makes stale, and those that are made from them."""
    builder = builder_of(workspace, SystemEntropy())
    graph = workspace.graph
    reasons = {address: builder.reason(asset) or "" for address, asset in graph.items()}
    changed = {a for a, reason in reasons.items() if reason.endswith((CONFIGURED, in_words(PARAMS)))}
    settings = {r.removesuffix(CONFIGURED) for r in reasons.values() if r.endswith(CONFIGURED)}
    while more := {a for a, asset in graph.items() if a not in changed and changed & set(asset.needs)}:
        changed |= more
    paths = frozenset(graph[a].path for a in changed) if settings else frozenset()
    return Outdated(settings=tuple(sorted(settings)), paths=paths)


def host(workspace: Workspace) -> Report:
    """This machine, for the work that the folder plans on it: virtual machines, or the build alone."""
    from hardway.checks.host.examine import prerequisites
    from hardway.libvirt.choices import choose

    loaded = workspace.loaded
    return prerequisites(
        loaded.cluster,
        workspace.store.root,
        profile="own" if loaded.settings.infra == InfraSettings() else "libvirt",
        choices=choose(loaded.settings.infra),
        hosts=loaded.hosts,
    )


def network(workspace: Workspace) -> Report:
    """DNS, load balancer and mirrors, asked from here."""
    from hardway.checks.network.dns import TABLE as DNS
    from hardway.checks.network.mirrors import examine
    from hardway.checks.network.ports import TABLE as PORTS
    from hardway.checks.network.target import Target
    from hardway.network.dns.client import parse_server

    cluster = workspace.loaded.cluster
    servers = [parse_server(text) for text in cluster.dns_servers]
    target = Target(cluster=cluster, servers=servers, entropy=SystemEntropy(), expect="balancer")
    return Report.merge([run((*DNS, *PORTS), target), examine(cluster)])
