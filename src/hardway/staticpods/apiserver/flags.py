"""The API server's flags: what it stores, admits and remembers, and the whole table."""

from __future__ import annotations

from hardway.lines.sources import kubernetes_fork
from hardway.staticpods import gates
from hardway.staticpods.apiserver.serving import SERVING
from hardway.staticpods.apiserver.trust import TRUST
from hardway.staticpods.paths import AUDIT_LOG, CONFIG, secret
from hardway.staticpods.row import CIS, Flag, by_default, flag

AUDIT_POLICY = "audit-policy.yaml"
CONFIG_FILE = "kube-apiserver-config.yaml"
BINDINGS = "authorization.openshift.io/RestrictSubjectBindings"
ADMISSION = ("NodeRestriction", "OwnerReferencesPermissionEnforcement", "PodNodeSelector", "PodTolerationRestriction")

_STORE: tuple[Flag, ...] = (
    flag(
        "--etcd-servers",
        "https://localhost:2379",
        "URL of the etcd member on the same node.",
        breaks="it has no store and never becomes ready",
    ),
    flag(
        "--etcd-prefix",
        "kubernetes.io",
        "The key prefix of all objects. Kubernetes' own default is /registry; OpenShift's operators start their API "
        "servers with this one.",
        breaks="at the pivot the masters' API servers read another prefix, and find no objects",
    ),
    flag(
        "--etcd-cafile",
        secret("etcd-ca-bundle.crt"),
        "The CA of etcd's serving certificates.",
        breaks="x509: certificate signed by unknown authority, and no store",
        source=CIS + "1.2.26",
    ),
    flag(
        "--etcd-certfile",
        secret("etcd-client.crt"),
        "Client certificate for etcd.",
        breaks="etcd refuses it: remote error: tls: bad certificate (F08)",
        source=CIS + "1.2.23",
    ),
    flag(
        "--etcd-keyfile",
        secret("etcd-client.key"),
        "The key of that certificate.",
        breaks="no connection to etcd",
        source=CIS + "1.2.23",
    ),
    flag(
        "--etcd-healthcheck-timeout",
        "9s",
        "How long etcd may take to answer before the API server reports itself unhealthy; below the probe's own 10 s.",
        breaks="a short pause of the disk restarts the API server (F37)",
    ),
    flag(
        "--etcd-readycheck-timeout",
        "9s",
        "The same for readiness.",
        breaks="a short pause of the disk makes the load balancer drop it (F37)",
    ),
    flag(
        "--storage-media-type",
        "application/vnd.kubernetes.protobuf",
        "The encoding of objects: the masters' API servers read the same bytes.",
        breaks=by_default("JSON is several times larger and slower"),
    ),
    flag(
        "--event-ttl",
        "3h",
        "How long events are kept.",
        breaks="after the built-in hour the traces of a failed bootstrap are gone",
    ),
)

_RULES: tuple[Flag, ...] = (
    flag(
        "--enable-admission-plugins",
        ",".join(ADMISSION),
        "Besides those that are on by default, the ones of Kubernetes that OpenShift turns on. NodeRestriction keeps a "
        "kubelet to its own node. OpenShift's own plugins, SecurityContextConstraint among them, are on with "
        "--openshift-config, and so are these; they are named for those who read the flags.",
        breaks="no effect with --openshift-config; else a kubelet could relabel other nodes and read their Secrets",
        source=CIS + "1.2.14",
    ),
    flag(
        "--disable-admission-plugins",
        lambda c, n: BINDINGS if n.role == "bootstrap" else None,
        "On the bootstrap node alone: the plugin lists RoleBindingRestrictions before it lets a RoleBinding in, also "
        "the first ones that the API server creates itself, and their type is created after it is ready. No "
        "restriction exists before the masters serve, and they have the plugin on.",
        breaks="it exits after 30 s: unable to initialize roles. It would start only if the type is created in that "
        "time",
        source=kubernetes_fork("openshift-kube-apiserver/admission/authorization/restrictusers"),
    ),
    flag(
        "--openshift-config",
        f"{CONFIG}/{CONFIG_FILE}",
        "The file with what flags cannot say. It turns on OpenShift's own admission plugins and authorizers.",
        breaks="no SCC chooses a user for a pod: container has runAsNonRoot and image will run as root",
        source=kubernetes_fork("cmd/kube-apiserver/app/server.go"),
    ),
    flag(
        "--allow-privileged",
        "true",
        "Network, storage and machine operators run privileged pods.",
        breaks="OVN, machine-config and CSI pods are refused",
    ),
    gates.gates_flag("the API server"),
    flag(
        "--runtime-config",
        lambda c, n: ",".join(f"{api}=true" for api in gates.apis(c)) or None,
        "The APIs that belong to a gate which is on: Kubernetes serves no alpha or beta group by default.",
        breaks="the scheduler waits for a resource that nobody serves, and schedules nothing",
    ),
    flag(
        "--audit-policy-file",
        f"{CONFIG}/{AUDIT_POLICY}",
        "The policy of the audit log.",
        breaks="nothing is logged, although a log file is named",
        source=CIS + "3.2.1",
    ),
    flag(
        "--audit-log-path",
        f"{AUDIT_LOG}/audit.log",
        "The file of the audit log.",
        breaks="no log says who did what",
        source=CIS + "1.2.16",
    ),
    flag("--audit-log-format", "json", "One event per line.", breaks=by_default("The old format drops fields")),
    flag(
        "--audit-log-maxage",
        "30",
        "Days that an old log is kept.",
        breaks="old logs are kept whatever their age",
        source=CIS + "1.2.17",
    ),
    flag(
        "--audit-log-maxbackup",
        "10",
        "Old logs that are kept.",
        breaks="the logs of a month are kept, whatever their number, and may fill the disk",
        source=CIS + "1.2.18",
    ),
    flag(
        "--audit-log-maxsize",
        "100",
        "Megabytes of one log.",
        breaks="no effect: a log is rotated at 100 megabytes anyway",
        source=CIS + "1.2.19",
    ),
)


FLAGS: tuple[Flag, ...] = (*SERVING, *TRUST, *_STORE, *_RULES)
