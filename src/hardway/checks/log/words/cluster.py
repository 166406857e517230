"""Pulls, objects, etcd and operators."""

from __future__ import annotations

from hardway.checks.log.row import FOREVER, Words, words

CLUSTER: tuple[Words, ...] = (
    words(
        "unauthorized",
        "F11",
        "unauthorized: access to the requested resource",
        "unauthorized: authentication required",
        "invalid username/password: unauthorized",
        what="a registry refuses the pull secret",
    ),
    words(
        "manifest-unknown",
        "F12",
        "manifest unknown",
        "Source image rejected",
        what="an image is missing in the mirror that the mirror rules name",
    ),
    words(
        "front-proxy",
        "F10",
        "-client-ca-file ++ extension-apiserver-authentication ++ !Starting controller ++ !aches ++ !Loaded",
        "unable to load configmap based request-header-client-ca-file",
        "(FailedDiscoveryCheck)",
        what="an extension API server does not accept the front-proxy certificate of the API server",
    ),
    words(
        "overlap",
        "F14",
        "must not overlap with",
        "overlaps with default ++ subnet",
        "invalid network address. got",
        what="a network overlaps with another one, or has bits set after its prefix",
    ),
    words(
        "domain",
        "F35",
        "Invalid value: ++ spec.host",
        "must be a valid hostname",
        "host must conform to DNS",
        "Invalid value: ++ hostname in body must be of",
        what="a name derived from the cluster's domain is not a valid host name",
    ),
    words(
        "registry-removed",
        "F36",
        "image-registry ++ Removed",
        "The registry is removed",
        "storage backend not configured",
        what="the image registry is removed, as intended on platform none",
        minutes=FOREVER,
    ),
    words(
        "feature-gate",
        "F41",
        "missing desired version",
        what="the FeatureGate has no status for the release's version",
    ),
    words(
        "no-kind",
        "F42",
        "no matches for kind",
        "could not find the requested resource",
        what="an object was applied before the type that defines its kind",
        decide="it is normal until the operator that brings the type has started; later look for the CRD: `oc get crd`",
        minutes=30,
    ),
    words(
        "etcd-waits",
        "F30",
        "waiting on condition ++ in etcd CR",
        "failed to make etcd client for endpoints",
        what="bootkube.sh waits until etcd runs on the masters",
        decide="it is normal for the first half hour; later look at the members and at the operator: "
        "`oc get etcd cluster -o yaml; oc -n openshift-etcd-operator logs deploy/etcd-operator`",
        minutes=30,
    ),
    words(
        "etcd-unhealthy",
        "F30 F08 F37",
        "Error: unhealthy cluster",
        what="etcd is not healthy",
        decide="read etcd's own log: a refused certificate is F08, a slow disk is F37, a member that cannot be reached "
        "is F30; `crictl logs $(crictl ps -a --name etcd -q | head -1)`",
    ),
    words(
        "etcd-late",
        "F37 F31 F30",
        "etcdserver: leader changed",
        "etcdserver: request timed out",
        what="etcd answers late, or changes its leader",
        decide="if etcd's log has the words `sync duration` or `slow fdatasync`, it is the disk (F37); otherwise a "
        "member is missing (F31, F30): `oc -n openshift-etcd get pods -o wide`",
    ),
    words(
        "no-leader",
        "F31",
        "etcdserver: no leader",
        "has no leader",
        what="etcd has lost its quorum",
    ),
    words(
        "route",
        "F33",
        "RouteHealth ++ failed to GET route",
        "OAuthServerRouteEndpointAccessibleController",
        what="a route does not answer from inside the cluster",
        decide="it is normal until the routers run; later compare the addresses of *.apps with the routers' nodes: "
        "`oc -n openshift-ingress get pods -o wide`",
        minutes=30,
    ),
    words(
        "operators-wait",
        "F33 F54 F10",
        "waiting on authentication, console",
        "still updating: authentication, console",
        what="authentication and console are the last operators that are not available",
        decide="it is normal in the first hour; later look at the ingress operator first, then at authentication: "
        "`oc get co ingress authentication -o yaml`",
        minutes=60,
    ),
    words(
        "cni",
        "F32",
        "No CNI configuration file in",
        "cni config uninitialized",
        what="the pod network is not up on this node",
        decide="it is normal until OVN's pod runs on the node; later look at that pod: "
        "`oc -n openshift-ovn-kubernetes get pods -o wide`",
        minutes=15,
    ),
    words(
        "timed-out",
        "F43",
        "timed out waiting for the condition",
        what="a wait reached its time limit",
        decide="check whether the cluster still makes progress: `oc get co; oc get clusterversion`",
    ),
)
