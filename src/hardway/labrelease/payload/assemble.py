"""The payload: `/release-manifests` of the release image, put together as `oc adm release new` does it.

Manifests of the components name images by placeholders and versions by `0.0.1-snapshot`. Each component lists its
placeholders in a file image-references of its own; here they become pull specs by digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from hardway.labrelease.checkouts.made import NONE, Added
from hardway.labrelease.images.oci import CREATED
from hardway.labrelease.images.table import Set
from hardway.labrelease.payload import own as payload_own
from hardway.labrelease.payload import sources
from hardway.lines.default import DEFAULT
from hardway.model import yaml
from hardway.model.errors import ToolError

REFERENCES = "image-references"
METADATA = "release-metadata"
SNAPSHOT = "0.0.1-snapshot"
_STANDING_IN = re.compile(r"""^kind: ["']?(Namespace|CustomResourceDefinition)["']?\s*$""", re.MULTILINE)
_NUMBERED = re.compile(r"\d{4}_\d{2}_")


def version(chosen: Set) -> str:
    """Of the default line, with a suffix as nightly builds and OKD have one."""
    return f"{DEFAULT.release}-lab.{chosen}"


def wanted_images(chosen: Set, folders: Mapping[str, Path], added: Added = NONE) -> set[str]:
    """The image-for names that manifests of the payload refer to."""
    texts = (sources.references(source, folders) for source in (*sources.of(chosen), *added.sources))
    return {name for text in texts for name in placeholders(text).values()}


def assemble(
    chosen: Set,
    *,
    images: Mapping[str, str],
    stand_ins: Iterable[str],
    folders: Mapping[str, Path],
    added: Added = NONE,
) -> dict[str, bytes]:
    """Every file of the payload; images are pull specs by digest, by image-for name."""
    found: dict[str, str] = {}
    for source in (*sources.of(chosen), *added.sources):
        replaced = replacer(placeholders(sources.references(source, folders)), images)
        for name, text in sources.read(source, folders, chosen).items():
            found[file_name(source.image, name)] = with_versions(replaced(text), version(chosen))
    own = payload_own.manifests(chosen, images=images, version=version(chosen), others=added.operators)
    found |= _not_brought(own, found.values())
    found[REFERENCES] = image_references(chosen, images, frozenset(stand_ins), added)
    found[METADATA] = metadata(chosen)
    return {name: text.encode() for name, text in sorted(found.items())}


def file_name(image: str, name: str) -> str:
    """CVO sorts by number and component: a name that has none gets a late number and the image's name."""
    return name if _NUMBERED.match(name) else f"0000_50_{image}_{name}"


def placeholders(text: str) -> dict[str, str]:
    """Placeholder to image-for name, from a component's image-references."""
    if not text:
        return {}
    return {tag["from"]["name"]: tag["name"] for tag in yaml.load(text)["spec"]["tags"]}


def replacer(known: Mapping[str, str], images: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces whole names only: origin-etcd is not the beginning of origin-etcd-operator."""
    if not known:
        return lambda text: text
    missing = sorted(set(known.values()) - set(images))
    if missing:
        raise ToolError(f"the release has no image for {', '.join(missing)}, which its manifests name")
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w./:@-])(?:{names})(?![\w/@-]|[.:]\w)")
    return lambda text: pattern.sub(lambda match: images[known[match[0]]], text)


def with_versions(text: str, release: str) -> str:
    """The release's version; one of a part of it, Kubernetes, has the part's name behind it."""
    return text.replace(f"{SNAPSHOT}-kubernetes", DEFAULT.lab_kubernetes).replace(SNAPSHOT, release)


def _not_brought(own: Mapping[str, str], brought: Iterable[str]) -> dict[str, str]:
    """Of our namespaces and types, those that no component brings itself: CVO would apply both in turn."""
    texts = [text for text in brought if _STANDING_IN.search(text)]
    named = {name: yaml.load(text)["metadata"]["name"] for name, text in own.items() if _STANDING_IN.search(text)}
    candidates = [text for text in texts if any(f"name: {one}" in text for one in named.values())]
    there = {(body["kind"], body["metadata"]["name"]) for text in candidates for body in yaml.load_all(text) if body}
    return {name: text for name, text in own.items() if (_kind(text), named.get(name)) not in there}


def _kind(text: str) -> str:
    found = _STANDING_IN.search(text)
    return found[1] if found else ""


def image_references(chosen: Set, images: Mapping[str, str], stand_ins: frozenset[str], added: Added = NONE) -> str:
    labels = {image.name: row.labels for row in added.made for image in row.kit.packed}
    tags = [_tag(name, spec, name in stand_ins, labels.get(name, {})) for name, spec in sorted(images.items())]
    stream = {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": version(chosen), "creationTimestamp": CREATED},
        "spec": {"lookupPolicy": {"local": False}, "tags": tags},
        "status": {"dockerImageRepository": ""},
    }
    return json.dumps(stream, indent=2) + "\n"


def _tag(name: str, spec: str, stands_in: bool, labels: Mapping[str, str]) -> dict[str, object]:
    annotations = {"hardway.lab/stands-in": "pod"} if stands_in else dict(labels)
    if name == "hyperkube":
        annotations["io.openshift.build.versions"] = f"kubernetes={DEFAULT.lab_kubernetes}"
        annotations["io.openshift.build.version-display-names"] = "kubernetes=Kubernetes"
    return {"name": name, "annotations": annotations, "from": {"kind": "DockerImage", "name": spec}}


def metadata(chosen: Set) -> str:
    """No update leads here or away from here."""
    facts = {
        "kind": "cincinnati-metadata-v0",
        "version": version(chosen),
        "previous": [],
        "metadata": {"description": f"hardway's lab release, set {chosen}"},
    }
    return json.dumps(facts, indent=2) + "\n"
