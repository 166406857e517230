"""OpenShift's own types as schemas: the CRDs of the API module, made strict, as an API server would read them."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

MODULE = "github.com/openshift/api@v0.0.0-20250102185430-d6d8306a24ec"
FOLDERS = (
    "payload-manifests/crds",
    "config/v1/zz_generated.crd-manifests",
    "operator/v1/zz_generated.crd-manifests",
    "operator/v1alpha1/zz_generated.crd-manifests",
)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FEATURE_SETS = ("CustomNoUpgrade", "TechPreviewNoUpgrade", "DevPreviewNoUpgrade", "Hypershift")


@cache
def module() -> Path:
    """The module's folder, downloaded as any Go module is."""
    done = subprocess.run(["go", "mod", "download", "-json", MODULE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(json.loads(done.stdout)["Dir"])


@cache
def files(kind: str) -> tuple[Path, ...]:
    """The CRD files of the default feature set that define a kind."""
    found = (path for folder in FOLDERS for path in sorted((module() / folder).glob("*.yaml")))
    default = [path for path in found if not any(part in path.name for part in FEATURE_SETS)]
    return tuple(path for path in default if f"\n    kind: {kind}\n" in path.read_text())


@cache
def schema(api_version: str, kind: str) -> dict[str, Any]:
    group, _, version = api_version.partition("/")
    for path in files(kind):
        spec = yaml.load(path.read_text(), LOADER)["spec"]
        for candidate in spec["versions"]:
            if (spec["group"], candidate["name"]) == (group, version):
                strict: dict[str, Any] = _strict(candidate["schema"]["openAPIV3Schema"])
                return strict
    raise LookupError(f"no CRD for {api_version} {kind}")


def _strict(node: Any) -> Any:
    """The schema with unknown fields forbidden and OpenAPI's own words in JSON schema's."""
    if not isinstance(node, dict):
        return node
    strict = {key: value for key, value in node.items() if not key.startswith("x-") and key != "nullable"}
    if node.get("nullable") and "type" in node:
        strict["type"] = [node["type"], "null"]
    if "properties" in node:
        strict["properties"] = {name: _strict(child) for name, child in node["properties"].items()}
        if not node.get("x-kubernetes-preserve-unknown-fields"):
            strict.setdefault("additionalProperties", False)
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            strict[key] = _strict(node[key])
    return strict


def problems(body: dict[str, Any]) -> list[str]:
    """What an API server that checks strictly would refuse."""
    known = schema(body["apiVersion"], body["kind"])
    found = jsonschema.Draft202012Validator(known).iter_errors(without_nulls(body, known))
    return [f"{error.json_path}: {error.message}" for error in found]


def without_nulls(value: Any, known: Any = None) -> Any:
    """Nulls are dropped before anything is checked, as the API server does where a field may not be null."""
    known = known if isinstance(known, dict) else {}
    if isinstance(value, dict):
        fields = {key: known.get("properties", {}).get(key, known.get("additionalProperties")) for key in value}
        kept = {key: item for key, item in value.items() if item is not None or _nullable(fields[key])}
        return {key: without_nulls(item, fields[key]) for key, item in kept.items()}
    return [without_nulls(item, known.get("items")) for item in value] if isinstance(value, list) else value


def _nullable(known: Any) -> bool:
    return isinstance(known, dict) and "null" in known.get("type", ())


if __name__ == "__main__":  # before the tests, some of which are in a network of their own
    print(module())
