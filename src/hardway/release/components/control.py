"""The bootstrap, the control plane, and signing in."""

from __future__ import annotations

from hardway.release.components.row import family, image

ROWS = (
    *family(
        "bootstrap and release",
        image(
            "cluster-bootstrap",
            "openshift/cluster-bootstrap",
            "starts the temporary control plane and applies the first manifests until the real one has taken over",
            "bootkube.sh on the bootstrap node",
        ),
        image(
            "cluster-config-api",
            "openshift/api",
            "holds the CRDs and feature gates of OpenShift's API; its render picks those the bootstrap needs",
            "bootkube.sh on the bootstrap node; the cluster-version operator applies its manifests",
        ),
        image(
            "cluster-config-operator",
            "openshift/cluster-config-operator",
            "keeps the config.openshift.io objects: feature gates, infrastructure, migrations between versions",
            "Deployment in openshift-config-operator, and bootkube.sh",
        ),
        image(
            "cluster-version-operator",
            "openshift/cluster-version-operator",
            "applies the release's manifests in order and keeps them in place; the release image is this one with "
            "the manifests on top",
            "static pod on the bootstrap node, then a Deployment in openshift-cluster-version",
        ),
        image(
            "cluster-update-keys",
            "openshift/cluster-update-keys",
            "brings the keys and the address of the store with which a release's signature is checked",
            "nobody: its manifests are a ConfigMap that the cluster-version operator reads",
        ),
        image(
            "machine-config-operator",
            "openshift/machine-config-operator",
            "renders the nodes' files and units, serves them to new machines, and rolls changes out",
            "static pod on the bootstrap node, then four programs in openshift-machine-config-operator",
        ),
        image(
            "pod",
            "openshift/kubernetes",
            "the pause container that holds a pod's namespaces open",
            "CRI-O, once for every pod on every node",
        ),
        runs="the bootstrap node and the masters",
        breaks="the cluster never comes up",
    ),
    *family(
        "control plane",
        image(
            "etcd",
            "openshift/etcd",
            "the database that holds every object of the cluster",
            "static pod on the bootstrap node and on each master",
        ),
        image(
            "cluster-etcd-operator",
            "openshift/cluster-etcd-operator",
            "renders etcd's pods, adds a member on each master, and removes the bootstrap member",
            "bootkube.sh, then a Deployment in openshift-etcd-operator",
        ),
        image(
            "hyperkube",
            "openshift/kubernetes",
            "Kubernetes' programs in one image: API server, controller manager, scheduler, kubelet",
            "static pods on the bootstrap node and on each master",
        ),
        image(
            "cluster-kube-apiserver-operator",
            "openshift/cluster-kube-apiserver-operator",
            "configures and rolls out the API server, and renews the certificates around it",
            "bootkube.sh, then a Deployment in openshift-kube-apiserver-operator",
        ),
        image(
            "cluster-kube-controller-manager-operator",
            "openshift/cluster-kube-controller-manager-operator",
            "configures and rolls out the controller manager, and renews the signer of the nodes' certificates",
            "bootkube.sh, then a Deployment in openshift-kube-controller-manager-operator",
        ),
        image(
            "cluster-kube-scheduler-operator",
            "openshift/cluster-kube-scheduler-operator",
            "configures and rolls out the scheduler",
            "bootkube.sh, then a Deployment in openshift-kube-scheduler-operator",
        ),
        image(
            "cluster-policy-controller",
            "openshift/cluster-policy-controller",
            "gives each namespace its user ids and security labels, and counts quota across namespaces",
            "a container beside the controller manager",
        ),
        image(
            "cluster-kube-storage-version-migrator-operator",
            "openshift/cluster-kube-storage-version-migrator-operator",
            "runs the migrator that rewrites stored objects after an API version has changed",
        ),
        image(
            "kube-storage-version-migrator",
            "openshift/kubernetes-kube-storage-version-migrator",
            "reads and writes back each object of a kind, so that etcd holds it in the current version",
        ),
        image(
            "service-ca-operator",
            "openshift/service-ca-operator",
            "issues certificates to Services that ask by annotation, and hands out the authority that signed them",
        ),
        runs="a Deployment in a namespace of its own, on the masters",
        breaks="the control plane does not come up, or stops when its certificates expire",
    ),
    *family(
        "OpenShift's API",
        image(
            "cluster-openshift-apiserver-operator",
            "openshift/cluster-openshift-apiserver-operator",
            "runs and configures OpenShift's own API server",
        ),
        image(
            "openshift-apiserver",
            "openshift/openshift-apiserver",
            "serves the aggregated APIs: projects, routes, builds, image streams, templates",
        ),
        image(
            "cluster-openshift-controller-manager-operator",
            "openshift/cluster-openshift-controller-manager-operator",
            "runs the controllers of OpenShift's own kinds",
        ),
        image(
            "openshift-controller-manager",
            "openshift/openshift-controller-manager",
            "acts on builds, deployment configs, image streams and pull secrets of service accounts",
        ),
        image(
            "route-controller-manager",
            "openshift/route-controller-manager",
            "makes Routes of Ingresses and gives external addresses to Services that ask",
        ),
        runs="a Deployment on the masters",
        breaks="kubectl works, oc new-project and everything with projects, routes or image streams does not",
    ),
    *family(
        "signing in",
        image(
            "cluster-authentication-operator",
            "openshift/cluster-authentication-operator",
            "runs the two OAuth servers and configures the API server to trust them",
        ),
        image("oauth-server", "openshift/oauth-server", "the login page: asks an identity provider and issues tokens"),
        image("oauth-apiserver", "openshift/oauth-apiserver", "stores users, groups and tokens, and checks tokens"),
        image(
            "oauth-proxy",
            "openshift/oauth-proxy",
            "stands before a web page and admits users who have logged in to the cluster",
            "a sidecar of web pages that have no login of their own",
        ),
        image(
            "kube-rbac-proxy",
            "openshift/kube-rbac-proxy",
            "stands before a metrics port and checks permissions at the API server",
            "a container beside most operators, and a static pod on every node",
        ),
        runs="a Deployment on the masters",
        breaks="only certificates and service accounts can log in; users cannot",
    ),
)
