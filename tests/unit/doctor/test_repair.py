"""`--fix` changes modes of files and nothing else, and follows no link."""

from __future__ import annotations

import os
import shutil

import pytest

from hardway.checks.all import tables
from hardway.doctor.repair import SAFE, repair
from hardway.model.check import Finding
from hardway.model.errors import ToolError
from tests.support.forked import hardway
from tests.support.lent import lent
from tests.support.trees import built_now

OPEN = {"tls/root-ca.key": 0o600, "auth/kubeconfig": 0o600, "bootstrap.ign": 0o600, "tls": 0o700}


@pytest.fixture
def folder():
    return lent(built_now().folder)


def modes(assets):
    return {str(p.relative_to(assets)): p.lstat().st_mode & 0o777 for p in assets.rglob("*")}


def contents(assets):
    return {p: p.read_bytes() for p in assets.rglob("*") if p.is_file()}


def finding(subject, **rest):
    return Finding(**{"check": "pki.modes", "subject": subject, "message": "m", "fix": "f"} | rest)


def test_every_check_of_the_table_exists():
    assert {check.name for check in tables()["files"]} >= SAFE


def test_modes_are_corrected_and_nothing_else(folder):
    assets = folder / "assets"
    right, bytes_before = modes(assets), contents(assets)
    for path, mode in OPEN.items():
        os.chmod(assets / path, mode | 0o055)
    first = hardway("-C", folder, "doctor", "--fix")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "fixed: assets/tls/root-ca.key: its mode was 0655, and is 0600 now" in first.stdout + first.stderr
    assert modes(assets) == right
    assert contents(assets) == bytes_before


def test_without_the_option_nothing_is_changed(folder):
    os.chmod(folder / "assets/tls/root-ca.key", 0o644)
    assert hardway("-C", folder, "doctor").returncode == 4
    assert (folder / "assets/tls/root-ca.key").stat().st_mode & 0o777 == 0o644


def test_what_is_ignored_or_needs_a_decision_stays(folder):
    os.chmod(folder / "assets/tls/root-ca.key", 0o644)
    others = [finding("tls/root-ca.key", ignored=True), finding("tls/root-ca.key", check="pki.pair")]
    assert repair(folder / "assets", others) == ()
    assert (folder / "assets/tls/root-ca.key").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("link", ["tls/root-ca.key", "tls"])
def test_a_link_is_not_followed(link, folder, tmp_path):
    outside = tmp_path / "outside"
    shutil.move(folder / "assets" / link, outside)
    (folder / "assets" / link).symlink_to(outside)
    os.chmod(outside, 0o755)
    with pytest.raises(ToolError, match="is a symbolic link"):
        repair(folder / "assets", [finding("tls/root-ca.key")])
    assert outside.stat().st_mode & 0o777 == 0o755
