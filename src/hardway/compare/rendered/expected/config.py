"""What only the API server's configuration file says, and where the two audit policies part."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

from hardway.compare.rendered.apiserver_config import POLICY
from hardway.compare.rendered.row import Row, is_ours, is_theirs
from hardway.compare.row import ABSENT
from hardway.lines.sources import source
from hardway.model.why import because

KASO = source("cluster-kube-apiserver-operator", "")
AUDIT = source("library-go", "pkg/operator/apiserver/audit")
ADMISSION = "admission.pluginConfig."
FILE = "configuration file"
NETWORK = "network.openshift.io/"


def _is_network(theirs: Any, ours: Any) -> bool:
    if theirs in ("network.openshift.io/v1", "RestrictedEndpointsAdmissionConfig"):
        return bool(ours == ABSENT)
    try:
        return bool(ip_network(str(theirs)) and ours == ABSENT)
    except ValueError:
        return False


def _file(name: str, aspect: str, accept: Any, what: str, breaks: str, source: str) -> Row:
    return Row(
        name=name,
        area="config",
        kind="operator",
        operator="kube-apiserver",
        thing=FILE,
        aspect=aspect,
        accept=accept,
        why=because(what, breaks=breaks, source=source),
    )


def _rule(name: str, kind: Any, aspect: str, level: str, what: str, breaks: str) -> Row:
    return Row(
        name=name,
        area="config",
        kind=kind,
        operator="kube-apiserver",
        thing=POLICY,
        aspect=aspect,
        accept=is_theirs(level) if kind == "operator" else is_ours(level),
        why=because(what, breaks=breaks, source=AUDIT),
    )


CONFIG: tuple[Row, ...] = (
    _file(
        "pod-security",
        f"{ADMISSION}PodSecurity.configuration.*",
        is_theirs(
            "pod-security.admission.config.k8s.io/v1",
            "PodSecurityConfiguration",
            "restricted",
            "privileged",
            "latest",
            "system:serviceaccount:openshift-infra:build-controller",
        ),
        "Pod security for namespaces that say nothing themselves: privileged is enforced, restricted is warned about "
        "and noted in the audit log; with the gate OpenShiftPodSecurityAdmission on, restricted is enforced. "
        "Kubernetes' own default is privileged for all three.",
        "until the pivot there are no warnings, and nothing is refused that would be with that gate",
        KASO + "pkg/operator/configobservation/auth",
    ),
    _file(
        "external-addresses",
        f"{ADMISSION}{NETWORK}ExternalIPRanger.configuration.*",
        is_theirs(True, "network.openshift.io/v1", "ExternalIPRangerAdmissionConfig"),
        "Settings of a plugin of OpenShift's build: which external addresses a Service may claim.",
        "until the pivot a Service may claim any; only administrators make Services then",
        KASO + "bindata/assets/config/defaultconfig.yaml",
    ),
    _file(
        "restricted-endpoints",
        f"{ADMISSION}{NETWORK}RestrictedEndpointsAdmission.configuration.*",
        _is_network,
        "Settings of a plugin of OpenShift's build: nobody may point a Service by hand at pods or at other Services, "
        "so the networks of both are listed.",
        "until the pivot whoever may write Endpoints can do that",
        KASO + "pkg/cmd/render/render.go",
    ),
    _file(
        "bind-network",
        "servingInfo.bindNetwork",
        is_theirs("tcp4", "tcp6"),
        "Which family the port is opened in. The field has no flag; Go opens both for the unspecified address.",
        "nothing: both families are served on either side",
        KASO + "pkg/cmd/render/render.go",
    ),
    _file(
        "audit-enabled",
        "auditConfig.enabled",
        is_theirs(True),
        "Says that there is an audit log; in ours the flags that name it and its policy say so.",
        "nothing",
        source("library-go", "pkg/config/configflags"),
    ),
)

RULES: tuple[Row, ...] = (
    _rule(
        "audit-discovery",
        "operator",
        'rule: {"nonResourceURLs": ["/api*", "/version", "/healthz", "/readyz", "/livez"], "userGroups": *',
        "None",
        "Discovery and health go unrecorded. Ours leaves health out, by other paths, and records discovery: during a "
        "bootstrap it shows who came when.",
        "the log has more lines, one for each discovery",
    ),
    _rule(
        "audit-health",
        "hand",
        'rule: {"nonResourceURLs": ["/healthz*", "/livez*", "/readyz*", "/version"]}',
        "None",
        "Health with everything below it: the probes ask for /livez?exclude=etcd and single checks.",
        "every probe is a line in the log",
    ),
    _rule(
        "audit-leases",
        "hand",
        'rule: {"resources": ["leases.coordination.k8s.io"], "verbs": ["get", "update"]}',
        "None",
        "Leases are renewed every few seconds by every leader and every node.",
        "they are most of the log",
    ),
    _rule(
        "audit-request-counts",
        "operator",
        'rule: {"resources": ["apirequestcounts.apiserver.openshift.io", *',
        "None",
        "The API server counts requests in an object of OpenShift's and writes it itself; without OpenShift's "
        "configuration ours does not count.",
        "nothing: there is no such request",
    ),
    _rule(
        "audit-tokens",
        "operator",
        'rule: {"resources": ["identities.user.openshift.io", "oauthaccesstokens.oauth.openshift.io", *',
        "RequestResponse",
        "Logins are recorded in full. The OAuth server does not run before the pivot.",
        "nothing: there is no such request",
    ),
)
