"""Pushing a release to real registries, and reading it back with the project's own reader."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hardway.lab import registry_storage
from hardway.labrelease.checkouts.table import BY_NAME
from hardway.labrelease.push import Target, push
from hardway.model.errors import ConfigError, ToolError
from hardway.registry.access import Access
from hardway.registry.cache import Cache
from hardway.registry.release import read_release
from tests.support.lab import programs as lab_programs
from tests.support.registry.server import PASSWORD, pull_secret, serving, with_passwords
from tests.support.registry.tls import Authority


def uploads(registry):
    rows = [json.loads(line) for line in registry.log.read_text().splitlines() if line.startswith("{")]
    return [row for row in rows if row.get("http.request.method") == "POST" and "/uploads/" in row["http.request.uri"]]


def test_a_pushed_release_is_read_back_as_any_other(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        assert push(built, Target(insecure=True)) == built.pull_spec
        access = Access(plain_http=frozenset([registry.host]))
        found = read_release(built.pull_spec, access=access, cache=Cache(tmp_path / "blobs"))
    assert found.version == built.version
    assert {name: spec.partition("@")[2] for name, spec in found.images.items()} == dict(built.images)


def test_every_image_that_the_release_names_is_there_and_the_tag_leads_to_it(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        push(built, Target(insecure=True))
        for digest in {*built.images.values(), built.digest}:
            assert inspected(f"{built.repository}@{digest}") == digest
        assert inspected(f"{built.repository}:{built.version}-x86_64") == built.digest


def inspected(reference):
    command = ["skopeo", "inspect", "--tls-verify=false", f"docker://{reference}"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["Digest"]


def test_a_second_push_sends_no_blob(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        push(built, Target(insecure=True))
        before = len(uploads(registry))
        push(built, Target(insecure=True))
        assert before > 0
        assert len(uploads(registry)) == before


def test_a_release_with_one_other_image_sends_that_one_and_leaves_the_version_where_it_is(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        here = f"{registry.host}/hardway"
        first = lab_programs.build(tmp_path, "operators", here)
        made = lab_programs.made(tmp_path, BY_NAME["service-ca-operator"])
        second = lab_programs.build(tmp_path, "operators", here, [made])
        push(first, Target(insecure=True))
        told = []
        besides = frozenset(first.images.values())
        push(second, Target(insecure=True), lambda *words: told.append(words[0]), besides=besides)
        assert told == ["pushing: service-ca-operator", "pushing: the release image", "pushing"]
        assert inspected(f"{here}:{first.version}-x86_64") == first.digest
        for digest in {*second.images.values(), second.digest}:
            assert inspected(f"{here}@{digest}") == digest


def test_a_storage_that_was_seeded_is_sent_no_blob_and_holds_none_twice(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        for _ in range(2):
            registry_storage.seed(tmp_path / "storage", built.folder, "hardway")
        push(built, Target(insecure=True))
        assert uploads(registry) == []
        for digest in {*built.images.values(), built.digest}:
            assert inspected(f"{built.repository}@{digest}") == digest
    packed = {path.stat().st_ino for path in (built.folder / "blobs" / "sha256").iterdir()}
    assert {path.stat().st_ino for path in (tmp_path / "storage").rglob("data")} == packed


def test_a_storage_on_another_file_system_gets_everything_by_the_push(tmp_path):
    with (
        TemporaryDirectory(dir="/dev/shm") as elsewhere,
        serving(tmp_path / "registry", Path(elsewhere)) as registry,
    ):
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        registry_storage.seed(Path(elsewhere), built.folder, "hardway")
        push(built, Target(insecure=True))
        assert uploads(registry)
        assert inspected(built.pull_spec) == built.digest


def test_with_a_login_and_a_private_authority(tmp_path):
    authority, ca, logins = Authority(), tmp_path / "ca.pem", tmp_path / "auth.json"
    ca.write_bytes(authority.pem)
    sections = {**authority.tls(tmp_path / "tls"), **with_passwords(tmp_path / "passwords")}
    with serving(tmp_path / "registry", tmp_path / "storage", **sections) as registry:
        logins.write_text(pull_secret(registry.host))
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        assert push(built, Target(authfile=logins, authority=ca)) == built.pull_spec
        access = Access(pull_secret=logins.read_text(), trust_bundle=ca.read_text())
        found = read_release(built.pull_spec, access=access, cache=Cache(tmp_path / "blobs"))
    assert found.version == built.version


def test_each_thing_that_is_missing_has_its_own_fix(tmp_path):
    authority, ca = Authority(), tmp_path / "ca.pem"
    ca.write_bytes(authority.pem)
    sections = {**authority.tls(tmp_path / "tls"), **with_passwords(tmp_path / "passwords")}
    with serving(tmp_path / "registry", tmp_path / "storage", **sections) as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        wrong = tmp_path / "wrong.json"
        wrong.write_text(pull_secret(registry.host, password=f"{PASSWORD}-no"))
        nobody = tmp_path / "nobody.json"
        nobody.write_text('{"auths": {}}')
        with pytest.raises(ToolError, match="fix: give --trust-bundle"):
            push(built, Target(authfile=wrong))
        for logins in (nobody, wrong):
            with pytest.raises(ToolError, match="fix: give --pull-secret") as caught:
                push(built, Target(authfile=logins, authority=ca))
            assert PASSWORD not in str(caught.value)


def test_a_registry_that_is_not_there_and_one_without_tls(tmp_path):
    with serving(tmp_path / "registry", tmp_path / "storage") as registry:
        built = lab_programs.build(tmp_path, registry=f"{registry.host}/hardway")
        with pytest.raises(ToolError, match="fix: the registry uses plain HTTP"):
            push(built, Target())
    with pytest.raises(ToolError, match="fix: start the registry"):
        push(built, Target(insecure=True))


def test_a_file_that_is_not_there_is_said_before_anything_is_sent(tmp_path):
    built = lab_programs.build(tmp_path)
    with pytest.raises(ConfigError, match=f"--trust-bundle {os.fspath(tmp_path)}/none: there is no such file"):
        push(built, Target(authority=tmp_path / "none"))
