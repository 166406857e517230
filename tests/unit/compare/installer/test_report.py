"""The report: what it names, what it keeps to itself, and what it refuses to read."""

from __future__ import annotations

import json
from base64 import b64encode

import pytest
import yaml

from hardway.compare.installer.comparison import OURS, compare
from hardway.compare.installer.reading import read_reference
from hardway.model.errors import ConfigError
from tests.support import references
from tests.support.clusters import PULL_SECRET, install_config
from tests.support.installer_like import installer_like, put
from tests.support.manifests import make
from tests.support.planting import DNS, MANIFESTS, REFERENCE, edit, good


def test_a_report_tells_no_secret(tmp_path):
    config = json.loads(good())
    password = "s3cret"
    edit(
        config,
        f"{MANIFESTS}cluster-proxy-01-config.yaml",
        lambda b: b["spec"].update(httpProxy=f"http://user:{password}@p.example.com"),
    )
    edit(
        config,
        f"{MANIFESTS}openshift-config-secret-pull-secret.yaml",
        lambda b: b["data"].update({".dockerconfigjson": b64encode(PULL_SECRET.encode()).decode()}),
    )
    report = compare(REFERENCE, lambda text: json.dumps(config).encode())
    told = report.as_text() + json.dumps(report.as_dict())
    assert not report.ok
    assert {d.aspect for d in report.unexplained} == {"spec.httpProxy", "data..dockerconfigjson"}
    for secret in (
        password,
        "ZXhhbXBsZTpleGFtcGxl",
        b64encode(PULL_SECRET.encode()).decode(),
        "PRIVATE KEY",
        "LS0tLS1CRUdJTi",
    ):
        assert secret not in told


def test_a_report_names_what_is_unexplained_and_why_the_rest_is_not():
    config = json.loads(good())
    edit(config, DNS, lambda b: b["spec"].update(baseDomain="example.com"))
    report = compare(REFERENCE, lambda text: json.dumps(config).encode())
    text = report.as_text()
    assert f"UNEXPLAINED {DNS} spec.baseDomain" in text
    assert "the installer: ocp4.example.com" in text
    assert "backdated" in text
    told = report.as_dict()
    assert told["ok"] is False
    assert [d["path"] for d in told["unexplained"]] == [DNS]
    assert all(d["why"] for d in told["expected"])


def test_ours_is_built_from_the_references_own_install_config():
    asked = []

    def build(text):
        asked.append(yaml.safe_load(text))
        return good()

    compare(REFERENCE, build)
    [config] = asked
    assert config["metadata"] == {"name": "ocp4"}
    assert json.loads(config["pullSecret"]) == {"auths": {"quay.io": {"auth": "Zm9vOmJhcg=="}}}


def test_a_real_config_gives_its_install_config_back_with_the_pull_secret(tmp_path):
    target = tmp_path / "bootstrap.ign"
    target.write_bytes(make(yaml.safe_dump(install_config())).content("ignition/bootstrap"))
    found = read_reference(target).install_config
    assert found["pullSecret"] == PULL_SECRET
    assert found["platform"] == {"none": {}}


def test_a_pull_secret_of_which_only_the_length_is_known_gets_a_stand_in(tmp_path):
    description = references.description("3+2")
    secret = description["documents"][f"{MANIFESTS}openshift-config-secret-pull-secret.yaml"][0]
    secret["data"][".dockerconfigjson"] = "<3600 characters>"
    target = tmp_path / "reference.json"
    target.write_text(json.dumps(description))
    report = compare(target, lambda text: make(text, keys="rsa-2048").content("ignition/bootstrap"))
    assert report.ok, report.as_text()


@pytest.mark.parametrize("length", ["9" * 15, "9" * 5000])
def test_a_length_that_no_pull_secret_has_takes_no_memory(length, tmp_path):
    """Of the number in the file a text of that length was made."""
    description = references.description("3+2")
    secret = description["documents"][f"{MANIFESTS}openshift-config-secret-pull-secret.yaml"][0]
    secret["data"][".dockerconfigjson"] = f"<{length} characters>"
    (tmp_path / "reference.json").write_text(json.dumps(description))
    assert len(read_reference(tmp_path / "reference.json").install_config["pullSecret"]) < 1000


@pytest.mark.parametrize("text", ["", "not json", "[]", "{}", '{"storage": 7}', '{"files": []}'])
def test_what_is_no_reference_is_refused_with_a_fix(text, tmp_path):
    target = tmp_path / "reference"
    target.write_text(text)
    with pytest.raises(ConfigError, match="fix:"):
        read_reference(target)
    with pytest.raises(ConfigError, match="fix:"):
        read_reference(tmp_path / "absent")


def test_a_shortened_install_config_cannot_be_built_from(tmp_path):
    description = references.description("3+2")
    description["install-config"]["additionalTrustBundle"] = "<900 characters>"
    target = tmp_path / "reference.json"
    target.write_text(json.dumps(description))
    with pytest.raises(ConfigError, match="additionalTrustBundle"):
        compare(target, lambda text: good())


def test_another_ignition_config_is_named_as_what_it_is_not(tmp_path):
    target = tmp_path / "master.ign"
    target.write_text('{"ignition": {"version": "3.2.0", "config": {"merge": [{"source": "https://x"}]}}}')
    with pytest.raises(ConfigError) as caught:
        compare(target, lambda text: good())
    said = f"{target} has no {MANIFESTS}cluster-config.yaml, so it is no bootstrap.ign of openshift-install."
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "text", ["[]", "data: 7", "data: {install-config: '- a'}", "data: {install-config: '{'}", ": :"]
)
def test_without_an_install_config_nothing_is_built(text, tmp_path):
    config = installer_like()
    put(config, f"{MANIFESTS}cluster-config.yaml", text)
    target = tmp_path / "bootstrap.ign"
    target.write_text(json.dumps(config))
    with pytest.raises(ConfigError, match="there is no install-config in its"):
        compare(target, lambda text: good())


def test_an_install_config_that_is_refused_is_said_to_be_in_the_file(tmp_path):
    config = installer_like()
    files = config["storage"]["files"]
    config["storage"]["files"] = [file for file in files if not file["path"].startswith(OURS)]
    edit(
        config, f"{MANIFESTS}cluster-config.yaml", lambda b: b["data"].update({"install-config": "platform: {aws: {}}"})
    )
    target = tmp_path / "bootstrap.ign"
    target.write_text(json.dumps(config))
    with pytest.raises(ConfigError) as caught:
        compare(target, lambda text: make(text).content("ignition/bootstrap"))
    assert str(caught.value).startswith(f"{target}: nothing can be built from the install-config in it.\n")


@pytest.mark.parametrize("section", ["ignition", "storage", "systemd", "passwd"])
@pytest.mark.parametrize("value", [None, 7, "x", [], {}, [{}], {"files": [7]}, {"units": [{"name": 7}]}])
def test_a_broken_config_is_refused_or_different_and_nothing_else(section, value, tmp_path):
    target = tmp_path / "bootstrap.ign"
    target.write_text(json.dumps(installer_like() | {section: value}))
    assert judged(target) in ("different", "refused with a fix")


def judged(target):
    try:
        return "fine" if compare(target, lambda text: good()).ok else "different"
    except ConfigError as refused:
        return f"refused with{'' if 'fix:' in str(refused) else 'out'} a fix"
