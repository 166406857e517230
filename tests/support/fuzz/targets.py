"""What is fuzzed: a reader, and honest samples of what it reads."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

Reader = Callable[[bytes], object]
DIGEST = f"sha256:{'0' * 64}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    read: Reader
    samples: Sequence[bytes]


def install_config() -> Target:
    from hardway.model.config.load import Inputs, load
    from hardway.release.catalogue import release_for
    from hardway.workspace.folder import example

    text = example("install-config.yaml").encode()
    plain = b"\n".join(line for line in text.splitlines() if not line.startswith(b"#")) + b"\n"
    return Target(read=lambda c: load(Inputs(install_config=_text(c)), release_for), samples=(plain, plain))


def hosts() -> Target:
    from hardway.model.config.load import Inputs, load
    from hardway.release.catalogue import release_for
    from hardway.workspace.folder import example

    config = example("install-config.yaml")
    sample = b"""apiVIPs: [192.168.126.10]
gateways: [192.168.126.1]
dns: [192.168.126.1]
hosts:
  master-0: {hostname: master-0, addresses: [192.168.126.50], mac: '52:54:00:12:34:56', disk: /dev/sda}
  worker-0: {hypervisor: hv2}
hypervisors:
  hv2: {connect: 'qemu+ssh://root@hv2/system?keyfile=/k', bridge: br0, pool: /var/lib/pool}
"""
    settings = (
        b"release: 4.18.0\nkeys: ecdsa-p256\ninfra: {connect: 'qemu:///system', sizes: {master: '4,16GiB,120GiB'}}\n"
    )

    def read(content: bytes) -> object:
        text = _text(content)
        if text.startswith("release"):
            return load(Inputs(install_config=config, settings=text), release_for)
        return load(Inputs(install_config=config, hosts=text), release_for)

    return Target(read=read, samples=(sample, settings))


def own() -> Target:
    from hardway.lines.default import DEFAULT
    from hardway.model.own.load import load_own
    from tests.support.own import config_map, machine_config
    from tests.support.own import text as documents

    def read(content: bytes) -> object:
        found, problems = load_own({"a.yaml": content}, "manifests", DEFAULT)
        return [(own.title, own.identity, own.place("spec")) for own in found], list(map(str, problems))

    whole = documents(config_map(), machine_config(), config_map("b")).encode()
    return Target(read=read, samples=(whole, documents(machine_config()).encode()))


def ignition() -> Target:
    from hardway.checks.files.ignition.file import Ign, misshapen
    from hardway.checks.files.shapes import parse_json
    from hardway.compare.installer.reading import read_reference
    from hardway.ignition.base import read_base
    from hardway.lines.default import DEFAULT

    entry = {"path": "/etc/a", "mode": 420, "contents": {"source": "data:;base64,YTogMQo="}}
    unit = {"name": "a.service", "enabled": True, "contents": "[Unit]\nDescription=a\n"}
    config = {"ignition": {"version": "3.4.0"}, "storage": {"files": [entry]}, "systemd": {"units": [unit]}}
    machine = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {"name": "rendered-master-0"},
        "spec": {"config": config},
    }
    folder = Path(mkdtemp(prefix="hardway-fuzz-"))
    file = folder / "rendered-master-0.yaml"

    def read(content: bytes) -> object:
        document = parse_json(content)
        if document is not None and not misshapen(document):
            ign = Ign("bootstrap.ign", document)
            return [ign.content(row) for row in ign.entries], ign.paths, ign.json("/etc/a"), ign.unit("a.service")
        file.write_bytes(content)
        try:
            return read_base(folder, DEFAULT)
        finally:
            read_reference(file)

    return Target(read=read, samples=(json.dumps(machine).encode(), json.dumps(config, indent=1).encode()))


def layers() -> Target:
    from hardway.registry.layer import read_layer
    from hardway.registry.merge import Merged
    from tests.support.registry import images

    link = images.member("d/link", kind=b"2", link="a")
    plain = images.tar({"d/a": b"1" * 600, "d/sub/x": b"2", "d/.wh.b": b""}, link)
    long = images.tar({"d/" + "n" * 180: b"1", "e/y": b""})

    def read(content: bytes) -> object:
        merged = Merged(where="here")
        merged.add(read_layer(io.BytesIO(content), "d", "here"))
        return merged.result()

    return Target(read=read, samples=(plain, long, gzip.compress(plain, mtime=0)))


def registry() -> Target:
    from hardway.registry import answers, challenge, manifest
    from hardway.registry.credentials import login_for
    from hardway.release.documents import read as documents
    from hardway.release.payload.files import read_metadata, read_references

    descriptor = {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": DIGEST, "size": 1}
    image = {"schemaVersion": 2, "config": descriptor, "layers": [descriptor]}
    tags = [{"name": "etcd", "from": {"kind": "DockerImage", "name": f"quay.io/a/b@{DIGEST}"}}]
    stream = {
        "kind": "ImageStream",
        "apiVersion": "image.openshift.io/v1",
        "metadata": {"name": "4.18.0"},
        "spec": {"tags": tags},
    }
    metadata = {
        "kind": "cincinnati-metadata-v0",
        "version": "4.18.0",
        "previous": ["4.17.0"],
        "metadata": {"url": "https://a"},
    }
    bearer = b'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull"'
    objects = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {b: 'true'}}\n---\nkind: A\n"
    login = json.dumps({"auths": {"quay.io": {"auth": "ZXhhbXBsZTpleGFtcGxl"}}}).encode()
    error = b'{"errors": [{"code": "DENIED", "message": "no"}]}'

    def read(content: bytes) -> object:
        found: list[str] = []
        answers.read(403, {"Retry-After": _text(content[:20])}, content)
        challenge.parse(_text(content))
        for reader in (read_references, read_metadata):
            reader({"image-references": content, "release-metadata": content}, found)
        for attempt in (
            lambda: manifest.parse(content, "here"),
            lambda: documents("a.yaml", content),
            lambda: login_for(_text(content), "quay.io/a"),
        ):
            _refusing(attempt)
        return None

    texts = (json.dumps(body).encode() for body in (image, {"manifests": [descriptor]}, stream, metadata))
    return Target(read=read, samples=(*texts, bearer, objects, login, error))


def pem() -> Target:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    from hardway.checks.files import shapes

    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    names = x509.SubjectAlternativeName([x509.DNSName("api.example.com")])
    start = datetime(2025, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, start.replace(year=2035))
    made = builder.add_extension(names, critical=False).sign(key, None).public_bytes(Encoding.PEM)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def read(content: bytes) -> object:
        for certificate in shapes.certificates(content):
            list(certificate.extensions)
        return shapes.public_half(content), shapes.public_key(content)

    return Target(read=read, samples=(made, private, public, made + made, _der(made)))


def requests() -> Target:
    from hardway.drive.csr.judge import judge_all
    from hardway.drive.csr.parse import parse
    from tests.support.clusters import load_cluster
    from tests.support.requests import client_request, serving_request

    cluster = load_cluster().cluster
    items = (client_request(cluster.masters[0]), serving_request(cluster.masters[0]))
    pems = tuple(base64.b64decode(item["spec"]["request"]) for item in items)

    def read(content: bytes) -> object:
        """As an object of the API if it is one, otherwise as the PEM in it, or the DER in that."""
        armoured = b"-----BEGIN CERTIFICATE REQUEST-----\n" + base64.encodebytes(content)
        armoured += b"-----END CERTIFICATE REQUEST-----\n"
        for pem in (content, armoured):
            item = {**items[1], "spec": {**items[1]["spec"], "request": base64.b64encode(pem).decode()}}
            judge_all([parse(item)], cluster, stage=11, joined=())
        with suppress(ValueError, RecursionError):
            found = json.loads(content)
            return judge_all([parse(found)], cluster, stage=11, joined=()) if isinstance(found, dict) else None
        return None

    whole = tuple(json.dumps(item).encode() for item in items)
    return Target(read=read, samples=(*whole, *pems, *map(_der, pems)))


def kubeconfigs() -> Target:
    from hardway.drive.access import read_kubeconfig

    encoded = base64.b64encode(b"-----BEGIN CERTIFICATE-----\n").decode()
    cluster = {"name": "c", "cluster": {"server": "https://api:6443", "certificate-authority-data": encoded}}
    user = {"name": "u", "user": {"client-certificate-data": encoded, "client-key-data": encoded}}
    context = {"name": "x", "context": {"cluster": "c", "user": "u"}}
    config = {"clusters": [cluster], "users": [user], "contexts": [context], "current-context": "x"}
    plain = f"current-context: x\ncontexts: [{json.dumps(context)}]\nclusters:\n- {json.dumps(cluster)}\n"
    plain += f"users:\n- {json.dumps(user)}\n"
    return Target(read=lambda c: read_kubeconfig(_text(c)), samples=(json.dumps(config).encode(), plain.encode()))


def journals() -> Target:
    from hardway.graph.store import RECORD, Store
    from hardway.rhcos.console.read import Watch

    console = (
        b"[    0.000000] Linux version 5.14.0\r\n\x1b[0;32m  OK  \x1b[0m] Reached target Basic System.\r\n"
        b"[   12.1] ignition[800]: GET https://192.168.126.1:8443/x: attempt #1\r\n"
        b"[   13.1] ignition[800]: failed to fetch config: resource not found\r\nmaster-0 login: "
    )
    record = b'{"address": "cert/a", "path": "tls/a.crt", "content": "0", "stamp": {"a": "b"}}\n' * 3
    folder = Path(mkdtemp(prefix="hardway-fuzz-"))

    def read(content: bytes) -> object:
        if content.startswith(b"{"):
            (folder / RECORD).write_bytes(content)
            return list(Store(folder).entries())
        watch = Watch()
        return [watch.feed(content[at : at + 100]) for at in range(0, len(content), 100)]

    return Target(read=read, samples=(console, record))


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _der(pem: bytes) -> bytes:
    return base64.b64decode(b"".join(pem.splitlines()[1:-1]))


def _refusing(attempt: Callable[[], object]) -> None:
    from hardway.model.errors import HardwayError

    with suppress(HardwayError, ValueError):
        attempt()


TARGETS: dict[str, Callable[[], Target]] = {
    "install-config": install_config,
    "hosts and settings": hosts,
    "own documents": own,
    "Ignition": ignition,
    "layers": layers,
    "registry answers": registry,
    "certificate requests": requests,
    "PEM": pem,
    "kubeconfigs": kubeconfigs,
    "journals": journals,
}
