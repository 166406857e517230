"""Where images come from, and what stands between the cluster and the world."""

from __future__ import annotations

from hardway.lines.sources import source
from hardway.model.config.fields.row import row
from hardway.model.config.table import FieldRow

_VALIDATE = source("installer", "pkg/validate")


def _sources(path: str, what: str, replaced_by: str = "") -> tuple[FieldRow, ...]:
    return (
        row(
            path,
            "list",
            what,
            readers="registries.conf on the bootstrap machine and, through the mirror set object, on every node",
            breaks="nodes without a way to quay.io cannot pull the release",
            replaced_by=replaced_by,
        ),
        row(f"{path}[]", "mapping", "one repository and its mirrors", readers="as the list", breaks="as the list"),
        row(
            f"{path}[].source",
            "text",
            "the repository as pull specs name it",
            readers="the container engine, when it resolves a pull spec",
            breaks="a source that no pull spec starts with is never used",
            required=True,
        ),
        row(
            f"{path}[].mirrors",
            "list",
            "where else the same images are, in the order of trying",
            readers="the container engine",
            breaks="an entry with no mirror changes nothing",
        ),
        row(f"{path}[].mirrors[]", "text", "one mirror", readers="as the list", breaks="as the list"),
    )


ROWS = (
    row(
        "pullSecret",
        "text",
        "credentials of the registries, as the JSON that podman login writes",
        readers="the kubelet and the container engine on every machine, the global pull secret in openshift-config",
        breaks="no image of the release can be pulled: unauthorized (F11)",
        source=_VALIDATE,
        required=True,
        secret=True,
    ),
    row(
        "sshKey",
        "text",
        "the public key that may log in as core, a line as in authorized_keys; without it, the build makes a key pair "
        "in assets/ssh",
        readers="Ignition on every machine",
        breaks="with a wrong line, nobody can log in to a machine whose kubelet does not start",
        source=_VALIDATE,
    ),
    row(
        "additionalTrustBundle",
        "text",
        "certificates of authorities that the cluster shall trust, in PEM",
        readers="the nodes' trust store, the user-ca-bundle ConfigMap, Proxy spec.trustedCA",
        breaks="a mirror or a proxy with a certificate of yours is not trusted, and images cannot be pulled",
        source=source("installer", "pkg/asset/manifests/additionaltrustbundleconfig.go"),
    ),
    row(
        "additionalTrustBundlePolicy",
        "text",
        "when the bundle is given to the Proxy object: with a proxy only, or always",
        readers="the Proxy manifest",
        breaks="with Proxyonly and no proxy, pods do not get the bundle",
        source=source("installer", "pkg/asset/manifests/proxy.go"),
        values=("Proxyonly", "Always"),
        default="Proxyonly",
    ),
    row(
        "proxy",
        "mapping",
        "the proxy between the cluster and the internet",
        readers="the Proxy cluster object, the environment of the kubelet, CRI-O and operators",
        breaks="where only a proxy reaches the internet, no image can be pulled without it",
        source=source("installer", "pkg/asset/manifests/proxy.go"),
    ),
    row(
        "proxy.httpProxy",
        "text",
        "the proxy for http requests, an http:// URL",
        readers="HTTP_PROXY on nodes and in operators",
        breaks="http requests go out directly",
        secret=True,
    ),
    row(
        "proxy.httpsProxy",
        "text",
        "the proxy for https requests, an http:// or https:// URL",
        readers="HTTPS_PROXY on nodes and in operators",
        breaks="image pulls, which are https, go out directly",
        secret=True,
    ),
    row(
        "proxy.noProxy",
        "text",
        "what is reached without the proxy: addresses, networks and domains with commas between; * for everything",
        readers="NO_PROXY; the cluster's own networks and names are added to it",
        breaks="your mirror, or the cluster's own *.apps names, go through the proxy",
    ),
    *_sources("imageDigestSources", "mirrors for images that are named by digest"),
    *_sources("imageContentSources", "the old name of imageDigestSources", replaced_by="imageDigestSources"),
)
