"""Which TLS the control plane speaks: OpenShift's Intermediate profile, under the names Go knows."""

from __future__ import annotations

from hardway.staticpods.row import Flag, flag

CIPHER_SUITES = (
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
)
MINIMUM = "VersionTLS12"
PROFILE = "openshift/api config/v1, TLS profile Intermediate"

SERVING: tuple[Flag, ...] = (
    flag(
        "--tls-cipher-suites",
        ",".join(CIPHER_SUITES),
        "Forward-secret authenticated suites for RSA and ECDSA keys; the three TLS 1.3 names are listed for "
        "completeness, because Go does not allow TLS 1.3 suites to be restricted.",
        breaks="Go's own list would still allow CBC suites under TLS 1.2",
        source=PROFILE,
    ),
    flag(
        "--tls-min-version",
        MINIMUM,
        "Nothing older than TLS 1.2.",
        breaks="the minimum would be the default of the Go version in the image",
        source=PROFILE,
    ),
)
