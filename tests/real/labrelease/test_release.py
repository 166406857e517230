"""The real lab release, from the compiled components: real programs read it and run what is in it."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from hardway.labrelease import release
from hardway.registry.podman import containers_conf

BUILT_IN = (
    "",
    "apps",
    "rbac.authorization.k8s.io",
    "apiextensions.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "scheduling.k8s.io",
)
ALWAYS_THERE = {"default", "kube-system"}


@pytest.fixture(scope="module")
def built():
    return release.build("core", registry="registry.example.com/hardway")


@pytest.fixture(scope="module")
def bodies(built):
    return list(manifests(built))


@pytest.fixture(scope="module")
def layout(built, tmp_path_factory):
    """podman names an image after the path of its layout, and cannot if there is a hidden folder in it."""
    link = tmp_path_factory.mktemp("layout") / "release"
    link.symlink_to(built.folder)
    return link


@pytest.fixture(scope="module")
def podman():
    """Runs podman with a store of the test's own, in a short place: it refuses a runroot of over 50 characters."""
    with TemporaryDirectory(prefix="hardway-") as folder:
        settings = Path(folder, "containers.conf")
        settings.write_text(containers_conf())
        environment = {**os.environ, "CONTAINERS_CONF": str(settings)}
        words = ["podman", "--root", f"{folder}/root", "--runroot", f"{folder}/run"]

        def run(*command):
            done = subprocess.run([*words, *command], capture_output=True, text=True, check=False, env=environment)
            assert done.returncode == 0, done.stderr
            return done.stdout

        yield run
        run("rmi", "--all", "--force")


def manifests(built):
    [layer] = json.loads(blob(built, built.digest).read_bytes())["layers"][-1:]
    with tarfile.open(blob(built, layer["digest"])) as archive:
        for member in archive.getmembers():
            if member.name.endswith(".yaml"):
                for body in yaml.load_all(archive.extractfile(member), yaml.CSafeLoader):
                    if body:
                        yield member.name.removeprefix("release-manifests/"), body


def blob(built, digest):
    return built.folder / "blobs/sha256" / digest.removeprefix("sha256:")


def test_every_type_of_the_payload_is_built_in_or_brought_along(bodies):
    bodies = [body for _, body in bodies]
    types = {
        (b["spec"]["group"], b["spec"]["names"]["kind"]) for b in bodies if b["kind"] == "CustomResourceDefinition"
    }
    types |= {("config.openshift.io", "ClusterOperator")}  # CVO's own image brings it
    used = {(b["apiVersion"].rpartition("/")[0], b["kind"]) for b in bodies}
    assert {(group, kind) for group, kind in used if group not in BUILT_IN} <= types


def test_every_namespace_that_is_used_is_brought_along(bodies):
    bodies = [body for _, body in bodies]
    made = {body["metadata"]["name"] for body in bodies if body["kind"] == "Namespace"}
    used = {body["metadata"].get("namespace") for body in bodies} - {None}
    assert used <= made | ALWAYS_THERE


def test_no_placeholder_is_left(bodies):
    for name, body in bodies:
        text = json.dumps(body)
        assert "placeholder.url" not in text, name
        assert "quay.io/openshift/origin-" not in text, name


def test_programs_of_the_images_run(built, layout, podman):
    def run(image, *command):
        loaded = podman("pull", "--quiet", f"oci:{layout}:{image}").strip()
        return podman("run", "--rm", "--net=none", loaded, *command)

    assert run("hyperkube", "hyperkube", "kube-apiserver", "--version") == "Kubernetes v1.31.3\n"
    assert run("hyperkube", "sh", "-c", "set -o pipefail; echo $BASH_VERSION").startswith("5.")
    assert "was-not-built-properly" not in run("machine-config-operator", "version")
    assert run("release", "image", "hyperkube") == f"registry.example.com/hardway@{built.images['hyperkube']}"
    assert "v1.31.3" in run("cli", "oc", "version", "--client")


def test_the_real_cvo_renders_the_payload(built, layout, podman, tmp_path):
    loaded = podman("pull", "--quiet", f"oci:{layout}:release").strip()
    out = tmp_path / "out"
    out.mkdir()
    podman(
        "run",
        "--rm",
        "--net=none",
        "-v",
        f"{out}:/out",
        loaded,
        "render",
        "--output-dir=/out",
        f"--release-image={built.pull_spec}",
    )
    names = {path.name for path in (out / "manifests").iterdir()}
    assert "0000_00_cluster-version-operator_01_clusterversions-Default.crd.yaml" in names
    [pod] = (out / "bootstrap").iterdir()
    assert built.pull_spec in pod.read_text()


def test_the_pause_image_sleeps_whatever_it_is_told_and_stops_when_asked(layout, podman):
    loaded = podman("pull", "--quiet", f"oci:{layout}:pod").strip()
    name = podman("run", "--detach", "--net=none", loaded, "--secure-listen-address=0.0.0.0:9001").strip()
    assert podman("inspect", "--format", "{{.State.Status}}", name) == "running\n"
    podman("stop", "--time", "60", name)
    assert podman("inspect", "--format", "{{.State.ExitCode}}", name) != "137\n"  # that would be a kill
    podman("rm", name)
