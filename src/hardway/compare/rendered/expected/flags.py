"""Arguments: how they are given, admission, feature gates, values that differ, and what one side alone is told."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from functools import partial
from typing import Any

from hardway.compare.row import ABSENT, Accept, Row, both_differ, is_ours, is_theirs, ours_alone, theirs_alone, values
from hardway.lines.default import DEFAULT
from hardway.lines.sources import kubernetes, kubernetes_fork, source
from hardway.staticpods.paths import KUBECONFIG
from hardway.staticpods.tls import CIPHER_SUITES

API, MANAGER, SCHEDULER = "kube-apiserver", "kube-controller-manager", "kube-scheduler"
CLIENTS = f"{MANAGER}|{SCHEDULER}"
CONTROL_PLANE = f"{API}|{CLIENTS}"
CEO = source("cluster-etcd-operator", "pkg/cmd/render/env.go")
KASO = source("cluster-kube-apiserver-operator", "bindata/assets/config/defaultconfig.yaml")
KCMO = source("cluster-kube-controller-manager-operator", "bindata/bootkube")
KSO = source("cluster-kube-scheduler-operator", "bindata/bootkube")
OVERRIDES = source("cluster-kube-apiserver-operator", "bindata/bootkube/config")
APIS = source("cluster-kube-apiserver-operator", "pkg/operator/configobservation/apienablement")
FORK = kubernetes_fork("openshift-kube-apiserver/openshiftkubeapiserver/flags.go")
KUBERNETES = kubernetes("")
CIS = "CIS Kubernetes Benchmark 1.11, check "
SECRETS = "/etc/kubernetes/secrets/"
OWN = (f"{SECRETS}controller-manager.kubeconfig", f"{SECRETS}scheduler.kubeconfig")
FACES = "--tls-sni-cert-key."
KNOWN = {gate.name for gate in DEFAULT.gates}
GATES, PLUGINS = "--feature-gates.", "--enable-admission-plugins."
DEFAULT_ON = [
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "LimitRanger",
    "MutatingAdmissionWebhook",
    "NamespaceLifecycle",
    "PersistentVolumeClaimResize",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
]
"""The plugins of the operator's list that Kubernetes turns on by itself."""


def _is_address(theirs: Any, ours: Any) -> bool:
    try:
        return theirs == "${HOST_IP}" and bool(ipaddress.ip_address(ours))
    except ValueError:
        return False


def _ways(theirs: str, ours: str) -> Accept:
    """Each side says by what, and the value; whether that is the same is said elsewhere."""
    return lambda first, second: str(first).startswith(f"{theirs}: ") and str(second).startswith(f"{ours}: ")


_theirs, _ours, _both = (partial(kind, operator=API) for kind in (theirs_alone, ours_alone, both_differ))

_FLAGS: tuple[Row, ...] = (
    _both(
        name="by-variable",
        operator="etcd",
        aspect="* given by",
        accept=_ways("a variable", "a flag"),
        what="etcd takes any flag from a variable ETCD_… as well; the operator keeps in variables what it computes, "
        "and the rest in its template. The values are the same.",
        breaks="no effect: `ps` shows a flag; a variable is visible only inside the container",
        source=CEO,
    ),
    _both(
        name="by-file",
        aspect="* given by",
        accept=_ways("the configuration file", "a flag"),
        what="OpenShift's API server makes flags of its configuration file before it starts; what is in both has the "
        "same effect. Our file has only what flags cannot say, and what it would otherwise put a default of its own in "
        "place of.",
        breaks="no effect: the pod's own text shows every setting, without a second file",
        source=FORK,
    ),
    _both(
        name="advertise-address",
        aspect="--advertise-address",
        accept=_is_address,
        what="The same address, from the plan instead of from the kubelet.",
        breaks="with two networks the kubelet's choice may be the wrong one (F32)",
        source=KASO,
    ),
    _theirs(
        name="admission-default",
        aspect="|".join(f"{PLUGINS}{name}" for name in DEFAULT_ON),
        accept=is_theirs("on"),
        what="The operator lists these; Kubernetes turns them on by itself, so they are on in ours too.",
        breaks="no effect",
        source=KUBERNETES + "pkg/kubeapiserver/options/plugins.go",
    ),
    _theirs(
        name="admission-openshift",
        aspect=f"{PLUGINS}*.openshift.io/*",
        accept=is_theirs("on"),
        what="The operator lists the plugins of OpenShift's own build too. With --openshift-config they are on without "
        "being listed, in ours as well.",
        breaks="no effect",
        source=KASO,
    ),
    _ours(
        name="no-binding-restrictions",
        aspect="--disable-admission-plugins",
        accept=is_ours("authorization.openshift.io/RestrictSubjectBindings"),
        what="On the bootstrap machine alone: the plugin lists RoleBindingRestrictions before it lets the API server's "
        "own first roles in, and cluster-bootstrap creates their type while the API server is not ready yet. "
        "bootkube.sh waits until it is.",
        breaks="the API server exits after 30 s unless the type is created in that time: unable to initialize roles",
        source=kubernetes_fork("openshift-kube-apiserver/admission/authorization/restrictusers"),
    ),
    _theirs(
        name="openshift-gates",
        operator=f"{API}|{MANAGER}",
        aspect=f"{GATES}*",
        besides="|".join(f"{GATES}{gate.name}" for gate in DEFAULT.gates)
        + "|"
        + "|".join(f"{GATES}{name}" for name in DEFAULT.locked_gates),
        accept=is_theirs("true", "false"),
        what="The operator passes every gate of the release on; most belong to other operators, and OpenShift's build "
        "warns about names it does not know. Ours passes those that Kubernetes has.",
        breaks="no effect here; upstream's program would exit at the first unknown name",
        source=KUBERNETES + "pkg/features; " + KASO,
    ),
    _theirs(
        name="locked-gates",
        operator=f"{API}|{MANAGER}",
        aspect="|".join(f"{GATES}{name}" for name in DEFAULT.locked_gates),
        accept=is_theirs("true"),
        what=f"Kubernetes {DEFAULT.kubernetes} has these gates on for good.",
        breaks="no effect: to name them is at best a warning",
        source=KUBERNETES + "pkg/features",
    ),
    _theirs(
        name="policy-beta",
        aspect="--runtime-config|--runtime-config.admissionregistration.k8s.io/v1beta1",
        accept=is_theirs("true", {"admissionregistration.k8s.io/v1beta1": "true"}),
        what="Serves the beta version of admission policies beside the stable one, for as long as a release has "
        "clients of it. The payload's own manifests use the stable one.",
        breaks="a client that asks for the beta version gets 404 until the pivot",
        source=APIS,
    ),
    _theirs(
        name="older-apis",
        aspect="--runtime-config.resource.k8s.io/v1alpha2",
        accept=is_theirs("true"),
        what="An operator that is not told the version of Kubernetes asks for an API that "
        f"{DEFAULT.kubernetes} does not have any more.",
        breaks="no effect: the API server passes over a version that it does not know",
        source=APIS,
    ),
    _ours(
        name="newer-apis",
        aspect="--runtime-config.resource.k8s.io/v1alpha3|--runtime-config.storage.k8s.io/v1beta1",
        accept=is_ours("true"),
        what=f"The APIs of gates that are on, in the versions that {DEFAULT.kubernetes} has; {DEFAULT.branch}'s "
        "operator renders the same, the ones before it did not.",
        breaks="the scheduler waits for a resource that nothing serves",
        source=APIS,
    ),
    _both(
        name="front-proxy-pair",
        aspect="--proxy-client-cert-file|--proxy-client-key-file",
        accept=lambda theirs, ours: (
            (theirs, ours)
            in [(f"{SECRETS}apiserver-proxy.{s}", f"{SECRETS}aggregator-client.{s}") for s in ("crt", "key")]
        ),
        what="The operator's file names the older pair, which the authority that extension servers are told about did "
        "not sign. Ours presents the pair of that authority.",
        breaks="with the older pair aggregated APIs answer 401 while the bootstrap lasts (F10)",
        source=OVERRIDES,
    ),
    _both(
        name="front-proxy-authority",
        aspect="--requestheader-client-ca-file",
        accept=values(f"{SECRETS}aggregator-signer.crt", f"{SECRETS}aggregator-ca-bundle.crt"),
        what="The same authority: ours reads the bundle, in which there is just that signer.",
        breaks="no effect",
        source=OVERRIDES,
    ),
    _both(
        name="audit-size",
        aspect="--audit-log-maxsize",
        accept=values("200", "100"),
        what="Megabytes of one audit file. Theirs is to hold a whole upgrade; the benchmark asks for 100, and a "
        "bootstrap lasts less than an hour.",
        breaks="no effect: ten files of it are kept on either side",
        source=CIS + "1.2.19",
    ),
    _ours(
        name="audit-age",
        aspect="--audit-log-maxage",
        accept=is_ours("30"),
        what="How many days an old audit file is kept.",
        breaks="the benchmark finds no limit in days; ten files are the limit either way",
        source=CIS + "1.2.17",
    ),
    _both(
        name="audit-policy-place",
        aspect="--audit-policy-file",
        accept=values("openshift.local.audit/policy.yaml", "/etc/kubernetes/config/audit-policy.yaml"),
        what="Their policy is inside the configuration file and is written out at the start; ours is a file beside it.",
        breaks="no effect; what the two policies say is compared with the configuration file",
        source=FORK,
    ),
    _both(
        name="goaway-chance",
        aspect="--goaway-chance",
        accept=lambda theirs, ours: (theirs, ours) in [("0", "0.001"), ("0.001", "0")],
        what="How often a client is asked to connect again: one in a thousand requests, and never where there is only "
        f"one API server. Older operators of the line rendered 0 always, {DEFAULT.branch}'s renders 0.001 always and "
        "corrects a single control plane later.",
        breaks="long connections stay on the server that was up first; alone, it would only cost reconnects",
        source=KASO,
    ),
    _theirs(
        name="logs-handler",
        aspect="--enable-logs-handler",
        accept=is_theirs("false"),
        what="Keeps /var/log from being served at /logs. That is the default by now.",
        breaks="no effect",
        source=KUBERNETES + "pkg/controlplane/apiserver/options",
    ),
    _theirs(
        name="read-only-port",
        aspect="--kubelet-read-only-port",
        accept=is_theirs("0"),
        what="An old flag: the API server never calls kubelets without TLS any more.",
        breaks="no effect",
        source=KUBERNETES + "cmd/kube-apiserver/app/options",
    ),
    _theirs(
        name="storage-backend",
        aspect="--storage-backend",
        accept=is_theirs("etcd3"),
        what="The only storage backend.",
        breaks="no effect",
        source=KUBERNETES + "staging/src/k8s.io/apiserver/pkg/server/options/etcd.go",
    ),
    _ours(
        name="profiling",
        operator=CONTROL_PLANE,
        aspect="--profiling",
        accept=is_ours("false"),
        what="Ours offers no profiles over the network.",
        breaks="clients with access to its port can read memory and timing of the process",
        source=CIS + "1.2.15, 1.3.2, 1.4.1",
    ),
    _ours(
        name="token-expiration",
        aspect="--service-account-extend-token-expiration",
        accept=is_ours("false"),
        what="A mounted token lasts the hour it was asked for.",
        breaks="the built-in stretches tokens to a year, for clients that never read them again",
        source=CIS + "1.2.30",
    ),
    _ours(
        name="ciphers",
        operator=CONTROL_PLANE,
        aspect="--tls-cipher-suites",
        accept=is_ours(list(CIPHER_SUITES)),
        what="The suites of OpenShift's Intermediate profile. What is rendered leaves them to Go; the running "
        "operators put the same profile in later.",
        breaks="until the pivot the program also accepts suites that the profile leaves out",
        source=source("api", "config/v1 types_tlssecurityprofile.go"),
    ),
    _ours(
        name="tls-version",
        operator=CONTROL_PLANE,
        aspect="--tls-min-version",
        accept=is_ours("VersionTLS12"),
        what="Written out; the render relies on Go's own default, which is the same today.",
        breaks="another build of Go may have another default",
        source=CIS + "1.2.29",
    ),
    _theirs(
        name="service-names",
        aspect=f"{FACES}kube-apiserver-service-network-server.crt",
        accept=is_theirs(
            ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"]
        ),
        what="The certificate for the names of the Service. Ours is also the default certificate, as theirs is.",
        breaks="no effect",
        source=OVERRIDES,
    ),
    _ours(
        name="recovery-name",
        aspect=f"{FACES}kube-apiserver-localhost-server.crt",
        accept=values(["127.0.0.1", "::1", "localhost"], ["127.0.0.1", "::1", "localhost", "localhost-recovery"]),
        what="localhost-recovery in addition: the name that the recovery kubeconfig asks for.",
        breaks="that kubeconfig is refused on the bootstrap machine",
        source=OVERRIDES,
    ),
    _both(
        name="balancer-names",
        aspect=f"{FACES}kube-apiserver-lb-server.crt[0]|{FACES}kube-apiserver-internal-lb-server.crt[0]",
        accept=lambda theirs, ours: (
            theirs == "<those in the certificate>" and str(ours).startswith(("api.", "api-int."))
        ),
        what="The same names, written out: theirs are taken from the certificates, which have just these.",
        breaks="no effect",
        source=OVERRIDES,
    ),
    _both(
        name="own-kubeconfigs",
        operator=CLIENTS,
        aspect="--kubeconfig|--authentication-kubeconfig|--authorization-kubeconfig",
        accept=lambda theirs, ours: theirs == f"{SECRETS}kubeconfig" and ours in OWN,
        what="Theirs is the administrator's, over the loopback address. Ours is the program itself, with the role "
        "that Kubernetes has for it.",
        breaks="a faulty program may do anything, and the audit log shows it as the administrator",
        source=f"{KCMO}, {KSO}",
    ),
    _ours(
        name="loopback",
        operator=CLIENTS,
        aspect="--bind-address",
        accept=is_ours("127.0.0.1", "::1"),
        what="Its port is for the kubelet on the same machine.",
        breaks="metrics and health are served to the whole network",
        source="CIS Kubernetes Benchmark 1.11, checks 1.3.7 and 1.4.2",
    ),
    _theirs(
        name="manager-config",
        operator=MANAGER,
        aspect="--openshift-config",
        accept=is_theirs("/etc/kubernetes/config/kube-controller-manager-config.yaml"),
        what="Names a configuration file whose content is given as flags in this release. In a running cluster one "
        "OpenShift setting is left, the CA that signs for Services; at bootstrap there is none.",
        breaks="no effect before that authority exists, which is after the pivot",
        source=KCMO,
    ),
    _theirs(
        name="no-recycler",
        operator=MANAGER,
        aspect="--pv-recycler-pod-template-filepath-*",
        accept=lambda theirs, ours: theirs == "" and ours == ABSENT,
        what="Given as empty, to take back what the operator's default names; empty is what Kubernetes has.",
        breaks="no effect",
        source=KCMO,
    ),
    _ours(
        name="scheduler-port",
        operator=SCHEDULER,
        aspect="--secure-port",
        accept=is_ours("10259"),
        what="Writes out the program's default.",
        breaks="no effect",
        source=KSO,
    ),
    _ours(
        name="scheduler-gates",
        operator=SCHEDULER,
        aspect="--feature-gates",
        accept=lambda theirs, ours: theirs == ABSENT and isinstance(ours, dict) and ours.keys() <= KNOWN,
        what="The rendered scheduler runs without the release's gates, and its configuration file is not even "
        "mounted; the running operator's has them.",
        breaks="under a feature set with new kinds of resources the bootstrap scheduler would schedule by other rules "
        "than its successor",
        source=KSO,
    ),
)

_POLICY: tuple[Row, ...] = (
    _both(
        name="policy-namespace",
        operator=MANAGER,
        thing="cluster-policy-controller",
        aspect="--namespace",
        accept=values("$(POD_NAMESPACE)", "kube-system"),
        what="The namespace of its lease and events, from a variable or written out.",
        breaks="no effect: the value is the same",
        source=KCMO,
    ),
    _both(
        name="policy-identity",
        operator=MANAGER,
        thing="cluster-policy-controller",
        aspect="--kubeconfig",
        accept=values(f"{SECRETS}kubeconfig", KUBECONFIG),
        what="The administrator's on both sides, over the loopback address. Ours is the file that the cluster-version "
        "operator reads too.",
        breaks="no effect: the content is the same",
        source=KCMO,
    ),
)

FLAGS = (*(replace(row, thing=row.operator) for row in _FLAGS), *_POLICY)
"""Of the program that has the operator's name, not of others in its pod."""
