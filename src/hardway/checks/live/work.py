"""A workload of its own: placed by the scheduler, reached by ClusterIP from every node, looked into."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from hardway.checks.live.given import Given
from hardway.drive.client import Object, Trouble, path
from hardway.model.check import Flaw
from hardway.model.cluster import Cluster, in_url
from hardway.tools.run import Done

SPACE = "hardway-verification"
NAME = "answer"
PORT = 8080
LABELS = {"app": NAME}
SPACES, PODS, SERVICES = "/api/v1/namespaces", "/api/v1/pods", "/api/v1/services"
DEPLOYMENTS = "/apis/apps/v1/deployments"


def service(given: Given) -> Iterator[Flaw]:
    """From the nodes themselves, by the ClusterIP: pods and ClusterIP on different nodes are what kube-proxy is for."""
    if missing := given.until(lambda: _leaving(given)):
        yield Flaw(subject=f"namespace {SPACE}", message=missing)
        return
    if isinstance(trouble := _made(given), Trouble):
        yield Flaw(subject="the API", message=trouble.message)
        return
    if missing := given.until(lambda: _unready(given)):
        yield Flaw(subject=f"deployment {SPACE}/{NAME}", message=missing)
        return
    found = given.live.api.get(path(SERVICES, NAME, namespace=SPACE))
    if isinstance(found, Trouble):
        yield Flaw(subject="the API", message=found.message)
        return
    address = f"http://{in_url(found['spec']['clusterIP'])}:{PORT}/"
    for node in (*given.live.cluster.masters, *given.live.cluster.workers):
        if missing := given.until(partial(_unreached, given, node.name, address)):
            yield Flaw(subject=node.name, message=f"does not reach {address}: {missing}")
    yield from _between(given, address)


def _between(given: Given, service: str) -> Iterator[Flaw]:
    """Every pod asks every other one, and the ClusterIP: pods are on different nodes."""
    pods = given.live.api.items(path(PODS, namespace=SPACE))
    if isinstance(pods, Trouble):
        yield Flaw(subject="the API", message=pods.message)
        return
    places = {
        p["metadata"]["name"]: p["status"].get("podIP", "") for p in pods if "deletionTimestamp" not in p["metadata"]
    }
    for name in places if given.workload.fetch else ():
        others = [f"http://{in_url(ip)}:{given.workload.port}/" for other, ip in places.items() if other != name]
        for address in (*others, service):
            if missing := given.until(partial(_unfetched, given, name, address)):
                yield Flaw(subject=f"pod {name}", message=f"does not reach {address}: {missing}")


def _unfetched(given: Given, pod: str, address: str) -> str:
    done = given.kubectl(["exec", "--namespace", SPACE, pod, "--", *given.workload.fetch, address])
    if not done.ok:
        return _error(done)
    return "" if given.workload.word in done.output else "another program answers"


def _leaving(given: Given) -> str:
    """What an earlier verification has made may still be on its way out."""
    found = given.live.api.get(path(SPACES, SPACE))
    leaving = not isinstance(found, Trouble) and "deletionTimestamp" in found["metadata"]
    return "an earlier verification's is still being removed" if leaving else ""


def _made(given: Given) -> Trouble | None:
    wanted: tuple[tuple[str, Object], ...] = (
        (SPACES, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}}),
        (path(DEPLOYMENTS, namespace=SPACE), deployment(given)),
        (path(SERVICES, namespace=SPACE), _service(given)),
    )
    for collection, body in wanted:
        made = given.live.api.create(collection, body)
        if isinstance(made, Trouble) and not (made.kind == "conflict" and "already exists" in made.message):
            return made
    return None


def replicas(cluster: Cluster) -> int:
    """On two nodes, if workloads may run on two."""
    return min(2, len(cluster.workers or cluster.masters))


def deployment(given: Given) -> dict[str, Any]:
    workload = given.workload
    program = {
        "name": NAME,
        "image": workload.image,
        "command": list(workload.command),
        "ports": [{"containerPort": workload.port}],
        "readinessProbe": {"tcpSocket": {"port": workload.port}, "periodSeconds": 1},
    }
    spread = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}
    pod = {
        "containers": [program],
        "terminationGracePeriodSeconds": 0,
        "topologySpreadConstraints": [{**spread, "labelSelector": {"matchLabels": LABELS}}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": NAME, "namespace": SPACE},
        "spec": {
            "replicas": replicas(given.live.cluster),
            "selector": {"matchLabels": LABELS},
            "template": {"metadata": {"labels": LABELS}, "spec": pod},
        },
    }


def _service(given: Given) -> dict[str, Any]:
    ports = [{"port": PORT, "targetPort": given.workload.port}]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": NAME, "namespace": SPACE},
        "spec": {"selector": LABELS, "ports": ports},
    }


def _unready(given: Given) -> str:
    found = given.live.api.get(path(DEPLOYMENTS, NAME, namespace=SPACE))
    if isinstance(found, Trouble):
        return found.message
    status, wanted = found.get("status") or {}, found["spec"]["replicas"]
    if (ready := status.get("readyReplicas", 0)) == wanted:
        return ""
    refused = [c["message"] for c in status.get("conditions") or () if c["type"] == "ReplicaFailure"]
    return ": ".join([f"{ready} of {wanted} pods are ready", *refused])


def _unreached(given: Given, node: str, address: str) -> str:
    done = given.live.machines.run(node, ["curl", "--silent", "--show-error", "--max-time", "5", address])
    if not done.ok:
        return _error(done)
    return "" if given.workload.word in done.output else "another program answers"


def _error(done: Done) -> str:
    """What a program said, in one line."""
    return " ".join(done.errors.split()) or f"it ended with {done.code}"


def logs(given: Given) -> Iterator[Flaw]:
    """Of every pod: each is on another kubelet."""
    found = given.live.api.items(path(PODS, namespace=SPACE))
    if isinstance(found, Trouble) or not found:
        message = found.message if isinstance(found, Trouble) else f"there is no pod in {SPACE}"
        yield Flaw(subject="the API", message=message)
        return
    for pod in found:
        name = pod["metadata"]["name"]
        said = given.live.api.text(f"{path(PODS, name, namespace=SPACE, sub='log')}?limitBytes=1000")
        if isinstance(said, Trouble):
            yield Flaw(subject=f"log of {name}", message=said.message)
        if missing := given.until(partial(_unentered, given, name)):
            yield Flaw(subject=f"exec in {name}", message=missing)


def _unentered(given: Given, pod: str) -> str:
    done = given.kubectl(["exec", "--namespace", SPACE, pod, "--", *given.workload.inside])
    return "" if done.ok else _error(done)


def clean(given: Given) -> None:
    given.live.api.delete(path(SPACES, SPACE))
