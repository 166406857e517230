"""The API server's configuration file: what no flag can say, and what the file would otherwise say by itself.

OpenShift's build reads the file after the flags and turns it into flags again. So a value that the file has a default
for is repeated here: a default of the file wins over the flag.
"""

from __future__ import annotations

from typing import Any

from hardway.emit.document import OBJECT, Document
from hardway.lines.sources import kubernetes_fork, source
from hardway.model.cluster import Cluster, Node
from hardway.model.why import because
from hardway.staticpods.apiserver.flags import CONFIG_FILE
from hardway.staticpods.apiserver.serving import PORT, bind_address
from hardway.staticpods.apiserver.trust import token_keys
from hardway.staticpods.controller_manager.flags import service_networks
from hardway.staticpods.tls import CIPHER_SUITES, MINIMUM

KASO = source("cluster-kube-apiserver-operator", "bindata/assets/config, bindata/bootkube/config, pkg/cmd/render")
FORK = kubernetes_fork("openshift-kube-apiserver/openshiftkubeapiserver/flags.go")
DEFAULTS = kubernetes_fork("openshift-kube-apiserver/configdefault")
POD_SECURITY, EXTERNAL = "PodSecurity", "network.openshift.io/ExternalIPRanger"
ENDPOINTS = "network.openshift.io/RestrictedEndpointsAdmission"
BUILDS = "system:serviceaccount:openshift-infra:build-controller"
_NETWORK, _SECURITY = "network.openshift.io/v1", "pod-security.admission.config.k8s.io/v1"


def _levels() -> dict[str, str]:
    modes = {"enforce": "privileged", "audit": "restricted", "warn": "restricted"}
    return {
        key: value for mode, level in modes.items() for key, value in ((mode, level), (f"{mode}-version", "latest"))
    }


def _plugin(api: str, kind: str, **settings: Any) -> dict[str, Any]:
    return {"configuration": {"apiVersion": api, "kind": kind, **settings}}


def networks(cluster: Cluster) -> list[str]:
    """Of Services and pods: addresses that the cluster itself assigns."""
    return [*map(str, cluster.service_networks), *(str(network.cidr) for network in cluster.cluster_networks)]


def config(cluster: Cluster, node: Node) -> dict[str, Any]:
    host = bind_address(cluster, node)
    return {
        "apiVersion": "kubecontrolplane.config.openshift.io/v1",
        "kind": "KubeAPIServerConfig",
        "admission": {
            "pluginConfig": {
                POD_SECURITY: _plugin(
                    _SECURITY,
                    "PodSecurityConfiguration",
                    defaults=_levels(),
                    exemptions={"usernames": [BUILDS]},
                ),
                EXTERNAL: _plugin(_NETWORK, "ExternalIPRangerAdmissionConfig", allowIngressIP=True),
                ENDPOINTS: _plugin(_NETWORK, "RestrictedEndpointsAdmissionConfig", restrictedCIDRs=networks(cluster)),
            }
        },
        "projectConfig": {"defaultNodeSelector": ""},
        "servicesSubnet": service_networks(cluster, node),
        "serviceAccountPublicKeyFiles": list(token_keys(cluster, node)),
        "servingInfo": {
            "bindAddress": f"[{host}]:{PORT}" if ":" in host else f"{host}:{PORT}",
            "cipherSuites": list(CIPHER_SUITES),
            "minTLSVersion": MINIMUM,
        },
    }


_PLUGIN = {name: f'admission.pluginConfig["{name}"].configuration' for name in (EXTERNAL, ENDPOINTS)}
_PLUGIN[POD_SECURITY] = f"admission.pluginConfig.{POD_SECURITY}.configuration"

DOCUMENT = Document(
    address=f"manifest/{CONFIG_FILE}",
    path=f"bootstrap-configs/{CONFIG_FILE}",
    why=because(
        "Turns on what only OpenShift's build has: admission by SecurityContextConstraints and its other plugins, and "
        "its authorizers. Flags stay flags: the file has what no flag can set, and repeats flags that its own "
        "defaults would replace.",
        readers="kube-apiserver, --openshift-config",
        breaks="no SCC chooses a user for a pod: container has runAsNonRoot and image will run as root",
        source=f"{KASO}; {FORK}",
    ),
    body=lambda given: config(given.cluster, given.cluster.bootstrap),
    common=OBJECT,
    reasons={
        _PLUGIN[POD_SECURITY]: because(
            "The plugin's own settings, in a type of its own: there is no flag for them but the name of another file."
        ),
        f"{_PLUGIN[POD_SECURITY]}.defaults": because(
            "For a namespace without labels: every pod is admitted here, because SCCs decide, and what the level "
            "restricted would refuse is noted in the audit log and as a warning. A namespace may say more by labels.",
            breaks="nothing is noted; with restricted enforced, etcd's pod of a master is not shown by the API, and "
            "bootkube.sh waits for it",
            source=source("cluster-kube-apiserver-operator", "pkg/operator/configobservation/auth"),
        ),
        f"{_PLUGIN[POD_SECURITY]}.exemptions": because(
            "Builds run privileged pods by their nature; SCCs still decide who may look into them.",
            breaks="each build of the later cluster gives a warning",
        ),
        _PLUGIN[EXTERNAL]: because(
            "No Service may ask for an external address, since no range is listed; an address that the cluster "
            "assigned to a Service for ingress is allowed.",
            breaks="a Service could take over any address, such as that of the load balancer",
        ),
        _PLUGIN[ENDPOINTS]: because(
            "Nobody may write endpoints by hand that point at pods or Services of others.",
            breaks="an Endpoints object reaches a pod past its network policy",
        ),
        f"{_PLUGIN[ENDPOINTS]}.restrictedCIDRs": because(
            "The service networks and the pod networks of the plan.", breaks="the plugin has nothing to look for"
        ),
        "projectConfig.defaultNodeSelector": because(
            "No selector for all projects: pods go to any node that takes them.",
            breaks="no effect: empty is its default. With a selector, pods wait for nodes that have the label",
        ),
        "servicesSubnet": because(
            "The same as --service-cluster-ip-range.",
            breaks="the file's default, 10.0.0.0/24, replaces the flag's: ClusterIPs fall outside of what the network "
            "plugin routes (F14)",
            source=DEFAULTS,
        ),
        "serviceAccountPublicKeyFiles": because(
            "The same as --service-account-key-file. A list of the file is added to the flag's, so each key is listed "
            "twice, also under /openid/v1/jwks; a reader takes the first that fits.",
            breaks="the file's default, a folder of the operator's pod, is added: no such file, and it exits",
            source=DEFAULTS,
        ),
        "servingInfo.bindAddress": because(
            "The same as --bind-address and --secure-port.",
            breaks="the file's default, 0.0.0.0:6443, replaces both flags, with IPv6 too",
            source=DEFAULTS,
        ),
        "servingInfo.cipherSuites": because(
            "The same as --tls-cipher-suites.",
            breaks="suites of the file's default, CBC among them, are added to those of the flag",
            source=DEFAULTS,
        ),
        "servingInfo.minTLSVersion": because(
            "The same as --tls-min-version.", breaks="the file's default replaces the flag's", source=DEFAULTS
        ),
    },
)
