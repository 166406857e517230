"""What the real operators render for our own trees: compiled once, and run as bootkube runs them, without podman.

Each is given a folder like bootkube's /opt/openshift and a templates folder laid out as its image has it. The network
and the host's name are the bootstrap machine's: the etcd operator writes both down.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hardway.labrelease.compile import all
from hardway.labrelease.components import table as components
from hardway.model.cluster import Cluster
from hardway.release import crds
from hardway.release.catalogue import release_for
from hardway.release.gates import read as read_gates
from hardway.workspace.folder import Workspace
from hardway.workspace.release import record_of
from tests.support.clusters import VARIANTS, install_config
from tests.support.netns import network
from tests.support.trees import build_folder, write_folder

COMPONENTS = (
    "api",
    "cluster-config-operator",
    "cluster-version-operator",
    "cluster-etcd-operator",
    "cluster-kube-apiserver-operator",
    "machine-config-operator",
)
PROFILE = "self-managed-high-availability"
REQUEST_COUNTS = "apiserver/v1/zz_generated.crd-manifests/kube-apiserver_apirequestcounts.crd.yaml"
OWN = "0000_00_cluster-version-operator_01_"
RELEASE = "4.18.0"
OWN_CRDS = "config/v1/zz_generated.crd-manifests"
PLACEHOLDER = "placeholder.url.oc.will.replace.this.org/placeholdernamespace"
_SCRATCH = tempfile.TemporaryDirectory(prefix="hardway-rendering-")


@cache
def programs() -> dict[str, Path]:
    return all.compile_all([components.component(name) for name in COMPONENTS])


def rendered(variant: str = "default", *, host: str = "", address: str = "", **settings: str) -> Path:
    """A cluster's folder with everything built and rendered in it; never change it."""
    return _rendered(variant, host, address, **settings)


@cache
def _rendered(variant: str, host: str, address: str, **settings: str) -> Path:
    config = install_config(**VARIANTS[variant])
    name = "-".join([variant, *settings.values(), host]).rstrip("-")
    folder = write_folder(Path(_SCRATCH.name) / name, config, mco=False, operators=None, **settings)
    _read_release(folder / "assets", config.get("featureSet", ""))
    workspace = build_folder(folder)
    _render(workspace, Path(_SCRATCH.name) / f"{name}.opt", host, address)
    return folder


def _read_release(assets: Path, feature_set: str) -> None:
    """As if stage 04 had read a release with these very programs in it: its gates and its CRDs."""
    for folder in ("release", "crds"):
        (assets / folder).mkdir(parents=True)
    (assets / "release/release.json").write_text(_record())
    for name, content in _crds(feature_set).items():
        (assets / "crds" / name).write_bytes(content)


@cache
def _record() -> str:
    data = programs()["api"] / "data/payload-manifests/featuregates"
    known = release_for(RELEASE)
    gates = read_gates({f.name: f.read_bytes() for f in data.glob("*.yaml")}, known.version)
    return json.dumps(record_of(RELEASE, replace(known, gates=gates)))


@cache
def _crds(feature_set: str) -> Mapping[str, bytes]:
    data = programs()["api"] / "data"
    found = [*(data / "payload-manifests/crds").glob("*.yaml"), *(data / OWN_CRDS).glob(f"{OWN}*.yaml")]
    return crds.select({f.name: f.read_bytes() for f in found}, feature_set=feature_set)


def copy_of(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to)
    return to


def _render(workspace: Workspace, opt: Path, host: str, address: str) -> None:
    cluster, target = workspace.loaded.cluster, workspace.store.root / "rendered"
    machine = cluster.bootstrap
    for source in ("tls", "manifests", "openshift"):
        to = opt / ("manifests" if source == "openshift" else source)
        shutil.copytree(workspace.store.root / source, to, dirs_exist_ok=True)
    with network([address] if address else machine.addresses) as inside:

        def run(*words: Any, root: Path | None = None) -> None:
            chroot = ["chroot", str(root)] if root else []
            script = 'hostname "$1"; shift; exec "$@"'
            start = ["ip", "netns", "exec", inside, "unshare", "--uts", "sh", "-c", script, "sh", host or machine.name]
            done = subprocess.run([*start, *chroot, *map(str, words)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr

        _api(run, cluster, opt, target / "api")
        _config(run, cluster, opt, target / "config")
        _version(run, cluster, opt, target / "cvo")
        _etcd(run, cluster, opt, target / "etcd")
        shutil.copytree(target / "etcd/tls", opt / "tls", dirs_exist_ok=True)
        _api_server(run, cluster, opt, target / "kube-apiserver")
        _machine_config(run, cluster, opt, target / "machine-config")


def _api(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    run(
        programs()["api"] / "bin/render",
        f"--asset-output-dir={target}",
        f"--rendered-manifest-dir={opt / 'manifests'}",
        f"--image-manifests={programs()['api'] / 'data/payload-manifests/crds'}",
        f"--cluster-profile={PROFILE}",
        f"--payload-version={cluster.release.version}",
    )
    gates = target / "rewritten/manifests/99_feature-gate.yaml"
    gates.parent.mkdir(parents=True)
    shutil.copy(opt / "manifests/99_feature-gate.yaml", gates)


def _config(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    templates = opt / "templates-config"
    for name in ("config", "manifests", "bootstrap-manifests"):
        (templates / name).mkdir(parents=True)
    run(
        programs()["cluster-config-operator"] / "bin/cluster-config-operator",
        "render",
        "--skip-api-rendering",
        f"--templates-input-dir={templates}",
        f"--cluster-infrastructure-input-file={opt / 'manifests/cluster-infrastructure-02-config.yml'}",
        f"--cloud-provider-config-output-file={target / 'cloud-provider-config-generated.yaml'}",
        f"--config-output-file={target / 'config'}",
        f"--asset-input-dir={opt / 'tls'}",
        f"--asset-output-dir={target}",
        f"--rendered-manifest-files={opt / 'manifests'}",
        f"--payload-version={cluster.release.version}",
    )


def _version(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    """It looks for its templates at the image's root, so that is where it runs."""
    root, source = opt / "cvo", programs()["cluster-version-operator"]
    for name in ("output", "release-manifests"):
        (root / name).mkdir(parents=True)
    shutil.copy(source / "bin/cluster-version-operator", root / "program")
    shutil.copytree(source / "data/bootstrap", root / "bootstrap")
    shutil.copytree(source / "data/install", root / "manifests")
    for file in (programs()["api"] / "data" / OWN_CRDS).glob(f"{OWN}*.yaml"):
        shutil.copy(file, root / "manifests")
    shutil.copy(opt / "manifests/99_feature-gate.yaml", root / "gates.yaml")
    release = f"--release-image={cluster.release.image}"
    run("/program", "render", "--output-dir=/output", release, "--feature-gate-manifest-path=/gates.yaml", root=root)
    shutil.copytree(root / "output", target)
    shutil.rmtree(root)


def _etcd(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    source = programs()["cluster-etcd-operator"]
    run(
        source / "bin/cluster-etcd-operator",
        "render",
        f"--template-dir={source / 'data/bindata/bootkube'}",
        f"--asset-output-dir={target}",
        f"--cluster-configmap-file={opt / 'manifests/cluster-config.yaml'}",
        f"--etcd-image={cluster.release.image_for('etcd')}",
        f"--infra-config-file={opt / 'manifests/cluster-infrastructure-02-config.yml'}",
        f"--network-config-file={opt / 'manifests/cluster-network-02-config.yml'}",
    )


def _api_server(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    """Its image has the SCCs and one CRD among the templates."""
    source, templates = programs()["cluster-kube-apiserver-operator"], opt / "templates-api"
    shutil.copytree(source / "data/bindata/bootkube", templates)
    shutil.copytree(templates / "scc-manifests", templates / "manifests", dirs_exist_ok=True)
    shutil.copy(programs()["api"] / "data" / REQUEST_COUNTS, templates / "manifests")
    run(
        source / "bin/cluster-kube-apiserver-operator",
        "render",
        f"--templates-input-dir={templates}",
        "--manifest-etcd-serving-ca=etcd-ca-bundle.crt",
        "--manifest-etcd-server-urls=https://localhost:2379",
        f"--manifest-image={cluster.release.image_for('hyperkube')}",
        f"--manifest-operator-image={cluster.release.image_for('cluster-kube-apiserver-operator')}",
        f"--asset-input-dir={opt / 'tls'}",
        f"--asset-output-dir={target}",
        f"--config-output-file={target / 'config'}",
        f"--cluster-config-file={opt / 'manifests/cluster-network-02-config.yml'}",
        f"--cluster-auth-file={opt / 'manifests/cluster-authentication-02-config.yaml'}",
        f"--infra-config-file={opt / 'manifests/cluster-infrastructure-02-config.yml'}",
        f"--rendered-manifest-files={opt / 'manifests'}",
        f"--payload-version={cluster.release.version}",
    )


def _machine_config(run: Any, cluster: Cluster, opt: Path, target: Path) -> None:
    source, manifests = programs()["machine-config-operator"], opt / "manifests"
    references = (source / "data/install/image-references").read_text()
    (opt / "image-references").write_text(references.replace(PLACEHOLDER, "quay.io/example/release"))
    run(
        "env",
        f"--chdir={source / 'data'}",
        source / "bin/machine-config-operator",
        "bootstrap",
        f"--root-ca={opt / 'tls/root-ca.crt'}",
        f"--kube-ca={opt / 'tls/kube-apiserver-complete-client-ca-bundle.crt'}",
        f"--config-file={manifests / 'cluster-config.yaml'}",
        f"--dest-dir={target}",
        f"--pull-secret={manifests / 'openshift-config-secret-pull-secret.yaml'}",
        f"--release-image={cluster.release.image}",
        f"--image-references={opt / 'image-references'}",
        f"--payload-version={cluster.release.version}",
        f"--infra-config-file={manifests / 'cluster-infrastructure-02-config.yml'}",
        f"--network-config-file={manifests / 'cluster-network-02-config.yml'}",
        f"--proxy-config-file={manifests / 'cluster-proxy-01-config.yaml'}",
        f"--dns-config-file={manifests / 'cluster-dns-02-config.yml'}",
        f"--additional-trust-bundle-config-file={manifests / 'user-ca-bundle-config.yaml'}",
    )
