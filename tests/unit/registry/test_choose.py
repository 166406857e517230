"""Access to images out of a cluster's configuration and a command's options."""

from __future__ import annotations

import tomllib

import pytest

from hardway.model.cluster import ImageSource, Proxy
from hardway.model.errors import ConfigError
from hardway.registry.access import Access
from hardway.registry.choose import Overrides, access_of
from hardway.registry.podman import registries_conf
from tests.support.clusters import PULL_SECRET, authority, install_config, load_cluster

MIRROR = ImageSource(source="quay.io/openshift-release-dev/ocp-release", mirrors=("mirror.example.com:5000/ocp",))
CONFIG = install_config(
    imageDigestSources=[{"source": MIRROR.source, "mirrors": list(MIRROR.mirrors)}],
    additionalTrustBundle=authority(),
    additionalTrustBundlePolicy="Always",
    proxy={"httpsProxy": "http://proxy.example.com:3128", "noProxy": "10.0.0.0/8"},
)


def test_without_a_cluster_everything_is_public():
    assert access_of(None) == Access()


def test_a_cluster_says_it_all():
    loaded = load_cluster(CONFIG)
    access = access_of(loaded)
    assert access.pull_secret == loaded.cluster.pull_secret
    assert access.mirrors == (MIRROR,)
    assert access.trust_bundle.strip() == authority().strip()
    assert isinstance(access.proxy, Proxy)
    assert access.proxy.https == "http://proxy.example.com:3128"
    assert (access.plain_http, access.architecture) == (frozenset(), "amd64")


@pytest.mark.parametrize("host", ['x"]\nlocation = "evil.example.com', "http://x", "x/y", "-x", "x:port", "", "a b"])
def test_a_registry_that_is_none_is_refused(host):
    with pytest.raises(ConfigError, match=r"is not the name of a registry\.\n    fix: write HOST:PORT"):
        access_of(None, Overrides(plain_http=(host,)))


def test_what_podman_reads_says_the_same_whatever_is_in_a_name():
    """Names are judged before; here they are text all the same."""
    hosts = ['x"\ninsecure = false\n[evil]\n"', "back\\slash", "\x7f\x01", "ü😀", "localhost:5000"]
    source = ImageSource(source=hosts[0], mirrors=(*hosts,))
    said = tomllib.loads(registries_conf(Access(plain_http=frozenset(hosts), mirrors=(source,))))
    assert {row["location"] for row in said["registry"] if row.get("insecure")} == set(hosts)
    assert [row["location"] for row in said["registry"][-1]["mirror"]] == hosts
    assert all(row["insecure"] == (row["location"] in hosts) for row in said["registry"][-1]["mirror"][1:])


def test_options_come_before_the_cluster(tmp_path):
    (tmp_path / "secret").write_text('{"auths": {}}')
    (tmp_path / "bundle").write_text("a bundle")
    overrides = Overrides(
        pull_secret=tmp_path / "secret", trust_bundle=tmp_path / "bundle", plain_http=("127.0.0.1:5000",)
    )
    for loaded in (load_cluster(CONFIG), None):
        access = access_of(loaded, overrides)
        assert (access.pull_secret, access.trust_bundle) == ('{"auths": {}}', "a bundle")
        assert access.plain_http == {"127.0.0.1:5000"}


def test_no_secret_is_shown(tmp_path):
    assert PULL_SECRET not in repr(access_of(load_cluster(CONFIG)))
    with pytest.raises(ConfigError, match=r"--pull-secret .*: Is a directory"):
        access_of(None, Overrides(pull_secret=tmp_path))
