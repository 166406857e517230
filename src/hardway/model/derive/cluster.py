"""The frozen cluster from the judged draft, the plan, the settings and the release."""

from __future__ import annotations

from hardway.model.cluster import Capabilities, Cluster, ClusterNetwork, ImageSource, Proxy, Release
from hardway.model.config.draft import Draft
from hardway.model.derive import makers
from hardway.model.derive.plan import Plan, freeze
from hardway.model.hosts import Hosts
from hardway.model.own.document import Own
from hardway.model.settings.file import Settings


def make_cluster(
    draft: Draft, plan: Plan, hosts: Hosts, settings: Settings, release: Release, own: tuple[Own, ...] = ()
) -> Cluster:
    gateways = tuple(str(address) for address in plan.gateways)
    control = draft.control_plane
    return Cluster(
        name=draft.text("metadata.name"),
        base_domain=draft.text("baseDomain"),
        machine_networks=tuple(cidr.network for cidr in draft.machine_networks),
        cluster_networks=tuple(
            ClusterNetwork(cidr=network.cidr.network, host_prefix=network.host_prefix)
            for network in draft.cluster_networks
        ),
        service_networks=tuple(cidr.network for cidr in draft.service_networks),
        network_type=draft.text("networking.networkType"),
        ovn_join_subnet=str(draft.join_subnet.network) if draft.join_subnet else None,
        control_plane_replicas=control.replicas,
        compute_replicas=draft.workers,
        control_plane_hyperthreading=control.hyperthreading == "Enabled",
        compute_hyperthreading=all(pool.hyperthreading == "Enabled" for pool in draft.compute),
        architecture=control.architecture,
        nodes=freeze(plan, draft.domain),
        api_vips=tuple(str(address) for address in plan.api_vips),
        ingress_vips=tuple(str(address) for address in plan.ingress_vips),
        gateways=gateways,
        dns_servers=tuple(str(address) for address in hosts.dns) or gateways,
        pull_secret=draft.text("pullSecret"),
        ssh_key=draft.text("sshKey"),
        fips=bool(draft.values.get("fips")),
        proxy=_proxy(draft),
        trust_bundle=draft.text("additionalTrustBundle"),
        trust_bundle_policy=draft.text("additionalTrustBundlePolicy"),
        digest_sources=_sources(draft, "imageDigestSources"),
        content_sources=_sources(draft, "imageContentSources"),
        capabilities=_capabilities(draft),
        feature_set=draft.text("featureSet"),
        feature_gates=tuple(draft.values.get("featureGates") or ()),
        cpu_partitioning="AllNodes" if draft.text("cpuPartitioningMode") == "AllNodes" else "None",
        install_config=draft.install_config,
        release=release,
        key_kind=settings.key_kind,
        short_lifetime_hours=settings.short_lifetime_hours,
        joining_hours=settings.joining_hours,
        road=settings.road,
        own=own,
        operators=(making := makers.making(release, settings.unmanaged)),
        unmanaged=makers.unmanaged(release, settings.unmanaged),
        kube_proxy=settings.kube_proxy or makers.NETWORK not in making,
    )


def _proxy(draft: Draft) -> Proxy | None:
    if "proxy" not in draft.values:
        return None
    return Proxy(
        http=draft.text("proxy.httpProxy"),
        https=draft.text("proxy.httpsProxy"),
        no_proxy=draft.text("proxy.noProxy"),
    )


def _sources(draft: Draft, path: str) -> tuple[ImageSource, ...]:
    return tuple(
        ImageSource(source=entry.source, mirrors=tuple(mirror or "" for mirror in entry.mirrors))
        for entry in draft.sources(path)
    )


def _capabilities(draft: Draft) -> Capabilities | None:
    stanza = draft.values.get("capabilities")
    if stanza is None:
        return None
    return Capabilities(
        baseline=stanza["baselineCapabilitySet"], additional=tuple(stanza.get("additionalEnabledCapabilities") or ())
    )
