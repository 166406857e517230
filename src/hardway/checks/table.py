"""Every check, one row each, with the failure mode that it finds before boot."""

from __future__ import annotations

from hardway.checks import (
    documents,
    ignition,
    ignition_pki,
    ignition_table,
    kubeconfig,
    manifest,
    manifest_config,
    manifest_trust,
    plan,
    pod,
    x509,
    x509_content,
)
from hardway.checks.engine import Check
from hardway.model.why import because

FAILURES = "failure modes of hand-made clusters"
NOTES = "source notes, progress and learnings"


def _check(
    name: str,
    stage: str,
    run: object,
    what: str,
    breaks: str,
    failure: str = "",
    source: str = FAILURES,
    *,
    general: bool = False,
) -> Check:
    why = because(what, readers="hardway verify", breaks=breaks, source=source)
    return Check(name=name, stage=stage, run=run, failure=failure, why=why, general=general)  # type: ignore[arg-type]


PLAN = (
    _check("plan.present", "03", plan.present, "The plan, the map and the identities are there.", "nothing to go by"),
    _check("plan.nodes", "03", plan.nodes, "Every machine is as configured.", "machines boot as someone else", "F15"),
    _check("plan.endpoints", "03", plan.endpoints, "VIPs, gateway, DNS are as configured.", "no way to the API", "F04"),
    _check(
        "plan.identity", "03", plan.identities, "Ids have their form and agree.", "telemetry and tools mix clusters"
    ),
)

PKI = (
    _check("pki.present", "05", x509.present, "Every file of the table is there.", "later stages embed nothing"),
    _check("pki.readable", "05", x509.readable, "Every file is the PEM it should be.", "components exit at start"),
    _check("pki.modes", "05", x509.modes, "No private key is open to others.", "whoever reads a key is that component"),
    _check("pki.pair", "05", x509.pairs, "Key and certificate belong together.", "tls: private key does not match"),
    _check(
        "pki.chain", "05", x509.chains, "Each certificate was signed by its row's signer.", "unknown authority", "F06"
    ),
    _check("pki.authority", "05", x509.authorities, "Signers can sign and leaves cannot.", "chain errors", "F09"),
    _check(
        "pki.subject",
        "05",
        x509_content.subjects,
        "Names and groups are the table's.",
        "RBAC gives them nothing",
        "F29",
    ),
    _check(
        "pki.usages", "05", x509_content.usages, "Server and client use is the table's.", "tls: bad certificate", "F08"
    ),
    _check(
        "pki.names", "05", x509_content.names, "Each is valid for all it is served on.", "valid for other names", "F07"
    ),
    _check("pki.validity", "05", x509_content.validity, "Nothing ends before an installation does.", "expired", "F01"),
    _check("pki.not-before", "05", x509_content.not_before, "Nothing begins in the future.", "not yet valid", "F02"),
    _check(
        "pki.strength",
        "05",
        x509_content.strength,
        "Keys and hashes are acceptable, under FIPS too.",
        "Go refuses them",
    ),
    _check(
        "pki.serials", "05", x509_content.serials, "Serials are unique under a signer.", "browsers and NSS refuse both"
    ),
    _check(
        "pki.bundles",
        "05",
        x509_content.bundle_contents,
        "Bundles hold the signers on disk.",
        "unknown authority",
        "F06",
    ),
    _check(
        "pki.key-pairs",
        "05",
        x509_content.key_pairs,
        "Public halves fit, and the two keys differ.",
        "tokens are refused",
    ),
)

KUBECONFIGS = (
    _check("kubeconfig.present", "06", kubeconfig.present, "All nine are there and readable.", "a component stays out"),
    _check("kubeconfig.modes", "06", kubeconfig.modes, "None is open to others.", "whoever reads it is that user"),
    _check("kubeconfig.context", "06", kubeconfig.contexts, "current-context exists.", "clients use localhost:8080"),
    _check("kubeconfig.server", "06", kubeconfig.servers, "Each points at its face.", "wrong name or no way", "F07"),
    _check("kubeconfig.trust", "06", kubeconfig.trust, "Each trusts the bundle on disk.", "unknown authority", "F06"),
    _check("kubeconfig.identity", "06", kubeconfig.identity, "Each is who its row says.", "403 or too much", "F29"),
    _check("kubeconfig.accepted", "06", kubeconfig.accepted, "The API server knows each signer.", "401", "F29"),
)

PODS = (
    _check("pod.present", "07", pod.present, "All six static pods are there.", "a component is missing"),
    _check("pod.host-network", "07", pod.host_network, "All are on the host's network.", "they wait for a CNI"),
    _check("pod.images", "07", pod.images, "Images are named by digest.", "what runs is not what was planned"),
    _check("pod.etcd-prefix", "07", pod.etcd_prefix, "Objects are stored where masters look.", "an empty cluster"),
    _check("pod.etcd-name", "07", pod.etcd_name, "The member has the name that is removed.", "it stays", "F30"),
    _check("pod.request-header", "07", pod.request_header, "The front proxy is believed.", "401 for APIs", "F10"),
    _check("pod.csr-signer", "07", pod.csr_signer, "Signed kubelets are trusted.", "Approved, not Issued", "F29"),
    _check("pod.service-account", "07", pod.service_accounts, "Tokens are accepted.", "Unauthorized everywhere"),
    _check("pod.identity", "07", pod.identities, "Each component runs as itself.", "more rights than needed"),
    _check("pod.version-operator", "07", pod.version_operator, "CVO can start and sync.", "nothing is deployed"),
    _check("pod.cis", "07", pod.benchmark, "The 36 scored CIS flag checks hold.", "the audit fails"),
    _check(
        "pod.fields",
        "07",
        documents.pod_fields,
        "Every flag, mount and field is the table's.",
        "a component does another thing than the plan says",
        general=True,
    ),
)

MANIFESTS = (
    _check("manifest.readable", "07", manifest.readable, "Every file is one object.", "bootkube.sh stops there"),
    _check("manifest.unique", "07", manifest.unique, "No object is there twice.", "one hides the other"),
    _check(
        "manifest.present",
        "07",
        documents.present,
        "What operators look for is there.",
        "they crash",
        "F32",
        general=True,
    ),
    _check("manifest.kinds", "07", manifest.kinds, "Every kind exists.", "unable to get REST mapping", "F42"),
    _check("manifest.namespaces", "07", manifest.namespaces, "Every namespace is made.", "not found", "F42"),
    _check(
        "manifest.infrastructure", "07", manifest_config.infrastructure, "URLs and topology fit.", "MCO cannot render"
    ),
    _check(
        "manifest.domains",
        "07",
        manifest_config.domains,
        "DNS and Ingress name the cluster's domain.",
        "routes fail",
        "F35",
    ),
    _check(
        "manifest.networks", "07", manifest_config.networks, "Both Network objects agree.", "OVN never comes up", "F32"
    ),
    _check("manifest.scheduling", "07", manifest_config.scheduling, "Routers have a place.", "console waits", "F33"),
    _check(
        "manifest.feature-gate",
        "07",
        manifest_config.feature_gate,
        "Gates are known for the version.",
        "MCC exits",
        "F41",
    ),
    _check(
        "manifest.cluster-version", "07", manifest_config.cluster_version, "CVO starts a first install.", "it updates"
    ),
    _check("manifest.cluster-config", "07", manifest_config.cluster_config, "The preserved config is whole.", "panic"),
    _check(
        "manifest.pull-secret", "07", manifest_trust.pull_secret, "The release can be pulled.", "unauthorized", "F11"
    ),
    _check(
        "manifest.signers", "07", manifest_trust.signers, "Operators adopt our signers.", "they mint their own", "F30"
    ),
    _check("manifest.etcd-endpoints", "07", manifest_trust.etcd_endpoints, "etcd is found.", "it never grows", "F30"),
    _check(
        "manifest.node-bootstrap", "07", manifest_trust.node_bootstrap, "Kubelets may ask.", "no CSR appears", "F29"
    ),
    _check("manifest.no-proxy", "07", manifest_trust.no_proxy, "The cluster does not proxy itself.", "no API", "F13"),
    _check("manifest.kubeadmin", "07", manifest_trust.kubeadmin, "The password fits its hash.", "nobody can log in"),
    _check(
        "manifest.root-ca", "07", manifest_trust.root_ca, "Later machines trust our MCS.", "unknown authority", "F06"
    ),
    _check(
        "manifest.fields",
        "07",
        documents.manifest_fields,
        "Every field is what the configuration asks for.",
        "operators build another cluster",
        general=True,
    ),
)

IGNITION = (
    _check("ignition.present", "08", ignition.present, "Every node has its file.", "a machine boots empty"),
    _check("ignition.readable", "08", ignition.readable, "RHCOS can read it.", "unsupported config version", "F20"),
    _check("ignition.unique", "08", ignition.unique, "No path or unit is there twice.", "duplicate entry", "F21"),
    _check("ignition.modes", "08", ignition.modes, "Modes are right as decimals.", "keyfiles ignored", "F17"),
    _check(
        "ignition.no-ca-key", "08", ignition_pki.no_ca_keys, "No node carries a CA's key.", "a node owns the cluster"
    ),
    _check("ignition.hostname", "08", ignition.hostnames, "Each knows its name.", "nodes called localhost", "F15"),
    _check("ignition.network", "08", ignition.networks, "One profile, bound to the card.", "no address", "F16"),
    _check("ignition.units", "08", ignition.units, "What units start is there.", "203/EXEC", "F24"),
    _check("ignition.kubelet", "08", ignition.standalone_kubelet, "Bootstrap's kubelet stands alone.", "deadlock"),
    _check("ignition.same-pki", "08", ignition_pki.same_pki, "All parts are of one run.", "unknown authority", "F06"),
    _check("ignition.pod-files", "08", ignition_pki.pod_files, "Pods find their files.", "CreateContainerError"),
    _check("ignition.from-mcs", "08", ignition.from_mcs, "What MCS adds is there.", "first boot skipped", "F23"),
    _check("ignition.complete", "08", ignition.delivered, "Nothing is fetched at boot.", "Ignition waits", "F03"),
    _check("ignition.mirrors", "08", ignition.mirrors, "Mirrors and their CA are known.", "manifest unknown", "F12"),
    _check("ignition.pull-secret", "08", ignition.pull_secret, "Bootstrap can pull.", "unauthorized", "F11"),
    _check("ignition.enabled", "08", ignition_table.enabled, "What must run is enabled.", "nothing starts", "F24"),
    _check("ignition.login", "08", ignition_table.login, "Who made the cluster can log in.", "no way to see why"),
    _check(
        "ignition.carries",
        "08",
        ignition_table.carried,
        "Every file and unit is the table's and the disk's.",
        "a node runs something else than what was checked",
        general=True,
    ),
)

TABLE: tuple[Check, ...] = (*PLAN, *PKI, *KUBECONFIGS, *PODS, *MANIFESTS, *IGNITION)
