"""What only the API server's configuration file says, and where the two audit policies part."""

from __future__ import annotations

from functools import partial
from ipaddress import ip_network
from typing import Any

from hardway.compare.rendered.apiserver_config import POLICY
from hardway.compare.row import ABSENT, Row, is_ours, is_theirs, ours_alone, theirs_alone
from hardway.lines.sources import source

KASO = source("cluster-kube-apiserver-operator", "")
AUDIT = source("library-go", "pkg/operator/apiserver/audit")
ADMISSION = "admission.pluginConfig."
NETWORK = "network.openshift.io/"


def _is_network(theirs: Any, ours: Any) -> bool:
    if theirs in ("network.openshift.io/v1", "RestrictedEndpointsAdmissionConfig"):
        return bool(ours == ABSENT)
    try:
        return bool(ip_network(str(theirs)) and ours == ABSENT)
    except ValueError:
        return False


_file = partial(theirs_alone, operator="kube-apiserver", thing="configuration file")
_their_rule, _our_rule = (
    partial(kind, operator="kube-apiserver", thing=POLICY, source=AUDIT) for kind in (theirs_alone, ours_alone)
)

CONFIG: tuple[Row, ...] = (
    _file(
        name="pod-security",
        aspect=f"{ADMISSION}PodSecurity.configuration.*",
        accept=is_theirs(
            "pod-security.admission.config.k8s.io/v1",
            "PodSecurityConfiguration",
            "restricted",
            "privileged",
            "latest",
            "system:serviceaccount:openshift-infra:build-controller",
        ),
        what="Pod security for namespaces that say nothing themselves: privileged is enforced, restricted is warned "
        "about and noted in the audit log; with the gate OpenShiftPodSecurityAdmission on, restricted is enforced. "
        "Kubernetes' own default is privileged for all three.",
        breaks="until the pivot there are no warnings, and nothing is refused that would be with that gate",
        source=KASO + "pkg/operator/configobservation/auth",
    ),
    _file(
        name="external-addresses",
        aspect=f"{ADMISSION}{NETWORK}ExternalIPRanger.configuration.*",
        accept=is_theirs(True, "network.openshift.io/v1", "ExternalIPRangerAdmissionConfig"),
        what="Settings of a plugin of OpenShift's build: which external addresses a Service may claim.",
        breaks="until the pivot a Service may claim any; only administrators make Services then",
        source=KASO + "bindata/assets/config/defaultconfig.yaml",
    ),
    _file(
        name="restricted-endpoints",
        aspect=f"{ADMISSION}{NETWORK}RestrictedEndpointsAdmission.configuration.*",
        accept=_is_network,
        what="Settings of a plugin of OpenShift's build: nobody may point a Service by hand at pods or at other "
        "Services, so the networks of both are listed.",
        breaks="until the pivot any client that may write Endpoints can do that",
        source=KASO + "pkg/cmd/render/render.go",
    ),
    _file(
        name="bind-network",
        aspect="servingInfo.bindNetwork",
        accept=is_theirs("tcp4", "tcp6"),
        what="Which family the port is opened in. The field has no flag; Go opens both for the unspecified address.",
        breaks="nothing: both families are served on either side",
        source=KASO + "pkg/cmd/render/render.go",
    ),
    _file(
        name="audit-enabled",
        aspect="auditConfig.enabled",
        accept=is_theirs(True),
        what="Says that there is an audit log; in ours the flags that name it and its policy say so.",
        breaks="nothing",
        source=source("library-go", "pkg/config/configflags"),
    ),
    _their_rule(
        name="audit-discovery",
        accept=is_theirs("None"),
        aspect='rule: {"nonResourceURLs": ["/api*", "/version", "/healthz", "/readyz", "/livez"], "userGroups": *',
        what="Discovery and health requests are not logged. Ours leaves health out, by other paths, and logs "
        "discovery: during a bootstrap it shows which client connected when.",
        breaks="the log has more lines, one for each discovery",
    ),
    _our_rule(
        name="audit-health",
        accept=is_ours("None"),
        aspect='rule: {"nonResourceURLs": ["/healthz*", "/livez*", "/readyz*", "/version"]}',
        what="Health with everything below it: the probes ask for /livez?exclude=etcd and single checks.",
        breaks="every probe is a line in the log",
    ),
    _our_rule(
        name="audit-leases",
        accept=is_ours("None"),
        aspect='rule: {"resources": ["leases.coordination.k8s.io"], "verbs": ["get", "update"]}',
        what="Leases are renewed every few seconds by every leader and every node.",
        breaks="they are most of the log",
    ),
    _their_rule(
        name="audit-request-counts",
        accept=is_theirs("None"),
        aspect='rule: {"resources": ["apirequestcounts.apiserver.openshift.io", *',
        what="The API server counts requests in an object of OpenShift's and writes it itself; without OpenShift's "
        "configuration ours does not count.",
        breaks="nothing: there is no such request",
    ),
    _their_rule(
        name="audit-tokens",
        accept=is_theirs("RequestResponse"),
        aspect='rule: {"resources": ["identities.user.openshift.io", "oauthaccesstokens.oauth.openshift.io", *',
        what="Logins are recorded in full. The OAuth server does not run before the pivot.",
        breaks="nothing: there is no such request",
    ),
)
