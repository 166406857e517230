"""The lab's registry, seen from where nodes and pods are: everything can be pulled, nothing pushed or deleted."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from hardway.lab import network, services
from tests.lab.machines import cluster_of, lab_place, push

TAGS = "/v2/lab/tools/tags/list"


class Seen:
    """The registry, from the network of a node that has set its address as its Ignition file tells it to."""

    def __init__(self, paths, cluster, digest):
        self.digest = digest
        self._paths, self._node, self._host = paths, cluster.masters[0], services.registry(cluster)
        self._prefix = cluster.machine_networks[0].prefixlen

    def attach(self, cluster):
        network.attach(self._paths, cluster, self._node, running=False)
        space = ["ip", "-netns", self._paths.namespace(self._node.name)]
        address = f"{self._node.address}/{self._prefix}"
        subprocess.run([*space, "address", "add", address, "dev", network.CARD], check=True)
        subprocess.run([*space, "link", "set", "dev", network.CARD, "up"], check=True)

    def ask(self, method, path, *words, host=""):
        """The status of the answer, and the answer."""
        url = f"http://{host or self._host}{path}"
        command = ["curl", "--silent", "--max-time", "10", "--write-out", "\n%{http_code}", "--request", method, url]
        inside = network.command(self._paths, self._node.name, [*command, *words])
        said = subprocess.run(inside, capture_output=True, text=True, check=False).stdout
        body, _, status = said.rpartition("\n")
        return int(status), body


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    cluster = cluster_of(folder)
    with lab_place(f"q{os.getpid()}") as paths:
        network.up(paths, cluster)
        services.up(paths, cluster)
        found = Seen(paths, cluster, push(paths, services.registry(cluster), folder).partition("@")[2])
        found.attach(cluster)
        yield found


def manifest(seen):
    status, body = seen.ask(
        "GET",
        f"/v2/lab/tools/manifests/{seen.digest}",
        "--header",
        "Accept: application/vnd.oci.image.manifest.v1+json",
    )
    assert status == 200, body
    return json.loads(body)


def test_an_image_can_be_pulled(seen):
    assert json.loads(seen.ask("GET", TAGS)[1])["tags"] == ["1"]
    for row in (manifest(seen)["config"], *manifest(seen)["layers"]):
        assert seen.ask("HEAD", f"/v2/lab/tools/blobs/{row['digest']}", "--head")[0] == 200


def test_no_blob_can_be_pushed(seen):
    assert seen.ask("POST", "/v2/lab/tools/blobs/uploads/", "--data", "")[0] == 405
    assert seen.ask("POST", "/v2/other/blobs/uploads/", "--data", "")[0] == 405


def test_no_name_can_be_given_to_another_image(seen):
    kind = f"Content-Type: {manifest(seen)['mediaType']}"
    body = json.dumps(manifest(seen))
    for name in ("1", "latest", seen.digest):
        assert seen.ask("PUT", f"/v2/lab/tools/manifests/{name}", "--header", kind, "--data-binary", body)[0] == 405
    assert json.loads(seen.ask("GET", TAGS)[1])["tags"] == ["1"]


def test_nothing_can_be_deleted(seen):
    layer = manifest(seen)["layers"][0]["digest"]
    for path in (f"/v2/lab/tools/manifests/{seen.digest}", f"/v2/lab/tools/blobs/{layer}"):
        assert seen.ask("DELETE", path)[0] == 405
    assert manifest(seen)["layers"][0]["digest"] == layer


def test_the_way_in_for_pushes_is_no_way_for_a_node(seen, tmp_path_factory):
    """Not even while it is open: it is on the loopback of another namespace."""
    with services.writable(seen._paths) as writer:
        assert seen.ask("GET", "/v2/", host=writer)[0] == 0
        gateway = seen._host.partition(":")[0]
        assert seen.ask("GET", "/v2/", host=f"{gateway}:{services.WRITER_PORT}")[0] == 0
