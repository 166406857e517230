"""Makes a snapshot: of a real bootstrap.ign, of a reference file that describes one, or of our own."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from hardway.compare import certificates, keys
from hardway.compare.contents import content, embedded, mapping
from hardway.compare.installer import leftover
from hardway.compare.installer.meaning import kubelet_flags, settings
from hardway.compare.installer.snapshot import File, Snapshot, Unit
from hardway.compare.places import TLS
from hardway.compare.values import ABBREVIATED
from hardway.io import plain
from hardway.model.errors import ConfigError

CLUSTER_CONFIG = "/opt/openshift/manifests/cluster-config.yaml"
PULL_SECRET = "/opt/openshift/manifests/openshift-config-secret-pull-secret.yaml"  # noqa: S105
MANIFESTS = ("/opt/openshift/manifests/", "/opt/openshift/openshift/")
KUBECONFIGS = ("/opt/openshift/auth/", "/etc/kubernetes/")
DESCRIBED = ("mode", "owner", "append", "overwrite")
GIVEN = "/etc/pki/ca-trust/source/anchors/ca.crt"  # certificates that the user wrote, not made: every byte counts
STAND_IN = '{"auths":{"quay.io":{"auth":"ZXhhbXBsZTpleGFtcGxl"}}}'
FIX = "\n    fix: name a bootstrap.ign that openshift-install wrote"


def read_reference(path: Path) -> Snapshot:
    """What the installer wrote: its bootstrap.ign, or a file of the kind kept in tests/data/installer-output."""
    try:
        found: dict[str, Any] = json.loads(plain.given(path))
        described = "documents" in found
        snapshot = _from_description(found) if described else _from_ignition(found)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or 'cannot be read'}.{FIX}") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ConfigError(f"{path}: neither an Ignition config with files nor a description of one.{FIX}") from None
    if not described:
        _refuse_others(path, snapshot)
    return snapshot


def _refuse_others(path: Path, snapshot: Snapshot) -> None:
    """Nothing can be built without an install-config, and only a bootstrap.ign of the installer holds one."""
    if CLUSTER_CONFIG not in snapshot.files:
        raise ConfigError(f"{path} has no {CLUSTER_CONFIG}, so it is no bootstrap.ign of openshift-install.{FIX}")
    if not snapshot.install_config.keys() - {"pullSecret"}:
        raise ConfigError(f"{path}: there is no install-config in its {CLUSTER_CONFIG}.{FIX}")


def read_ours(bootstrap_ign: bytes) -> Snapshot:
    return _from_ignition(json.loads(bootstrap_ign))


def _from_description(found: Mapping[str, Any]) -> Snapshot:
    documents = {path: bodies[0] for path, bodies in found["documents"].items()}
    return Snapshot(
        ignition=found["ignition"],
        files={f["path"]: File(**{key: f[key] for key in DESCRIBED}) for f in found["files"]},
        units={u["name"]: Unit(enabled=u["enabled"], dropins=tuple(u["dropins"])) for u in found["units"]},
        certificates={
            path: tuple(map(certificates.unordered, several)) for path, several in found["certificates"].items()
        },
        documents=documents,
        kubeconfigs=found["kubeconfigs"],
        install_config=_with_pull_secret(found["install-config"], documents.get(PULL_SECRET)),
    )


def _from_ignition(found: Mapping[str, Any]) -> Snapshot:
    entries = leftover.by_name(_listed(found, "storage", "files"), "path")
    units = leftover.by_name(_listed(found, "systemd", "units"), "name")
    with catch_warnings():
        simplefilter("ignore")  # one name is longer than X.509 allows, and has to be
        return _taken_apart(
            {path: content(entry) for path, entry in entries.items()},
            ignition=found["ignition"]["version"],
            files={path: _described(entry) for path, entry in entries.items()},
            units={name: _unit(entry) for name, entry in units.items()},
            users=leftover.by_name(_listed(found, "passwd", "users"), "name"),
            rest=leftover.of_config(found),
        )


def _listed(found: Mapping[str, Any], section: str, name: str) -> list[Any]:
    return (found.get(section) or {}).get(name) or []


def _taken_apart(contents: Mapping[str, bytes], *, units: Mapping[str, Unit], **known: Any) -> Snapshot:
    documents = _mappings({p: c for p, c in contents.items() if p.startswith(MANIFESTS)})
    kubeconfigs = _mappings(
        {p: c for p, c in contents.items() if p.startswith(KUBECONFIGS) and b"current-context" in c}
    )
    inside = {f"{p}#{field}": pem for p, body in (documents | kubeconfigs).items() for field, pem in embedded(body)}
    alone = {p: c for p, c in contents.items() if p not in documents | kubeconfigs}
    pems = {p: c for p, c in (alone | inside).items() if _is_certificate(p, c)}
    keyed = {p: c for p, c in (alone | inside).items() if p not in pems and _is_key(p, c)}
    texts = {p: c.decode(errors="replace") for p, c in alone.items() if p == GIVEN or p not in pems | keyed}
    return Snapshot(
        certificates={place: certificates.describe(pem) for place, pem in pems.items()},
        documents=documents,
        kubeconfigs=kubeconfigs,
        install_config=_kept(documents),
        texts=texts,
        keys={place: keys.kind(pem) for place, pem in keyed.items()},
        flags=kubelet_flags(texts, units),
        faults=tuple(keys.faults(keyed, pems)),
        units=units,
        **known,
    )


def _mappings(contents: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    bodies = {path: mapping(text) for path, text in contents.items()}
    return {path: body for path, body in bodies.items() if body is not None}


def _is_certificate(place: str, pem: bytes) -> bool:
    return certificates.BEGIN.encode() in pem or (place.startswith(TLS) and place.endswith(".crt"))


def _is_key(place: str, pem: bytes) -> bool:
    return keys.is_key(pem) or (place.startswith(TLS) and place.endswith((".key", ".pub")))


def _described(entry: Mapping[str, Any]) -> File:
    return File(
        mode=entry.get("mode", 0),
        owner=(entry.get("user") or {}).get("name", ""),
        append=bool(entry.get("append")),
        overwrite=entry.get("overwrite") or False,
        rest=leftover.of_file(entry),
    )


def _unit(entry: Mapping[str, Any]) -> Unit:
    dropins = leftover.by_name(entry.get("dropins") or (), "name")
    return Unit(
        enabled=entry.get("enabled"),
        mask=bool(entry.get("mask")),
        dropins=tuple(dropins),
        settings=settings([entry.get("contents") or ""]),
        overrides=settings(dropins[name].get("contents") or "" for name in sorted(dropins)),
        rest=leftover.of_unit(entry),
    )


def _kept(documents: Mapping[str, Any]) -> dict[str, Any]:
    """The install-config that the cluster keeps, with its pull secret put back."""
    data = documents.get(CLUSTER_CONFIG, {}).get("data")
    text = data.get("install-config") if isinstance(data, Mapping) else ""
    named = json.loads(json.dumps(mapping(str(text).encode()) or {}, default=str))  # every key a text, as in JSON
    return _with_pull_secret(named, documents.get(PULL_SECRET))


def _with_pull_secret(install_config: Mapping[str, Any], secret: Mapping[str, Any] | None) -> dict[str, Any]:
    """It is blanked where the install-config is kept: the Secret's, or one of the same length if only that is known."""
    data = (secret or {}).get("data")
    encoded = str(data.get(".dockerconfigjson", "")) if isinstance(data, Mapping) else ""
    if shortened := ABBREVIATED.match(encoded):
        text = STAND_IN.ljust(int(shortened.group(1)) // 4 * 3)
    else:
        text = _decoded(encoded) or STAND_IN
    return {**install_config, "pullSecret": text}


def _decoded(encoded: str) -> str:
    """Nothing if it is no base64 of a text: that is a difference for whoever compares, not for whoever builds."""
    try:
        return b64decode(encoded, validate=True).decode()
    except ValueError:
        return ""
