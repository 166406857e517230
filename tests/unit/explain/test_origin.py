"""The lines that decide a value are found by experiment, and a build of the changed files shows the same."""

from __future__ import annotations

import json

import pytest

from hardway.explain.origin.find import find
from hardway.explain.origin.given import Leaf, varied
from hardway.explain.origin.others import others
from hardway.explain.origin.trial import as_row, deciding, from_row, trials
from hardway.model.config.load import FIELDS
from hardway.model.errors import ConfigError
from hardway.workspace.folder import open_workspace
from tests.support.clusters import VARIANTS, install_config
from tests.support.edited import dumped
from tests.support.entropy import FixedEntropy
from tests.support.forked import hardway
from tests.support.trees import build_folder, write_folder

HOSTS = {"apiVIPs": ["192.168.126.77"], "hosts": {"master-1": {"hostname": "second", "mac": "52:54:00:00:00:99"}}}
FIXED = {"apiVersion", "compute[0].name", "platform.none"}
"""Written in every install-config, and without another valid value."""
FIXED_TOO = {
    "dual-stack": {"networking.clusterNetwork[1].hostPrefix"},  # always 64 for IPv6
    "capabilities": {"capabilities.additionalEnabledCapabilities[0]"},  # a cluster must have ingress
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = write_folder(tmp_path_factory.mktemp("origin") / "c", install_config(), mco=False, keys="ecdsa-p256")
    (made / "hosts.yaml").write_text(dumped(HOSTS))
    return made


@pytest.fixture(scope="module")
def found(folder):
    return trials(open_workspace(folder))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The user's, in which the first answer is remembered for all others."""
    return tmp_path_factory.mktemp("cache")


def fields_of(found, address):
    return [line.split("  ")[1].split(":")[0].split(" ")[0] for line in deciding(found, address) if ".yaml:" in line]


@pytest.mark.parametrize(
    ("address", "decided"),
    [
        ("field/cluster-dns-02-config.yml#spec.baseDomain", ["baseDomain", "metadata.name"]),
        ("flag/kube-apiserver/--service-cluster-ip-range", ["networking.serviceNetwork[0]"]),
        ("field/cluster-network-02-config.yml#spec.serviceNetwork", ["networking.serviceNetwork[0]"]),
        ("file/bootstrap:/root/.docker/config.json", ["pullSecret"]),
        ("key/root-ca", ["keys"]),
        ("file/bootstrap:/etc/hostname", []),
        ("record/api", ["baseDomain", "metadata.name", "apiVIPs[0]"]),
    ],
)
def test_the_lines_that_decide_are_named_and_no_others(address, decided, found):
    assert fields_of(found, address) == decided


def test_images_are_decided_by_the_release(found):
    decided = deciding(found, "file/bootstrap:/etc/crio/crio.conf.d/50-bootstrap-override.conf")
    assert decided == ("hardway.yaml  release is not written; the default is 4.18.0",)


def test_a_line_has_its_place_and_a_default_says_so(found):
    text = "\n".join(deciding(found, "cert/kube-apiserver-service-network-server"))
    assert "install-config.yaml:" in text
    assert "hardway.yaml  shortLived is not written; the default is 168h" in text
    [vip] = find(found, "apiVIPs")
    assert vip.place == "hosts.yaml:2  apiVIPs[0]: 192.168.126.77"


def built_with(place, trial, value):
    """A real build, in which the trial's value is replaced if another one is given."""
    contents = {"install-config.yaml": install_config(), "hosts.yaml": HOSTS, "hardway.yaml": {"keys": "ecdsa-p256"}}
    if value is not None:
        row = next(row for row in FIELDS if row.file == trial.file and row.path == trial.field)
        steps = trial.name.replace("[", ".").replace("]", "").split(".")
        path = tuple(int(step) if step.isdigit() else step for step in steps)
        contents = varied(contents, Leaf(row=row, path=path, value="", line=1), value)
    place.mkdir()
    for file, content in contents.items():
        (place / file).write_text(dumped(content))
    workspace = build_folder(place, FixedEntropy())
    return {address: workspace.store.read(asset.path) for address, asset in workspace.graph.items()}


@pytest.mark.parametrize("name", ["networking.serviceNetwork[0]", "metadata.name", "hosts.master-1.mac", "shortLived"])
def test_a_build_of_the_changed_files_differs_where_the_experiment_says(name, found, tmp_path):
    [trial] = find(found, name)
    first, *rest = (built_with(tmp_path / str(n), trial, value) for n, value in enumerate((None, *trial.tried)))
    differing = {address for other in rest for address in {*first, *other} if first.get(address) != other.get(address)}
    assert differing
    assert differing == set(trial.changes) & set().union(first, *rest)


def test_nothing_is_written_and_no_key_is_made(folder, found):
    assert found
    assert sorted(path.name for path in folder.rglob("*")) == ["hardway.yaml", "hosts.yaml", "install-config.yaml"]


@pytest.mark.parametrize("variant", ["dual-stack", "proxy", "mirrors", "trust-bundle", "capabilities"])
def test_every_written_value_has_another_valid_one(variant, tmp_path):
    place = write_folder(tmp_path / "c", install_config(**VARIANTS[variant]), mco=False)
    rows = [trial for trial in trials(open_workspace(place)) if trial.line]
    assert {trial.name for trial in rows if not trial.tried} == FIXED | FIXED_TOO.get(variant, set())
    assert len({trial.name for trial in rows if trial.changes}) > 8


def test_secrets_are_varied_and_not_shown(found):
    secret = install_config()["pullSecret"]
    [trial] = find(found, "pullSecret")
    assert trial.changes
    assert trial.value == "(not shown)"
    assert all(part not in json.dumps([as_row(t) for t in found]) for part in (secret[20:40], "ZXhhbXBsZTp"))


@pytest.mark.parametrize(
    "name",
    [
        "networking.serviceNetwork",
        "networking.serviceNetwork[0]",
        "networking.serviceNetwork[]",
        "install-config.yaml#networking.serviceNetwork",
        "field/install-config.yaml#networking.serviceNetwork[]",
    ],
)
def test_a_field_has_several_names(name, found):
    [trial] = find(found, name)
    assert trial.name == "networking.serviceNetwork[0]"
    assert find(found, f"{trial.file}:{trial.line}") == [trial]


def test_a_mapping_stands_for_all_below_it(found):
    names = {trial.name for trial in find(found, "networking")}
    assert {"networking.serviceNetwork[0]", "networking.clusterNetwork[0].hostPrefix"} < names


def test_an_unknown_field_is_refused_with_the_nearest(found):
    with pytest.raises(ConfigError, match=r"did you mean baseDomain\?"):
        find(found, "baseDomian")


def test_a_trial_comes_back_from_the_cache_as_it_was(found):
    assert [from_row(json.loads(json.dumps(as_row(trial)))) for trial in found] == list(found)


@pytest.mark.parametrize(
    ("path", "value", "first"),
    [
        ("fips", None, True),
        ("fips", True, False),
        ("controlPlane.replicas", 3, 4),
        ("networking.serviceNetwork[]", "172.30.0.0/16", "172.31.0.0/16"),
        ("networking.serviceNetwork[]", "fd02::/112", "fd02::1:0/112"),
        ("apiVIPs[]", "192.168.126.10", "192.168.126.11"),
        ("publish", "External", "Externam"),
        ("keys", "rsa-2048", "rsa-4096"),
    ],
)
def test_other_values_are_of_the_same_kind(path, value, first):
    row = next(row for row in FIELDS if row.path == path)
    assert next(iter(others(row, value))) == first
    assert value not in list(others(row, value))


def test_the_command_answers_the_second_time_from_memory(folder, cache):
    environment = {"XDG_CACHE_HOME": str(cache)}
    words = ("-C", folder, "explain")
    first, second = (hardway(*words, "cert/kube-apiserver-lb-server", **environment).stdout for _ in range(2))
    assert first == second
    assert "  decided by  install-config.yaml:" in first
    asked = hardway(*words, "--from", "networking.serviceNetwork", **environment)
    assert "  flag/kube-apiserver/--service-cluster-ip-range\n" in asked.stdout
    assert asked.stdout.endswith(" things would change\n")
    rows = json.loads(hardway(*words, "--from", "baseDomain", "-o", "json", **environment).stdout)
    assert [row["name"] for row in rows] == ["baseDomain"]
    [cached] = (cache / "hardway" / "explain").iterdir()
    assert cached.stat().st_mode & 0o777 == 0o600


def test_by_place_the_same_lines_are_named(folder, tmp_path):
    built = build_folder(write_folder(tmp_path / "c", install_config(), mco=False, keys="ecdsa-p256"))
    place = built.folder / "assets/manifests/cluster-dns-02-config.yml"
    line = next(n for n, text in enumerate(place.read_text().splitlines(), 1) if text.startswith("  baseDomain"))
    told = hardway("-C", built.folder, "explain", f"{place}:{line}", XDG_CACHE_HOME=str(tmp_path / "cache")).stdout
    assert "  decided by  install-config.yaml:" in told
    assert "metadata.name: " in told


@pytest.mark.parametrize("words", [["--from", "baseDomain", "cert/root-ca"], ["--from", "nosuch.field"]])
def test_bad_questions_end_with_2(words, folder, cache):
    done = hardway("-C", folder, "explain", *words, XDG_CACHE_HOME=str(cache))
    assert done.returncode == 2
    assert "    fix: " in done.stderr


def test_without_a_cluster_there_are_no_lines_and_no_question(tmp_path):
    assert "decided by" not in hardway("-C", tmp_path, "explain", "cert/root-ca").stdout
    assert hardway("-C", tmp_path, "explain", "--from", "baseDomain").returncode == 2
