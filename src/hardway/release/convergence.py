"""The ClusterOperators of a publisher's release on platform none: what each waits for at stage 16, and what is normal.

Every row was compared with its operator's source, at the path that it names; reasons and messages in quotes are from
there. Names and capabilities are those of the operators' manifests. No row has been seen on a machine by this project.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardway.lines.sources import source
from hardway.model.why import Why, because

PODS = "look at its pods: `oc get pods -n {}`, then the events there"
ROLLOUT = "Progressing for many minutes: it rolls out revisions, one master after the other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Converging:
    name: str  # of the ClusterOperator
    capability: str  # without which the release leaves it out, or nothing
    why: Why
    waits: str  # for what, before it is Available
    needs: tuple[str, ...]  # the operators among that; each also needs the pod network
    normal: str  # what looks wrong, and is not
    do: str  # if it stays


def _row(
    name: str,
    repository: str,
    path: str,
    what: str,
    breaks: str,
    waits: str,
    *,
    needs: tuple[str, ...] = (),
    capability: str = "",
    normal: str = "",
    do: str = "",
) -> Converging:
    why = because(
        what, readers="CVO, which completes when it is Available", breaks=breaks, source=source(repository, path)
    )
    return Converging(
        name=name,
        capability=capability,
        why=why,
        waits=waits,
        needs=needs,
        normal=normal,
        do=do or "read its message; `oc describe co NAME`",
    )


def _pods(namespace: str) -> str:
    return PODS.format(namespace)


TABLE: tuple[Converging, ...] = (
    _row(
        "authentication",
        "cluster-authentication-operator",
        "pkg/controllers",
        "Login: the OAuth server behind a route.",
        "users cannot log in; client certificates and service account tokens keep working",
        "service-ca, openshift-apiserver, ingress; its route must answer through `*.apps`",
        needs=("service-ca", "openshift-apiserver", "ingress"),
        normal="not Available, with `NoReadyIngressNodes`, until a node that can run routers is Ready",
        do="`hardway network check`: does `*.apps` lead to machines with routers (F33)?",
    ),
    _row(
        "baremetal",
        "cluster-baremetal-operator",
        "controllers/provisioning_controller.go",
        "Machines with a BareMetalHost.",
        "no effect without a Provisioning object",
        "its own pod",
        capability="baremetal",
        normal="Available, reason `WaitingForProvisioningCR`: there is no Provisioning object",
    ),
    _row(
        "cloud-controller-manager",
        "cluster-cloud-controller-manager-operator",
        "pkg/controllers/clusteroperator_controller.go",
        "The cloud's controllers.",
        "no effect on platform none",
        "its own pod",
        capability="CloudControllerManager",
        normal="Available, and it runs nothing",
    ),
    _row(
        "cloud-credential",
        "cloud-credential-operator",
        "pkg/operator/controller.go",
        "Cloud accounts for operators.",
        "no effect on platform none",
        "its own pod",
        capability="CloudCredential",
        normal="Available, and it makes no credentials",
        do=_pods("openshift-cloud-credential-operator"),
    ),
    _row(
        "cluster-autoscaler",
        "cluster-autoscaler-operator",
        "pkg/operator/status.go",
        "More machines when pods have no room.",
        "no effect on platform none",
        "machine-api",
        needs=("machine-api",),
        capability="MachineAPI",
        normal="Degraded, reason `MissingDependency`, until machine-api reports; then it has nothing to scale",
    ),
    _row(
        "config-operator",
        "cluster-config-operator",
        "pkg/operator/starter.go",
        "The cluster's configuration objects.",
        "objects of an older form are not converted",
        "its own pod",
        do=_pods("openshift-config-operator"),
    ),
    _row(
        "console",
        "console-operator",
        "pkg/console/controllers/healthcheck",
        "The web console.",
        "there is no web console",
        "one replica of its Deployment; ingress; its route must answer through `*.apps`",
        needs=("ingress",),
        capability="Console",
        normal="not Available, with `RouteHealth`, until the routers run",
        do="as for authentication (F33); then its pods: `oc get pods -n openshift-console`",
    ),
    _row(
        "control-plane-machine-set",
        "cluster-control-plane-machine-set-operator",
        "pkg/controllers/controlplanemachineset/controller.go",
        "Masters that are replaced by themselves.",
        "no effect on platform none",
        "its own pod",
        capability="MachineAPI",
        normal="Available, without a ControlPlaneMachineSet",
    ),
    _row(
        "csi-snapshot-controller",
        "cluster-csi-snapshot-controller-operator",
        "pkg/operator/starter.go",
        "Snapshots of volumes.",
        "snapshots are not made",
        "its own pods on masters",
        capability="CSISnapshot",
        do=_pods("openshift-cluster-storage-operator"),
    ),
    _row(
        "dns",
        "cluster-dns-operator",
        "pkg/operator/controller/dns_status.go",
        "Names inside the cluster.",
        "pods find no Service by name, and most operators stop",
        "network; its Service, and at least one of its pods",
        needs=("network",),
        normal="Progressing, reason `DNSReportsProgressingIsTrue`, while pods on nodes start",
        do=_pods("openshift-dns"),
    ),
    _row(
        "etcd",
        "cluster-etcd-operator",
        "pkg/operator/ceohelpers/bootstrap.go",
        "etcd's members on the masters.",
        "the bootstrap never completes",
        "three masters Ready; the end of the bootstrap, to remove the member there",
        normal=ROLLOUT,
        do="`oc get etcd cluster -o yaml`; all masters must be Ready",
    ),
    _row(
        "image-registry",
        "cluster-image-registry-operator",
        "pkg/operator/bootstrap.go",
        "The registry inside the cluster.",
        "builds and image streams inside the cluster have nowhere to push to",
        "its own pod",
        capability="ImageRegistry",
        normal="Removed: platform none has no storage for it (F36)",
        do="give it storage, and set `managementState: Managed` in its Config",
    ),
    _row(
        "ingress",
        "cluster-ingress-operator",
        "pkg/operator/controller/ingress/status.go",
        "The routers.",
        "no route answers: no console, no login",
        "two nodes that are no masters, or schedulable masters, for its routers' host ports 80 and 443",
        capability="Ingress",
        normal="Degraded, after a minute in which its canary route cannot be reached",
        do="are workers Ready, their serving requests approved (stage 15), and in the load balancer?",
    ),
    _row(
        "insights",
        "insights-operator",
        "pkg/controller/status/controller.go",
        "Sends data about the cluster to Red Hat Insights.",
        "no advice from there",
        "its own pod",
        capability="Insights",
        normal="Disabled, reason `NoToken`, if the pull secret has no cloud.openshift.com",
        do=_pods("openshift-insights"),
    ),
    _row(
        "kube-apiserver",
        "cluster-kube-apiserver-operator",
        "pkg/operator/configobservation/etcdendpoints",
        "API servers on the masters.",
        "the bootstrap never completes",
        "the endpoints of etcd; a revision on the masters",
        needs=("etcd",),
        normal=ROLLOUT,
        do="`oc get kubeapiserver cluster -o yaml`; installer pods in openshift-kube-apiserver",
    ),
    _row(
        "kube-controller-manager",
        "cluster-kube-controller-manager-operator",
        "pkg/operator/starter.go",
        "Controllers on the masters, and the signer of the nodes' certificates.",
        "certificates of nodes are approved and not signed",
        "a revision on the masters",
        normal=ROLLOUT,
        do="installer pods in openshift-kube-controller-manager",
    ),
    _row(
        "kube-scheduler",
        "cluster-kube-scheduler-operator",
        "pkg/operator/starter.go",
        "The scheduler on the masters.",
        "pods stay Pending after the pivot",
        "a revision on the masters",
        normal=ROLLOUT,
        do="installer pods in openshift-kube-scheduler",
    ),
    _row(
        "kube-storage-version-migrator",
        "cluster-kube-storage-version-migrator-operator",
        "pkg/operator/deploymentcontroller",
        "Rewrites stored objects after an update.",
        "updates are blocked later",
        "its own pod",
        do=_pods("openshift-kube-storage-version-migrator"),
    ),
    _row(
        "machine-api",
        "machine-api-operator",
        "pkg/operator/sync.go",
        "Machines as objects.",
        "no effect on platform none",
        "its own pod",
        capability="MachineAPI",
        normal="Available, with `Cluster Machine API Operator is in NoOp mode`",
    ),
    _row(
        "machine-approver",
        "cluster-machine-approver",
        "pkg/controller/csr_check.go",
        "Approves requests of nodes that have a Machine.",
        "renewals of serving certificates wait for you",
        "its own pod",
        normal="Available, and it approves no new node: platform none has no Machines. hardway does (stages 11, 15)",
        do=_pods("openshift-cluster-machine-approver"),
    ),
    _row(
        "machine-config",
        "machine-config-operator",
        "pkg/operator/sync.go",
        "The operating system of the nodes.",
        "nodes get no updates, and no MachineConfig",
        "the pool master, whose nodes must have the rendered configuration that the cluster makes; no pool Degraded",
        do="`oc get mcp`: a name that is not found means that the render here and there differ (F22)",
    ),
    _row(
        "marketplace",
        "operator-framework/operator-marketplace",
        "pkg/status/status.go",
        "Catalogues of further operators.",
        "OperatorHub is empty",
        "its own pod",
        capability="marketplace",
        normal="catalogue pods that cannot pull do not make it Degraded",
        do="without the internet: `disableAllDefaultSources: true` in an OperatorHub of your own",
    ),
    _row(
        "monitoring",
        "cluster-monitoring-operator",
        "pkg/operator/operator.go",
        "Metrics and alerts.",
        "no metrics; `oc top` fails",
        "openshift-apiserver for its routes; nodes with room for Prometheus, Alertmanager and the others",
        needs=("openshift-apiserver",),
        normal="`PrometheusDataPersistenceNotConfigured`, not Degraded: without a volume its data end with its pods",
        do=_pods("openshift-monitoring"),
    ),
    _row(
        "network",
        "cluster-network-operator",
        "pkg/controller/statusmanager/pod_status.go",
        "The pod network.",
        "no node becomes Ready, and no pod reaches another (F32)",
        "the API through api-int; one pod on every node",
        normal="Progressing, reason `Deploying`: a DaemonSet awaits nodes",
        do=_pods("openshift-ovn-kubernetes"),
    ),
    _row(
        "node-tuning",
        "cluster-node-tuning-operator",
        "pkg/operator/status.go",
        "Kernel settings of the nodes.",
        "nodes run with the system's defaults",
        "service-ca; at least one of its pods on nodes",
        needs=("service-ca",),
        capability="NodeTuning",
        normal="Progressing, reason `Reconciling`, while pods on nodes start",
        do=_pods("openshift-cluster-node-tuning-operator"),
    ),
    _row(
        "olm",
        "cluster-olm-operator",
        "pkg/controller/builder.go",
        "Extensions of the cluster, in their second form.",
        "ClusterExtensions are not installed",
        "service-ca, its own pods",
        needs=("service-ca",),
        capability="OperatorLifecycleManagerV1",
        do="look at its pods: `oc get pods -n openshift-catalogd`, and in openshift-operator-controller",
    ),
    _row(
        "openshift-apiserver",
        "cluster-openshift-apiserver-operator",
        "pkg/operator/workload",
        "Routes, image streams and builds as an API.",
        "many operators wait: no Route can be created",
        "service-ca; the endpoints of etcd; network",
        needs=("service-ca", "etcd", "network"),
        normal="Progressing: one pod for each master, one after the other",
        do=_pods("openshift-apiserver"),
    ),
    _row(
        "openshift-controller-manager",
        "cluster-openshift-controller-manager-operator",
        "pkg/operator/sync_openshiftcontrollermanager_v311_00.go",
        "Controllers of builds and image streams.",
        "builds do not run; ServiceAccounts have no pull secrets",
        "service-ca; a pod of each of its two Deployments",
        needs=("service-ca",),
        do="look at its pods: `oc get pods -n openshift-controller-manager`, and in openshift-route-controller-manager",
    ),
    _row(
        "openshift-samples",
        "cluster-samples-operator",
        "pkg/stub/handler.go",
        "Image streams and templates to start from.",
        "the samples are missing",
        "registry.redhat.io: it tries to connect for five minutes",
        capability="openshift-samples",
        normal="Removed if that does not answer and no proxy is set. `FailedImageImports` is not Degraded",
        do="without the internet: `managementState: Removed` in its Config",
    ),
    _row(
        "operator-lifecycle-manager",
        "operator-framework-olm",
        "manifests/0000_50_olm_07-olm-operator.deployment.yaml",
        "Installs further operators.",
        "Subscriptions do nothing",
        "service-ca; its own pod",
        needs=("service-ca",),
        capability="OperatorLifecycleManager",
        do=_pods("openshift-operator-lifecycle-manager"),
    ),
    _row(
        "operator-lifecycle-manager-catalog",
        "operator-framework-olm",
        "manifests/0000_50_olm_08-catalog-operator.deployment.yaml",
        "Resolves catalogues.",
        "Subscriptions do nothing",
        "service-ca; its own pod",
        needs=("service-ca",),
        capability="OperatorLifecycleManager",
        do=_pods("openshift-operator-lifecycle-manager"),
    ),
    _row(
        "operator-lifecycle-manager-packageserver",
        "operator-framework-olm",
        "staging/operator-lifecycle-manager/pkg/lib/operatorstatus/csv_reporter.go",
        "Serves catalogues as an API.",
        "`oc get packagemanifests` fails",
        "operator-lifecycle-manager, which must install its ClusterServiceVersion",
        needs=("operator-lifecycle-manager",),
        capability="OperatorLifecycleManager",
        normal="not Available, reason `ClusterServiceVersionNotSucceeded`, until its pods run",
        do=_pods("openshift-operator-lifecycle-manager"),
    ),
    _row(
        "service-ca",
        "service-ca-operator",
        "pkg/operator/status.go",
        "Serving certificates for Services.",
        "operators that mount one do not start: CVO itself, node-tuning, openshift-apiserver and others",
        "its own pod, which gets its user from SCC admission",
        do=_pods("openshift-service-ca"),
    ),
    _row(
        "storage",
        "cluster-storage-operator",
        "pkg/operator/defaultstorageclass/controller.go",
        "Drivers of the platform's volumes.",
        "no default StorageClass",
        "its own pod",
        capability="Storage",
        normal="Available, with `No default StorageClass for this platform`",
        do="install a CSI driver of your own",
    ),
)
"""In the order of their names, as `oc get clusteroperators` prints them."""

BY_NAME = {row.name: row for row in TABLE}
ALL_NEED = "network"
"""Without the pod network no pod reaches another, nor the API by its Service (F32)."""


def needed(name: str) -> frozenset[str]:
    """All operators that one waits for, directly and through others. One that is not in the table, such as one of your
    own, needs the pod network."""
    found: set[str] = set()
    left = [name]
    while left:
        current = left.pop()
        row = BY_NAME.get(current)
        direct = {*(row.needs if row else ()), ALL_NEED} - {name, current} - found
        found |= direct
        left += direct
    return frozenset(found)
