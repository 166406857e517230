"""What the pods are put together from, and the reasons of the fields that mean the same in several of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardway.model.why import Why, because

LOOPBACK = "127.0.0.1"


def pod(*, name: str, namespace: str, labels: Mapping[str, str], spec: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(labels)},
        "spec": {"hostNetwork": True, **spec},
    }


def container(name: str, image: str, *, pull: str = "IfNotPresent", **rest: Any) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "imagePullPolicy": pull,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        **rest,
    }


def restricted() -> dict[str, Any]:
    """Root, because the keys on the host are root's, but with nothing else that root has."""
    return {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
        "seLinuxOptions": {"type": "spc_t"},
    }


def requests(cpu: str, memory: str) -> dict[str, Any]:
    return {"requests": {"cpu": cpu, "memory": memory}}


def from_host(name: str, path: str, kind: str = "Directory") -> dict[str, Any]:
    return {"name": name, "hostPath": {"path": path, "type": kind}}


def in_memory(name: str) -> dict[str, Any]:
    return {"name": name, "emptyDir": {"medium": "Memory"}}


def mount(name: str, path: str, *, read_only: bool = True) -> dict[str, Any]:
    return {"name": name, "mountPath": path, **({"readOnly": True} if read_only else {})}


def probe(path: str, port: int, *, period: int, failures: int, host: str = "", scheme: str = "HTTPS") -> dict[str, Any]:
    get = {"path": path, "port": port, "scheme": scheme, **({"host": host} if host else {})}
    return {"httpGet": get, "periodSeconds": period, "timeoutSeconds": 10, "failureThreshold": failures}


BASIC: dict[str, Why] = {
    "metadata.labels": because(
        "Lets people and tools find the pod by what it is.",
        breaks="nothing starts differently; `crictl pods --label` and selectors do not find it",
    ),
    "spec.hostNetwork": because(
        "The pod uses the node's own network: there is no pod network before the cluster has made one.",
        breaks="the kubelet cannot start the pod: no CNI configuration file in the node's folder",
    ),
    "spec.containers[].name": because("What `crictl ps` and `crictl logs` show."),
    "spec.containers[].image": because(
        "By digest, so that the bytes that run are those the release was tested with.",
        breaks="the kubelet has nothing to run: ErrImagePull (F11, F12)",
    ),
    "spec.containers[].imagePullPolicy": because(
        "An image by digest never changes: an image on disk need not be pulled again.",
        breaks="each restart would depend on the registry",
    ),
    "spec.containers[].terminationMessagePolicy": because(
        "If the program exits without a message, its last log lines become the reason that the kubelet reports.",
        breaks="a crash shows as an exit code and nothing else",
    ),
}

COMMAND = because(
    "The program inside the image: hyperkube runs its first argument with the arguments that follow.",
    breaks="the image has no entry point of its own for this program, the container exits at once",
)

RESOURCES = because(
    "What the program needs at least, so that under pressure the kernel kills something else first.",
    breaks="the pod is in the class that is killed first when the node runs out of memory",
)

RESTRICTED: dict[str, Why] = {
    "spec.containers[].securityContext.allowPrivilegeEscalation": because(
        "No program in the container can gain rights that the container was not given.",
        breaks="a vulnerability in the program gives an attacker more rights",
    ),
    "spec.containers[].securityContext.capabilities": because(
        "It opens ports above 1024 and reads files that its own user owns: none of root's capabilities are needed.",
        breaks="a vulnerability in the program gives an attacker more rights",
    ),
    "spec.containers[].securityContext.readOnlyRootFilesystem": because(
        "The image stays as it was pulled; what must be written has a volume.",
        breaks="an attacker could leave files that last until the container is replaced",
    ),
    "spec.containers[].securityContext.seLinuxOptions": because(
        "The host's folders have the host's labels, and this type may use them. It replaces `privileged`, which "
        "OpenShift's own pods have for the same purpose.",
        breaks="SELinux on RHCOS forbids the confined type to write below /var/lib and /var/log: permission denied",
        source="containers/container-selinux, types container_t and spc_t",
    ),
}

PRIVILEGED = "spec.containers[].securityContext"
