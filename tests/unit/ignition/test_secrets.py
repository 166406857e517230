"""What may never be on a node: a signer's private key on a master or worker, however deep it is wrapped."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
    load_ssh_private_key,
)

from hardway.workspace.folder import Workspace
from tests.support.ignition.files import files
from tests.support.trees import built

WRAPPED = re.compile(rb"[A-Za-z0-9+/]{64,}={0,2}")
PRIVATE = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----.+?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL)


def layers(content: bytes, depth: int = 6) -> Iterator[bytes]:
    """The content, and whatever is wrapped in it: base64 in YAML in base64 in JSON, or percent signs."""
    yield content
    if depth == 0:
        return
    if content.count(b"%") > 20:
        yield from layers(unquote_to_bytes(content), 0)
    for match in WRAPPED.finditer(content):
        try:
            inner = b64decode(match.group(), validate=True)
        except (binascii.Error, ValueError):
            continue
        yield from layers(inner, depth - 1)


def private_keys(config: bytes) -> dict[str, set[bytes]]:
    """The public halves of all private keys in a config, by the file they are in."""
    found: dict[str, set[bytes]] = {}
    for path, file in files(config).items():
        for layer in layers(file.content):
            for pem in PRIVATE.findall(layer.replace(b"\\n", b"\n")):
                clean = b"\n".join(line.strip() for line in pem.splitlines())
                pem_key = partial(load_pem_private_key, unsafe_skip_rsa_key_validation=True)
                load = load_ssh_private_key if b"OPENSSH" in clean else pem_key
                key = load(clean, None)
                found.setdefault(path, set()).add(spki(key.public_key()))
    return found


def spki(key: object) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)  # type: ignore[attr-defined, no-any-return]


def signers(workspace: Workspace) -> dict[bytes, str]:
    found = {}
    for file in (workspace.store.root / "tls").glob("*.crt"):
        if not file.with_suffix(".key").exists():
            continue  # a bundle
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        if certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            found[spki(certificate.public_key())] = file.stem
    return found


def config(name: str, variant: str = "default") -> bytes:
    return (built(variant).store.root / name).read_bytes()


@pytest.mark.parametrize("variant", ["default", "single", "proxy"])
def test_no_signers_key_is_on_a_master_or_worker(variant: str) -> None:
    authorities = signers(built(variant))
    assert len(authorities) >= 11
    cluster = built(variant).loaded.cluster
    for node in (*cluster.masters, *cluster.workers):
        keys = private_keys(config(f"{node.name}.ign", variant))
        assert not [(p, authorities[k]) for p, found in keys.items() for k in found if k in authorities]


def test_the_only_keys_on_a_node_are_those_of_its_kubeconfig_and_its_sshd() -> None:
    own = {"/etc/ssh/ssh_host_ed25519_key", "/etc/ssh/ssh_host_ecdsa_key"}
    assert set(private_keys(config("worker-0.ign"))) == {"/etc/kubernetes/kubeconfig", *own}
    assert set(private_keys(config("master-0.ign"))) == {"/etc/kubernetes/kubeconfig", *own}


def test_host_keys_are_in_no_other_nodes_file_and_in_no_machine_config() -> None:
    cluster = built().loaded.cluster
    found = {node.name: private_keys(config(f"{node.name}.ign")) for node in cluster.nodes}
    paths = [f"/etc/ssh/ssh_host_{kind}_key" for kind in ("ed25519", "ecdsa")]
    own = {name: set().union(*(keys[path] for path in paths)) for name, keys in found.items()}
    assert {len(keys) for keys in own.values()} == {2}
    for name, keys in found.items():
        others = set().union(*(keys for other, keys in own.items() if other != name))
        assert not [path for path, inside in keys.items() if inside & others]
    rendered = files(config("master-0.ign"))["/etc/mcs-machine-config-content.json"].content
    assert b"ssh_host" not in rendered


def test_the_scan_finds_a_key_that_is_wrapped_three_times() -> None:
    from hardway.emit import ignition

    key = (built().store.root / "tls/root-ca.key").read_bytes()
    wrapped = b"data:\n  inner: " + b64encode(b'{"key": "' + b64encode(b64encode(key)) + b'"}') + b"\n"
    planted = ignition.encode(ignition.Config(version="3.2.0", files=(ignition.file("/x", wrapped, 0o600),)))
    ((path, found),) = private_keys(planted).items()
    assert path == "/x"
    assert {signers(built())[k] for k in found} == {"root-ca"}


def test_keys_that_stay_at_home_are_not_on_the_bootstrap_node_either() -> None:
    """These sign once and are never needed again: the administrator's, the first kubelets', and the root."""
    authorities = signers(built())
    keys = {k for found in private_keys(config("bootstrap.ign")).values() for k in found}
    on_node = {authorities[k] for k in keys if k in authorities}
    at_home = {"root-ca", "admin-kubeconfig-signer", "kubelet-bootstrap-kubeconfig-signer", "aggregator-ca"}
    assert at_home < set(authorities.values())
    assert not on_node & at_home
    assert "kubelet-signer" in on_node


@pytest.mark.parametrize("name", ["bootstrap.ign", "master-0.ign", "worker-0.ign"])
def test_the_files_themselves_are_roots_alone(name: str) -> None:
    assert Path(built().store.root, name).stat().st_mode & 0o777 == 0o600
