"""Certificates: expired, of another build, for another name, without a use."""

from __future__ import annotations

from hardway.checks.log.row import Words, words

TRUST: tuple[Words, ...] = (
    words(
        "not-yet-valid",
        "F02",
        "certificate has expired or is not yet valid ++ is before ",
        "certificate is not yet valid",
        what="a certificate is not yet valid by this machine's clock",
    ),
    words(
        "expired",
        "F01",
        "certificate has expired or is not yet valid ++ is after ",
        "Bootstrap Ignition-Config Certificate ++ expired at",
        "certificate has expired ++ !or is not yet valid",
        what="a certificate has expired",
    ),
    words(
        "expired-or-early",
        "F01 F02",
        "certificate has expired or is not yet valid",
        what="a certificate has expired or is not yet valid",
        decide="compare the certificate's dates with the machine's clock: `openssl s_client -connect HOST:PORT "
        "</dev/null | openssl x509 -noout -dates; date -u`",
    ),
    words(
        "no-alternative-name",
        "F48",
        "certificate relies on legacy Common Name field",
        what="a certificate has its host name only as Common Name, and no subject alternative name",
    ),
    words(
        "path-length",
        "F09",
        "too many intermediates for path length constraint",
        "path length constraint exceeded",
        "parent certificate cannot sign this kind of certificate",
        "certificate is not authorized to sign other certificates",
        what="a CA certificate in a chain may not sign certificates, or not at this depth",
    ),
    words(
        "client-refused",
        "F06 F10 F29",
        "nable to authenticate the request ++ unknown authority",
        what="the API server, or an extension of it, does not know the signer of a client's certificate",
        decide="look which component wrote the log. An extension API server refuses the front proxy (F10). The API "
        "server refuses a client of another build (F06) or of an unknown signer (F29). `oc get csr; oc get "
        "apiservices` shows which clients fail",
    ),
    words(
        "registry-authority",
        "F12",
        "certificate signed by unknown authority ++ /v2/",
        "certificate signed by unknown authority ++ registry",
        what="a registry's certificate is not trusted",
    ),
    words(
        "other-build",
        "F06",
        "certificate signed by unknown authority ++ root-ca",
        "certificate signed by unknown authority ++ :22623",
        "certificate signed by unknown authority ++ ignition[",
        "certificate signed by unknown authority ++ :6443",
        what="a server's certificate is from another build than the CA that the client trusts",
    ),
    words(
        "kubelet-authority",
        "F06 F28",
        "certificate signed by unknown authority ++ :10250",
        what="the kubelet's serving certificate is not trusted",
        decide="if the kubelet signed the certificate itself, its request for a serving certificate was never approved "
        "(F28): `oc get csr`; otherwise the certificate is from another build (F06)",
    ),
    words(
        "authority",
        "F06 F12",
        "certificate signed by unknown authority",
        what="a server's certificate is not trusted",
        decide="look at the address in the line: the address of a registry is F12, an address of the cluster is F06; "
        "`openssl s_client -connect HOST:PORT </dev/null` shows the chain",
    ),
    words(
        "catch-all",
        "F34",
        "certificate is valid for *.apps ++ , not quay.io",
        "certificate is valid for *.apps ++ , not registry",
        "certificate is valid for *.apps ++ , not cloud.redhat.com",
        "certificate is valid for *.apps ++ , not api.openshift.com",
        "certificate is valid for *.apps ++ docker.io",
        "certificate is valid for *.apps ++ , not github.com",
        what="the cluster's own router answers under a name of the outside world",
    ),
    words(
        "foreign-answer",
        "F34 F12",
        "certificate is valid for ++ not quay.io",
        "certificate is valid for ++ , not registry.redhat.io",
        "certificate is valid for ++ , not registry.access.redhat.com",
        "certificate is valid for ++ , not registry-1.docker.io",
        what="another server answers under the name of a public registry",
        decide="if the name resolves to an address of your own network it is a catch-all record or a search domain "
        "(F34): `dig +short quay.io; cat /etc/resolv.conf`; else a proxy intercepts the connection (F12)",
    ),
    words(
        "other-name",
        "F07",
        "x509: certificate is valid for ++ , not ",
        "x509: certificate is not valid for any names",
        "x509: cannot validate certificate for",
        what="a server's certificate does not have the name that the client dialled",
    ),
    words(
        "etcd-usage",
        "F08",
        "certificate specifies an incompatible key usage",
        "rejected connection ++ tls: bad certificate",
        "tls: bad certificate ++ :2379",
        "tls: bad certificate ++ :2380",
        what="etcd refuses a certificate of a member or of a client",
    ),
    words(
        "bad-certificate",
        "F06 F08",
        "tls: bad certificate",
        what="the other side of a connection refuses a certificate of this component",
        decide="read the reason in the other side's log; `openssl x509 -noout -ext extendedKeyUsage,subjectAltName "
        "-in FILE` shows the usages and names of a certificate",
    ),
    words(
        "kubelet-serving",
        "F28",
        "remote error: tls: internal error",
        "no serving certificate available for the kubelet",
        "TLS handshake error from ++ no certificate available",
        what="the kubelet has no serving certificate",
    ),
)
