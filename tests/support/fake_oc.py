"""Stands in for `oc` and `curl` at the edge of bootkube.sh: a tiny cluster in a folder, which remembers every call.

It knows types, as an API server does: an object of an unknown one is refused, and a CRD makes its type known. What the
world does by itself (a node becomes Ready, a type arrives with CVO) is written into world.json and can depend on the
number of calls so far.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

STATE = Path(os.environ["FAKE_STATE"])
BUILT_IN = ("Namespace", "Secret", "ConfigMap", "CustomResourceDefinition", "ClusterRoleBinding")
WITH_STATUS = ("Infrastructure", "FeatureGate", "Ingress", "Proxy")


def load(name: str, default: Any) -> Any:
    file = STATE / name
    return json.loads(file.read_text()) if file.exists() else default


def refuse(message: str) -> None:
    print(f"Error from server: {message}", file=sys.stderr)
    sys.exit(1)


class Cluster:
    def __init__(self) -> None:
        self.world = load("world.json", {})
        self.objects = load("objects.json", {})
        self.calls = load("calls.json", [])

    def remember(self, call: list[str]) -> None:
        self.calls.append(call)
        (STATE / "calls.json").write_text(json.dumps(self.calls))

    def keep(self) -> None:
        (STATE / "objects.json").write_text(json.dumps(self.objects))

    def due(self, when: int | None) -> bool:
        """Whether something that happens at the n-th call has happened."""
        return when is not None and len(self.calls) >= when

    def knows(self, kind: str) -> bool:
        types = {o["spec"]["names"]["kind"] for o in self.objects.values() if o["kind"] == "CustomResourceDefinition"}
        return kind in BUILT_IN or kind in types or self.due(self.world.get("types", {}).get(kind))

    def has_namespace(self, name: str) -> bool:
        there = name in ("", "kube-system") or f"Namespace//{name}" in self.objects
        return there or self.due(self.world.get("namespaces", {}).get(name))


def key(document: dict[str, Any]) -> str:
    about = document["metadata"]
    return f"{document['kind']}/{about.get('namespace', '')}/{about['name']}"


def options(words: list[str]) -> tuple[list[str], dict[str, str]]:
    plain = [w for w in words if not w.startswith("--")]
    pairs = (w.removeprefix("--").partition("=") for w in words if w.startswith("--"))
    return plain, {name: value for name, _, value in pairs}


def read(cluster: Cluster, file: str) -> dict[str, Any]:
    import yaml  # here, because most calls do without it, and there are many

    document: dict[str, Any] = yaml.safe_load(Path(file).read_text())
    if not cluster.knows(document["kind"]):
        refuse(f'no matches for kind "{document["kind"]}"')
    return document


def create(cluster: Cluster, plain: list[str], opts: dict[str, str]) -> None:
    if plain[1:2] == ["configmap"]:
        name, value = opts["from-literal"].split("=")
        about = {"name": plain[2], "namespace": opts["namespace"]}
        document = {"kind": "ConfigMap", "metadata": about, "data": {name: value}}
    else:
        document = read(cluster, opts["filename"])
    if opts.get("dry-run") == "client":
        print(json.dumps(document))
        return
    if Path(opts.get("filename", "")).name in cluster.world.get("refuse", {}):
        refuse(cluster.world["refuse"][Path(opts["filename"]).name])
    if "unknown" in document and opts.get("validate") != "warn":
        refuse('strict decoding error: unknown field "unknown"')
    if not cluster.has_namespace(document["metadata"].get("namespace", "")):
        refuse(f'namespaces "{document["metadata"]["namespace"]}" not found')
    if key(document) in cluster.objects:
        refuse(f"{key(document)} already exists")
    dropped = ("status",) if document["kind"] in WITH_STATUS else ()
    cluster.objects[key(document)] = {k: v for k, v in document.items() if k not in dropped}
    cluster.keep()
    print(f"{key(document)} created")


def patch(cluster: Cluster, plain: list[str], opts: dict[str, str]) -> None:
    if "filename" in opts:
        document = cluster.objects[key(read(cluster, opts["filename"]))]
        assert opts["subresource"] == "status"
        document["status"] = json.loads(opts["patch"])["status"]
        print(f"{key(document)} patched")
    else:
        document = cluster.objects["ClusterVersion//version"]
        for name, value in json.loads(Path(opts["patch-file"]).read_text())["spec"].items():
            document["spec"].pop(name, None) if value is None else document["spec"].update({name: value})
        print("ClusterVersion//version patched")
    cluster.keep()


def listed(names: list[str]) -> str:
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    return json.dumps({"items": [{"metadata": {"name": name}, "status": ready} for name in names]})


def get(cluster: Cluster, plain: list[str], opts: dict[str, str]) -> None:
    world, kind = cluster.world, plain[1] if len(plain) > 1 else ""
    if "raw" in opts:
        print("ok") if cluster.due(world.get("api", 0)) else refuse("connection refused")
    elif kind == "nodes":
        print(listed([name for name, when in world.get("nodes", {}).items() if cluster.due(when)]))
    elif kind == "pods":
        print(listed([n for n, when in world.get("pods", {}).get(opts["namespace"], {}).items() if cluster.due(when)]))
    elif kind == "crd":
        print(f"crd/{plain[2]}" if plain[2] in world.get("operators", {}) else "", end="")
    elif kind.endswith(".operator.openshift.io"):
        steps = [status for when, status in world["operators"][kind] if cluster.due(when)]
        print(json.dumps({"status": steps[-1]}) if steps else "", end="")
    else:
        get_object(cluster, kind, plain, opts)


def get_object(cluster: Cluster, kind: str, plain: list[str], opts: dict[str, str]) -> None:
    wanted = f"ConfigMap/{opts['namespace']}/{plain[2]}" if kind else key(read(cluster, opts["filename"]))
    if found := cluster.objects.get(wanted):
        print(wanted if opts["output"] == "name" else json.dumps(found))
    elif "ignore-not-found" not in opts:
        refuse(f"{wanted} not found")


def wait(cluster: Cluster, plain: list[str], opts: dict[str, str]) -> None:
    if not cluster.due(cluster.world.get("established", 0)):
        refuse("timed out waiting for the condition")


def curl(cluster: Cluster) -> None:
    if not cluster.due(cluster.world.get("etcd", 0)):
        print("curl: (7) Failed to connect to localhost port 2379", file=sys.stderr)
        sys.exit(7)
    print('{"health":"true","reason":""}')


def main() -> None:
    program, words = sys.argv[1], sys.argv[2:]
    cluster = Cluster()
    cluster.remember([program, *words])
    if program == "curl":
        curl(cluster)
        return
    plain, opts = options(words)
    {"get": get, "create": create, "patch": patch, "wait": wait}[plain[0]](cluster, plain, opts)


main()
