"""Certificates: expired, of another build, for another name, without a use."""

from __future__ import annotations

from hardway.checks.log.row import Words, words

TRUST: tuple[Words, ...] = (
    words(
        "not-yet-valid",
        "F02",
        "certificate has expired or is not yet valid ++ is before ",
        "certificate is not yet valid",
        what="a certificate is valid only after the time that this machine's clock has",
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
        what="the time is outside of a certificate's validity, and the line does not say on which side",
        decide="compare the certificate's dates with the machine's clock: `openssl s_client -connect HOST:PORT "
        "</dev/null | openssl x509 -noout -dates; date -u`",
    ),
    words(
        "no-alternative-name",
        "F48",
        "certificate relies on legacy Common Name field",
        what="a certificate has its name as Common Name only",
    ),
    words(
        "path-length",
        "F09",
        "too many intermediates for path length constraint",
        "path length constraint exceeded",
        "parent certificate cannot sign this kind of certificate",
        "certificate is not authorized to sign other certificates",
        what="a signer may not sign what was signed under it",
    ),
    words(
        "client-refused",
        "F06 F10 F29",
        "nable to authenticate the request ++ unknown authority",
        what="the API server, or an extension of it, does not know the signer of a client's certificate",
        decide="see which component wrote the log: an extension API server refuses the front proxy (F10), the API "
        "server a client of another build (F06) or of an unknown signer (F29); `oc get csr; oc get apiservices` shows "
        "who fails",
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
        what="a server has a certificate of another build than the client trusts",
    ),
    words(
        "kubelet-authority",
        "F06 F28",
        "certificate signed by unknown authority ++ :10250",
        what="the kubelet's serving certificate is not trusted",
        decide="if the kubelet signed it itself, its serving request was never approved (F28): `oc get csr`",
    ),
    words(
        "authority",
        "F06 F12",
        "certificate signed by unknown authority",
        what="a server's certificate is not trusted",
        decide="look at the address in the line: a registry's is F12, one of the cluster's own is F06; "
        "`openssl s_client -connect HOST:PORT </dev/null` shows the chain",
    ),
    words(
        "other-name",
        "F07",
        "x509: certificate is valid for ++ , not ",
        "x509: certificate is not valid for any names",
        "x509: cannot validate certificate for",
        what="a server is called by a name that its certificate does not have",
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
        what="a peer refuses this certificate",
        decide="the other side's log has the reason; uses and addresses of a certificate are shown by `openssl x509 "
        "-noout -ext extendedKeyUsage,subjectAltName -in FILE`",
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
