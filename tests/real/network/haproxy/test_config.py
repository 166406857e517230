"""What we write for HAProxy, and what our checks take for right, read by HAProxy."""

from __future__ import annotations

import re
import subprocess

import pytest

from hardway.network.haproxy import config as haproxy
from tests.support.clusters import VARIANTS, install_config, load_cluster
from tests.unit.checks.network.haproxy.test_rules import OTHER_STYLE


def cluster_of(variant):
    return load_cluster(install_config(**VARIANTS[variant])).cluster


@pytest.mark.parametrize("variant", ["default", "compact", "single", "five", "dual-stack", "ipv6"])
def test_haproxy_accepts_the_configuration_without_a_warning(variant, tmp_path):
    path = tmp_path / "haproxy.cfg"
    path.write_text(haproxy.config(cluster_of(variant)))
    done = subprocess.run(["haproxy", "-c", "-f", path], capture_output=True, text=True, check=False)
    assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr


def test_haproxy_accepts_the_other_style_that_the_checks_accept(tmp_path):
    by_address = re.sub(r"(bootstrap|master-\d)(\.ocp4\.example\.com)?:6443", "192.168.126.101:6443", OTHER_STYLE)
    (tmp_path / "haproxy.cfg").write_text(by_address)
    done = subprocess.run(["haproxy", "-c", "-f", tmp_path / "haproxy.cfg"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
