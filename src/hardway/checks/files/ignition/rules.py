"""Stage 08: what each Ignition file puts where: files, modes, names, network and units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as KeyfileError
from typing import Any

from hardway.checks.files.artifacts import Artifacts
from hardway.checks.files.ignition.file import REBUILD, Ign, bootstrap, files, members, misshapen
from hardway.checks.files.shapes import at, mapping, mappings, parse_json, text
from hardway.ignition.node.table import ANNOTATION, CONTENT, ENCAPSULATED, INITIAL_ANNOTATIONS, KUBECONFIG, KUBELET_CA
from hardway.model.check import Flaw
from hardway.model.cluster import Node

FROM_MCS = (KUBELET_CA, KUBECONFIG, INITIAL_ANNOTATIONS, CONTENT, ENCAPSULATED)
OVS_PRIORITY = 100  # of ovs-if-phys0, the profile with which OVN's setup script puts the card under br-ex
SANE_MODES = {0o400, 0o440, 0o444, 0o555, 0o600, 0o640, 0o644, 0o700, 0o744, 0o750, 0o755}


def present(artifacts: Artifacts) -> Iterator[Flaw]:
    nodes = artifacts.cluster.nodes
    some = any(artifacts.exists(f"{n.name}.ign") for n in nodes if n.role != "bootstrap")
    for node in nodes:
        if not artifacts.exists(f"{node.name}.ign") and (node.role == "bootstrap" or some):
            yield Flaw(subject=f"{node.name}.ign", message="the file is missing", fix="run `hardway build 08`")


def readable(artifacts: Artifacts) -> Iterator[Flaw]:
    known = artifacts.cluster.line.ignition.read
    for path in (f"{node.name}.ign" for node in artifacts.cluster.nodes):
        if not artifacts.exists(path):
            continue
        document = parse_json(artifacts.read(path) or b"")
        version = at(document, "ignition", "version")
        if where := misshapen(document):
            yield Flaw(subject=path, message=f"{where} does not have the shape of an Ignition config", fix=REBUILD)
        elif version not in known:
            message = f"its Ignition version is {version}; RHCOS of this release reads {', '.join(known)}"
            yield Flaw(subject=path, message=message, fix=REBUILD)


def unique(artifacts: Artifacts) -> Iterator[Flaw]:
    for _, ign in files(artifacts):
        names = [("path", str(e.get("path"))) for e in ign.entries] + [("unit", str(u.get("name"))) for u in ign.units]
        for (kind, name), count in Counter(names).items():
            if count > 1:
                yield Flaw(
                    subject=ign.path, message=f"{kind} {name} is there {count} times: duplicate entry", fix=REBUILD
                )


def modes(artifacts: Artifacts) -> Iterator[Flaw]:
    for _, ign in files(artifacts):
        for entry in ign.entries:
            wrong = _wrong_mode(str(entry.get("path")), entry.get("mode"), ign.content(entry))
            if wrong:
                yield Flaw(subject=ign.path, message=f"{entry.get('path')}: {wrong}", fix=REBUILD)


def _wrong_mode(path: str, mode: Any, content: bytes) -> str:
    if type(mode) is not int or mode not in SANE_MODES:
        return f"mode {mode!r} is no sensible decimal mode (0600 is 384, 0644 is 420, 0755 is 493)"
    secret = b" PRIVATE KEY-----" in content or path.endswith((".nmconnection", "/.docker/config.json"))
    if secret and mode & 0o077:
        return f"a secret with mode {mode} ({mode:04o}); it must be 384 (0600)"
    if content.startswith(b"#!") and not mode & 0o100:
        return f"a script that cannot be run (mode {mode})"
    return ""


def hostnames(artifacts: Artifacts) -> Iterator[Flaw]:
    for node, ign in files(artifacts):
        name = (ign.file("/etc/hostname") or b"").decode(errors="replace").strip()
        if name != node.name:
            message = f"/etc/hostname says {name or 'nothing'}, and must say {node.name}"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def networks(artifacts: Artifacts) -> Iterator[Flaw]:
    for node, ign in files(artifacts):
        profiles = [e for e in ign.entries if str(e.get("path")).endswith(".nmconnection")]
        routed = [e for e in profiles if re.search(rb"^(gateway|address\d+)=", ign.content(e), re.M)]
        if len(routed) != 1:
            message = f"{len(routed)} network profiles with addresses; there must be exactly one"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD, failure="F19" if routed else "F16")
            continue
        yield from _profile(node, ign, routed[0])


def _profile(node: Node, ign: Ign, entry: dict[str, Any]) -> Iterator[Flaw]:
    profile = ConfigParser(interpolation=None, delimiters=("=",))
    try:
        profile.read_string(ign.content(entry).decode(errors="replace"))
    except (KeyfileError, ValueError):
        yield Flaw(subject=ign.path, message=f"{entry['path']} is no NetworkManager keyfile", fix=REBUILD)
        return
    mac = profile.get("ethernet", "mac-address", fallback="")
    if mac.lower() != node.mac.lower():
        message = f"the network profile is bound to {mac or 'no card'}, and must be bound to {node.mac}"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)
    found = {
        value.split(",")[0].split("/")[0]
        for section in ("ipv4", "ipv6")
        if profile.has_section(section)
        for key, value in profile.items(section)
        if re.fullmatch(r"address\d+", key)
    }
    missing = [a for a in node.addresses if a not in found]
    if missing:
        yield Flaw(subject=ign.path, message=f"the network profile lacks {', '.join(missing)}", fix=REBUILD)
    if re.fullmatch(r"br-ex|ovs-(if|port)-.*", profile.get("connection", "id", fallback="")):
        message = "the network profile has a name that OVN reserves for its own"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD, failure="F19")
    priority = profile.get("connection", "autoconnect-priority", fallback="0")
    if priority.isdecimal() and int(priority) >= OVS_PRIORITY:
        message = (
            f"the network profile has autoconnect-priority={priority}: after a restart it may take the card from OVN's "
            f"bridge br-ex, whose profile has {OVS_PRIORITY}"
        )
        yield Flaw(subject=ign.path, message=message, fix=REBUILD, failure="F19")


def units(artifacts: Artifacts) -> Iterator[Flaw]:
    """What a unit starts from our folders must be in the same file and runnable."""
    for _, ign in files(artifacts):
        for unit in ign.units:
            for program in re.findall(r"^Exec\w+=-?(/usr/local/bin/\S+)", text(unit, "contents"), re.M):
                content = ign.file(program)
                if content is None and ign.path == "bootstrap.ign":
                    message = f"{unit.get('name')} starts {program}, which is not in the file"
                    yield Flaw(subject=ign.path, message=message, fix=REBUILD)
                elif content is not None and (not content.startswith(b"#!") or b"\r\n" in content):
                    message = f"{program} has no interpreter line or has Windows line ends: 203/EXEC"
                    yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def standalone_kubelet(artifacts: Artifacts) -> Iterator[Flaw]:
    ign = bootstrap(artifacts)
    if ign is None:
        return
    texts = [text(u, "contents") for u in ign.units if u.get("name") == "kubelet.service"]
    texts += [(ign.file("/usr/local/bin/kubelet.sh") or b"").decode(errors="replace")]
    if any(re.search(r"--(bootstrap-)?kubeconfig\b", text) for text in texts):
        message = "the bootstrap kubelet is given a kubeconfig: it would wait for the API that it has to start"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)


def no_members(artifacts: Artifacts) -> str:
    if any(artifacts.exists(f"{node.name}.ign") for node in artifacts.cluster.nodes if node.role != "bootstrap"):
        return ""
    return "masters and workers have no Ignition yet; it needs MCO's render: `hardway build 04`"


def from_mcs(artifacts: Artifacts) -> Iterator[Flaw]:
    for _, ign in members(artifacts):
        missing = [path for path in FROM_MCS if path not in ign.paths]
        for path in missing:
            message = f"{path} is missing, which the machine-config server would have added"
            yield Flaw(subject=ign.path, message=message, fix=REBUILD)
        if not missing:
            yield from _one_render(ign)


def _one_render(ign: Ign) -> Iterator[Flaw]:
    """All three must speak of the same rendered config, or the first boot is taken for a difference."""
    *_, annotations, content, encapsulated = (ign.json(path) for path in FROM_MCS)
    name = text(content, "metadata", "name")
    said = {"currentConfig": name, "desiredConfig": name, "state": "Done"}
    wrong = [key for key, value in said.items() if text(annotations, f"{ANNOTATION}{key}") != value or not value]
    if wrong:
        message = f"{FROM_MCS[2]} does not say {', '.join(wrong)} as the machine-config server would"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)
    if not name or text(encapsulated, "metadata", "name") != name:
        yield Flaw(subject=ign.path, message=f"{FROM_MCS[3]} and {FROM_MCS[4]} name no one render", fix=REBUILD)


def delivered(artifacts: Artifacts) -> Iterator[Flaw]:
    """A file that fetches the rest is a pointer; ours are complete, and nothing may come over open HTTP."""
    for _, ign in files(artifacts):
        config = mapping(ign.document, "ignition", "config")
        others = [*mappings(config, "merge"), mapping(config, "replace")]
        parts = [part for e in ign.entries for part in (mapping(e, "contents"), *mappings(e, "append"))]
        for source in (text(part, "source") for part in (*others, *parts)):
            if not source or source.startswith("data:"):
                continue
            yield Flaw(subject=ign.path, message=f"it fetches {source} at boot instead of containing it", fix=REBUILD)


def mirrors(artifacts: Artifacts) -> Iterator[Flaw]:
    ign = bootstrap(artifacts)
    text = (ign.file("/etc/containers/registries.conf") or b"").decode(errors="replace") if ign else ""
    for source in (*artifacts.cluster.digest_sources, *artifacts.cluster.content_sources):
        for name in (source.source, *source.mirrors) if ign and source.mirrors else ():
            if f'"{name}"' not in text:
                message = f"/etc/containers/registries.conf does not name {name}"
                yield Flaw(subject="bootstrap.ign", message=message, fix=REBUILD)
    anchor = (ign.file("/etc/pki/ca-trust/source/anchors/ca.crt") or b"").decode(errors="replace") if ign else ""
    if ign and artifacts.cluster.trust_bundle.strip() and artifacts.cluster.trust_bundle.strip() not in anchor:
        yield Flaw(subject="bootstrap.ign", message="additionalTrustBundle is not among the anchors", fix=REBUILD)


def pull_secret(artifacts: Artifacts) -> Iterator[Flaw]:
    ign = bootstrap(artifacts)
    found = ign.file("/root/.docker/config.json") if ign else None
    if ign and (found is None or found.decode(errors="replace").strip() != artifacts.cluster.pull_secret.strip()):
        message = "/root/.docker/config.json is not the pull secret of install-config.yaml"
        yield Flaw(subject=ign.path, message=message, fix=REBUILD)
