"""What each file that an operator renders is for: one row a pattern. A file without a row is said to have none."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    operator: str
    pattern: str  # of the path below assets/rendered/OPERATOR
    what: str

    def matches(self, operator: str, file: str) -> bool:
        return operator == self.operator and fnmatch(file, self.pattern)


_API = (
    ("manifests/*.crd.yaml", "a type that the bootstrap needs before CVO brings it; of several variants the one"),
    (
        "rewritten/manifests/99_feature-gate.yaml",
        "the FeatureGate, now with status for this version: other renders read it",
    ),
)
_CONFIG = (("cloud-provider-config-generated.yaml", "the cloud provider's configuration: empty on platform none"),)
_CVO = (
    ("bootstrap/bootstrap-pod.yaml", "CVO's static pod on the bootstrap node, until the cluster runs it itself"),
    ("manifests/*_namespace.yaml", "the namespace that CVO moves to"),
    ("manifests/*_adminack_configmap.yaml", "where an administrator agrees to what an update takes away"),
    ("manifests/*_admingate_configmap.yaml", "what an administrator has to agree to"),
    ("manifests/*_clusteroperators.crd.yaml", "the type by which operators report: no payload holds it"),
    ("manifests/*_clusterversions-*.crd.yaml", "the type that says which release to become: no payload holds it"),
    ("manifests/*_roles.yaml", "CVO may do everything, because it applies everything"),
    ("manifests/*_deployment.yaml", "CVO in the cluster, which follows the pod on the bootstrap node"),
    ("manifests/*_service.yaml", "CVO's metrics; service-ca signs a certificate for it"),
)
_MEMBER = "etc-kubernetes/static-pod-resources/etcd-member"
_CERTS = f"{_MEMBER}/etcd-all-certs"
_ETCD = (
    ("etc-kubernetes/manifests/etcd-member-pod.yaml", "the first member's static pod, etcd-bootstrap by name"),
    (f"{_MEMBER}/ca.crt", "the signers that the member trusts, for clients and for peers"),
    (f"{_CERTS}/etcd-peer-*", "the member's certificate for its peers, as server and as client"),
    (f"{_CERTS}/etcd-serving-metrics-*", "the member's serving certificate for its metrics"),
    (f"{_CERTS}/etcd-serving-*", "the member's serving certificate for its clients"),
    (f"{_CERTS}/etcd-client.*", "the API server's client certificate for etcd"),
    (f"{_CERTS}/etcd-metric-client.*", "the client certificate of readers of etcd's metrics"),
    (f"{_CERTS}/etcd-metric-signer.*", "signs the certificates for metrics"),
    (f"{_CERTS}/etcd-signer.*", "signs all other certificates of etcd; the member itself reads neither signer"),
    ("tls/etcd-ca-bundle.crt", "the CA that the API server and bootkube trust for etcd"),
    ("tls/etcd-client.*", "the client certificate for etcd of the API server, and of bootkube, which waits for etcd"),
    ("manifests/00_openshift-etcd-ns.yaml", "the namespace of etcd's pods"),
    ("manifests/00_etcd-endpoints-cm.yaml", "by an annotation, the address of the bootstrap member; no data yet"),
    ("manifests/openshift-etcd-svc.yaml", "etcd's Service: its names are in every serving certificate"),
    ("manifests/openshift-etcd-etcd-signer.yaml", "the signer, which the operator takes over by its annotations"),
    ("manifests/openshift-etcd-etcd-metric-signer.yaml", "the metric signer, likewise"),
    ("manifests/openshift-etcd-etcd-client.yaml", "the client pair, for the API servers on the masters"),
    ("manifests/openshift-etcd-etcd-metric-client.yaml", "the metrics client pair"),
    ("manifests/openshift-etcd-etcd-peer-*.yaml", "the bootstrap member's peer pair"),
    ("manifests/openshift-etcd-etcd-serving-metrics-*.yaml", "the bootstrap member's metrics pair"),
    ("manifests/openshift-etcd-etcd-serving-*.yaml", "the bootstrap member's serving pair"),
    ("manifests/openshift-etcd-etcd-all-certs.yaml", "all pairs of all members in one, as static pods mount them"),
    ("manifests/openshift-etcd-etcd-all-bundles.yaml", "both bundles in one, as static pods mount them"),
    ("manifests/openshift-etcd-etcd-ca-bundle.yaml", "the signers that members trust"),
    ("manifests/openshift-etcd-etcd-metrics-ca-bundle.yaml", "the signers that readers of metrics trust"),
)
_SIGNER = "the operator continues to sign with it; without its dates the operator would create another one"
_API_SERVER = (
    ("config", "a KubeAPIServerConfig: what the pod's --openshift-config names, in place of flags"),
    ("bootstrap-manifests/kube-apiserver-pod.yaml", "the API server's static pod on the bootstrap node"),
    ("manifests/00_openshift-kube-apiserver-ns.yaml", "the namespace of the API servers' pods"),
    ("manifests/00_openshift-kube-apiserver-operator-ns.yaml", "the namespace of the operator and of the signers"),
    ("manifests/cluster-role-kube-apiserver.yaml", "what the API server may request from kubelets"),
    ("manifests/cluster-role-binding-kube-apiserver.yaml", "gives it to the API server's client certificate"),
    ("manifests/configmap-admin-kubeconfig-client-ca.yaml", "the signer of the administrator's certificate"),
    ("manifests/configmap-csr-controller-ca.yaml", "the signer of the kubelets' certificates"),
    ("manifests/configmap-kubelet-bootstrap-kubeconfig-ca.yaml", "the signer of the nodes' bootstrap kubeconfig"),
    ("manifests/configmap-sa-token-signing-certs.yaml", "the key that old tokens are verified with"),
    ("manifests/secret-bound-sa-token-signing-key.yaml", "the key that pods' tokens are signed with, before and after"),
    ("manifests/secret-aggregator-client-signer.yaml", f"signer of the front proxy: {_SIGNER}"),
    ("manifests/secret-control-plane-client-signer.yaml", f"signer of the control plane's clients: {_SIGNER}"),
    ("manifests/secret-kube-apiserver-to-kubelet-signer.yaml", f"signer of the API server as a client: {_SIGNER}"),
    ("manifests/secret-loadbalancer-serving-signer.yaml", f"signer of api and api-int: {_SIGNER}"),
    ("manifests/secret-localhost-serving-signer.yaml", f"signer of localhost: {_SIGNER}"),
    ("manifests/secret-service-network-serving-signer.yaml", f"signer of the Service's names: {_SIGNER}"),
    ("manifests/*_cr-scc-*.yaml", "the right to use a security context constraint"),
    ("manifests/*_crb-systemauthenticated-scc-*.yaml", "every user may run pods under the most restricted constraint"),
    ("manifests/*_scc-*.yaml", "a security context constraint: without any, no pod is admitted"),
    (
        "manifests/kube-apiserver_apirequestcounts.crd.yaml",
        "where the API server counts uses of APIs that will be removed",
    ),
)
_MACHINE_CONFIG = (
    ("bootstrap/machineconfigoperator-bootstrap-pod.yaml", "the pod that renders, and serves masters at port 22623"),
    ("bootstrap/manifests/machineconfigcontroller-controllerconfig.yaml", "the cluster as templates see it"),
    ("bootstrap/manifests/machineconfigcontroller-pull-secret", "the pull secret, for every node"),
    ("bootstrap/manifests/*.machineconfigpool.yaml", "a pool: which configs its nodes are merged from"),
    ("manifests/csr-bootstrap-role-binding.yaml", "kubelets with the bootstrap kubeconfig may request a certificate"),
    ("manifests/kube-apiserver-serving-ca-configmap.yaml", "the clients' bundle, which becomes kubelet-ca.crt"),
)
_ROWS = {
    "api": _API,
    "config": _CONFIG,
    "cvo": _CVO,
    "etcd": _ETCD,
    "kube-apiserver": _API_SERVER,
    "machine-config": _MACHINE_CONFIG,
}

TABLE: tuple[Output, ...] = tuple(
    Output(operator=operator, pattern=pattern, what=what) for operator, rows in _ROWS.items() for pattern, what in rows
)


def what_for(operator: str, file: str) -> str:
    """The first row counts; empty if there is none."""
    return next((row.what for row in TABLE if row.matches(operator, file)), "")
