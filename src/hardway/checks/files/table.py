"""Every check of files, one row each, with the failure mode that it finds before boot."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hardway.checks.files import documents, kubeconfigs, plan, pods, release, render
from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition import pki as ignition_pki
from hardway.checks.files.ignition import rules, tables
from hardway.checks.files.manifests import config as manifest_config
from hardway.checks.files.manifests import objects as manifest
from hardway.checks.files.manifests import trust as manifest_trust
from hardway.checks.files.operators.table import OPERATORS
from hardway.checks.files.x509 import chain, content
from hardway.model.check import Check, Flaw, never
from hardway.model.why import because

SOURCE = "failure modes of hand-made clusters"
READERS = {
    "plan": "every later stage, which reads names, addresses and machines from it",
    "release": "the stages that take images and types from it",
    "render": "masters and workers, whose Ignition is made from it",
    "pki": "every component that proves its identity or verifies others",
    "kubeconfig": "each client of the API server",
    "pod": "the kubelet of the bootstrap node, and the control plane that it starts",
    "manifest": "the operators, which read them from the API",
    "ignition": "Ignition, on each machine at its first boot",
}
"""Who depends on what is checked, by the first word of the check's name."""


def check(
    name: str,
    stage: str,
    run: Callable[[Artifacts], Iterable[Flaw]],
    what: str,
    breaks: str,
    failure: str = "",
    *,
    skip: Callable[[Artifacts], str] = never,
    general: bool = False,
) -> Check[Artifacts]:
    why = because(what, readers=READERS[name.partition(".")[0]], breaks=breaks, source=SOURCE)
    return Check(name=name, stage=stage, run=run, failure=failure, why=why, skip=skip, general=general)


PLAN = (
    check(
        "plan.present",
        "03",
        plan.present,
        "The plan, the map and the identities are there.",
        "later stages have no plan",
    ),
    check(
        "plan.nodes",
        "03",
        plan.nodes,
        "Every machine is as configured.",
        "machines boot with another name or address",
        "F15",
    ),
    check(
        "plan.endpoints",
        "03",
        plan.endpoints,
        "VIPs, gateway, DNS are as configured.",
        "clients cannot reach the API",
        "F04",
    ),
    check(
        "plan.identity", "03", plan.identities, "Ids have their form and agree.", "telemetry and tools confuse clusters"
    ),
)

RELEASE = (
    check(
        "release.present",
        "04",
        release.present,
        "The release that was read is complete.",
        "later stages have no release",
        skip=release.unread,
    ),
    check(
        "release.images",
        "04",
        release.images,
        "Images match the payload.",
        "a node runs another program",
        skip=release.unread,
    ),
    check(
        "release.pinned",
        "04",
        release.pinned,
        "Images are named by digest.",
        "they change under the cluster",
        skip=release.unread,
    ),
    check(
        "release.version",
        "04",
        release.version,
        "One version everywhere.",
        "operators wait for theirs",
        "F41",
        skip=release.unread,
    ),
    check(
        "release.crds",
        "04",
        release.crds,
        "Each CRD is there exactly once.",
        "the last one applied wins",
        skip=release.no_crds,
    ),
    check(
        "release.kinds",
        "04",
        release.kinds,
        "Every object's kind is defined.",
        "no matches for kind",
        skip=release.unread,
    ),
    check(
        "render.present",
        "04",
        render.present,
        "Each pool has its render.",
        "nodes have no operating-system layer",
        skip=release.unread,
    ),
    check(
        "render.modes",
        "04",
        render.modes,
        "Only the owner can read it.",
        "anyone who reads it can pull as you",
        skip=render.no_render,
    ),
    check(
        "render.release",
        "04",
        render.same_release,
        "The render is of this release.",
        "nodes update to another release at first boot",
        skip=render.no_controller,
    ),
    check(
        "render.cluster",
        "04",
        render.same_cluster,
        "The render is of this cluster.",
        "unknown authority",
        "F06",
        skip=render.no_controller,
    ),
    check(
        "render.pull-secret",
        "04",
        render.pull_secret,
        "Nodes can pull.",
        "unauthorized",
        "F11",
        skip=render.no_render,
    ),
)

PKI = (
    check(
        "pki.present", "05", chain.present, "Every file of the table is there.", "later stages have nothing to embed"
    ),
    check("pki.readable", "05", chain.readable, "Every file is valid PEM of its kind.", "components exit at start"),
    check(
        "pki.modes",
        "05",
        chain.modes,
        "No private key is open to others.",
        "anyone who reads a key can act as that component",
    ),
    check("pki.pair", "05", chain.pairs, "Key and certificate belong together.", "tls: private key does not match"),
    check(
        "pki.chain",
        "05",
        chain.chains,
        "Each certificate is signed by the signer that the table names.",
        "unknown authority",
        "F06",
    ),
    check("pki.authority", "05", chain.authorities, "Signers can sign and leaves cannot.", "chain errors", "F09"),
    check(
        "pki.subject",
        "05",
        content.subjects,
        "Names and groups match the table.",
        "RBAC gives them nothing",
        "F29",
    ),
    check("pki.usages", "05", content.usages, "Server and client use match the table.", "tls: bad certificate", "F08"),
    check(
        "pki.names",
        "05",
        content.names,
        "Each is valid for every name and address it is served on.",
        "valid for other names",
        "F07",
    ),
    check("pki.validity", "05", content.validity, "No certificate expires during an installation.", "expired", "F01"),
    check("pki.not-before", "05", content.not_before, "No certificate starts in the future.", "not yet valid", "F02"),
    check(
        "pki.strength",
        "05",
        content.strength,
        "Keys and hashes are acceptable, under FIPS too.",
        "Go refuses them",
    ),
    check("pki.serials", "05", content.serials, "Serials are unique under a signer.", "browsers and NSS refuse both"),
    check(
        "pki.bundles",
        "05",
        content.bundle_contents,
        "Bundles hold the signers on disk.",
        "unknown authority",
        "F06",
    ),
    check(
        "pki.key-pairs",
        "05",
        content.key_pairs,
        "Public keys match their private keys, and the two service-account keys differ.",
        "tokens are refused",
    ),
)

KUBECONFIGS = (
    check("kubeconfig.present", "06", kubeconfigs.present, "All nine are there and readable.", "a component stays out"),
    check(
        "kubeconfig.modes",
        "06",
        kubeconfigs.modes,
        "None is open to others.",
        "anyone who reads it can act as that user",
    ),
    check("kubeconfig.context", "06", kubeconfigs.contexts, "current-context exists.", "clients use localhost:8080"),
    check(
        "kubeconfig.server",
        "06",
        kubeconfigs.servers,
        "Each has the right server URL.",
        "the name is wrong, or the server cannot be reached",
        "F07",
    ),
    check("kubeconfig.trust", "06", kubeconfigs.trust, "Each trusts the bundle on disk.", "unknown authority", "F06"),
    check(
        "kubeconfig.identity",
        "06",
        kubeconfigs.identity,
        "Each has the identity that the table names.",
        "403 or too much",
        "F29",
    ),
    check("kubeconfig.accepted", "06", kubeconfigs.accepted, "The API server trusts the signer of each.", "401", "F29"),
)

PODS = (
    check("pod.present", "07", pods.present, "All six static pods are there.", "a component is missing"),
    check("pod.host-network", "07", pods.host_network, "All are on the host's network.", "they wait for a CNI"),
    check("pod.images", "07", pods.images, "Images are named by digest.", "other images run than planned"),
    check(
        "pod.etcd-prefix",
        "07",
        pods.etcd_prefix,
        "Objects are stored under the prefix that masters read.",
        "an empty cluster",
    ),
    check(
        "pod.etcd-name",
        "07",
        pods.etcd_name,
        "The member has the name that the etcd operator removes.",
        "it stays",
        "F31",
    ),
    check(
        "pod.request-header",
        "07",
        pods.request_header,
        "Extension API servers accept the front proxy.",
        "401 for APIs",
        "F10",
    ),
    check(
        "pod.csr-signer",
        "07",
        pods.csr_signer,
        "The API server trusts the signer of kubelet certificates.",
        "Approved, not Issued",
        "F29",
    ),
    check("pod.service-account", "07", pods.service_accounts, "Tokens are accepted.", "Unauthorized everywhere"),
    check("pod.identity", "07", pods.identities, "Each component has its own identity.", "more rights than needed"),
    check("pod.version-operator", "07", pods.version_operator, "CVO can start and sync.", "nothing is deployed"),
    check("pod.cis", "07", pods.benchmark, "The 36 scored CIS flag checks hold.", "the audit fails"),
    check(
        "pod.fields",
        "07",
        documents.pod_fields,
        "Every flag, mount and field matches the table.",
        "a component behaves differently than planned",
        general=True,
    ),
)

MANIFESTS = (
    check("manifest.readable", "07", manifest.readable, "Every file is one object.", "bootkube.sh stops there"),
    check("manifest.unique", "07", manifest.unique, "No object is there twice.", "one hides the other"),
    check(
        "manifest.present",
        "07",
        documents.present,
        "The objects that operators look for are there.",
        "they crash",
        "F32",
        general=True,
    ),
    check("manifest.kinds", "07", manifest.kinds, "Every kind exists.", "unable to get REST mapping", "F42"),
    check("manifest.namespaces", "07", manifest.namespaces, "Every namespace is created.", "not found", "F42"),
    check(
        "manifest.infrastructure", "07", manifest_config.infrastructure, "URLs and topology fit.", "MCO cannot render"
    ),
    check(
        "manifest.domains",
        "07",
        manifest_config.domains,
        "DNS and Ingress name the cluster's domain.",
        "routes fail",
        "F35",
    ),
    check(
        "manifest.networks", "07", manifest_config.networks, "Both Network objects agree.", "OVN never comes up", "F32"
    ),
    check("manifest.scheduling", "07", manifest_config.scheduling, "Routers have a place.", "console waits", "F33"),
    check(
        "manifest.feature-gate",
        "07",
        manifest_config.feature_gate,
        "Feature gates are resolved for the version.",
        "MCC exits",
        "F41",
    ),
    check(
        "manifest.cluster-version", "07", manifest_config.cluster_version, "CVO starts a first install.", "it updates"
    ),
    check(
        "manifest.cluster-config",
        "07",
        manifest_config.cluster_config,
        "The preserved install-config is complete.",
        "panic",
    ),
    check(
        "manifest.pull-secret", "07", manifest_trust.pull_secret, "The release can be pulled.", "unauthorized", "F11"
    ),
    check(
        "manifest.signers",
        "07",
        manifest_trust.signers,
        "Operators take over our signers.",
        "they create their own",
        "F30",
    ),
    check("manifest.etcd-endpoints", "07", manifest_trust.etcd_endpoints, "etcd is found.", "it never grows", "F30"),
    check("manifest.node-bootstrap", "07", manifest_trust.node_bootstrap, "Kubelets may ask.", "no CSR appears", "F29"),
    check(
        "manifest.no-proxy",
        "07",
        manifest_trust.no_proxy,
        "Requests inside the cluster bypass the proxy.",
        "no API",
        "F13",
    ),
    check("manifest.kubeadmin", "07", manifest_trust.kubeadmin, "The password matches its hash.", "nobody can log in"),
    check(
        "manifest.root-ca",
        "07",
        manifest_trust.root_ca,
        "Machines that are added later trust our machine-config server.",
        "unknown authority",
        "F06",
    ),
    check(
        "manifest.fields",
        "07",
        documents.manifest_fields,
        "Every field matches the configuration.",
        "operators build a different cluster",
        general=True,
    ),
)

IGNITION = (
    check("ignition.present", "08", rules.present, "Every node has its file.", "a machine boots empty"),
    check("ignition.readable", "08", rules.readable, "RHCOS can read it.", "unsupported config version", "F20"),
    check("ignition.unique", "08", rules.unique, "No path or unit is there twice.", "duplicate entry", "F21"),
    check("ignition.modes", "08", rules.modes, "Modes are right as decimal numbers.", "keyfiles ignored", "F17"),
    check(
        "ignition.no-ca-key",
        "08",
        ignition_pki.no_ca_keys,
        "No node carries a CA's key.",
        "anyone with access to the node can take over the cluster",
    ),
    check("ignition.hostname", "08", rules.hostnames, "Each has its own host name.", "nodes called localhost", "F15"),
    check(
        "ignition.network",
        "08",
        rules.networks,
        "There is one network profile, bound to the card.",
        "no address",
        "F16",
    ),
    check("ignition.units", "08", rules.units, "The programs that units start are there.", "203/EXEC", "F24"),
    check("ignition.kubelet", "08", rules.standalone_kubelet, "The bootstrap kubelet is standalone.", "deadlock"),
    check(
        "ignition.same-pki", "08", ignition_pki.same_pki, "All parts are from one build.", "unknown authority", "F06"
    ),
    check("ignition.pod-files", "08", ignition_pki.pod_files, "Pods find their files.", "CreateContainerError"),
    check(
        "ignition.from-mcs",
        "08",
        rules.from_mcs,
        "The files that the machine-config server adds are there.",
        "first boot skipped",
        "F23",
        skip=rules.no_members,
    ),
    check("ignition.complete", "08", rules.delivered, "Nothing is fetched at boot.", "Ignition waits", "F03"),
    check("ignition.mirrors", "08", rules.mirrors, "Mirrors and their CA are known.", "manifest unknown", "F12"),
    check("ignition.pull-secret", "08", rules.pull_secret, "Bootstrap can pull.", "unauthorized", "F11"),
    check("ignition.enabled", "08", tables.enabled, "Units that must run are enabled.", "nothing starts", "F24"),
    check("ignition.login", "08", tables.login, "The user's SSH keys can log in.", "nobody can log in to find out why"),
    check(
        "ignition.carries",
        "08",
        tables.carried,
        "Every file and unit matches the table and the disk.",
        "a node runs something else than what was checked",
        general=True,
    ),
)

TABLE: tuple[Check[Artifacts], ...] = (*PLAN, *RELEASE, *PKI, *KUBECONFIGS, *PODS, *MANIFESTS, *IGNITION, *OPERATORS)
