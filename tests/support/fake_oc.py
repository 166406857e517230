"""Stands in for `oc` and `curl` at the edge of bootkube.sh: a tiny cluster in a folder, which remembers every call.

It knows types, as an API server does: an object of an unknown one is refused, and a CRD makes its type known. What the
world does by itself (a node becomes Ready, a type arrives with CVO, somebody writes an object) is written into
world.json and can depend on the number of calls so far. Its words are kubectl's, which test_bootkube_real.py hears.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATE = Path(os.environ["FAKE_STATE"])
BUILT_IN = ("Namespace", "Secret", "ConfigMap", "CustomResourceDefinition", "ClusterRoleBinding")
WITH_STATUS = ("Infrastructure", "FeatureGate", "Ingress", "Proxy")


def load(name: str, default: Any) -> Any:
    file = STATE / name
    return json.loads(file.read_text()) if file.exists() else default


class Refused(Exception):
    """In the server's words."""


def end(*reasons: str) -> None:
    """As kubectl does: the server's words first, a line each, then the client's own, as a list if there are many."""
    theirs = [r for r in reasons if r.startswith("Error from server")]
    own = [r for r in reasons if r not in theirs]
    for line in (*theirs, *([f"[{', '.join(own)}]"] if len(own) > 1 else own)):
        print(line if line in theirs or len(reasons) > 1 else f"error: {line}", file=sys.stderr)
    sys.exit(1 if reasons else 0)


class Cluster:
    def __init__(self) -> None:
        self.world = load("world.json", {})
        self.objects = load("objects.json", {})
        self.calls = load("calls.json", [])
        for moment, document in self.world.get("others", ()):
            if len(self.calls) + 1 == moment:
                self.objects[key(document)] = document
                self.keep()

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


class Options(dict[str, str]):
    """The last word on each option; of --filename, every one."""

    def __init__(self, words: list[str]) -> None:
        self.plain = [w for w in words if not w.startswith("--")]
        pairs = [w.removeprefix("--").partition("=") for w in words if w.startswith("--")]
        super().__init__({name: value for name, _, value in pairs})
        self.files = [value for name, _, value in pairs if name == "filename"]


def read(cluster: Cluster, file: str, reasons: list[str]) -> Iterator[dict[str, Any]]:
    """The documents of a file, or of all in a folder; those of unknown types are reasons to fail, but not to stop."""
    import yaml  # here, because most calls do without it, and there are many

    for path in sorted(Path(file).iterdir()) if Path(file).is_dir() else [Path(file)]:
        for document in yaml.safe_load_all(path.read_text()):
            if not cluster.knows(document["kind"]):
                about = f'name: "{document["metadata"]["name"]}" namespace: "" from "{file}"'
                what = f'no matches for kind "{document["kind"]}" in version "{document["apiVersion"]}"'
                reasons.append(f"resource mapping not found for {about}: {what}\nensure CRDs are installed first")
            else:
                yield document


def create(cluster: Cluster, opts: Options) -> None:
    if opts.plain[1:2] == ["configmap"]:
        name, value = opts["from-literal"].split("=")
        about = {"name": opts.plain[2], "namespace": opts["namespace"]}
        create_one(cluster, "", {"kind": "ConfigMap", "metadata": about, "data": {name: value}}, opts)
        return
    reasons: list[str] = []
    for count, file in enumerate(opts.files):
        if "dry-run" not in opts and count == cluster.world.get("dies", {}).get(str(len(cluster.calls))):
            sys.exit(137)  # killed, without a word
        for document in read(cluster, file, reasons):
            try:
                create_one(cluster, file, document, opts)
            except Refused as reason:
                reasons.append(str(reason))
    end(*reasons)


def create_one(cluster: Cluster, file: str, document: dict[str, Any], opts: Options) -> None:
    if opts.get("dry-run") == "client":
        print(json.dumps(document))
        return

    def refuse(kind: str, message: str) -> None:
        raise Refused(f'Error from server ({kind}): error when creating "{file}": {message}')

    if Path(file).name in cluster.world.get("refuse", {}):
        refuse("Invalid", cluster.world["refuse"][Path(file).name])
    if "unknown" in document and opts.get("validate") == "warn":
        print('Warning: unknown field "unknown"', file=sys.stderr)
    elif "unknown" in document and opts.get("validate") != "ignore":
        refuse("BadRequest", 'strict decoding error: unknown field "unknown"')
    if not cluster.has_namespace(document["metadata"].get("namespace", "")):
        refuse("NotFound", f'namespaces "{document["metadata"]["namespace"]}" not found')
    if key(document) in cluster.objects:
        refuse("AlreadyExists", f"{key(document)} already exists")
    dropped = ("status",) if document["kind"] in WITH_STATUS else ()
    made = {k: v for k, v in document.items() if k not in dropped}
    cluster.objects[key(document)] = {**made, "metadata": {**made["metadata"], "resourceVersion": "1"}}
    cluster.keep()
    print(f"{key(document)} created")


def replace(cluster: Cluster, opts: Options) -> None:
    assert (opts["subresource"], opts.files) == ("status", ["-"])
    reasons: list[str] = []
    for document in json.load(sys.stdin)["items"]:
        name, live = key(document), cluster.objects[key(document)]
        if name in cluster.world.get("no status for", ()):
            reasons.append(f'Error from server (Forbidden): error when replacing "STDIN": {name} is forbidden')
        elif document["metadata"].get("resourceVersion") != live["metadata"].get("resourceVersion"):
            reasons.append(f'Error from server (Conflict): error when replacing "STDIN": {name} has been modified')
        else:
            live["status"] = document["status"]
            print(f"{name} replaced")
    cluster.keep()
    end(*reasons)


def patch(cluster: Cluster, opts: Options) -> None:
    document = cluster.objects["ClusterVersion//version"]
    for name, value in json.loads(Path(opts["patch-file"]).read_text())["spec"].items():
        document["spec"].pop(name, None) if value is None else document["spec"].update({name: value})
    print("ClusterVersion//version patched")
    cluster.keep()


def listed(names: list[str]) -> str:
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    return json.dumps({"items": [{"metadata": {"name": name}, "status": ready} for name in names]})


def get(cluster: Cluster, opts: Options) -> None:
    world, kind = cluster.world, opts.plain[1] if len(opts.plain) > 1 else ""
    if "raw" in opts:
        print("ok") if cluster.due(world.get("api", 0)) else end("Error from server: connection refused")
    elif kind == "nodes":
        print(listed([name for name, when in world.get("nodes", {}).items() if cluster.due(when)]))
    elif kind == "pods":
        print(listed([n for n, when in world.get("pods", {}).get(opts["namespace"], {}).items() if cluster.due(when)]))
    elif kind == "crd":
        print(f"crd/{opts.plain[2]}" if opts.plain[2] in world.get("operators", {}) else "", end="")
    elif kind.endswith(".operator.openshift.io"):
        steps = [status for when, status in world["operators"][kind] if cluster.due(when)]
        print(json.dumps({"status": steps[-1]}) if steps else "", end="")
    else:
        get_objects(cluster, kind, opts)


def get_objects(cluster: Cluster, kind: str, opts: Options) -> None:
    reasons: list[str] = []
    wanted = [f"ConfigMap/{opts['namespace']}/{opts.plain[2]}"] if kind else []
    wanted += [key(document) for file in opts.files for document in read(cluster, file, reasons)]
    found = [established(cluster, cluster.objects[name]) for name in wanted if name in cluster.objects]
    if "ignore-not-found" not in opts:
        reasons += [f"Error from server (NotFound): {name} not found" for name in wanted if name not in cluster.objects]
    if opts["output"] == "name":
        print("\n".join(key(document) for document in found))
    elif found:
        print(json.dumps(found[0] if len(wanted) == 1 else {"kind": "List", "items": found}))
    end(*reasons)


def established(cluster: Cluster, document: dict[str, Any]) -> dict[str, Any]:
    """A CRD as it is served, some time after it was created."""
    if document["kind"] != "CustomResourceDefinition":
        return document
    served = "True" if cluster.due(cluster.world.get("established", 0)) else "False"
    return {**document, "status": {"conditions": [{"type": "Established", "status": served}]}}


def wait(cluster: Cluster, opts: Options) -> None:
    if not cluster.due(cluster.world.get("established", 0)):
        end("timed out waiting for the condition")


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
    opts = Options(words)
    {"get": get, "create": create, "replace": replace, "patch": patch, "wait": wait}[opts.plain[0]](cluster, opts)


main()
