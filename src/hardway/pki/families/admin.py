"""The person with the kubeconfig."""

from __future__ import annotations

from hardway.model.why import because
from hardway.pki.row import INSTALLER_TLS, Cert, PrivateKey
from hardway.pki.spec import Spec

ADMIN: tuple[Cert, ...] = (
    Cert(
        name="admin-kubeconfig-signer",
        family="admin",
        says=Spec(common_name="admin-kubeconfig-signer", unit="openshift"),
        why=because(
            "Signs the administrator's client certificate; its key is used once and never leaves this folder.",
            readers="the API server, inside the client CA bundle; ConfigMap admin-kubeconfig-client-ca",
            breaks="the administrator's kubeconfig is refused with 401",
            source=INSTALLER_TLS + "adminkubeconfig.go",
        ),
        key=PrivateKey(
            readers="hardway alone, when it signs cert/admin-kubeconfig-client; no node and no Secret has it",
            allows="issue client certificates of any user and group, system:masters included, for ten years",
        ),
    ),
    Cert(
        name="admin-kubeconfig-client",
        family="admin",
        says=Spec(common_name="system:admin", organizations=("system:masters",), usages=("server", "client")),
        signer="admin-kubeconfig-signer",
        why=because(
            "Your identity in auth/kubeconfig: group system:masters, which no RBAC rule can lock out.",
            readers="kubectl and oc, through the admin, localhost, localhost-recovery, lb-int and lb-ext kubeconfigs",
            breaks="nobody can administer the cluster, and bootkube.sh cannot apply any manifest",
            source=INSTALLER_TLS + "adminkubeconfig.go",
        ),
        key=PrivateKey(
            readers="kubectl and oc, from auth/kubeconfig; bootkube.sh and the cluster-version operator, from the "
            "bootstrap node's kubeconfigs",
            allows="do everything in the cluster: its group is system:masters, which no RBAC rule limits",
        ),
    ),
)
