"""SecurityContextConstraints: what a pod may ask for, the role that lets somebody use each, and who has one from the
start. The API server admits no pod outside of run level 0 until all ten are there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from hardway.emit.document import CLUSTER_SCOPED, Document
from hardway.graph.asset import Given
from hardway.lines.sources import source
from hardway.manifests.rbac import RBAC, binding
from hardway.manifests.shapes import metadata
from hardway.model.cluster import Cluster
from hardway.model.why import Why, because

SECURITY, RESOURCE = "security.openshift.io", "securitycontextconstraints"
PREFIX = "0000_20_kube-apiserver-operator_00_"
DESCRIPTION = "kubernetes.io/description"
SOURCE = source("cluster-kube-apiserver-operator", "bindata/bootkube/scc-manifests")
ADMISSION = source("apiserver-library-go", "pkg/securitycontextconstraints/sccadmission")
ANY, RANGE, FIXED, NOT_ROOT = "RunAsAny", "MustRunAsRange", "MustRunAs", "MustRunAsNonRoot"
VOLUMES = (
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
)
OLD_DROPS = ("KILL", "MKNOD", "SETUID", "SETGID")
EVERYBODY = "system:authenticated"
DEFAULT = "restricted-v2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """`strict` are those of the second version: no capability but one, no escalation, the runtime's seccomp profile."""

    name: str
    allows: str
    users_of: str  # who uses it
    user: str = RANGE
    fs_group: str = FIXED
    groups_of_pod: str = ANY  # supplementalGroups
    selinux: str = FIXED
    strict: bool = False
    drops: tuple[str, ...] = OLD_DROPS
    host_network: bool = False
    host_folders: bool = False
    host_processes: bool = False  # process ids and IPC of the host
    privileged: bool = False
    volumes: tuple[str, ...] = VOLUMES
    priority: int | None = None
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


TABLE: tuple[Constraint, ...] = (
    Constraint(
        name="anyuid",
        allows="any user and group, root too, and nothing of the host",
        users_of="cluster administrators, and images that must run as the user they name",
        user=ANY,
        fs_group=ANY,
        drops=("MKNOD",),
        priority=10,
        groups=("system:cluster-admins",),
    ),
    Constraint(
        name="hostaccess",
        allows="the host's network, processes and folders, with a user of the namespace's range",
        users_of="nobody from the start",
        host_network=True,
        host_folders=True,
        host_processes=True,
        volumes=tuple(sorted((*VOLUMES, "hostPath"))),
    ),
    Constraint(
        name="hostmount-anyuid",
        allows="folders of the host and NFS, with any user",
        users_of="the recycler of persistent volumes",
        user=ANY,
        fs_group=ANY,
        drops=("MKNOD",),
        host_folders=True,
        volumes=tuple(sorted((*VOLUMES, "hostPath", "nfs"))),
        users=("system:serviceaccount:openshift-infra:pv-recycler-controller",),
    ),
    Constraint(
        name="hostnetwork",
        allows="the host's network and ports, with a user of the namespace's range",
        users_of="routers of old releases",
        groups_of_pod=FIXED,
        host_network=True,
    ),
    Constraint(
        name="hostnetwork-v2",
        allows="the host's network and ports, with a user of the namespace's range and no capability but one",
        users_of="routers",
        groups_of_pod=FIXED,
        strict=True,
        host_network=True,
    ),
    Constraint(
        name="nonroot",
        allows="any user but root, which the pod or its image names",
        users_of="nobody from the start",
        user=NOT_ROOT,
        fs_group=ANY,
    ),
    Constraint(
        name="nonroot-v2",
        allows="any user but root, which the pod or its image names, and no capability but one",
        users_of="operators whose pods name a user: 65534, mostly",
        user=NOT_ROOT,
        fs_group=ANY,
        strict=True,
    ),
    Constraint(
        name="privileged",
        allows="everything",
        users_of="administrators, nodes for the pods of their own folder, and builds",
        user=ANY,
        fs_group=ANY,
        selinux=ANY,
        drops=(),
        host_network=True,
        host_folders=True,
        host_processes=True,
        privileged=True,
        volumes=("*",),
        users=("system:admin", "system:serviceaccount:openshift-infra:build-controller"),
        groups=("system:cluster-admins", "system:nodes", "system:masters"),
    ),
    Constraint(
        name="restricted",
        allows="a user of the namespace's range, and nothing of the host",
        users_of="accounts that had it in an older release",
    ),
    Constraint(
        name=DEFAULT,
        allows="a user of the namespace's range, no capability but one, and nothing of the host",
        users_of="every pod whose account has no other",
        strict=True,
    ),
)


def body(row: Constraint, given: Given) -> dict[str, Any]:
    """With a null where the type wants the key and the constraint has nothing to say."""
    everything = ["*"]
    capabilities = everything if row.privileged else ["NET_BIND_SERVICE"] if row.strict else None
    profiles = everything if row.privileged else ["runtime/default"] if row.strict else []
    text = f"It allows {row.allows}. It is used by {row.users_of}."
    return {
        "apiVersion": f"{SECURITY}/v1",
        "kind": "SecurityContextConstraints",
        "metadata": metadata(row.name, annotations={DESCRIPTION: text}),
        "priority": row.priority,
        "users": list(row.users),
        "groups": list(row.groups),
        "allowHostDirVolumePlugin": row.host_folders,
        "allowHostIPC": row.host_processes,
        "allowHostNetwork": row.host_network,
        "allowHostPID": row.host_processes,
        "allowHostPorts": row.host_network,
        "allowPrivilegeEscalation": not row.strict,
        "allowPrivilegedContainer": row.privileged,
        "allowedCapabilities": capabilities,
        **({"allowedUnsafeSysctls": everything} if row.privileged else {}),
        "defaultAddCapabilities": None,
        "requiredDropCapabilities": ["ALL"] if row.strict else list(row.drops) or None,
        "readOnlyRootFilesystem": False,
        "runAsUser": {"type": row.user},
        "seLinuxContext": {"type": row.selinux},
        "fsGroup": {"type": row.fs_group},
        "supplementalGroups": {"type": row.groups_of_pod},
        **({"seccompProfiles": profiles} if profiles else {}),
        "volumes": list(row.volumes),
    }


_USERS = {
    ANY: "Whatever the pod or its image says.",
    RANGE: "The first id of the namespace's range, if the pod names none; otherwise one of that range.",
    NOT_ROOT: "Whatever the pod or its image says, but not root; it must be a number.",
}


def _reasons(row: Constraint) -> dict[str, Why]:
    network, folders, processes = (
        "allowed" if allowed else "not allowed" for allowed in (row.host_network, row.host_folders, row.host_processes)
    )
    reasons = {
        f'metadata.annotations["{DESCRIPTION}"]': because("What it allows, for people who list constraints."),
        "priority": because(
            "Of those that a pod's account may use, the highest priority is tried first; then the strictest.",
            breaks="no effect: none is the lowest"
            if row.priority is None
            else "administrators' pods get the strictest constraint, and a user that the image does not expect",
        ),
        "users": because("Users who may use it without a role.", breaks=f"its users need a role: {row.users_of}"),
        "groups": because("Groups that may use it without a role.", breaks=f"its users need a role: {row.users_of}"),
        "allowHostDirVolumePlugin": because(f"Folders of the node as volumes: {folders}."),
        "allowHostIPC": because(f"Memory shared with processes of the node: {processes}."),
        "allowHostNetwork": because(f"The node's network: {network}."),
        "allowHostPID": because(f"The processes of the node: {processes}."),
        "allowHostPorts": because(f"Ports of the node: {network}."),
        "allowPrivilegeEscalation": because("Whether a program may gain rights that its container was not given."),
        "allowPrivilegedContainer": because("Whether a container may have all that root of the node has."),
        "allowedCapabilities": because("Capabilities that a container may ask for."),
        "defaultAddCapabilities": because("Capabilities that a container gets unasked: none."),
        "requiredDropCapabilities": because("Capabilities that are taken from each container."),
        "readOnlyRootFilesystem": because("A container may write into its own files; what it writes goes with it."),
        "runAsUser": because(_USERS[row.user], breaks="the constraint is refused: it has no rule for the user"),
        "seLinuxContext": because(
            "Any label." if row.selinux == ANY else "The level of the namespace, so that pods of others stay apart."
        ),
        "fsGroup": because("The group that owns volumes: any, or the first of the namespace's range."),
        "supplementalGroups": because("Further groups: any, or those of the namespace's range."),
        "volumes": because("The kinds of volumes that a pod may have."),
    }
    if row.privileged:
        reasons["allowedUnsafeSysctls"] = because("Kernel settings that affect the whole node: all of them.")
    if row.privileged or row.strict:
        reasons["seccompProfiles"] = because("Which lists of system calls a pod may ask for; the first is its default.")
    return reasons


def _document(row: Constraint) -> Document:
    file = f"{PREFIX}scc-{row.name}.yaml"
    return Document(
        address=f"manifest/{file}",
        path=f"manifests/{file}",
        body=partial(body, row),
        common=CLUSTER_SCOPED,
        reasons=_reasons(row),
        why=because(
            f"Allows {row.allows}. For {row.users_of}.",
            readers="SCC admission in every API server, and cluster-policy-controller",
            breaks=f"no pod is admitted outside of run level 0: {RESOURCE}.{SECURITY} cache is missing {row.name}",
            source=f"{SOURCE}; {ADMISSION}",
        ),
    )


def role_name(name: str) -> str:
    return f"system:openshift:scc:{name}"


def _role(row: Constraint, given: Given) -> dict[str, Any]:
    rule = {"apiGroups": [SECURITY], "resources": [RESOURCE], "resourceNames": [row.name], "verbs": ["use"]}
    return {
        "apiVersion": f"{RBAC}/v1",
        "kind": "ClusterRole",
        "metadata": metadata(role_name(row.name)),
        "rules": [rule],
    }


def _role_document(row: Constraint) -> Document:
    file = f"{PREFIX}cr-scc-{row.name}.yaml"
    return Document(
        address=f"manifest/{file}",
        path=f"manifests/{file}",
        body=partial(_role, row),
        common=CLUSTER_SCOPED,
        reasons={
            "rules[].apiGroups": because("The group of the constraints."),
            "rules[].resources": because("The constraints."),
            "rules[].resourceNames": because("This one alone."),
            "rules[].verbs": because("To run pods under it; neither to read nor to change it."),
        },
        why=because(
            f"The right to run pods under the constraint {row.name}, for a RoleBinding to give.",
            readers="SCC admission, which asks whether a pod's account or its creator may use a constraint",
            breaks=f"a binding to it gives nothing: its pods are not admitted under {row.name}",
            source=SOURCE,
        ),
    )


_EVERYBODY = Document(
    address=f"manifest/{PREFIX}crb-systemauthenticated-scc-{DEFAULT}.yaml",
    path=f"manifests/{PREFIX}crb-systemauthenticated-scc-{DEFAULT}.yaml",
    body=lambda given: binding(
        role_name(DEFAULT), role_name(DEFAULT), [{"apiGroup": RBAC, "kind": "Group", "name": EVERYBODY}]
    ),
    common=CLUSTER_SCOPED,
    reasons={
        "roleRef": because(f"The role in {PREFIX}cr-scc-{DEFAULT}.yaml."),
        "subjects": because("Everybody with a valid credential: users and service accounts."),
    },
    why=because(
        f"Every account may run pods under {DEFAULT}, the most restricted constraint.",
        readers="SCC admission",
        breaks="a pod whose account has no other constraint is refused: unable to validate against any security "
        "context constraint",
        source=SOURCE,
    ),
)


def documents(cluster: Cluster) -> tuple[Document, ...]:
    return (*(_document(row) for row in TABLE), *(_role_document(row) for row in TABLE), _EVERYBODY)
