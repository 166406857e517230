"""What `hardway release info` says of a release, as data and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardway.cli.options import counted
from hardway.io.harmless import one_line

if TYPE_CHECKING:
    from hardway.model.cluster import Release
    from hardway.registry.signature.verify import Verdict
    from hardway.release.payload.read import Payload
    from hardway.release.stream import Artifact, Stream

CATALOGUE = "hardway's embedded catalogue, not the release itself"


def facts(found: Payload | Release, why: str, verdict: Verdict) -> dict[str, Any]:
    """`why` says why the catalogue serves; what only the payload knows is null then."""
    from hardway.release.payload.read import Payload, digest_of

    known: dict[str, Any] = {
        "origin": "payload" if isinstance(found, Payload) else "catalogue",
        "why": why,
        "version": found.version,
        "image": found.image,
        "digest": digest_of(found.image),
        "architecture": found.architecture,
        "images": len(found.images),
        "signature": verdict.as_dict(),
    }
    unknown: dict[str, Any] = dict.fromkeys(("kubernetes", "versions", "manifests", "previous", "url", "coreos"))
    return known | (_payload(found) if isinstance(found, Payload) else unknown)


def _payload(payload: Payload) -> dict[str, Any]:
    from hardway.release import stream

    return {
        "kubernetes": payload.kubernetes,
        "versions": dict(sorted(payload.versions.items())),
        "manifests": len(payload.manifests),
        "previous": list(payload.previous),
        "url": payload.url,
        "coreos": _coreos(stream.find(payload.manifests), payload.architecture),
    }


def _coreos(stream: Stream | None, architecture: str) -> dict[str, Any] | None:
    """The boot images for bare and virtual machines; those of clouds are not what this program installs."""
    if stream is None:
        return None
    chosen = stream.of(architecture, platforms=("metal", "qemu"))
    return {"stream": stream.name, "artifacts": [_artifact(a) for a in chosen]}


def _artifact(artifact: Artifact) -> dict[str, str]:
    return {
        "architecture": artifact.architecture,
        "platform": artifact.platform,
        "format": artifact.format,
        "part": artifact.part,
        "release": artifact.release,
        "location": artifact.location,
        "sha256": artifact.sha256,
        "uncompressedSha256": artifact.uncompressed_sha256,
    }


def text(facts: dict[str, Any]) -> str:
    catalogue = facts["origin"] == "catalogue"
    rows = [("release", facts["version"])]
    if catalogue:
        rows += [("origin", CATALOGUE), ("", f"because {facts['why']}")]
    rows += [("image", facts["image"]), ("architecture", facts["architecture"])]
    if catalogue:
        rows.append(("images", f"{facts['images']}, those that hardway's own stages use"))
    else:
        rows += _payload_rows(facts)
    rows.append(("signature", facts["signature"]["said"]))
    return "\n".join(f"{label:13} {one_line(value)}".rstrip() for label, value in rows)


def _payload_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    others = [f"{name} {version}" for name, version in facts["versions"].items() if name != "kubernetes"]
    rows = [
        ("kubernetes", facts["kubernetes"] or "not said"),
        *([("components", ", ".join(others))] if others else []),
        ("images", str(facts["images"])),
        ("manifests", str(facts["manifests"])),
        ("updates from", _versions(facts["previous"])),
        *([("told at", facts["url"])] if facts["url"] else []),
    ]
    coreos = facts["coreos"]
    if coreos is None:
        return [*rows, ("CoreOS", "unknown: the release has no boot image manifest")]
    for row in coreos["artifacts"]:
        rows.append(("CoreOS", f"{row['release']} {row['platform']} {row['format']} {row['part']}"))
        rows += [("", row["location"]), ("", f"sha256 {row['sha256']}")]
    return rows


def _versions(previous: list[str]) -> str:
    if len(previous) < 4:
        return ", ".join(previous) or "no version"
    return f"{previous[0]} to {previous[-1]} ({counted(len(previous), 'version')})"
