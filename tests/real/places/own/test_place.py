"""The folder remembers where its cluster runs, and the admin socket of a real HAProxy."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hardway.places.remembered import Place, read
from tests.support.balancer import running_haproxy
from tests.support.clusters import install_config
from tests.support.netns import inside, network
from tests.support.trees import build_folder, write_folder


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    config = install_config(1, 0)
    del config["sshKey"]
    return build_folder(write_folder(tmp_path_factory.mktemp("place") / "c", config))


@pytest.fixture
def balancer(workspace, tmp_path):
    cluster = workspace.loaded.cluster
    addresses = [*(n.address for n in cluster.nodes), *cluster.api_vips, *cluster.ingress_vips]
    with network(dict.fromkeys(addresses)) as space, inside(space), running_haproxy(space, tmp_path, cluster) as socket:
        yield socket


def command(workspace, *words):
    return [sys.executable, "-m", "hardway", "-C", str(workspace.folder), *words]


def up(workspace, *words):
    """Until it asks a person for something."""
    asking = command(workspace, "up", "-o", "json", *words)
    with subprocess.Popen(asking, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            return next(line for line in process.stdout if json.loads(line)["kind"] == "asked")
        finally:
            process.kill()


def status(workspace, *words):
    return subprocess.run(command(workspace, "status", *words), capture_output=True, text=True, check=True).stdout


def test_a_socket_is_remembered_and_forgotten(workspace, balancer):
    assert json.loads(status(workspace, "-o", "json"))["place"] is None
    wrong = subprocess.run(
        command(workspace, "up", "--socket", "/nowhere"), capture_output=True, text=True, check=False
    )
    assert (wrong.returncode, wrong.stderr.partition("\n")[0]) == (3, "/nowhere: No such file or directory.")
    assert read(workspace.folder) is None
    up(workspace, "--socket", str(balancer))
    assert read(workspace.folder) == Place(kind="own", socket=str(balancer))
    up(workspace)
    assert read(workspace.folder) == Place(kind="own", socket=str(balancer))
    assert f"place     machines of your own; load balancer: HAProxy at {balancer}\n" in status(workspace)
    up(workspace, "--socket", "none")
    assert read(workspace.folder) == Place(kind="own")
    seen = json.loads(status(workspace, "-o", "json"))
    assert seen["place"] == {"kind": "own", "socket": "", "connect": ""}
    assert [row["reasons"] for row in seen["stages"] if row["stage"] == "10"] == [["hardway run 10"]]
