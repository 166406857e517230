"""Objects of the API: requests, pods that do not start, types and bindings that are missing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hardway.drive.client import Trouble
from hardway.places.finish import LAB
from tests.lab.plants.row import MASTER, WORKER, Plant, Planting, applied, one
from tests.lab.wholes import Whole
from tests.support.requests import client_request, pem
from tests.support.waiting import until

CSRS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
LONG = "2h"
BINDING = "system-bootstrap-node-bootstrapper"


def requested(common_name: str) -> Planting:
    """A request, sent as the one who asks."""

    @contextmanager
    def planted(lab: Whole) -> Iterator[None]:
        item = client_request(lab.prepared.cluster.masters[0], pem_of=pem(common_name))
        file = lab.prepared.folder / "request.json"
        sent = {k: v for k, v in item["spec"].items() if k not in ("username", "groups")}
        file.write_text(json.dumps({**item, "metadata": {"name": "planted"}, "spec": sent}))
        groups = [f"--as-group={group}" for group in item["spec"]["groups"]]
        try:
            lab.kubectl("create", f"--raw={CSRS}", f"--filename={file}", f"--as={item['spec']['username']}", *groups)
            yield
        finally:
            lab.kubectl("delete", "csr", "planted", "--ignore-not-found")
            file.unlink()

    return planted


def pod(lab: Whole, node: str, *, image: str = "", limits: dict[str, str] | None = None, command: str = "") -> Any:
    container = {
        "name": "planted",
        "image": image or lab.prepared.cluster.release.image_for(LAB),
        "command": ["sh", "-c", command or "sleep 9999"],
        "resources": {"limits": limits or {}},
    }
    spec = {"nodeName": node, "containers": [container], "terminationGracePeriodSeconds": 0, "hostNetwork": True}
    spec |= {"tolerations": [{"operator": "Exists"}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "planted", "namespace": "default"}, "spec": spec}


def state(lab: Whole) -> dict[str, Any]:
    """Of the planted pod's container."""
    [found] = one(lab, "pod", "planted").get("status", {}).get("containerStatuses") or [{}]
    return dict(found)


def waits(lab: Whole) -> bool:
    reason = state(lab).get("state", {}).get("waiting", {}).get("reason", "")
    return reason in ("ErrImagePull", "ImagePullBackOff")


@contextmanager
def unpulled(lab: Whole, image: str) -> Iterator[None]:
    """A pod on the worker, until its image is not pulled."""
    with applied(lab, pod(lab, WORKER, image=image)):
        until(lambda: waits(lab), lambda: lab.kubectl("describe", "pod", "planted"))
        yield


@contextmanager
def _no_memory(lab: Whole) -> Iterator[None]:
    command = "python3 -c 'x = bytearray(300 << 20)'; exit 1"
    with applied(lab, pod(lab, MASTER, limits={"memory": "32Mi"}, command=f"exec {command}")):
        until(lambda: "OOMKilled" in json.dumps(state(lab)), lambda: lab.kubectl("describe", "pod", "planted"))
        until(lambda: not state(lab).get("ready"), lambda: lab.kubectl("describe", "pod", "planted"))
        yield


@contextmanager
def _no_gates(lab: Whole) -> Iterator[None]:
    path = "/apis/config.openshift.io/v1/featuregates/cluster/status"
    found = lab.live.api.get(path.removesuffix("/status"))
    assert not isinstance(found, Trouble), found
    try:
        _put(lab, path, {**found, "status": {"featureGates": []}})
        yield
    finally:
        _put(lab, path, {**found})


def _put(lab: Whole, path: str, body: dict[str, Any]) -> None:
    now = lab.live.api.get(path.removesuffix("/status"))
    assert not isinstance(now, Trouble), now
    done = lab.live.api.replace(path, {**body, "metadata": now["metadata"]})
    assert not isinstance(done, Trouble), done


@contextmanager
def _no_binding(lab: Whole) -> Iterator[None]:
    """The one that lets new machines ask."""
    found = one(lab, "clusterrolebinding", BINDING)
    kept = {"name": BINDING, "labels": found["metadata"].get("labels", {})}
    try:
        lab.kubectl("delete", "clusterrolebinding", BINDING)
        yield
    finally:
        file = lab.prepared.folder / "binding.json"
        file.write_text(json.dumps({**found, "metadata": kept}))
        lab.kubectl("apply", f"--filename={file}")
        file.unlink()


@contextmanager
def _no_node_for_a_router(lab: Whole) -> Iterator[None]:
    image = lab.prepared.cluster.release.image_for(LAB)
    container = {"name": "router", "image": image, "command": ["sleep", "9999"]}
    spec = {"containers": [container], "nodeSelector": {"node-role.kubernetes.io/infra": ""}}
    about = {"name": "router-default", "namespace": "openshift-ingress"}
    router = {"apiVersion": "v1", "kind": "Pod", "metadata": about, "spec": spec}
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "openshift-ingress"}}

    def unplaced() -> bool:
        rows = one(lab, "pod", "router-default", "--namespace=openshift-ingress")["status"].get("conditions") or []
        return any(row["type"] == "PodScheduled" and row["status"] == "False" for row in rows)

    with applied(lab, space, router):
        until(unplaced, lambda: "the scheduler has not looked at the pod")
        yield


@contextmanager
def _refused_extension(lab: Whole) -> Iterator[None]:
    """An extension API server that does not accept the front proxy: a kubelet, which has another client CA."""
    about, address = {"name": "planted", "namespace": "default"}, lab.prepared.cluster.workers[0].address
    ports = [{"port": 443, "targetPort": 10250}]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": about, "spec": {"ports": ports}}
    behind = {"addresses": [{"ip": address}], "ports": [{"port": 10250}]}
    endpoints = {"apiVersion": "v1", "kind": "Endpoints", "metadata": about, "subsets": [behind]}
    spec = {
        "group": "planted.example.com",
        "version": "v1",
        "service": about,
        "insecureSkipTLSVerify": True,
        "groupPriorityMinimum": 1000,
        "versionPriority": 15,
    }
    name = {"name": "v1.planted.example.com"}
    extension = {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": name, "spec": spec}

    def reason() -> str:
        rows = one(lab, "apiservice", name["name"]).get("status", {}).get("conditions") or [{}]
        return str(rows[0].get("reason", ""))

    with applied(lab, service, endpoints, extension):
        until(lambda: reason() == "FailedDiscoveryCheck", lambda: lab.kubectl("get", "apiservices"))
        yield


OBJECTS = {
    "a request of an unplanned name": Plant("F27", requested("system:node:stranger")),
    "a machine that calls itself localhost": Plant("F15", requested("system:node:localhost")),
    "a registry's name does not resolve": Plant("F45", lambda lab: unpulled(lab, "registry.example.org/a:1"), LONG),
    "a pod is killed for lack of memory": Plant("F38", _no_memory),
    "the FeatureGate has no status": Plant("F41", _no_gates, LONG),
    "new machines may not ask": Plant("F29", _no_binding),
    "no node for a router": Plant("F54", _no_node_for_a_router, LONG),
    "an extension API server refuses the front proxy": Plant("F10", _refused_extension, LONG),
}
