"""The encoder: what it writes, and what it refuses to write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardway.emit import ignition
from hardway.emit.ignition import Config, Prepared
from tests.support.ignition.files import files

A = ignition.file("/etc/a", b"a", 0o644)
B = ignition.file("/etc/b", b"b", 0o600)


def test_a_file_is_roots_and_replaces_what_is_there() -> None:
    assert ignition.file("/etc/motd", b"hello\n", 0o644) == {
        "path": "/etc/motd",
        "overwrite": True,
        "user": {"name": "root"},
        "mode": 420,
        "contents": {"source": "data:text/plain;charset=utf-8;base64,aGVsbG8K"},
    }


def test_an_addition_keeps_what_is_there() -> None:
    entry = ignition.file("/etc/motd", b"hello\n", 0o644, append=True)
    assert entry["overwrite"] is False
    assert "contents" not in entry
    assert entry["append"] == [{"source": "data:text/plain;charset=utf-8;base64,aGVsbG8K"}]


@pytest.mark.parametrize("mode", [644, 600, 755, 0, -1, 0o1000])
def test_a_mode_in_the_wrong_base_is_refused(mode: int) -> None:
    with pytest.raises(ValueError, match="decimal"):
        ignition.file("/etc/a", b"", mode)


@pytest.mark.parametrize("path", ["etc/a", "/etc/a/", "/etc//a", "/etc/../a", "/etc/./a", "/", ""])
def test_a_path_that_is_not_in_its_shortest_form_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="absolute path"):
        ignition.file(path, b"", 0o600)


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"files": (A, B, A)}, "/etc/a is there 2 times"),
        ({"files": (A,), "storage": {"links": [{"path": "/etc/a", "target": "b"}]}}, "/etc/a is there 2 times"),
        ({"files": (A,), "storage": {"directories": [{"path": "/etc/a"}]}}, "/etc/a is there 2 times"),
        ({"files": (A,), "storage": {"links": [{"path": "/etc", "target": "/usr"}]}}, "below the symbolic link /etc"),
        ({"units": (ignition.unit("a.service"), ignition.unit("a.service"))}, "unit a.service is there 2 times"),
        ({"users": (ignition.user("core", []), ignition.user("core", []))}, "user core is there 2 times"),
    ],
)
def test_what_ignition_would_refuse_on_the_machine_is_refused_here(parts: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Config(version="3.2.0", **parts)


def test_files_can_be_added_to_what_was_encoded_once() -> None:
    users = (ignition.user("core", ["ssh-ed25519 AAAA"]),)
    prepared = Prepared(Config(version="3.4.0", files=(A,), users=users))
    together = ignition.encode(Config(version="3.4.0", files=(A, B), users=users))
    assert prepared.encode([B]) == together
    assert prepared.encode([B]) == together
    assert prepared.encode() == ignition.encode(Config(version="3.4.0", files=(A,), users=users))


def test_an_added_file_cannot_be_one_that_is_there_already() -> None:
    prepared = Prepared(Config(version="3.4.0", files=(A,), storage={"links": [{"path": "/var/x", "target": "y"}]}))
    with pytest.raises(ValueError, match="/etc/a is there already"):
        prepared.encode([A])
    with pytest.raises(ValueError, match="/etc/b is there 2 times"):
        prepared.encode([B, B])
    with pytest.raises(ValueError, match="below the symbolic link /var/x"):
        prepared.encode([ignition.file("/var/x/y", b"", 0o600)])


def test_nothing_of_a_config_gets_lost() -> None:
    config = Config(
        version="3.4.0",
        files=(A,),
        units=(ignition.unit("a.service", contents="[Unit]\n", enabled=True, dropins={"b.conf": "[Unit]\n"}),),
        users=(ignition.user("core", []),),
        storage={"links": [{"path": "/etc/c", "target": "a"}]},
        passwd={"groups": [{"name": "g"}]},
        rest={"kernelArguments": {"shouldExist": ["quiet"]}},
    )
    assert json.loads(ignition.encode(config)) == {
        "ignition": {"version": "3.4.0"},
        "kernelArguments": {"shouldExist": ["quiet"]},
        "passwd": {"groups": [{"name": "g"}], "users": [{"name": "core", "sshAuthorizedKeys": []}]},
        "systemd": {
            "units": [
                {
                    "name": "a.service",
                    "enabled": True,
                    "contents": "[Unit]\n",
                    "dropins": [{"name": "b.conf", "contents": "[Unit]\n"}],
                }
            ]
        },
        "storage": {"links": [{"path": "/etc/c", "target": "a"}], "files": [A]},
    }


@given(
    st.dictionaries(
        st.from_regex(r"/[a-z]{1,6}(/[a-z]{1,6}){0,2}", fullmatch=True), st.binary(max_size=200), max_size=8
    ),
    st.integers(0, 8),
)
def test_every_content_comes_back(contents: dict[str, bytes], split: int) -> None:
    entries = [ignition.file(path, content, 0o600) for path, content in contents.items()]
    encoded = Prepared(Config(version="3.2.0", files=tuple(entries[:split]))).encode(entries[split:])
    assert {path: laid.content for path, laid in files(encoded).items()} == contents
