"""Nodes over ssh: a real sshd at each planned address, with the keys of the node's own Ignition file."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardway.drive.ssh import Ssh, open_ssh
from hardway.model.errors import ConfigError, ToolError
from tests.support.clusters import install_config
from tests.support.netns import inside
from tests.support.sshd import reachable, sshd
from tests.support.trees import build_folder, write_folder
from tests.support.waiting import until


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A cluster whose install-config has no sshKey: the login key is the build's. Its path has a blank, a % and
    what would end a name in ssh's configuration and begin a second one."""
    config = install_config(1, 1)
    del config["sshKey"]
    return build_folder(write_folder(tmp_path_factory.mktemp('a %d b" "c\\d') / "c", config))


@pytest.fixture
def space(workspace):
    with reachable(workspace) as name:
        yield name


@pytest.fixture
def cluster(workspace):
    return workspace.loaded.cluster


def test_programs_run_as_root_over_one_connection(workspace, cluster, space, tmp_path):
    master = cluster.masters[0]
    with sshd(space, workspace, master, tmp_path) as node, open_ssh(cluster, workspace.store.root) as ssh:
        done = ssh.run(master.name, ["sh", "-c", 'echo "$1"; exit 7', "sh", "a  b; $HOME 'c'"])
        assert (done.code, done.output) == (7, "a  b; $HOME 'c'\n")
        assert ssh.run(master.name, ["sh", "-c", "exit 255"]).code == 254, "255 is ssh's own"
        assert ssh.run(master.name, ["id", "-u"]).output == "0\n"
        assert ssh.run(master.name, ["cat"], stdin="said").output == "said"
        assert ssh.sockets.stat().st_mode & 0o777 == 0o700
        log = (node.folder / "log").read_text()
        assert log.count("Accepted publickey for core") == 1
    assert not ssh.sockets.exists()


def test_files_are_roots_own_and_whole(workspace, cluster, space, tmp_path):
    master, home = cluster.masters[0], tmp_path / "etc"
    with sshd(space, workspace, master, tmp_path / "n"), open_ssh(cluster, workspace.store.root) as ssh:
        secret = b"\0a secret\xff\n" * 9000
        ssh.put_files(master.name, {f"{home}/a b/key": (0o600, secret), f"{home}/c": (0o644, b"")})
        assert (home / "a b/key").read_bytes() == secret
        assert [oct(path.stat().st_mode & 0o777) for path in (home / "a b", home / "a b/key", home / "c")] == [
            "0o700",
            "0o600",
            "0o644",
        ]
        (home / "d").mkdir()
        with pytest.raises(ToolError, match=f"^master-0: {home}/d: "):
            ssh.put_files(master.name, {f"{home}/d": (0o600, b"new")})
        assert sorted(path.name for path in home.iterdir()) == ["a b", "c", "d"], "no part is left"


def test_a_node_that_shows_a_foreign_host_key_is_refused_and_named(workspace, cluster, space, tmp_path):
    """The worker's sshd has the keys of the master: a machine that poses as another."""
    worker, master = cluster.workers[0], cluster.masters[0]
    known = (workspace.store.root / "ssh/known_hosts").read_bytes()
    with (
        sshd(space, workspace, worker, tmp_path, keys_of=master.name) as node,
        open_ssh(cluster, workspace.store.root) as ssh,
    ):
        with pytest.raises(
            ToolError, match=f"^worker-0: {worker.address} shows another SSH host key than .*\n    fix: "
        ):
            ssh.run(worker.name, ["id"])
        assert "Accepted" not in (node.folder / "log").read_text()
    assert (workspace.store.root / "ssh/known_hosts").read_bytes() == known


def test_a_host_key_of_a_type_that_is_not_listed_is_refused(workspace, cluster, space, tmp_path):
    """As of a node that was installed from files without host keys: it has made an RSA key of its own."""
    worker = cluster.workers[0]
    key = tmp_path / "rsa"
    subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", key], check=True)
    with (
        sshd(space, workspace, worker, tmp_path, own_keys=[key]),
        open_ssh(cluster, workspace.store.root) as ssh,
        pytest.raises(ToolError, match=r"^worker-0: .* shows another SSH host key"),
    ):
        ssh.run(worker.name, ["id"])


def test_sudo_that_asks_for_a_password_is_named(workspace, cluster, space, tmp_path):
    master = cluster.masters[0]
    with sshd(space, workspace, master, tmp_path) as node, open_ssh(cluster, workspace.store.root) as ssh:
        node.lock()
        with pytest.raises(ToolError, match=r"^master-0: sudo asks user core for a password"):
            ssh.run(master.name, ["id"])


def test_a_closed_port_and_a_key_that_is_not_known_are_named(workspace, cluster, space, tmp_path):
    master = cluster.masters[0]
    with open_ssh(cluster, workspace.store.root) as ssh:
        with pytest.raises(ToolError, match=f"^bootstrap: nothing listens on port 22 of {cluster.bootstrap.address}"):
            ssh.run("bootstrap", ["id"])
        with sshd(space, workspace, master, tmp_path) as node:
            node.authorize("")
            with pytest.raises(ToolError, match=r"^master-0: user core may not log in") as error:
                ssh.run(master.name, ["id"])
            assert "assets/ssh/login" in str(error.value)


def test_a_node_that_reboots_in_the_middle_is_named_and_reached_again(workspace, cluster, space, tmp_path):
    master = cluster.masters[0]
    with open_ssh(cluster, workspace.store.root) as ssh, ThreadPoolExecutor(1) as pool:
        with sshd(space, workspace, master, tmp_path / "one") as node:
            begun = tmp_path / "begun"

            def long() -> None:
                with inside(space):
                    ssh.run(master.name, ["sh", "-c", f"touch {begun}; sleep 600"])

            running = pool.submit(long)
            until(begun.exists)
            node.cut()
            with pytest.raises(ToolError, match=f"^master-0: the connection to {master.address} broke"):
                running.result(60)
        with sshd(space, workspace, master, tmp_path / "two"):
            assert ssh.run(master.name, ["true"]).ok, "the old connection is not in the way"


def test_without_the_list_of_host_keys_nothing_is_tried(cluster, tmp_path):
    with pytest.raises(ConfigError, match="known_hosts: there is no such file"):
        Ssh(cluster=cluster, assets=tmp_path).run("master-0", ["id"])


def test_the_command_logs_in_or_says_why_not(workspace, cluster, space, tmp_path):
    master = cluster.masters[0]

    def hardway(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hardway", "-C", str(workspace.folder), "ssh", *words]
        return subprocess.run(command, input="typed", capture_output=True, text=True, check=False)

    with sshd(space, workspace, master, tmp_path):
        done = hardway("master-0", "--", "sh", "-c", "cat; exit 5")
        assert (done.returncode, done.stdout) == (5, "typed")
    refused = hardway("master-0", "--", "true")
    assert (refused.returncode, refused.stderr.partition("\n")[0]) == (
        3,
        f"master-0: nothing listens on port 22 of {master.address}.",
    )
    assert hardway("master-7").returncode == 2
