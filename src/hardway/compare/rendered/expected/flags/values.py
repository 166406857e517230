"""Arguments of the API server whose values differ, and those that one side alone has."""

from __future__ import annotations

from hardway.compare.rendered.expected.flags.row import (
    CIS,
    CONTROL_PLANE,
    FORK,
    KASO,
    KUBERNETES,
    OVERRIDES,
    SECRETS,
    told,
)
from hardway.compare.rendered.row import Row, is_ours, is_theirs, values
from hardway.lines.default import DEFAULT
from hardway.lines.sources import kubernetes_fork, source
from hardway.staticpods.tls import CIPHER_SUITES

FACES = "--tls-sni-cert-key."

VALUES: tuple[Row, ...] = (
    told(
        "authorizers",
        "other",
        "--authorization-mode",
        values(["Scope", "SystemMasters", "RBAC", "Node"], ["Node", "RBAC"]),
        "Scope narrows OAuth tokens, and none exists yet; SystemMasters lets system:masters through, which Kubernetes' "
        "handler does anyway. Both are known to OpenShift's build alone.",
        "nothing during the bootstrap; the masters' API servers have them",
        kubernetes_fork("openshift-kube-apiserver/authorization"),
    ),
    told(
        "front-proxy-pair",
        "other",
        "--proxy-client-cert-file|--proxy-client-key-file",
        lambda theirs, ours: (
            (theirs, ours)
            in [(f"{SECRETS}apiserver-proxy.{s}", f"{SECRETS}aggregator-client.{s}") for s in ("crt", "key")]
        ),
        "The operator's file names the older pair, which the authority that extension servers are told about did not "
        "sign. Ours presents the pair of that authority.",
        "with the older pair aggregated APIs answer 401 while the bootstrap lasts (F10)",
        OVERRIDES,
    ),
    told(
        "front-proxy-authority",
        "other",
        "--requestheader-client-ca-file",
        values(f"{SECRETS}aggregator-signer.crt", f"{SECRETS}aggregator-ca-bundle.crt"),
        "The same authority: ours reads the bundle, in which there is just that signer.",
        "nothing",
        OVERRIDES,
    ),
    told(
        "audit-size",
        "other",
        "--audit-log-maxsize",
        values("200", "100"),
        "Megabytes of one audit file. Theirs is to hold a whole upgrade; the benchmark asks for 100, and a bootstrap "
        "lasts less than an hour.",
        "nothing: ten files of it are kept on either side",
        CIS + "1.2.19",
    ),
    told(
        "audit-age",
        "hand",
        "--audit-log-maxage",
        is_ours("30"),
        "How many days an old audit file is kept.",
        "the benchmark finds no limit in days; ten files are the limit either way",
        CIS + "1.2.17",
    ),
    told(
        "audit-policy-place",
        "other",
        "--audit-policy-file",
        values("openshift.local.audit/policy.yaml", "/etc/kubernetes/config/audit-policy.yaml"),
        "Their policy is inside the configuration file and is written out at the start; ours is a file beside it.",
        "nothing; what the two policies say is compared with the configuration file",
        FORK,
    ),
    told(
        "goaway-chance",
        "other",
        "--goaway-chance",
        lambda theirs, ours: (theirs, ours) in [("0", "0.001"), ("0.001", "0")],
        "How often a client is asked to connect again: one in a thousand requests, and never where there is only one "
        f"API server. Older operators of the line rendered 0 always, {DEFAULT.branch}'s renders 0.001 always and "
        "corrects a "
        "single control plane later.",
        "long connections stay on the server that was up first; alone, it would only cost reconnects",
        KASO,
    ),
    told(
        "logs-handler",
        "operator",
        "--enable-logs-handler",
        is_theirs("false"),
        "Keeps /var/log from being served at /logs. That is the default by now.",
        "nothing",
        KUBERNETES + "pkg/controlplane/apiserver/options",
    ),
    told(
        "read-only-port",
        "operator",
        "--kubelet-read-only-port",
        is_theirs("0"),
        "An old flag: the API server never calls kubelets without TLS any more.",
        "nothing",
        KUBERNETES + "cmd/kube-apiserver/app/options",
    ),
    told(
        "storage-backend",
        "operator",
        "--storage-backend",
        is_theirs("etcd3"),
        "The only store there is.",
        "nothing",
        KUBERNETES + "staging/src/k8s.io/apiserver/pkg/server/options/etcd.go",
    ),
    told(
        "profiling",
        "hand",
        "--profiling",
        is_ours("false"),
        "Ours offers no profiles over the network.",
        "memory and timing of the process can be read over its port by whoever may",
        CIS + "1.2.15, 1.3.2, 1.4.1",
        programs=CONTROL_PLANE,
    ),
    told(
        "token-expiration",
        "hand",
        "--service-account-extend-token-expiration",
        is_ours("false"),
        "A mounted token lasts the hour it was asked for.",
        "the built-in stretches tokens to a year, for clients that never read them again",
        CIS + "1.2.30",
    ),
    told(
        "ciphers",
        "hand",
        "--tls-cipher-suites",
        is_ours(list(CIPHER_SUITES)),
        "The suites of OpenShift's Intermediate profile. What is rendered leaves them to Go; the running operators put "
        "the same profile in later.",
        "until the pivot the program also accepts suites that the profile leaves out",
        source("api", "config/v1 types_tlssecurityprofile.go"),
        programs=CONTROL_PLANE,
    ),
    told(
        "tls-version",
        "hand",
        "--tls-min-version",
        is_ours("VersionTLS12"),
        "Said, where what is rendered relies on Go's own default, which is the same today.",
        "another build of Go may have another default",
        CIS + "1.2.29",
        programs=CONTROL_PLANE,
    ),
)

SERVED: tuple[Row, ...] = (
    told(
        "service-names",
        "operator",
        f"{FACES}kube-apiserver-service-network-server.crt",
        is_theirs(
            ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"]
        ),
        "The certificate for the names of the Service. In ours it is the one for everybody who asks for no other name, "
        "as it is in theirs too.",
        "nothing",
        OVERRIDES,
    ),
    told(
        "recovery-name",
        "hand",
        f"{FACES}kube-apiserver-localhost-server.crt",
        values(["127.0.0.1", "::1", "localhost"], ["127.0.0.1", "::1", "localhost", "localhost-recovery"]),
        "localhost-recovery in addition: the name that the recovery kubeconfig asks for.",
        "that kubeconfig is refused on the bootstrap machine",
        OVERRIDES,
    ),
    told(
        "balancer-names",
        "other",
        f"{FACES}kube-apiserver-lb-server.crt[0]|{FACES}kube-apiserver-internal-lb-server.crt[0]",
        lambda theirs, ours: theirs == "<those in the certificate>" and str(ours).startswith(("api.", "api-int.")),
        "The same names, written out: theirs are taken from the certificates, which have just these.",
        "nothing",
        OVERRIDES,
    ),
)
