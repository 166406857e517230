"""What only configuration files say, of the API server and of the policy controller, and where audit policies part."""

from __future__ import annotations

from functools import partial

from hardway.compare.rendered.apiserver_config import POLICY
from hardway.compare.rendered.policy_config import THING
from hardway.compare.row import Row, both_differ, is_ours, is_theirs, ours_alone, theirs_alone, values
from hardway.lines.sources import source
from hardway.staticpods.controller_manager.policy import CONTROLLERS, CPC, GATE, KCMO
from hardway.staticpods.paths import secret

KASO = source("cluster-kube-apiserver-operator", "")
AUDIT = source("library-go", "pkg/operator/apiserver/audit")


_file = partial(theirs_alone, operator="kube-apiserver", thing="configuration file")
_their_rule, _our_rule = (
    partial(kind, operator="kube-apiserver", thing=POLICY, source=AUDIT) for kind in (theirs_alone, ours_alone)
)
_CLIENT = "kube-control-plane-kube-controller-manager-client"
_their_policy, _our_policy, _both_policy = (
    partial(kind, operator="kube-controller-manager", thing=THING) for kind in (theirs_alone, ours_alone, both_differ)
)

CONFIG: tuple[Row, ...] = (
    both_differ(
        name="pod-security",
        operator="kube-apiserver",
        thing="configuration file",
        aspect="admission.pluginConfig.PodSecurity.configuration.defaults.enforce",
        accept=values("restricted", "privileged"),
        what="With the gate OpenShiftPodSecurityAdmission on, the operator enforces the level restricted in namespaces "
        "that say nothing themselves. Ours enforces privileged under every feature set, because SCCs decide; "
        "warnings and notes in the audit log are the same.",
        breaks="with restricted, etcd's pod of a master is not shown by the API: its namespace has no labels before "
        "the etcd operator writes them",
        source=KASO + "pkg/operator/configobservation/auth",
    ),
    _file(
        name="bind-network",
        aspect="servingInfo.bindNetwork",
        accept=is_theirs("tcp4", "tcp6"),
        what="Which family the port is opened in. The field has no flag; Go opens both for the unspecified address.",
        breaks="no effect: both families are served on either side",
        source=KASO + "pkg/cmd/render/render.go",
    ),
    _file(
        name="audit-enabled",
        aspect="auditConfig.enabled",
        accept=is_theirs(True),
        what="Says that there is an audit log; in ours the flags that name it and its policy say so.",
        breaks="no effect",
        source=source("library-go", "pkg/config/configflags"),
    ),
    ours_alone(
        name="token-keys-again",
        operator="kube-apiserver",
        thing="configuration file",
        aspect="serviceAccountPublicKeyFiles[*",
        accept=is_ours(secret("service-account.pub"), secret("bound-service-account-signing-key.pub")),
        what="The operator's file has these keys among its arguments, where this field's default does not count. Ours "
        "has them as a flag, where it does, and so repeats them.",
        breaks="the default, a folder of the operator's pod, is added to the flag: no such file, and it exits",
        source=KASO + "bindata/bootkube/config",
    ),
    _their_policy(
        name="policy-certificate",
        aspect="servingInfo.certFile|servingInfo.keyFile|servingInfo.clientCA",
        accept=is_theirs(
            secret(f"{_CLIENT}.crt"), secret(f"{_CLIENT}.key"), secret("kube-control-plane-ca-bundle.crt")
        ),
        what="The controller-manager's client certificate, shown as a server's, and the CAs of clients. Ours makes a "
        "certificate for its port, which is on the loopback address alone.",
        breaks="no effect: the kubelet's probes do not verify it, and nobody else asks before the pivot",
        source=KCMO,
    ),
    _their_policy(
        name="policy-all-controllers",
        aspect="controllers.all",
        accept=is_theirs("on"),
        what="The operator's file names no controller, so that all six run.",
        breaks="no effect before the operators run: nobody sets a quota, and no monitoring asks for certificates",
        source=CPC,
    ),
    _our_policy(
        name="policy-controllers",
        aspect="|".join(f"controllers.openshift.io/{name}" for name in CONTROLLERS),
        accept=is_ours("on"),
        what="The three that namespaces need: ranges of user ids, and labels of pod security.",
        breaks="all six run: the one for quotas waits for image types that nobody serves yet",
        source=CPC,
    ),
    _their_policy(
        name="policy-gates",
        aspect="featureGates.*",
        besides=f"featureGates.{GATE}",
        accept=is_theirs("true", "false"),
        what="The operator writes every feature gate of the cluster. The program asks for one, which ours has too.",
        breaks="no effect",
        source=CPC,
    ),
    _both_policy(
        name="policy-enforced-levels",
        aspect=f"featureGates.{GATE}",
        accept=values("true", "false"),
        what="Whether enforced levels of pod security are written onto namespaces. Where the masters' API servers are "
        "made by hand, no level is enforced, and none is written.",
        breaks="pods that their account's SCC allows are refused: violates PodSecurity",
        source=CPC,
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
        what="The API server counts requests in an object of OpenShift's and writes it itself, ours too.",
        breaks="the log has a line for each time that it writes its counts",
    ),
    _their_rule(
        name="audit-tokens",
        accept=is_theirs("RequestResponse"),
        aspect='rule: {"resources": ["identities.user.openshift.io", "oauthaccesstokens.oauth.openshift.io", *',
        what="Logins are recorded in full. The OAuth server does not run before the pivot.",
        breaks="no effect: there is no such request",
    ),
)
