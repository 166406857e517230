"""hardway release, on images in a folder and, for the catalogue, with a network that leads nowhere."""

from __future__ import annotations

import json

import pytest
import yaml
from click.testing import CliRunner

from hardway.cli.release.group import release
from hardway.model.errors import CheckError, ConfigError, HardwayError, ToolError
from hardway.registry.errors import Unreachable
from hardway.release import catalogue, crds
from tests.support import openpgp
from tests.support.clusters import install_config
from tests.support.release import files as release_files

NOWHERE = "http://127.0.0.1:9"  # nobody listens there


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No network, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, NOWHERE)
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.delenv("no_proxy", raising=False)


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    folder = tmp_path_factory.mktemp("release") / "oci"
    digest = release_files.write_oci(folder, release_files.whole())
    return f"oci:{folder}", digest


def run(folder, *words):
    result = CliRunner().invoke(release, [str(word) for word in words], obj=folder)
    if isinstance(result.exception, HardwayError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def said(folder, *words):
    return json.loads(run(folder, *words, "-o", "json").stdout)


def test_info_of_an_image(tmp_path, image):
    name, digest = image
    found = said(tmp_path, "info", name)
    assert (found["origin"], found["version"], found["digest"]) == ("payload", "4.18.0", digest)
    assert (found["architecture"], found["kubernetes"], found["images"]) == ("amd64", "1.31.3", len(release_files.TAGS))
    assert found["manifests"] == len(release_files.manifests())
    assert found["signature"]["state"] == "unchecked"
    assert found["coreos"]["stream"] == "rhcos-4.18"
    assert [a["part"] for a in found["coreos"]["artifacts"] if a["format"] == "pxe"] == [
        "kernel",
        "initramfs",
        "rootfs",
    ]
    assert {a["architecture"] for a in found["coreos"]["artifacts"]} == {"x86_64"}
    assert "components" not in found


def test_info_for_people(tmp_path, image):
    printed = run(tmp_path, "info", image[0], "--images").stdout
    assert "kubernetes    1.31.3\n" in printed
    assert "updates from  4.17.9, 4.17.10\n" in printed
    assert "https://example.com/live.iso\n" in printed
    assert f"sha256 {'1' * 64}\n" in printed
    assert "signature     not checked" in printed
    assert "catalogue" not in printed
    assert "  etcd                      the database that holds every object of the cluster\n" in printed
    assert "unknown\n  something-new" in printed


def test_info_with_the_components_as_data(tmp_path, image):
    rows = {row["name"]: row for row in said(tmp_path, "info", image[0], "--images")["components"]}
    assert set(rows) == set(release_files.TAGS)
    assert rows["etcd"]["source"] == "openshift/etcd"


def test_without_a_network_the_catalogue_serves_and_says_so(tmp_path):
    found = said(tmp_path, "info", "4.18.0")
    assert (found["origin"], found["version"]) == ("catalogue", "4.18.0")
    assert found["image"] == catalogue.release_for("4.18.0").image
    assert found["kubernetes"] is found["manifests"] is found["coreos"] is None
    assert "cannot be reached" in found["why"]
    printed = run(tmp_path, "info", "--images").stdout
    assert "origin        hardway's embedded catalogue, not the release itself\n" in printed
    assert "  etcd " in printed
    assert said(tmp_path, "info", "quay.io/openshift-release-dev/ocp-release:4.18.0-x86_64")["origin"] == "catalogue"


def test_what_the_catalogue_does_not_know_is_an_error(tmp_path):
    with pytest.raises(Unreachable):
        run(tmp_path, "info", "4.18.99")
    with pytest.raises(Unreachable):
        run(tmp_path, "info", "example.com/other/release:4.18.0")
    with pytest.raises(ToolError, match="the embedded catalogue has no manifests"):
        run(tmp_path, "extract", "4.18.0", "--to", tmp_path / "to")
    assert not (tmp_path / "to").exists()


def test_image_for(tmp_path, image):
    name = image[0]
    pull_spec = release_files.payload().images["etcd"]
    assert run(tmp_path, "image-for", "etcd", name).stdout == f"{pull_spec}\n"
    assert said(tmp_path, "image-for", "etcd", name) == {"name": "etcd", "image": pull_spec, "origin": "payload"}
    with pytest.raises(ConfigError, match="did you mean etcd"):
        run(tmp_path, "image-for", "etdc", name)


def test_image_for_out_of_the_catalogue(tmp_path):
    result = run(tmp_path, "image-for", "etcd")
    assert result.stdout == catalogue.release_for("4.18.0").images["etcd"] + "\n"
    assert "embedded catalogue" in result.stderr
    assert said(tmp_path, "image-for", "etcd")["origin"] == "catalogue"


def test_extract_writes_every_file_into_a_new_or_empty_folder(tmp_path, image):
    (tmp_path / "empty").mkdir()
    for target in (tmp_path / "new" / "er", tmp_path / "empty"):
        printed = run(tmp_path, "extract", image[0], "--to", target).stdout
        assert {p.name: p.read_bytes() for p in target.iterdir()} == release_files.whole()
        assert printed == f"{len(release_files.whole())} files of release 4.18.0 in {target}\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty", "new"]


def test_extract_leaves_a_folder_with_something_in_it_alone(tmp_path, image):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("precious")
    with pytest.raises(ConfigError, match="is not empty"):
        run(tmp_path, "extract", image[0], "--to", tmp_path / "full")
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine"]


def test_crds(tmp_path, image):
    printed = run(tmp_path, "crds", image[0], "--to", tmp_path / "crds").stdout
    assert printed == f"24 CRDs of feature set Default in {tmp_path / 'crds'}\n"
    written = {p.name: p.read_bytes() for p in (tmp_path / "crds").iterdir()}
    assert written == crds.select(release_files.manifests())
    every = said(tmp_path, "crds", image[0], "--to", tmp_path / "all", "--all")
    assert set(every["files"]) == set(crds.select(release_files.manifests(), everything=True))
    tech = said(tmp_path, "crds", image[0], "--to", tmp_path / "t", "--feature-set", "TechPreviewNoUpgrade")
    assert "0000_10_config-operator_01_nodes-TechPreviewNoUpgrade.crd.yaml" in tech["files"]


def cluster(folder, image, **changes):
    folder.mkdir()
    (folder / "install-config.yaml").write_text(yaml.safe_dump(install_config(**changes)))
    (folder / "hardway.yaml").write_text(yaml.safe_dump({"release": image}))
    return folder


def test_in_a_clusters_folder_release_and_feature_set_are_the_clusters(tmp_path, image):
    folder = cluster(tmp_path / "ocp4", image[0], featureSet="TechPreviewNoUpgrade")
    assert said(folder, "info")["digest"] == image[1]
    assert (
        "0000_10_config-operator_01_nodes-TechPreviewNoUpgrade.crd.yaml"
        in said(folder, "crds", "--to", tmp_path / "crds")["files"]
    )


def test_in_a_clusters_folder_the_proxy_is_the_clusters(tmp_path, image):
    proxy = {"httpProxy": "http://127.0.0.2:9", "httpsProxy": "http://127.0.0.2:9"}
    folder = cluster(tmp_path / "ocp4", image[0], proxy=proxy)
    assert "127.0.0.2:9" in said(folder, "info", "4.18.0")["why"]
    assert "127.0.0.1:9" in said(tmp_path, "info", "4.18.0")["why"]


def test_options_that_name_no_readable_file(tmp_path, image):
    with pytest.raises(ConfigError, match=r"--pull-secret .*nothing: No such file"):
        run(tmp_path, "info", image[0], "--pull-secret", tmp_path / "nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"--trust-bundle .*binary: not a text file"):
        run(tmp_path, "info", image[0], "--trust-bundle", tmp_path / "binary")


def test_the_signature_of_an_image(tmp_path, image):
    name, digest = image
    signature, key = tmp_path / "signature", tmp_path / "key.asc"
    given = ("--key", key, "--signature", signature)
    with openpgp.home() as keys:
        signer = keys.make("release")
        key.write_bytes(keys.public(signer))
        signature.write_bytes(keys.sign(signer, openpgp.claim(digest)))
        assert said(tmp_path, "info", name, *given)["signature"]["key"] == signer
        run(tmp_path, "extract", name, "--to", tmp_path / "good", *given)
        signature.write_bytes(keys.sign(signer, openpgp.claim("sha256:" + "0" * 64)))
    for words in (["info", name], ["extract", name, "--to", tmp_path / "bad"], ["image-for", "etcd", name]):
        with pytest.raises(CheckError, match="the signature of another image"):
            run(tmp_path, *words, *given)
    assert not (tmp_path / "bad").exists()


def test_an_absent_signature_is_said_and_nothing_is_written_without_it(tmp_path, image):
    (tmp_path / "store").mkdir()
    with openpgp.home() as keys:
        (tmp_path / "key.asc").write_bytes(keys.public(keys.make("release")))
    given = ("--key", tmp_path / "key.asc", "--signature", tmp_path / "store")
    assert said(tmp_path, "info", image[0], *given)["signature"]["state"] == "absent"
    for words in (["extract", image[0], "--to", tmp_path / "to"], ["crds", image[0], "--to", tmp_path / "to"]):
        with pytest.raises(CheckError, match="has no signature for sha256:"):
            run(tmp_path, *words, *given)
    assert not (tmp_path / "to").exists()


@pytest.mark.parametrize("command", ["", "info", "image-for", "extract", "crds"])
def test_help_teaches(command):
    printed = CliRunner().invoke(release, [*command.split(), "--help"]).output
    assert "Usage:" in printed
    assert len(printed.splitlines()) > 10
