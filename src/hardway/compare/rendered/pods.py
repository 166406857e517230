"""Pods as the kubelet understands them: what it fills in is filled in, and a list whose order means nothing is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hardway.compare.rendered.flags import VARIABLES, Command, command
from hardway.compare.row import ABSENT, PRESENT, Difference
from hardway.compare.values import pairs

KINDS = ("initContainers", "containers")
PROBES = ("startupProbe", "readinessProbe", "livenessProbe")
CONTAINER = {"name", "image", "imagePullPolicy", "command", "args", "env", "volumeMounts", "ports", *PROBES}
PROBE = {
    "initialDelaySeconds": 0,
    "timeoutSeconds": 1,
    "periodSeconds": 10,
    "successThreshold": 1,
    "failureThreshold": 3,
}
DEFAULTS = {"restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "terminationGracePeriodSeconds": 30}
Body = Mapping[str, Any]


def differences(operator: str, theirs: Body | None, ours: Body | None) -> Iterator[Difference]:
    if theirs is None or ours is None:
        if theirs is not ours:
            yield Difference(operator, "pod", PRESENT if theirs else ABSENT, PRESENT if ours else ABSENT, "pods")
        return
    for aspect, first, second in pairs(described(theirs), described(ours)):
        if ABSENT in (first, second) and aspect.count(".") == 1 and aspect.startswith(KINDS):
            first, second = (side if side == ABSENT else PRESENT for side in (first, second))
        yield Difference(operator, aspect, first, second, "pods")


def containers(pod: Body) -> dict[str, Command]:
    """How each container of a pod is started."""
    return {c["name"]: command(c) for kind in KINDS for c in pod["spec"].get(kind) or ()}


def described(pod: Body) -> dict[str, Any]:
    about, spec = pod.get("metadata") or {}, pod["spec"]
    volumes = {v["name"]: {k: x for k, x in v.items() if k != "name"} for v in spec.get("volumes") or ()}
    found: dict[str, Any] = {key: value for key, value in about.items() if value is not None}
    found |= {f"spec.{k}": v for k, v in (DEFAULTS | spec).items() if k not in (*KINDS, "volumes")}
    for kind in KINDS:
        found[kind] = {c["name"]: _container(c, volumes) for c in spec.get(kind) or ()}
    mounted = {m["name"] for kind in KINDS for c in spec.get(kind) or () for m in c.get("volumeMounts") or ()}
    return found | {f"volumes.{name}": volume for name, volume in volumes.items() if name not in mounted}


def _container(container: Body, volumes: Mapping[str, Any]) -> dict[str, Any]:
    start = command(container)
    image = str(container.get("image"))
    always = image.endswith(":latest") or ":" not in image.rpartition("/")[2]
    found = {"terminationMessagePolicy": "File"} | {k: v for k, v in container.items() if k not in CONTAINER}
    found |= {
        "image": image,
        "imagePullPolicy": container.get("imagePullPolicy", "Always" if always else "IfNotPresent"),
        "program": start.program,
        "env": {e["name"]: _value(e) for e in container.get("env") or () if not _is_flag(container, e)},
        "mounts": {_path(m["mountPath"]): _mount(m, volumes) for m in container.get("volumeMounts") or ()},
        "ports": {p.get("name") or str(p["containerPort"]): _port(p) for p in container.get("ports") or ()},
    }
    if start.shell:
        found["shell"] = list(start.script)
    return found | {name: _probe(container[name]) for name in PROBES if container.get(name)}


def _is_flag(container: Body, variable: Body) -> bool:
    prefix = VARIABLES.get(str(container["name"]))
    return prefix is not None and str(variable["name"]).startswith(prefix)


def _value(variable: Body) -> Any:
    return variable.get("valueFrom", variable.get("value", ""))


def _path(path: str) -> str:
    return path.rstrip("/") or "/"


def _mount(mount: Body, volumes: Mapping[str, Any]) -> dict[str, Any]:
    source = volumes.get(mount["name"]) or {}
    host = source.get("hostPath")
    found = {key: value for key, value in mount.items() if key not in ("name", "mountPath")}
    found["readOnly"] = bool(mount.get("readOnly"))
    return found | ({"from": _path(host["path"]), "type": host.get("type", "")} if host else {"volume": source})


def _port(port: Body) -> dict[str, Any]:
    return {"protocol": "TCP"} | {key: value for key, value in port.items() if key != "name"}


def _probe(probe: Body) -> dict[str, Any]:
    found = {**PROBE, **probe}
    get = probe.get("httpGet")
    return found | ({"httpGet": dict(get) | {"path": "/" + get["path"].lstrip("/")}} if get else {})
